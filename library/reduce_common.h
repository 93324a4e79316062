/* reduce_common.h: what the three functions of reduce_rows.h share: the checks, the workspace, the
   launch, the wait for the kernel before, and the choice of an operator and a type. */
#ifndef REDUCE_COMMON_H
#define REDUCE_COMMON_H

#include "kernels.h" /* AHEAD, trigger_next_launch() */
#include "launch.h"
#include "reduce_share.h"

/* The workspace: what is zero between calls; then two slots for each block of segments, which need
   not be. */
#define REDUCE_WORKSPACE_BYTES(sms)                                                                \
    (TICKET_BYTES(sms) + FLAGGED_BYTES(sms) + SEGMENT_BLOCKS_PER_SM * (sms) * (size_t)2 * 16)

/* What blocks share, in the workspace. */
struct shared_answers {
    unsigned *tickets;
    void *slots, *flagged;
};

/* What every launch needs, beside the data. */
struct reduction {
    struct reduce_plan plan;
    void *out;
    cudaStream_t stream;
    struct shared_answers shared;
    unsigned sms;
    bool overlap;
};

#define MOST_BYTES ((size_t)1 << 40) /* no GPU has as many; below, no grid is too large */

static inline bool is_product_below(size_t a, size_t b, size_t limit)
{
    return a == 0 || b < (limit + a - 1) / a;
}

/* Checks what all have, and fills in what follows from the device. Needs r->out; `elements` and
   `answers`: how many there are. */
static inline enum reduce_status reduce_begin(struct reduction *r, enum reduce_operator op,
                                              enum reduce_type type, const void *data,
                                              size_t elements, size_t answers,
                                              const struct reduce_workspace *w)
{
    const size_t bytes = reduce_element_bytes(type);
    const size_t out_align = op == REDUCE_ARGMAX || op == REDUCE_ARGMIN ? 8 : 4;
    if (reduce_answer_bytes(op) == 0)
        return REDUCE_BAD_OPERATOR;
    if (bytes == 0)
        return REDUCE_BAD_TYPE;
    if (!is_product_below(answers, 8, MOST_BYTES) || !is_product_below(elements, bytes, MOST_BYTES))
        return REDUCE_BAD_SHAPE;
    if ((data == NULL && elements > 0) || (r->out == NULL && answers > 0) || w == NULL ||
        w->memory == NULL)
        return REDUCE_NULL_POINTER;
    if ((uintptr_t)data % bytes || (uintptr_t)r->out % out_align || (uintptr_t)w->memory % 16)
        return REDUCE_MISALIGNED;
    if (sum_f32_device(&r->sms, &r->overlap) != SUM_F32_OK)
        return REDUCE_NO_DEVICE;
    if (w->bytes < REDUCE_WORKSPACE_BYTES(r->sms))
        return REDUCE_SMALL_WORKSPACE;
    r->shared.tickets = (unsigned *)w->memory;
    r->shared.flagged = (char *)w->memory + TICKET_BYTES(r->sms);
    r->shared.slots = (char *)w->memory + TICKET_BYTES(r->sms) + FLAGGED_BYTES(r->sms);
    return REDUCE_OK;
}

/* The same of a matrix: its shape, too. */
static inline enum reduce_status reduce_begin_matrix(struct reduction *r, enum reduce_operator op,
                                                     const struct reduce_matrix *m,
                                                     const struct reduce_workspace *workspace,
                                                     bool of_rows)
{
    if (m == NULL)
        return REDUCE_NULL_POINTER;
    if (m->stride < m->columns || !is_product_below(m->rows, m->stride, MOST_BYTES))
        return REDUCE_BAD_SHAPE;
    return reduce_begin(r, op, m->type, m->data, m->columns > 0 ? m->rows * m->stride : 0,
                        of_rows ? m->rows : m->columns, workspace);
}

/* shared: bytes of shared_bytes(). */
template <typename... Args>
static enum reduce_status launch_reduction(const struct reduction &r, size_t shared,
                                           void (*kernel)(Args...), Args... args)
{
    const unsigned threads = r.plan.kind == SEGMENTS      ? (unsigned)SEGMENT_THREADS
                             : r.plan.kind == STAGED_ROWS ? r.plan.threads
                                                          : (unsigned)REDUCE_THREADS;
    const cudaError_t error = launch_grid((unsigned)r.plan.blocks, threads, (unsigned)shared, 1,
                                          r.overlap, r.stream, kernel, args...);
    return error == cudaErrorNoKernelImageForDevice ? REDUCE_NO_DEVICE
           : error == cudaSuccess                   ? REDUCE_OK
                                                    : REDUCE_LAUNCH_FAILED;
}

/* body(T()) for elements of this type. */
template <class BODY> static enum reduce_status by_type(enum reduce_type type, BODY body)
{
    return type == REDUCE_F32   ? body(float())
           : type == REDUCE_F16 ? body(__half())
                                : body(__nv_bfloat16());
}

/* launch(operator, T()) for this operator, and elements of this type. */
template <class LAUNCH>
static enum reduce_status by_operator(enum reduce_operator op, enum reduce_type type, LAUNCH launch)
{
    row_largest<true> largest;
    row_where<size_t, true> where;
    largest.flip = where.flip = op == REDUCE_MIN || op == REDUCE_ARGMIN ? SIGN : 0;
    return by_type(type, [&](auto t) {
        switch (op) {
        case REDUCE_SUM:
            return launch(row_sum(), t);
        case REDUCE_MAX:
        case REDUCE_MIN:
            return launch(largest, t);
        case REDUCE_ARGMAX:
        case REDUCE_ARGMIN:
            return launch(where, t);
        case REDUCE_MEAN_VAR:
            return launch(row_mean_var(), t);
        case REDUCE_LOGSUMEXP:
            return launch(row_log_sum_exp(), t);
        case REDUCE_NORM2:
            return launch(row_norm(), t);
        }
        return REDUCE_BAD_OPERATOR;
    });
}

/* As much shared memory as the launch asks for. (Not an array of each kernel's own: the simulator
   keeps those of all kernels of a program at the same time.) */
static inline __device__ void *shared_bytes(void)
{
    extern __shared__ uint4 dynamic[];
    return dynamic;
}

/* Asks for `count` elements of which a block will read the first, as in wait_for_input(): before
   the kernel in front has ended they may not be read. (Of a large grid few blocks wait for it. The
   others would only ask twice.) */
template <typename T> static __device__ void ask_ahead(const T *ahead, size_t count)
{
#if defined(HOPPER_CODE) && !defined(SIMT_SIMULATOR)
    if (threadIdx.x == 0 && gridDim.x <= BLOCKS_AHEAD) {
        const struct parts p = parts_of(ahead, count);
        const size_t bytes = p.vectors * 16;
        if (bytes > 0)
            asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(ahead + p.head),
                         "r"((unsigned)(bytes < AHEAD ? bytes : AHEAD))
                         : "memory");
    }
#endif
}

/* Nothing may be read or written before the kernel in front of this one in the stream has ended. */
static inline __device__ void wait_for_kernel_before(void)
{
#ifdef HOPPER_CODE
    cudaGridDependencySynchronize();
#endif
}

/* The answer of n elements, by the warp. */
template <class OP, typename T>
static __device__ void answer_by_warp(OP op, const T *in, size_t n, void *out, size_t i)
{
    running<OP> s = nothing_yet(op);
    const row_share<T> share = take_share<false>(op, s, in, n, threadIdx.x % 32, 32);
    trigger_next_launch();
    op = meet_in_warp(op, s);
    warp_state(op, s, n, share);
    if (threadIdx.x % 32 == 0)
        op.answer(s.first, s.second, n, out, i);
}

#endif
