/* reduce_rows.cu: reduce_rows(), and what all functions of reduce_rows.h share. The shape decides
   the kernel: many rows in a thread or in a warp, a warp a row, a block or several a row. */
#include "reduce_meet.h"
#include <cuda_pipeline.h>

/* Waits for the kernel before. A block that has the first `most` of `rows` rows asks ahead for a
   few bytes, in a small grid only: to ask for all of them would take longer than it saves. */
template <typename T>
static __device__ void wait_for_rows(const T *in, size_t rows, size_t most, size_t columns,
                                     size_t stride)
{
    const size_t few = 8192 / sizeof(T), last = (rows < most ? rows : most) - 1;
    const size_t all = columns == 0 || gridDim.x > 256 ? 0 : last * stride + columns;
    ask_ahead(in, all < few ? all : few);
    wait_for_kernel_before();
}

/* ---- many rows in a thread ---- */

/* Rows of MOST elements or fewer. With VECTORS_ONLY they have MOST, 4 at most, and lie one right
   behind the other: then a thread reads ROWS of them at once, and writes their answers at once, 16
   bytes of both at most. It has several such groups, for more loads in flight. */
template <class OP, typename T, bool VECTORS_ONLY, int MOST>
static __global__ void __launch_bounds__(REDUCE_THREADS)
    rows_in_a_thread(OP op, const T *in, size_t rows, size_t columns, size_t stride, void *out)
{
    const int READ = 16 / (MOST * sizeof(T)), WRITTEN = 16 / OP::ANSWER; /* rows in 16 bytes */
    const int ROWS = !VECTORS_ONLY ? 1 : WRITTEN < READ ? WRITTEN : READ, ALL = ROWS * MOST;
    const int GROUPS = ROWS_OF_A_THREAD(MOST) / ROWS;
    typedef words_at_once<ALL * sizeof(T)> unit;
    const unsigned in_block = REDUCE_THREADS * ROWS_OF_A_THREAD(MOST);
    const size_t block_row = (size_t)blockIdx.x * in_block;
    const size_t first_row = block_row + threadIdx.x * ROWS, apart = REDUCE_THREADS * ROWS;
    const size_t n = VECTORS_ONLY ? MOST : columns;
    const places<1> places = {0, 1, (unsigned)n};

    wait_for_rows(in + block_row * stride, rows - block_row, in_block, n, stride);
    alignas(16) T raw[GROUPS][ALL];
    if (VECTORS_ONLY && block_row + in_block <= rows) {
        for (int g = 0; g < GROUPS; g++)
            *(unit *)raw[g] = *(const unit *)(in + (first_row + g * apart) * MOST);
    } else {
        for (int e = 0; e < GROUPS * ALL; e++) {
            const size_t row = first_row + e / ALL * apart + e % ALL / MOST;
            raw[e / ALL][e % ALL] =
                row < rows && places.has(e % MOST) ? in[row * stride + e % MOST] : T();
        }
    }
    trigger_next_launch();
    for (int g = 0; g < GROUPS; g++) {
        float first[ROWS];
        typename OP::second second[ROWS] = {};
        OP each[ROWS];
        for (int r = 0; r < ROWS; r++) {
            float x[MOST];
            each[r] = with_origin(op, wide(raw[g][r * MOST]), wide(raw[g][r * MOST + (MOST > 1)]));
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
   whole number. Each has ROWS rows at once, so that ROW_LOADS loads are in flight; all elements
   stay in registers. Not ALIGNED: rows begin anywhere, and elements come one by one. */
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
    const places<members> places = {
        start, step, start < columns ? (unsigned)(columns - start + step - 1) / step : 0};

    wait_for_rows(in + block_row * stride, rows - block_row, in_block, columns, stride);
    uint4 raw[ROWS][LOADS];
    for (int r = 0; r < ROWS; r++) {
        size_t row = first_row + (size_t)r * teams; /* beyond the end: the last row once more */
        load_places<ALIGNED, LOADS>(raw[r], in + (row < rows ? row : rows - 1) * stride, places);
    }
    trigger_next_launch();

    float x[ROWS][each], first[ROWS];
    typename OP::second second[ROWS] = {};
    OP of[ROWS];
    for (int r = 0; r < ROWS; r++) {
        of[r] = with_origin(op, wide_of<T>(raw[r], 0), wide_of<T>(raw[r], 1));
        if constexpr (OP::HAS_ORIGIN) /* the first lane's */
            of[r].origin = __shfl_sync(ALL_LANES, of[r].origin, 0, (int)lanes);
        for (int e = 0; e < each; e++)
            x[r][e] = of[r].key(wide_of<T>(raw[r], e));
        first[r] = first_of<0, each>(op, x[r], places);
    }
    merge_lanes<ROWS>(first, lanes, OP::merge_first);
    if constexpr (OP::TWO) {
        for (int r = 0; r < ROWS; r++) {
            const float pivot = op.pivot(first[r], columns);
            if constexpr (OP::LOOKS_AGAIN) {
                const unsigned e = OP::template place_of<each>(x[r], pivot);
                second[r] = e < each && places.has(e) ? (typename OP::second)places.number(e)
                                                      : OP::NO_SECOND;
            } else {
                second[r] = second_of<0, each>(op, x[r], places, pivot);
            }
        }
        merge_lanes<ROWS>(second, lanes, OP::merge_second);
    }
    for (int r = 0; r < ROWS; r++) {
        size_t row = first_row + (size_t)r * teams;
        if (lane == 0 && row < rows)
            of[r].answer(first[r], second[r], columns, out, row);
    }
}

/* ---- rows in shared memory ---- */

/* Copies `n` elements to `stage`, whose address is as far from a multiple of 16 bytes, by `threads`
   threads, of which this is number `rank`. */
template <typename T>
static __device__ void copy_to_shared(T *stage, const T *in, unsigned n, unsigned rank,
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
}

/* Elements that a lane asks for before it needs one; UNIT: that it reads at once, in 16 bytes or
   alone. */
template <int UNIT> constexpr int staged_at_once = UNIT == 1 ? 8 : 16;

/* Calls body(keys, places, how many) for what a lane has of a row, UNIT elements from e on and
   after each lanes * UNIT: several units at a time, and the rest one by one. */
template <int UNIT, class OP, typename T, class BODY>
static __device__ void for_lane(OP op, const T *row, unsigned n, unsigned e, unsigned lanes,
                                BODY body)
{
    typedef std::conditional_t<UNIT == 1, T, uint4> unit;
    const auto take_keys = [&]<int COUNT>(std::integral_constant<int, COUNT> count) {
        alignas(16) T raw[COUNT];
        float x[COUNT];
        for (int k = 0; k < COUNT; k += UNIT)
            *(unit *)&raw[k] = *(const unit *)&row[e + k * lanes];
        for (int k = 0; k < COUNT; k++)
            x[k] = op.key(wide(raw[k]));
        body(x, places<UNIT>{e, lanes * UNIT, COUNT / UNIT}, count);
        e += COUNT * lanes;
    };
    while (e + (staged_at_once<UNIT> - UNIT) * lanes < n)
        take_keys(std::integral_constant<int, staged_at_once<UNIT>>());
    while (e < n)
        take_keys(std::integral_constant<int, UNIT>());
}

/* The state of a team's row in shared memory. A lane remembers where those elements begin among
   which the first of its largest is, for an operator that looks again. */
template <int UNIT, class OP, typename T>
static __device__ void staged_row(OP op, const T *row, unsigned n, unsigned lane, unsigned lanes,
                                  float &first, typename OP::second &second)
{
    const int at_once = staged_at_once<UNIT>;
    const unsigned start = lane * UNIT;
    unsigned where = start;
    first = OP::NONE;
    for_lane<UNIT>(op, row, n, start, lanes, [&](const float *x, auto places, auto count) {
        const float more = first_of<0, decltype(count)::value>(op, x, places);
        if (OP::LOOKS_AGAIN && is_larger(more, first))
            where = (unsigned)places.start;
        first = op.merge_first(first, more);
    });
    const float mine = first;
    merge_lanes<1>(&first, lanes, OP::merge_first);
    second = OP::NO_SECOND;
    if constexpr (OP::LOOKS_AGAIN) {
        if (op.same(mine, first)) {
            const auto place = [=](unsigned k) {
                return where + k / UNIT * UNIT * lanes + k % UNIT;
            };
            float x[at_once];
            for (int k = 0; k < at_once; k++)
                x[k] = op.key(wide(row[place(k) < n ? place(k) : where]));
            second = place(OP::template place_of<at_once>(x, first));
        }
    } else if constexpr (OP::TWO) {
        const float pivot = op.pivot(first, n);
        for_lane<UNIT>(op, row, n, start, lanes, [&](const float *x, auto places, auto count) {
            second =
                op.merge_second(second, second_of<0, decltype(count)::value>(op, x, places, pivot));
        });
    }
    if constexpr (OP::TWO)
        merge_lanes<1>(&second, lanes, OP::merge_second);
}

/* Copies rows of whole vectors to shared memory, `apart` elements apart there. */
template <typename T>
static __device__ void copy_vectors(T *stage, unsigned apart, const T *in, size_t stride,
                                    unsigned rows, unsigned columns)
{
    const unsigned members = sixteen_bytes<T>::MEMBERS, vectors = columns / members;
    const unsigned rows_on = blockDim.x / vectors, on = blockDim.x % vectors;
    unsigned r = threadIdx.x / vectors, v = threadIdx.x % vectors;
#pragma unroll 4
    for (unsigned i = threadIdx.x; i < rows * vectors; i += blockDim.x) {
        __pipeline_memcpy_async(stage + r * apart + v * members, in + r * stride + v * members, 16);
        v += on, r += rows_on;
        if (v >= vectors)
            v -= vectors, r++;
    }
}

/* A block copies in_block rows to shared memory. Those whose length is no multiple of 16 bytes
   begin and end in the middle of 16 bytes: they come as they lie, as one stream (each is one, where
   they lie apart); there it costs nothing to begin anywhere, and rows of odd length begin in other
   banks. So do VECTORS, since they lie further apart there. `lanes` lanes, a team, have a row
   between them, and each takes every lanes-th element, or vector, of it. */
template <class OP, typename T, bool VECTORS>
static __global__ void __launch_bounds__(STAGED_THREADS)
    staged_rows(OP op, const T *in, size_t rows, unsigned columns, size_t stride, unsigned lanes,
                unsigned in_block, void *out)
{
    const unsigned members = sixteen_bytes<T>::MEMBERS, threads = blockDim.x;
    T *const stage = (T *)shared_bytes();
    const size_t block_row = (size_t)blockIdx.x * in_block;
    const unsigned here = rows - block_row < in_block ? (unsigned)(rows - block_row) : in_block;
    const bool is_stream = stride == columns;
    const unsigned apart = VECTORS     ? STAGED_VECTORS(columns / members, lanes) * members
                           : is_stream ? columns
                                       : (columns / members + 2) * members;
    in += block_row * stride;
    wait_for_rows(in, here, here, columns, stride);
    /* Each row begins as far from a multiple of 16 bytes as in global memory. */
    const auto start_of = [=](unsigned r) {
        const T *row = in + (VECTORS || is_stream ? 0 : r * stride);
        return r * apart + (VECTORS ? 0 : (unsigned)((uintptr_t)row / sizeof(T) % members));
    };
    if (VECTORS)
        copy_vectors(stage, apart, in, stride, here, columns);
    else if (is_stream)
        copy_to_shared(stage + start_of(0), in, here * columns, threadIdx.x, threads);
    else
        for (unsigned r = threadIdx.x / 32; r < here; r += threads / 32)
            copy_to_shared(stage + start_of(r), in + r * stride, columns, threadIdx.x % 32, 32);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    trigger_next_launch();
    __syncthreads();
    const unsigned lane = threadIdx.x & (lanes - 1), team = threadIdx.x / lanes;
    for (unsigned first_row = 0; first_row < here; first_row += threads / lanes) {
        const bool is_there = first_row + team < here;
        const unsigned r = is_there ? first_row + team : here - 1;
        float first;
        typename OP::second second;
        const T *const row = stage + start_of(r);
        OP of = op;
        if constexpr (OP::HAS_ORIGIN)
            of = with_origin(op, wide(row[0]), wide(row[columns > 1]));
        staged_row<VECTORS ? members : 1>(of, row, columns, lane, lanes, first, second);
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
    wait_for_rows(in + block_row * stride, rows - block_row, in_block, columns, stride);
    if (row < rows) /* the end of a thread counts as the trigger, too */
        answer_by_warp(op, in + row * stride, columns, out, row);
}

/* ---- a block a row, or several ---- */

/* By how much the threads of a block are turned, so that what a warp reads at once begins at a line
   of 128 bytes: warps drift apart, and a line that two of them touch may be fetched twice. Where a
   block has few tiles they have no time to. */
template <typename T>
static __device__ unsigned turn_of_block(const T *in, size_t n, unsigned first, unsigned size)
{
    const struct parts p = parts_of(in, n);
    const bool is_long = p.vectors >= (size_t)8 * ROW_LOADS * size;
    return is_long ? ((uintptr_t)(in + p.head) / 16 + first) % 8 : 0;
}

/* Brings the states of turned threads back to those whose shares they are, so that no bit depends
   on where lines begin. The last lanes of a warp get those of the first ones of the next. */
template <class OP> struct turned_state {
    float first;
    unsigned count;
    typename OP::second second;
};

template <class OP> static __device__ void turn_back(OP op, running<OP> &s, unsigned turn)
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

/* Blocks that share a row take turns with its tiles, so that all read near each other. The last of
   them to begin waits for the states of all: they have begun, and wait for none. It merges them in
   the order of the slots, so the bits do not depend on which block it is. */
template <class OP, typename T>
static __global__ void __launch_bounds__(REDUCE_THREADS)
    block_a_row(OP op, const T *in, size_t columns, size_t stride, unsigned parts, void *out,
                struct shared_answers shared)
{
    __shared__ bool began_last;
    const size_t row = blockIdx.x / parts;
    const unsigned mine = blockIdx.x % parts, first = mine * REDUCE_THREADS,
                   size = parts * REDUCE_THREADS;
    running<OP> s = nothing_yet(op);
    unsigned before = 0;
    in += row * stride;
    /* Of the first tile, one part for each block. */
    const size_t tile = ROW_LOADS * REDUCE_THREADS * sixteen_bytes<T>::MEMBERS;
    const size_t ahead = mine * tile < columns ? mine * tile : columns;
    ask_ahead(in + ahead, columns - ahead < tile ? columns - ahead : tile);
    wait_for_kernel_before();
    if (parts > 1 && threadIdx.x == 0)
        before = atomicInc(&shared.tickets[row], parts - 1); /* comes while elements do */
    T top[2] = {};
    if (OP::HAS_ORIGIN && parts > 1) /* all blocks of the row need one origin, if not yet */
        top[0] = in[0], top[1] = in[1];
    const unsigned turn = turn_of_block(in, columns, first, size);
    const unsigned rank = (threadIdx.x - turn) % REDUCE_THREADS;
    const row_share<T> share = take_share<true>(op, s, in, columns, first + rank, size);
    trigger_next_launch();
    op = meet_in_block(op, s, rank);
    struct row_shares shares = {};
    if (parts > 1)
        shares = shares_of(in, columns, size);
    if (threadIdx.x == 0)
        began_last = before == parts - 1;
    if (turn > 0)
        turn_back(op, s, turn);
    block_state(op, s, parts == 1 ? columns : shares.of_block(mine), share);
    if (parts > 1) {
        const OP of_row = with_origin(op, wide(top[0]), wide(top[1]));
        move_to(op, of_row, s);
        op = of_row;
        const struct meeting slots = {(volatile word *)shared.flagged + row * parts * words_of<OP>,
                                      words_of<OP>, 1, parts, mine};
        if (!began_last) {
            if (threadIdx.x == 0)
                publish_state(slots, s);
            return;
        }
        /* One warp is done sooner with a few slots than all, which would meet at barriers. */
        const unsigned threads = parts > 64 ? REDUCE_THREADS : 32;
        if (threadIdx.x >= threads)
            return;
        const int at_once = OP::LOOKS_AGAIN ? 4 : 2;
        take_slots<at_once>(op, s, slots, threadIdx.x, threads,
                            [shares](unsigned i) { return shares.of_block(i); });
        /* No barrier: block_state() of all_taken has shared memory of its own. */
        if (threads == 32)
            warp_state(op, s, columns, all_taken());
        else
            block_state(op, s, columns, all_taken());
    }
    if (threadIdx.x == 0)
        op.answer(s.first, s.second, columns, out, row);
}

template <class OP, typename T>
static enum reduce_status launch_rows(const struct reduction &r, const struct reduce_matrix *m,
                                      OP op, T)
{
    const T *in = (const T *)m->data;
    const struct reduce_plan &plan = r.plan;
    const bool vectors = plan.vectors;
    const auto few = with_short_numbers(op); /* of elements of short rows */
    typedef decltype(with_short_numbers(op)) FEW;
    switch (plan.kind) {
    case ROWS_IN_A_THREAD:
        return launch_reduction(r, 0,
                                m->columns > 4    ? rows_in_a_thread<FEW, T, false, 8>
                                : !vectors        ? rows_in_a_thread<FEW, T, false, 4>
                                : m->columns == 1 ? rows_in_a_thread<FEW, T, true, 1>
                                : m->columns == 2 ? rows_in_a_thread<FEW, T, true, 2>
                                                  : rows_in_a_thread<FEW, T, true, 4>,
                                few, in, m->rows, m->columns, m->stride, r.out);
    case ROWS_IN_A_WARP:
        return launch_reduction(
            r, 0,
            plan.loads == 1
                ? (vectors ? rows_in_a_warp<FEW, T, true, 1> : rows_in_a_warp<FEW, T, false, 1>)
            : plan.loads == 2
                ? (vectors ? rows_in_a_warp<FEW, T, true, 2> : rows_in_a_warp<FEW, T, false, 2>)
                : (vectors ? rows_in_a_warp<FEW, T, true, 4> : rows_in_a_warp<FEW, T, false, 4>),
            few, in, m->rows, m->columns, m->stride, plan.lanes, r.out);
    case STAGED_ROWS:
        return launch_reduction(
            r,
            vectors ? plan.in_block * 16 *
                          STAGED_VECTORS(m->columns / sixteen_bytes<T>::MEMBERS, plan.lanes)
                    : (size_t)STAGED_BYTES,
            vectors ? staged_rows<FEW, T, true> : staged_rows<FEW, T, false>, few, in, m->rows,
            (unsigned)m->columns, m->stride, plan.lanes, plan.in_block, r.out);
    case WARP_A_ROW:
        return launch_reduction(r, 0, warp_a_row<FEW, T>, few, in, m->rows, m->columns, m->stride,
                                r.out);
    default:
        return launch_reduction(r, 0, block_a_row<OP, T>, op, in, m->columns, m->stride,
                                (unsigned)plan.parts, r.out, r.shared);
    }
}

/* ---- what reduce_rows.h and reduce_plan.h declare ---- */

size_t reduce_answer_bytes(enum reduce_operator op)
{
    const bool is_8 = op == REDUCE_ARGMAX || op == REDUCE_ARGMIN || op == REDUCE_MEAN_VAR;
    return (unsigned)op > REDUCE_NORM2 ? 0 : is_8 ? 8 : 4;
}

enum reduce_status reduce_workspace_bytes(size_t *bytes)
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

enum reduce_status reduce_rows_by(const struct reduce_plan *plan, enum reduce_operator op,
                                  const struct reduce_matrix *matrix, void *out,
                                  const struct reduce_workspace *workspace, cudaStream_t stream)
{
    struct reduction r = {.out = out, .stream = stream};
    enum reduce_status status = reduce_begin_matrix(&r, op, matrix, workspace, true);
    if (status != REDUCE_OK || matrix->rows == 0)
        return status;
    r.plan = plan != NULL ? *plan : reduce_rows_plan(op, matrix, r.sms);
    return by_operator(op, matrix->type,
                       [&](auto o, auto t) { return launch_rows(r, matrix, o, t); });
}

enum reduce_status reduce_rows(enum reduce_operator op, const struct reduce_matrix *matrix,
                               void *out, const struct reduce_workspace *workspace,
                               cudaStream_t stream)
{
    return reduce_rows_by(NULL, op, matrix, out, workspace, stream);
}

const char *reduce_message(enum reduce_status status)
{
    static const char *const messages[] = {
        "all right",
        "a pointer is NULL: the matrix, its data, the offsets, out, the workspace or its memory",
        "data must be a multiple of its element's size, out of 4 (of 8 for ARGMAX and ARGMIN), "
        "offsets of 8, the workspace's memory of 16",
        "no such operator; segments have SUM, MAX and ARGMAX",
        "no such type: there are REDUCE_F32, REDUCE_F16 and REDUCE_BF16",
        "the stride must be at least the columns, and all rows together less than 2^40 bytes",
        "offsets must not decrease, and must lie in 0 to n",
        "the workspace is too small: reduce_workspace_bytes() says how large it must be",
        "no GPU that CUDA can use, or one that this library has no code for",
        "CUDA refused: cudaPeekAtLastError() says why"};
    return (unsigned)status > REDUCE_LAUNCH_FAILED ? "no such status" : messages[status];
}
