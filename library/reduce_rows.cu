/*
 * reduce_rows.cu: reduce_rows(), and what all functions of reduce_rows.h share. The shape decides
 * the kernel (reduce_plan.c): many rows in a thread or in a warp, a warp a row, a block a row,
 * several blocks a row.
 */
#include "reduce_common.h"

/* wait_for_kernel_before() of a block that has the first `most` of `rows` rows. It asks ahead for a
   few bytes, and in a small grid only: to ask for all of its rows would take longer than it saves.
 */
template <typename T>
static inline __device__ void wait_for_rows(const T *in, size_t rows, size_t most, size_t columns,
                                            size_t stride)
{
    const size_t few = 8192 / sizeof(T), last = (rows < most ? rows : most) - 1;
    const size_t all = columns == 0 || gridDim.x > 256 ? 0 : last * stride + columns;
    wait_for_kernel_before(in, all < few ? all : few);
}

/* ---- many rows in a thread ---- */

/* Rows of MOST elements or fewer. With VECTORS_ONLY they have MOST, and lie one right behind the
   other: then a thread reads ROWS of them at once, and writes their answers at once, 16 bytes of
   both at most. It has several such groups, for more loads in flight; in each of them, what the
   lanes of a warp read and write lies side by side. No thread merges anything with another. */
template <class OP, typename T, bool VECTORS_ONLY, int MOST>
static __global__ void __launch_bounds__(REDUCE_THREADS)
    rows_in_a_thread(OP op, const T *in, size_t rows, size_t columns, size_t stride, void *out)
{
    const int READ = 16 / (MOST * sizeof(T)), WRITTEN = 16 / OP::ANSWER; /* rows in 16 bytes */
    const int ROWS = !VECTORS_ONLY ? 1 : WRITTEN < READ ? WRITTEN : READ, ALL = ROWS * MOST;
    const int GROUPS = ROWS_OF_A_THREAD(MOST) / ROWS;
    typedef typename bytes_at_once<ALL * sizeof(T)>::unit unit;
    const unsigned in_block = REDUCE_THREADS * ROWS_OF_A_THREAD(MOST);
    const size_t block_row = (size_t)blockIdx.x * in_block;
    const size_t first_row = block_row + threadIdx.x * ROWS, apart = REDUCE_THREADS * ROWS;
    const size_t n = VECTORS_ONLY ? MOST : columns;
    const struct places<1> places = {
        0, 1, (unsigned)n
    };

    wait_for_rows(in + block_row * stride, rows - block_row, in_block, n, stride);
    unit raw[GROUPS];
    if (VECTORS_ONLY && block_row + in_block <= rows) {
#pragma unroll
        for (int g = 0; g < GROUPS; g++)
            raw[g] = *(const unit *)(in + (first_row + g * apart) * MOST);
    } else {
#pragma unroll
        for (int e = 0; e < GROUPS * ALL; e++) {
            const size_t row = first_row + e / ALL * apart + e % ALL / MOST;
            ((T *)&raw[e / ALL])[e % ALL] =
                row < rows && places.has(e % MOST) ? in[row * stride + e % MOST] : T();
        }
    }
    trigger_next_launch();
#pragma unroll
    for (int g = 0; g < GROUPS; g++) {
        float first[ROWS];
        typename OP::second second[ROWS] = {};
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            float x[MOST];
#pragma unroll
            for (int e = 0; e < MOST; e++)
                x[e] = op.key(wide(((const T *)&raw[g])[r * MOST + e]));
            first[r] = first_of<0, MOST>(op, x, places);
            if constexpr (OP::TWO)
                second[r] = second_of<0, MOST>(op, x, places, op.pivot(first[r], n));
        }
        put_answers<ROWS>(op, first, second, n, out, first_row + g * apart, rows);
    }
}

/* ---- many rows in a warp ---- */

/* `lanes` lanes, a team, have a row between them: LOADS times 16 bytes each, or as many elements.
   Few lanes with several loads need fewer shuffles than many with one. Each has ROWS rows at once,
   so that ROW_LOADS loads are in flight. All elements stay in registers: first the pivots of the
   rows are found, then the second parts about them. */
template <class OP, typename T, bool VECTORS_ONLY, int LOADS>
static __global__ void __launch_bounds__(REDUCE_THREADS)
    rows_in_a_warp(OP op, const T *in, size_t rows, size_t columns, size_t stride, unsigned lanes,
                   void *out)
{
    const int members = sixteen_bytes<T>::MEMBERS, each = LOADS * members, ROWS = ROW_LOADS / LOADS;
    const unsigned lane = threadIdx.x % 32 & (lanes - 1), teams = 32 / lanes;
    const unsigned in_block = REDUCE_THREADS / lanes * ROWS; /* rows */
    const size_t block_row = (size_t)blockIdx.x * in_block;
    const size_t first_row = block_row + threadIdx.x / 32 * teams * ROWS + threadIdx.x % 32 / lanes;
    /* Of a row's elements, this lane has 16 bytes side by side, or one, every `step`. */
    const unsigned group = VECTORS_ONLY ? members : 1, start = lane * group, step = lanes * group;
    struct places<VECTORS_ONLY ? members : 1> places = {
        start, step, start < columns ? (unsigned)(columns - start + step - 1) / step : 0
    };

    wait_for_rows(in + block_row * stride, rows - block_row, in_block, columns, stride);
    uint4 raw[ROWS][LOADS];
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        size_t row = first_row + (size_t)r * teams; /* beyond the end: the last row once more */
        load_places<VECTORS_ONLY, LOADS>(raw[r], in + (row < rows ? row : rows - 1) * stride,
                                         places);
    }
    trigger_next_launch();

    float x[ROWS][each], first[ROWS];
    typename OP::second second[ROWS] = {};
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
#pragma unroll
        for (int e = 0; e < each; e++)
            x[r][e] = op.key(wide(((const T *)&raw[r][e / members])[e % members]));
        first[r] = first_of<0, each>(op, x[r], places);
    }
    all_firsts<ROWS>(op, first, lanes);
    if constexpr (OP::TWO) {
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            const float pivot = op.pivot(first[r], columns);
            if constexpr (OP::LOOKS_AGAIN) {
                const unsigned e = OP::template place_of<each>(x[r], pivot);
                second[r] = e < each && places.has(e) ? (typename OP::second)places.number(e)
                                                      : op.no_second();
            } else {
                second[r] = second_of<0, each>(op, x[r], places, pivot);
            }
        }
        all_seconds<ROWS>(op, second, lanes);
    }
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        size_t row = first_row + (size_t)r * teams;
        if (lane == 0 && row < rows)
            op.answer(first[r], second[r], columns, out, row);
    }
}

/* ---- a warp a row ---- */

template <class OP, typename T>
static __global__ void __launch_bounds__(REDUCE_THREADS)
    warp_a_row(OP op, const T *in, size_t rows, size_t columns, size_t stride, void *out)
{
    const unsigned in_block = REDUCE_THREADS / 32;
    const size_t block_row = (size_t)blockIdx.x * in_block, row = block_row + threadIdx.x / 32;
    struct running<OP> s = nothing_yet(op);
    wait_for_rows(in + block_row * stride, rows - block_row, in_block, columns, stride);
    if (row >= rows)
        return; /* which counts as the trigger, too */
    const struct row_share<T> share =
        take_share<false>(op, s, in + row * stride, columns, threadIdx.x % 32, 32);
    trigger_next_launch();
    warp_state(op, s, columns, share);
    if (threadIdx.x % 32 == 0)
        op.answer(s.first, s.second, columns, out, row);
}

/* ---- a block a row, or several ---- */

/* Slots that a thread reads at once. */
template <class OP> struct row_slots {
    enum { AT_ONCE = OP::LOOKS_AGAIN ? 4 : 2 };
};

/* Blocks that share a row take turns with its tiles, so that all read near each other. Each leaves
   its state in a slot, and the last of them to begin waits for those of all: they have begun, and
   wait for none. It merges them in the order of the slots, so the bits do not depend on which block
   it is. */
template <class OP, typename T>
static __global__ void __launch_bounds__(REDUCE_THREADS)
    block_a_row(OP op, const T *in, size_t columns, size_t stride, unsigned parts, void *out,
                struct shared_answers shared)
{
    __shared__ bool began_last;
    const size_t row = blockIdx.x / parts;
    const unsigned mine = blockIdx.x % parts, first = mine * blockDim.x, size = parts * blockDim.x;
    struct running<OP> s = nothing_yet(op);
    unsigned before = 0;
    in += row * stride;
    /* Of the first tile, one part for each block. */
    const size_t at_once = ROW_LOADS * REDUCE_THREADS * sixteen_bytes<T>::MEMBERS;
    const size_t ahead = mine * at_once < columns ? mine * at_once : columns;
    wait_for_kernel_before(in + ahead, columns - ahead < at_once ? columns - ahead : at_once);
    if (parts > 1 && threadIdx.x == 0)
        before = atomicInc(&shared.tickets[row], parts - 1); /* comes while elements do */
    const struct row_share<T> share =
        take_share<true>(op, s, in, columns, first + threadIdx.x, size);
    trigger_next_launch();
    struct row_shares shares = {};
    if (parts > 1)
        shares = shares_of(in, columns, size);
    if (threadIdx.x == 0)
        began_last = before == parts - 1;
    block_state(op, s, parts == 1 ? columns : elements_of_threads(shares, first, blockDim.x),
                share);
    if (parts > 1) {
        const struct meeting slots = {(volatile word *)shared.flagged +
                                          row * parts * words_of<OP>::COUNT,
                                      words_of<OP>::COUNT, 1, parts, mine};
        if (!began_last) {
            if (threadIdx.x == 0)
                publish_state(slots, s);
            return;
        }
        /* One warp is done sooner with a few slots than all, which would meet at barriers. */
        const unsigned threads = parts > 64 ? blockDim.x : 32;
        if (threadIdx.x >= threads)
            return;
        take_slots<row_slots<OP>::AT_ONCE>(
            op, s, slots, threadIdx.x, threads, [shares](unsigned i) {
                return elements_of_threads(shares, i * blockDim.x, blockDim.x);
            });
        /* No barrier: block_state() of all_taken has shared memory of its own. */
        if (threads == 32)
            warp_state(op, s, columns, all_taken());
        else
            block_state(op, s, columns, all_taken());
    }
    if (threadIdx.x == 0)
        op.answer(s.first, s.second, columns, out, row);
}

struct launch_shortest_rows {
    template <class OP, typename T>
    static enum reduce_status of(const struct reduction *r, OP op, T)
    {
        const struct reduce_matrix *m = r->matrix;
        return launch_reduction(r,
                                !r->plan->vectors ? rows_in_a_thread<OP, T, false, MOST_IN_A_THREAD>
                                : m->columns == 1 ? rows_in_a_thread<OP, T, true, 1>
                                : m->columns == 2 ? rows_in_a_thread<OP, T, true, 2>
                                                  : rows_in_a_thread<OP, T, true, MOST_IN_A_THREAD>,
                                op, (const T *)m->data, m->rows, m->columns, m->stride, r->out);
    }
};

/* Numbers of elements fit into 32 bits where rows are short. */
struct launch_short_rows {
    template <class OP, typename T>
    static enum reduce_status of(const struct reduction *r, OP op, T)
    {
        const struct reduce_matrix *m = r->matrix;
        const T *in = (const T *)m->data;
        if (r->plan->kind == WARP_A_ROW)
            return launch_reduction(r, warp_a_row<OP, T>, op, in, m->rows, m->columns, m->stride,
                                    r->out);
        const unsigned loads = r->plan->loads;
        return launch_reduction(r,
                                !r->plan->vectors ? rows_in_a_warp<OP, T, false, 1>
                                : loads == 1      ? rows_in_a_warp<OP, T, true, 1>
                                : loads == 2      ? rows_in_a_warp<OP, T, true, 2>
                                                  : rows_in_a_warp<OP, T, true, 4>,
                                op, in, m->rows, m->columns, m->stride, r->plan->lanes, r->out);
    }
};

struct launch_long_rows {
    template <class OP, typename T>
    static enum reduce_status of(const struct reduction *r, OP op, T)
    {
        const struct reduce_matrix *m = r->matrix;
        return launch_reduction(r, block_a_row<OP, T>, op, (const T *)m->data, m->columns,
                                m->stride, (unsigned)r->plan->parts, r->out, r->shared);
    }
};

/* ---- what is wrong with the arguments ---- */

#define MOST_BYTES ((size_t)1 << 40) /* no GPU has as many; below, no grid is too large */

static bool is_product_below(size_t a, size_t b, size_t limit)
{
    return a == 0 || b < (limit + a - 1) / a;
}

extern "C" size_t reduce_answer_bytes(enum reduce_operator op)
{
    switch (op) {
    case REDUCE_SUM:
    case REDUCE_MAX:
    case REDUCE_MIN:
    case REDUCE_LOGSUMEXP:
    case REDUCE_NORM2:
        return 4;
    case REDUCE_ARGMAX:
    case REDUCE_ARGMIN:
    case REDUCE_MEAN_VAR:
        return 8;
    }
    return 0;
}

enum reduce_status reduce_begin(struct reduction *r, enum reduce_operator op, enum reduce_type type,
                                const void *data, size_t elements, size_t answers,
                                const struct reduce_workspace *w, unsigned *sms)
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
    if (sum_f32_device(sms, &r->overlap) != SUM_F32_OK)
        return REDUCE_NO_DEVICE;
    if (w->bytes < REDUCE_WORKSPACE_BYTES(*sms))
        return REDUCE_SMALL_WORKSPACE;
    r->shared.tickets = (unsigned *)w->memory;
    r->shared.flagged = (char *)w->memory + TICKET_BYTES(*sms);
    r->shared.slots = (char *)w->memory + TICKET_BYTES(*sms) + FLAGGED_BYTES(*sms);
    return REDUCE_OK;
}

enum reduce_status reduce_begin_matrix(struct reduction *r, enum reduce_operator op,
                                       const struct reduce_workspace *workspace, bool of_rows,
                                       unsigned *sms)
{
    const struct reduce_matrix *m = r->matrix;
    if (m == NULL)
        return REDUCE_NULL_POINTER;
    if (m->stride < m->columns || !is_product_below(m->rows, m->stride, MOST_BYTES))
        return REDUCE_BAD_SHAPE;
    return reduce_begin(r, op, m->type, m->data, m->columns > 0 ? m->rows * m->stride : 0,
                        of_rows ? m->rows : m->columns, workspace, sms);
}

/* ---- what reduce_rows.h and reduce_plan.h declare ---- */

extern "C" enum reduce_status reduce_workspace_bytes(size_t *bytes)
{
    unsigned sms;
    bool hopper;
    if (bytes == NULL)
        return REDUCE_NULL_POINTER;
    if (sum_f32_device(&sms, &hopper) != SUM_F32_OK)
        return REDUCE_NO_DEVICE;
    *bytes = REDUCE_WORKSPACE_BYTES(sms);
    return REDUCE_OK;
}

extern "C" enum reduce_status reduce_rows_by(const struct reduce_plan *plan,
                                             enum reduce_operator op,
                                             const struct reduce_matrix *matrix, void *out,
                                             const struct reduce_workspace *workspace,
                                             cudaStream_t stream)
{
    struct reduction r = {plan, matrix, NULL, out, {}, stream, false};
    struct reduce_plan chosen;
    unsigned sms;
    enum reduce_status status = reduce_begin_matrix(&r, op, workspace, true, &sms);
    if (status != REDUCE_OK || matrix->rows == 0)
        return status;
    if (plan == NULL) {
        chosen = reduce_rows_plan(op, matrix, sms);
        r.plan = &chosen;
    }
    if (r.plan->kind == ROWS_IN_A_THREAD)
        return by_type<launch_shortest_rows, unsigned>(&r, op, matrix->type);
    if (r.plan->kind == ROWS_IN_A_WARP || r.plan->kind == WARP_A_ROW)
        return by_type<launch_short_rows, unsigned>(&r, op, matrix->type);
    return by_type<launch_long_rows, size_t>(&r, op, matrix->type);
}

extern "C" enum reduce_status reduce_rows(enum reduce_operator op,
                                          const struct reduce_matrix *matrix, void *out,
                                          const struct reduce_workspace *workspace,
                                          cudaStream_t stream)
{
    return reduce_rows_by(NULL, op, matrix, out, workspace, stream);
}

extern "C" const char *reduce_message(enum reduce_status status)
{
    switch (status) {
    case REDUCE_OK:
        return "all right";
    case REDUCE_NULL_POINTER:
        return "a pointer is NULL: the matrix, its data, the offsets, out, the workspace or its "
               "memory";
    case REDUCE_MISALIGNED:
        return "data must be a multiple of its element's size, out of 4 (of 8 for ARGMAX and "
               "ARGMIN), offsets of 8, the workspace's memory of 16";
    case REDUCE_BAD_OPERATOR:
        return "no such operator; segments have SUM, MAX and ARGMAX";
    case REDUCE_BAD_TYPE:
        return "no such type: there are REDUCE_F32, REDUCE_F16 and REDUCE_BF16";
    case REDUCE_BAD_SHAPE:
        return "the stride must be at least the columns, and all rows together less than 2^40 "
               "bytes";
    case REDUCE_BAD_OFFSETS:
        return "offsets must not decrease, and must lie in 0 to n";
    case REDUCE_SMALL_WORKSPACE:
        return "the workspace is too small: reduce_workspace_bytes() says how large it must be";
    case REDUCE_NO_DEVICE:
        return "no GPU that CUDA can use, or one that this library has no code for";
    case REDUCE_LAUNCH_FAILED:
        return "CUDA refused: cudaPeekAtLastError() says why";
    }
    return "no such status";
}
