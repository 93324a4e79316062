/* reduce_common.h: what the three functions of reduce_rows.h share: the checks, the workspace, the
   launch, and the choice of an operator and a type. */
#ifndef REDUCE_COMMON_H
#define REDUCE_COMMON_H

#include "launch.h"
#include "reduce_meet.h"

/* The workspace: what is zero between calls; then two slots for each block of segments, which need
   not be. */
#define REDUCE_WORKSPACE_BYTES(sms)                                                                \
    (TICKET_BYTES(sms) + FLAGGED_BYTES(sms) + SEGMENT_BLOCKS_PER_SM * (sms) * (size_t)2 * 16)

/* All that a kernel's launcher needs. */
struct reduction {
    const struct reduce_plan *plan;
    const struct reduce_matrix *matrix;     /* or ... */
    const struct reduce_segments *segments; /* ... these */
    void *out;
    struct shared_answers shared;
    cudaStream_t stream;
    bool overlap;
};

/* Checks what all have, and fills in what follows from the device. Needs r->out; `elements` and
   `answers`: how many there are. */
enum reduce_status reduce_begin(struct reduction *r, enum reduce_operator op, enum reduce_type type,
                                const void *data, size_t elements, size_t answers,
                                const struct reduce_workspace *workspace, unsigned *sms);

/* The same of a matrix: its shape, too. */
enum reduce_status reduce_begin_matrix(struct reduction *r, enum reduce_operator op,
                                       const struct reduce_workspace *workspace, bool of_rows,
                                       unsigned *sms);

/* shared: bytes of shared_bytes(). */
template <typename... Args>
static enum reduce_status launch_reduction(const struct reduction *r, size_t shared,
                                           void (*kernel)(Args...), Args... args)
{
    const unsigned threads = r->plan->kind == SEGMENTS      ? SEGMENT_THREADS
                             : r->plan->kind == STAGED_ROWS ? r->plan->threads
                                                            : REDUCE_THREADS;
    cudaError_t error = launch_grid((unsigned)r->plan->blocks, threads, (unsigned)shared, 1,
                                    r->overlap, r->stream, kernel, args...);
    if (error == cudaErrorNoKernelImageForDevice)
        return REDUCE_NO_DEVICE;
    return error == cudaSuccess ? REDUCE_OK : REDUCE_LAUNCH_FAILED;
}

static inline struct row_largest largest_of(unsigned flip)
{
    struct row_largest op;
    op.flip = flip;
    return op;
}

template <typename NUMBER> static inline struct row_where<NUMBER> where_of(unsigned flip) {
    struct row_where<NUMBER> op;
    op.flip = flip;
    return op;
}

/* LAUNCH is a structure with a function of(reduction, operator, T()). NUMBER: row_where's. */
template <class LAUNCH, typename T, typename NUMBER>
static enum reduce_status by_operator(const struct reduction *r, enum reduce_operator op)
{
    switch (op) {
    case REDUCE_SUM:
        return LAUNCH::of(r, row_sum(), T());
    case REDUCE_MAX:
        return LAUNCH::of(r, largest_of(0), T());
    case REDUCE_MIN:
        return LAUNCH::of(r, largest_of(SIGN), T());
    case REDUCE_ARGMAX:
        return LAUNCH::of(r, where_of<NUMBER>(0), T());
    case REDUCE_ARGMIN:
        return LAUNCH::of(r, where_of<NUMBER>(SIGN), T());
    case REDUCE_MEAN_VAR:
        return LAUNCH::of(r, row_mean_var(), T());
    case REDUCE_LOGSUMEXP:
        return LAUNCH::of(r, row_log_sum_exp(), T());
    case REDUCE_NORM2:
        return LAUNCH::of(r, row_norm(), T());
    }
    return REDUCE_BAD_OPERATOR;
}

template <class LAUNCH, typename NUMBER>
static enum reduce_status by_type(const struct reduction *r, enum reduce_operator op,
                                  enum reduce_type type)
{
    switch (type) {
    case REDUCE_F32:
        return by_operator<LAUNCH, float, NUMBER>(r, op);
    case REDUCE_F16:
        return by_operator<LAUNCH, __half, NUMBER>(r, op);
    case REDUCE_BF16:
        return by_operator<LAUNCH, __nv_bfloat16, NUMBER>(r, op);
    }
    return REDUCE_BAD_TYPE;
}

#endif
