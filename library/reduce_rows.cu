/*
 * reduce_rows.cu: reduce_rows(), and what all functions of reduce_rows.h share. The shape decides
 * the kernel (reduce_plan.c): many rows in a thread or in a warp, a warp a row, a block a row,
 * several blocks a row.
 */
#include "reduce_common.h"
#include <cuda_pipeline.h>
#include <type_traits>

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

/* Rows of MOST elements or fewer. With VECTORS_ONLY they have MOST, 4 at most, and lie one right
   behind the other: then a thread reads ROWS of them at once, and writes their answers at once, 16
   bytes of both at most. It has several such groups, for more loads in flight; in each of them,
   what the lanes of a warp read and write lies side by side. Threads merge nothing. */
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
    alignas(16) T raw[GROUPS][ALL];
    if (VECTORS_ONLY && block_row + in_block <= rows) {
#pragma unroll
        for (int g = 0; g < GROUPS; g++)
            *(unit *)raw[g] = *(const unit *)(in + (first_row + g * apart) * MOST);
    } else {
#pragma unroll
        for (int e = 0; e < GROUPS * ALL; e++) {
            const size_t row = first_row + e / ALL * apart + e % ALL / MOST;
            raw[e / ALL][e % ALL] =
                row < rows && places.has(e % MOST) ? in[row * stride + e % MOST] : T();
        }
    }
    trigger_next_launch();
#pragma unroll
    for (int g = 0; g < GROUPS; g++) {
        float first[ROWS];
        typename OP::second second[ROWS] = {};
        OP each[ROWS];
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            float x[MOST];
            each[r] = with_origin(op, wide(raw[g][r * MOST]), wide(raw[g][r * MOST + (MOST > 1)]));
#pragma unroll
            for (int e = 0; e < MOST; e++)
                x[e] = each[r].key(wide(raw[g][r * MOST + e]));
            first[r] = first_of<0, MOST>(op, x, places);
            if constexpr (OP::TWO)
                second[r] = second_of<0, MOST>(op, x, places, op.pivot(first[r], n));
        }
        put_answers<ROWS>(each, first, second, n, out, first_row + g * apart, rows);
    }
}

/* ---- many rows in a warp ---- */

/* `lanes` lanes, a team, have a row between them: LOADS times 16 bytes each, of which a row has a
   whole number. Few lanes with several loads need fewer shuffles than many with one. Each has ROWS
   rows at once, so that ROW_LOADS loads are in flight. All elements stay in registers: first the
   pivots of the rows are found, then the second parts about them. Not ALIGNED: rows begin anywhere,
   and elements come one by one. */
template <class OP, typename T, bool ALIGNED, int LOADS>
static __global__ void __launch_bounds__(REDUCE_THREADS)
    rows_in_a_warp(OP op, const T *in, size_t rows, size_t columns, size_t stride, unsigned lanes,
                   void *out)
{
    const int members = sixteen_bytes<T>::MEMBERS, each = LOADS * members, ROWS = ROW_LOADS / LOADS;
    const unsigned lane = threadIdx.x % 32 & (lanes - 1), teams = 32 / lanes;
    const unsigned in_block = REDUCE_THREADS / lanes * ROWS; /* rows */
    const size_t block_row = (size_t)blockIdx.x * in_block;
    const size_t first_row = block_row + threadIdx.x / 32 * teams * ROWS + threadIdx.x % 32 / lanes;
    const unsigned start = lane * members, step = lanes * members;
    const struct places<members> places = {
        start, step, start < columns ? (unsigned)(columns - start + step - 1) / step : 0
    };

    wait_for_rows(in + block_row * stride, rows - block_row, in_block, columns, stride);
    uint4 raw[ROWS][LOADS];
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        size_t row = first_row + (size_t)r * teams; /* beyond the end: the last row once more */
        load_places<ALIGNED, LOADS>(raw[r], in + (row < rows ? row : rows - 1) * stride, places);
    }
    trigger_next_launch();

    float x[ROWS][each], first[ROWS];
    typename OP::second second[ROWS] = {};
    OP of[ROWS];
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        of[r] = with_origin(op, wide(((const T *)raw[r])[0]), wide(((const T *)raw[r])[1]));
        if constexpr (OP::HAS_ORIGIN) /* the first lane's */
            of[r].origin = __shfl_sync(ALL_LANES, of[r].origin, 0, (int)lanes);
#pragma unroll
        for (int e = 0; e < each; e++)
            x[r][e] = of[r].key(wide(((const T *)&raw[r][e / members])[e % members]));
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
            of[r].answer(first[r], second[r], columns, out, row);
    }
}

/* ---- rows of odd lengths: one stream ---- */

/* Copies `n` elements to `stage`, whose address is as far from a multiple of 16 bytes, by `threads`
   threads, of which this is number `rank`. */
template <typename T>
static inline __device__ void copy_to_shared(T *stage, const T *in, unsigned n, unsigned rank,
                                             unsigned threads)
{
    const unsigned members = sixteen_bytes<T>::MEMBERS;
    const unsigned to_vector = (members - (uintptr_t)in / sizeof(T) % members) % members;
    const unsigned head = to_vector < n ? to_vector : n, vectors = (n - head) / members;
    const unsigned tail = head + vectors * members;
#pragma unroll 4
    for (unsigned v = rank; v < vectors; v += threads)
        __pipeline_memcpy_async(stage + head + v * members, in + head + v * members, 16);
    if (rank < head)
        stage[rank] = in[rank];
    if (tail + rank < n)
        stage[tail + rank] = in[tail + rank];
    __pipeline_commit();
}

enum { STAGED_AT_ONCE = 8 }; /* elements that a lane asks for before it needs one */

/* Calls body(x, places, COUNT) with the keys of COUNT elements of a row, every lanes-th from `e`
 * on. */
template <int COUNT, class OP, typename T, class BODY>
static inline __device__ void with_keys(OP op, const T *row, unsigned e, unsigned lanes, BODY body)
{
    const struct places<1> places = {
        e, lanes, COUNT
    };
    float x[COUNT];
#pragma unroll
    for (int k = 0; k < COUNT; k++)
        x[k] = op.key(wide(row[e + k * lanes]));
    body(x, places, std::integral_constant<int, COUNT>());
}

/* The same for all that a lane has: STAGED_AT_ONCE at a time, and the rest one by one. */
template <class OP, typename T, class BODY>
static inline __device__ void for_lane(OP op, const T *row, unsigned n, unsigned e, unsigned lanes,
                                       BODY body)
{
    for (; e + (STAGED_AT_ONCE - 1) * lanes < n; e += STAGED_AT_ONCE * lanes)
        with_keys<STAGED_AT_ONCE>(op, row, e, lanes, body);
    for (; e < n; e += lanes)
        with_keys<1>(op, row, e, lanes, body);
}

/* The state of a team's row in shared memory. A lane remembers where those elements begin among
   which the first of its largest is, for an operator that looks again. */
template <class OP, typename T>
static inline __device__ void staged_row(OP op, const T *row, unsigned n, unsigned lane,
                                         unsigned lanes, float &first, typename OP::second &second)
{
    unsigned where = lane;
    first = op.none();
    for_lane(op, row, n, lane, lanes, [&](const float *x, struct places<1> places, auto count) {
        const float more = first_of<0, decltype(count)::value>(op, x, places);
        if (OP::LOOKS_AGAIN && is_larger(more, first))
            where = (unsigned)places.start;
        first = op.merge_first(first, more);
    });
    const float mine = first;
    all_firsts<1>(op, &first, lanes);
    second = op.no_second();
    if constexpr (OP::LOOKS_AGAIN) {
        if (op.same(mine, first)) {
            float x[STAGED_AT_ONCE];
#pragma unroll
            for (int k = 0; k < STAGED_AT_ONCE; k++)
                x[k] = op.key(wide(row[where + k * lanes < n ? where + k * lanes : where]));
            second = where + OP::template place_of<STAGED_AT_ONCE>(x, first) * lanes;
        }
    } else if constexpr (OP::TWO) {
        const float pivot = op.pivot(first, n);
        for_lane(op, row, n, lane, lanes, [&](const float *x, struct places<1> places, auto count) {
            second =
                op.merge_second(second, second_of<0, decltype(count)::value>(op, x, places, pivot));
        });
    }
    if constexpr (OP::TWO)
        all_seconds<1>(op, &second, lanes);
}

/*
 * Rows of any length that is no multiple of 16 bytes. If each is read on its own, nearly all begin
 * and end in the middle of 16 bytes. So a block copies in_block of them to shared memory as they
 * lie, as one stream; there it costs nothing to begin anywhere. `lanes` lanes, a team, have a row
 * between them, and each takes every lanes-th element of it. (A row of odd length begins in another
 * bank than the row before.) Where rows do not lie one right behind the other, each is a stream.
 */
template <class OP, typename T>
static __global__ void __launch_bounds__(STAGED_THREADS)
    staged_rows(OP op, const T *in, size_t rows, unsigned columns, size_t stride, unsigned lanes,
                unsigned in_block, void *out)
{
    const unsigned members = sixteen_bytes<T>::MEMBERS, threads = blockDim.x;
    T *const stage = (T *)shared_bytes();
    const size_t block_row = (size_t)blockIdx.x * in_block;
    const unsigned here = rows - block_row < in_block ? (unsigned)(rows - block_row) : in_block;
    const bool is_stream = stride == columns;
    const unsigned apart = is_stream ? columns : (columns / members + 2) * members;
    in += block_row * stride;
    wait_for_rows(in, here, here, columns, stride);
    /* Each row begins as far from a multiple of 16 bytes as in global memory. */
    const auto start_of = [=](unsigned r) {
        const T *row = in + (is_stream ? 0 : r * stride);
        return r * apart + (unsigned)((uintptr_t)row / sizeof(T) % members);
    };
    if (is_stream)
        copy_to_shared(stage + start_of(0), in, here * columns, threadIdx.x, threads);
    else
        for (unsigned r = threadIdx.x / 32; r < here; r += threads / 32)
            copy_to_shared(stage + start_of(r), in + r * stride, columns, threadIdx.x % 32, 32);
    __pipeline_wait_prior(0);
    trigger_next_launch();
    __syncthreads();
    const unsigned lane = threadIdx.x & (lanes - 1), team = threadIdx.x / lanes;
    for (unsigned first_row = 0; first_row < here; first_row += threads / lanes) {
        const bool is_there = first_row + team < here;
        const unsigned r = is_there ? first_row + team : here - 1;
        float first;
        typename OP::second second;
        const OP of = for_row(op, stage + start_of(r), columns);
        staged_row(of, stage + start_of(r), columns, lane, lanes, first, second);
        if (lane == 0 && is_there)
            of.answer(first, second, columns, out, block_row + r);
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
    op = meet_in_warp(op, s);
    warp_state(op, s, columns, share);
    if (threadIdx.x % 32 == 0)
        op.answer(s.first, s.second, columns, out, row);
}

/* ---- a block a row, or several ---- */

/* Slots that a thread reads at once. */
template <class OP> struct row_slots {
    enum { AT_ONCE = OP::LOOKS_AGAIN ? 4 : 2 };
};

/* Which share a thread takes of those of its block, the first of which begins at `first`: turned,
   so that what a warp reads at once begins at a line of 128 bytes. Warps drift apart, and a line
   that two of them touch may be fetched twice. Where a block has few tiles they have no time to. */
template <typename T>
static inline __device__ unsigned turn_of_block(const T *in, size_t n, unsigned first,
                                                unsigned size)
{
    const struct parts p = parts_of(in, n);
    const bool is_long = p.vectors >= (size_t)8 * ROW_LOADS * size;
    return is_long ? ((uintptr_t)(in + p.head) / 16 + first) % 8 : 0;
}

/* Brings the states of turned threads back to those whose shares they are, so that no bit depends
   on where lines begin. The last lanes of a warp get those of the first ones of the next. Pivots
   follow from first parts. */
template <class OP> struct turned_state {
    float first;
    unsigned count;
    typename OP::second second;
};

template <class OP>
static inline __device__ void turn_back(OP op, struct running<OP> &s, unsigned turn)
{
    __shared__ struct turned_state<OP> first_lanes[REDUCE_THREADS / 32][8];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, from = lane + turn;
    if (lane < 8)
        first_lanes[warp][lane] = {s.first, (unsigned)s.count, s.second};
    __syncthreads();
    struct turned_state<OP> mine = {
        __shfl_sync(ALL_LANES, s.first, from), __shfl_sync(ALL_LANES, (unsigned)s.count, from),
            __shfl_sync(ALL_LANES, s.second, from)
    };
    if (from >= 32)
        mine = first_lanes[(warp + 1) % (REDUCE_THREADS / 32)][from - 32];
    s = {mine.first, op.pivot(mine.first, mine.count), mine.second, mine.count};
}

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
    const unsigned mine = blockIdx.x % parts, first = mine * REDUCE_THREADS,
                   size = parts * REDUCE_THREADS;
    struct running<OP> s = nothing_yet(op);
    unsigned before = 0;
    in += row * stride;
    /* Of the first tile, one part for each block. */
    const size_t at_once = ROW_LOADS * REDUCE_THREADS * sixteen_bytes<T>::MEMBERS;
    const size_t ahead = mine * at_once < columns ? mine * at_once : columns;
    wait_for_kernel_before(in + ahead, columns - ahead < at_once ? columns - ahead : at_once);
    if (parts > 1 && threadIdx.x == 0)
        before = atomicInc(&shared.tickets[row], parts - 1); /* comes while elements do */
    T top[2] = {};
    if (OP::HAS_ORIGIN && parts > 1) /* all blocks of the row need one origin, if not yet */
        top[0] = in[0], top[1] = in[1];
    const unsigned turn = turn_of_block(in, columns, first, size);
    const unsigned rank = (threadIdx.x - turn) % REDUCE_THREADS;
    const struct row_share<T> share = take_share<true>(op, s, in, columns, first + rank, size);
    trigger_next_launch();
    op = meet_in_block(op, s, rank);
    struct row_shares shares = {};
    if (parts > 1)
        shares = shares_of(in, columns, size);
    if (threadIdx.x == 0)
        began_last = before == parts - 1;
    if (turn > 0)
        turn_back(op, s, turn);
    block_state(op, s, parts == 1 ? columns : elements_of_threads(shares, first, REDUCE_THREADS),
                share);
    if (parts > 1) {
        const OP of_row = with_origin(op, wide(top[0]), wide(top[1]));
        move_to(op, of_row, s);
        op = of_row;
        const struct meeting slots = {(volatile word *)shared.flagged +
                                          row * parts * words_of<OP>::COUNT,
                                      words_of<OP>::COUNT, 1, parts, mine};
        if (!began_last) {
            if (threadIdx.x == 0)
                publish_state(slots, s);
            return;
        }
        /* One warp is done sooner with a few slots than all, which would meet at barriers. */
        const unsigned threads = parts > 64 ? REDUCE_THREADS : 32;
        if (threadIdx.x >= threads)
            return;
        take_slots<row_slots<OP>::AT_ONCE>(
            op, s, slots, threadIdx.x, threads, [shares](unsigned i) {
                return elements_of_threads(shares, i * REDUCE_THREADS, REDUCE_THREADS);
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
        return launch_reduction(r, 0,
                                m->columns > 4      ? rows_in_a_thread<OP, T, false, 8>
                                : !r->plan->vectors ? rows_in_a_thread<OP, T, false, 4>
                                : m->columns == 1   ? rows_in_a_thread<OP, T, true, 1>
                                : m->columns == 2   ? rows_in_a_thread<OP, T, true, 2>
                                                    : rows_in_a_thread<OP, T, true, 4>,
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
        const bool vectors = r->plan->vectors;
        if (r->plan->kind == WARP_A_ROW)
            return launch_reduction(r, 0, warp_a_row<OP, T>, op, in, m->rows, m->columns, m->stride,
                                    r->out);
        return launch_reduction(
            r, 0,
            r->plan->loads == 1
                ? (vectors ? rows_in_a_warp<OP, T, true, 1> : rows_in_a_warp<OP, T, false, 1>)
            : r->plan->loads == 2
                ? (vectors ? rows_in_a_warp<OP, T, true, 2> : rows_in_a_warp<OP, T, false, 2>)
                : (vectors ? rows_in_a_warp<OP, T, true, 4> : rows_in_a_warp<OP, T, false, 4>),
            op, in, m->rows, m->columns, m->stride, r->plan->lanes, r->out);
    }
};

struct launch_staged_rows {
    template <class OP, typename T>
    static enum reduce_status of(const struct reduction *r, OP op, T)
    {
        const struct reduce_matrix *m = r->matrix;
        return launch_reduction(r, STAGED_BYTES, staged_rows<OP, T>, op, (const T *)m->data,
                                m->rows, (unsigned)m->columns, m->stride, r->plan->lanes,
                                r->plan->in_block, r->out);
    }
};

struct launch_long_rows {
    template <class OP, typename T>
    static enum reduce_status of(const struct reduction *r, OP op, T)
    {
        const struct reduce_matrix *m = r->matrix;
        return launch_reduction(r, 0, block_a_row<OP, T>, op, (const T *)m->data, m->columns,
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
    if (r.plan->kind == STAGED_ROWS)
        return by_type<launch_staged_rows, unsigned>(&r, op, matrix->type);
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
