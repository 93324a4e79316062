/*
 * reduce_columns.cu: reduce_columns(). Lanes lie side by side along a row, each with 16 bytes of
 * it, and go down the rows; so what a warp reads lies side by side in memory, too. A block has a
 * tile of columns, and groups of lanes that have other rows of it. If there are few tiles, several
 * blocks share the rows of one. If there are few rows, or very many columns, a thread has all of
 * its columns.
 *
 * Rows that do not begin at multiples of 16 bytes are read 16 bytes at a time, too, if they are not
 * short. The rows of one thread lie 8 rows apart, or 16 and so on; so all of them begin equally far
 * behind such a multiple, and the thread reads from the multiple on. Its columns are shifted by
 * that distance, which differs from group to group. After the last row they are brought into place.
 */
#include "reduce_common.h"

/* How a lane reads what it has of a row. */
enum column_access {
    VECTORS, /* 16 bytes at once; rows begin at multiples of 16 bytes */
    SHIFTED, /* 16 bytes at once, from the multiple in front; rows begin anywhere */
    ELEMENTS /* one by one; rows begin anywhere */
};

/* The states of a thread, one for each of its columns, all of as many elements. */
template <class OP, int N> struct column_states {
    struct running<OP> of[N];
};

/* What a thread keeps of its columns, side by side: so it is written and read 16 bytes at once. */
template <typename V, int N> struct __align__(16) side_by_side
{
    V of[N];
};

/* In a thread a row has its number among the thread's own rows: 32 bits are enough, for even of
   2^40 bytes no thread has 2^32 rows. Other operators have no numbers. */
template <class OP> static inline __device__ OP in_a_thread(OP op)
{
    return op;
}
static inline __device__ struct row_where<unsigned> in_a_thread(struct row_where<size_t> op) {
    struct row_where<unsigned> narrow;
    narrow.flip = op.flip;
    return narrow;
}

/* And the second part as others know it: row i of the thread is start + i * step. */
template <class OP>
static inline __device__ typename OP::second for_all(OP, typename OP::second s, size_t, size_t)
{
    return s;
}
static inline __device__ size_t for_all(struct row_where<unsigned> op, unsigned s, size_t start,
                                        size_t step)
{
    return s == op.no_second() ? (size_t)-1 : start + s * step;
}

/* Puts together the values that all groups have of the same columns: every thread gets all of its
   columns. Lanes of a warp shuffle. Then each warp (or as many as a row of the tile has) passes on
   what it has, and all threads read all of that, in the same order. */
template <int N, typename V, class MERGE>
static inline __device__ void merge_values(struct side_by_side<V, N> &value,
                                           struct side_by_side<V, N> *passed, unsigned lanes,
                                           MERGE merge)
{
    const unsigned size = lanes < 32 ? 32 : lanes, place = threadIdx.x & (size - 1);
    for (unsigned mask = lanes; mask < 32; mask *= 2)
#pragma unroll
        for (int c = 0; c < N; c++)
            value.of[c] = merge(value.of[c], from_lane(value.of[c], mask));
    if (size == REDUCE_THREADS)
        return; /* no other threads have these columns */
    if (place < lanes)
        passed[threadIdx.x] = value;
    __syncthreads();
    passed += threadIdx.x & (lanes - 1);
    value = passed[0];
    const unsigned others = REDUCE_THREADS / size - 1;
#pragma unroll
    for (unsigned w = 1; w < REDUCE_THREADS / 32; w++) {
        const struct side_by_side<V, N> other = passed[(w <= others ? w : 0) * size];
#pragma unroll
        for (int c = 0; c < N; c++) {
            V both = merge(value.of[c], other.of[c]);
            value.of[c] = w <= others ? both : value.of[c];
        }
    }
}

/* The states of all groups, of `count` elements in all: as in block_state(), all threads learn the
   first parts and so the pivots, to which each brings its second parts; then these are added. */
template <class OP, int N>
static inline __device__ void merge_groups(OP op, struct column_states<OP, N> &s, unsigned lanes,
                                           size_t count)
{
    struct passed_values {
        struct side_by_side<float, N> first[REDUCE_THREADS];
        struct side_by_side<typename OP::second, N> second[OP::TWO ? REDUCE_THREADS : 1];
    } *passed = (struct passed_values *)shared_bytes<sizeof(struct passed_values)>();
    struct side_by_side<float, N> first;
    struct side_by_side<typename OP::second, N> second;
#pragma unroll
    for (int c = 0; c < N; c++)
        first.of[c] = s.of[c].first;
    merge_values(first, passed->first, lanes,
                 [op](float a, float b) { return op.merge_first(a, b); });
    if constexpr (OP::TWO) {
#pragma unroll
        for (int c = 0; c < N; c++) {
            float pivot = op.pivot(first.of[c], count);
            second.of[c] =
                op.rebase(s.of[c].first, s.of[c].second, s.of[c].count, s.of[c].pivot, pivot);
            s.of[c].pivot = pivot;
        }
        merge_values(
            second, passed->second, lanes,
            [op](typename OP::second a, typename OP::second b) { return op.merge_second(a, b); });
    }
#pragma unroll
    for (int c = 0; c < N; c++) {
        s.of[c].first = first.of[c];
        if constexpr (OP::TWO)
            s.of[c].second = second.of[c];
        s.of[c].count = count;
    }
}

/* The same as wait_for_kernel_before() asks for, of a tile: a line of each of a thread's first
   rows. If not SHIFTED, that is the tile's first: to ask for all was slower. */
template <typename T>
static inline __device__ void ask_for_rows(const T *in, size_t step, size_t rows, bool of_line)
{
#if defined(HOPPER_CODE) && !defined(SIMT_SIMULATOR)
    for (unsigned r = 0; of_line && gridDim.x <= BLOCKS_AHEAD && r < COLUMN_LOADS && r < rows; r++)
        asm volatile("prefetch.global.L2 [%0];" ::"l"(in + r * step) : "memory");
#endif
}

/* Of the 16 bytes that a lane reads if SHIFTED, the members that lie in the row: a bit for each. */
template <int N> struct members_in_row {
    unsigned bits;

    __device__ size_t number(int e) const
    {
        return (size_t)e;
    }
    __device__ bool has(int e) const
    {
        return bits >> e & 1;
    }
    __device__ bool has_all() const
    {
        return bits == (1u << N) - 1;
    }
};

/* What a lane reads of a row. `start`: its first column in the tile; `here`: columns from the
   tile's first to the row's end. If SHIFTED, the lane reads from `shift` elements in front of its
   column on. In front of a row's first tile there are none. */
template <enum column_access ACCESS, int N>
static inline __device__ auto places_of_lane(unsigned start, unsigned lanes, size_t here,
                                             unsigned shift, bool is_first_tile)
{
    if constexpr (ACCESS == VECTORS) {
        return places<N>{start, lanes, 1};
    } else if constexpr (ACCESS == ELEMENTS) {
        const unsigned log_lanes = __ffs((int)lanes) - 1;
        const size_t there = start < here ? (here - start + lanes - 1) >> log_lanes : 0;
        return places<1>{start, lanes, (unsigned)(there < N ? there : N)};
    } else {
        const size_t there = start < here + shift ? here + shift - start : 0;
        const unsigned bits = (1u << (there < N ? there : N)) - 1;
        return members_in_row<N>{is_first_tile && start == 0 ? bits >> shift << shift : bits};
    }
}

/* Reads the same places of AT_ONCE rows, which lie `step` elements apart. */
template <bool VECTORS_ONLY, int AT_ONCE, typename T, class PLACES>
static inline __device__ void load_each(uint4 *raw, const T *in, size_t step, PLACES local,
                                        struct places<1> down)
{
#pragma unroll
    for (int r = 0; r < AT_ONCE; r++)
        if (down.has(r))
            load_places<VECTORS_ONLY, 1>(&raw[r], in + r * step, local);
}

/* Reads member `alone` of AT_ONCE rows. */
template <int AT_ONCE, typename T>
static inline __device__ void load_member(uint4 *raw, const T *in, size_t step, int alone,
                                          struct places<1> down)
{
    T x[AT_ONCE] = {};
#pragma unroll
    for (int r = 0; r < AT_ONCE; r++)
        if (down.has(r))
            x[r] = in[r * step + alone];
#pragma unroll
    for (int r = 0; r < AT_ONCE; r++)
#pragma unroll
        for (int e = 0; e < sixteen_bytes<T>::MEMBERS; e++)
            if (e == alone)
                ((T *)&raw[r])[e] = x[r];
}

/* The same as load_each() where the first or the last of 16 bytes lie outside of the row: these are
   not read. The others are read 4 bytes at a time; the first or the last half may be left alone. */
template <int AT_ONCE, int N, typename T>
static inline __device__ void load_ends(uint4 *raw, const T *in, size_t step,
                                        struct members_in_row<N> local, struct places<1> down)
{
    const int each = 4 / sizeof(T);
    struct members_in_row<4> words = {
        0
    };
#pragma unroll
    for (int w = 0; w < 4; w++)
        words.bits |= (local.has(each * w) && local.has(each * w + each - 1)) << w;
    load_each<false, AT_ONCE>(raw, (const unsigned *)in, step / each, words, down);
    if constexpr (each == 2) {
        const int first = __ffs((int)local.bits) - 1, last = 31 - __clz((int)local.bits);
        load_member<AT_ONCE>(raw, in, step, first % 2 == 1 ? first : last, down);
    }
}

/* Reads what a lane has of its next rows. If SHIFTED, lanes in the middle of the row, nearly all,
   have 16 bytes of it. */
template <int AT_ONCE, int GROUP, typename T>
static inline __device__ void load_rows(uint4 *raw, const T *in, size_t step,
                                        struct places<GROUP> local, struct places<1> down)
{
    load_each<(GROUP > 1), AT_ONCE>(raw, in, step, local, down);
}
template <int AT_ONCE, int N, typename T>
static inline __device__ void load_rows(uint4 *raw, const T *in, size_t step,
                                        struct members_in_row<N> local, struct places<1> down)
{
    const struct places<N> whole = {
        0, 0, 1
    };
    if (local.has_all())
        load_each<true, AT_ONCE>(raw, in, step, whole, down);
    else
        load_ends<AT_ONCE>(raw, in, step, local, down);
}

/* Takes in `rows` rows of this thread, AT_ONCE at most, which lie `step` elements apart; the first
   of them is its row number `taken`. All are read at once. */
template <int AT_ONCE, class OP, int N, typename T, class PLACES>
static inline __device__ void take_rows(OP op, struct column_states<OP, N> &s, const T *in,
                                        size_t step, PLACES local, size_t taken, unsigned rows)
{
    const struct places<1> down = {
        taken, 1, rows
    };
    uint4 raw[AT_ONCE] = {};
    load_rows<AT_ONCE>(raw, in, step, local, down);
#pragma unroll
    for (int c = 0; c < N; c++) {
        float x[AT_ONCE];
#pragma unroll
        for (int r = 0; r < AT_ONCE; r++)
            x[r] = op.key(wide(((const T *)&raw[r])[c]));
        s.of[c].count = taken; /* what is the same of all columns, or follows, is not kept */
        s.of[c].pivot = op.pivot(s.of[c].first, taken);
        take<AT_ONCE, true>(op, s.of[c], x, rows, down);
    }
}

/* Lanes have N values each, side by side; each value becomes the one `shift` places further on.
   First a lane rotates its own, by each bit of the shift in turn: an index that the compiler does
   not know would put them into local memory. Those that came round are for the lane before, so each
   takes them from the next. The last lane of a group gets nothing that is of use. */
template <int N, typename V>
static inline __device__ void shift_values(V (&value)[N], unsigned shift)
{
#pragma unroll
    for (int by = 1; by < N; by *= 2) {
        V before[N];
#pragma unroll
        for (int c = 0; c < N; c++)
            before[c] = value[c];
#pragma unroll
        for (int c = 0; c < N; c++)
            value[c] = shift & by ? before[(c + by) % N] : before[c];
    }
#pragma unroll
    for (int c = 0; c < N; c++) {
        const V next = __shfl_down_sync(ALL_LANES, value[c], 1);
        value[c] = c + shift < N ? value[c] : next;
    }
}

/* Brings a thread's columns into place. Pivots follow from the first parts. */
template <class OP, int N>
static inline __device__ void shift_columns(struct column_states<OP, N> &s, unsigned shift)
{
    float first[N];
    typename OP::second second[N];
#pragma unroll
    for (int c = 0; c < N; c++) {
        first[c] = s.of[c].first;
        second[c] = s.of[c].second;
    }
    shift_values(first, shift);
    if constexpr (OP::TWO)
        shift_values(second, shift);
#pragma unroll
    for (int c = 0; c < N; c++) {
        s.of[c].first = first[c];
        s.of[c].second = second[c];
    }
}

/* Of a column, in the `count` parts from number `first` on. */
static inline __device__ size_t elements_of(unsigned first, unsigned count, size_t part,
                                            size_t rows)
{
    const size_t most = count * part, left = rows - first * part;
    return left < most ? left : most;
}

/* The states of COLUMN_SLOTS blocks, put together by one pivot. One that is not there is of no
   elements. */
template <class OP, int N>
static inline __device__ void
take_slots(OP op, struct column_states<OP, N> &s, const struct side_by_side<float, N> *first,
           const struct side_by_side<typename OP::second, N> *second, const size_t *elements)
{
    size_t all = 0;
#pragma unroll
    for (int k = 0; k < COLUMN_SLOTS; k++)
        all += elements[k];
#pragma unroll
    for (int c = 0; c < N; c++) {
        float together = first[0].of[c];
#pragma unroll
        for (int k = 1; k < COLUMN_SLOTS; k++)
            together = op.merge_first(together, first[k].of[c]);
        s.of[c] = {together, op.pivot(together, all), op.no_second(), all};
#pragma unroll
        for (int k = 0; OP::TWO && k < COLUMN_SLOTS; k++) {
            const float pivot = op.pivot(first[k].of[c], elements[k]);
            s.of[c].second =
                op.merge_second(s.of[c].second, op.rebase(first[k].of[c], second[k].of[c],
                                                          elements[k], pivot, s.of[c].pivot));
        }
    }
}

/* Blocks that share a tile leave their states in slots, and the last of a team to come merges those
   of the team, in their order: so the bits do not depend on which is last. A team has as many
   blocks as one can read the slots of at once. If there are more, the last blocks of all teams are
   teams again, each with the slot of the first of those whose states it has. */
template <class OP, typename T, enum column_access ACCESS>
static __global__ void __launch_bounds__(REDUCE_THREADS, !OP::TWO        ? 4
                                                         : sizeof(T) > 2 ? 3
                                                                         : 2)
    columns_of(OP op, const T *in, size_t rows, size_t columns, size_t stride, unsigned lanes,
               unsigned tiles, unsigned parts, size_t part, void *out, struct shared_answers shared)
{
    const int members = sixteen_bytes<T>::MEMBERS, at_once = COLUMN_LOADS;
    const unsigned log_lanes = __ffs((int)lanes) - 1,
                   log_groups = __ffs(REDUCE_THREADS) - 1 - log_lanes;
    const unsigned lane = threadIdx.x & (lanes - 1), group = threadIdx.x >> log_lanes;
    const unsigned groups = 1u << log_groups;
    /* If SHIFTED, the last lane reads for the lane before it, and has no columns. */
    const unsigned width = (ACCESS == SHIFTED ? lanes - 1 : lanes) * members;
    /* Blocks that run at the same time read side by side. */
    const unsigned tile = blockIdx.x % tiles;
    unsigned mine = blockIdx.x / tiles;
    const size_t first_row = mine * part + group;
    const size_t end = rows - mine * part < part ? rows : (mine + 1) * part;
    size_t left = first_row < end ? (end - first_row + groups - 1) >> log_groups : 0, taken = 0;
    /* Of the tile's columns, this thread has 16 bytes side by side, or every lanes-th. */
    const size_t first_column = (size_t)tile * width, here = columns - first_column;
    const unsigned start = ACCESS == ELEMENTS ? lane : lane * members;
    const T *at = in + first_row * stride + first_column;
    /* The same in all rows of a thread, since `groups` is a multiple of the members. */
    const unsigned shift = ACCESS == SHIFTED ? (uintptr_t)at / sizeof(T) % members : 0;
    const auto local = places_of_lane<ACCESS, members>(start, lanes, here, shift, tile == 0);
    if (start >= here + shift)
        left = 0;
    if (ACCESS == SHIFTED)
        at = at + start - shift;

    const auto narrow = in_a_thread(op);
    struct column_states<decltype(in_a_thread(op)), members> seen;
    struct column_states<OP, members> s;
#pragma unroll
    for (int c = 0; c < members; c++)
        seen.of[c] = nothing_yet(narrow);
    const size_t step = groups * stride;
    ask_for_rows(at, step, left, lane % (128 / 16) == 0);
    wait_for_kernel_before(in, 0);
    for (; left >= at_once; left -= at_once, taken += at_once, at += at_once * step)
        take_rows<at_once>(narrow, seen, at, step, local, taken, at_once);
    if (left > 0)
        take_rows<at_once>(narrow, seen, at, step, local, taken, (unsigned)left);
    trigger_next_launch();
    taken += left;
    if (ACCESS == SHIFTED)
        shift_columns(seen, shift);
#pragma unroll
    for (int c = 0; c < members; c++)
        s.of[c] = {seen.of[c].first,
                   ACCESS == SHIFTED ? op.pivot(seen.of[c].first, taken) : seen.of[c].pivot,
                   for_all(narrow, seen.of[c].second, first_row, groups), taken};
    merge_groups(op, s, lanes, end - mine * part);

    struct side_by_side<float, members> *firsts =
        (struct side_by_side<float, members> *)shared.slots + (size_t)tile * parts * lanes + lane;
    struct side_by_side<typename OP::second, members> *seconds =
        (struct side_by_side<typename OP::second, members> *)((float *)shared.slots +
                                                              (size_t)gridDim.x * lanes * members) +
        (size_t)tile * parts * lanes + lane;
    const unsigned log_team = log_groups + __ffs(COLUMN_SLOTS) - 1;
    /* Slots of a level are `apart` blocks from each other, a power of two; as is a team. */
    for (unsigned log = 0, level = 0; 1u << log < parts; log += log_team, level++) {
        const unsigned apart = 1u << log, first = mine >> (log + log_team) << (log + log_team);
        const unsigned to_come = (parts - first + apart - 1) >> log;
        const unsigned count = to_come < 1u << log_team ? to_come : 1u << log_team;
        if (count == 1)
            continue; /* no block to wait for */
        struct side_by_side<float, members> a[COLUMN_SLOTS];
        struct side_by_side<typename OP::second, members> b[COLUMN_SLOTS];
        if (group == 0) {
#pragma unroll
            for (int c = 0; c < members; c++) {
                a[0].of[c] = s.of[c].first;
                b[0].of[c] = s.of[c].second;
            }
            firsts[(size_t)mine * lanes] = a[0];
            if (OP::TWO)
                seconds[(size_t)mine * lanes] = b[0];
        }
        __syncthreads(); /* all of them, before thread 0 draws the ticket */
        if (!is_last_of(count, shared.tickets + (size_t)tile * parts + first + level))
            return;
        size_t elements[COLUMN_SLOTS];
#pragma unroll
        for (unsigned k = 0; k < COLUMN_SLOTS; k++) {
            const unsigned slot = first + ((group + (k << log_groups)) << log);
            const bool is_there = group + (k << log_groups) < count;
            elements[k] = is_there ? elements_of(slot, apart, part, rows) : 0;
#pragma unroll
            for (int c = 0; c < members; c++) {
                a[k].of[c] = op.none();
                b[k].of[c] = op.no_second();
            }
            if (is_there)
                a[k] = firsts[(size_t)slot * lanes];
            if (is_there && OP::TWO)
                b[k] = seconds[(size_t)slot * lanes];
        }
        take_slots(op, s, a, b, elements);
        merge_groups(op, s, lanes, elements_of(first, apart << log_team, part, rows));
        mine = first;
    }
#pragma unroll
    for (int c = 0; c < members; c++) {
        const unsigned column = start + c * (ACCESS == ELEMENTS ? lanes : 1);
        if (group == 0 && column < width && column < here)
            op.answer(s.of[c].first, s.of[c].second, rows, out, first_column + column);
    }
}

/* ---- few rows, or many columns ---- */

/* A thread has its columns to itself: AT_ONCE rows of them, and as many again. */
template <class OP, typename T, bool VECTORS_ONLY, int AT_ONCE>
static __global__ void __launch_bounds__(REDUCE_THREADS)
    columns_in_a_thread(OP op, const T *in, size_t rows, size_t columns, size_t stride, void *out)
{
    const int members = sixteen_bytes<T>::MEMBERS, width = REDUCE_THREADS * members;
    const size_t first_column = (size_t)blockIdx.x * width, here = columns - first_column;
    const unsigned start = VECTORS_ONLY ? threadIdx.x * members : threadIdx.x;
    const size_t n = AT_ONCE < FEW_COLUMN_LOADS ? AT_ONCE : rows;
    struct places<VECTORS_ONLY ? members : 1> local = {
        start, REDUCE_THREADS, start < here
    };
    if (!VECTORS_ONLY && start < here)
        local.groups = here < width ? (unsigned)((here - start - 1) / REDUCE_THREADS + 1) : members;
    const auto narrow = in_a_thread(op);
    struct column_states<decltype(in_a_thread(op)), members> s;
    const T *at = in + first_column;
    size_t taken = 0;
#pragma unroll
    for (int c = 0; c < members; c++)
        s.of[c] = nothing_yet(narrow);

    ask_for_rows(at + start, stride, start < here ? n : 0, threadIdx.x % (128 / 16) == 0);
    wait_for_kernel_before(in, 0);
    for (; n - taken >= AT_ONCE; taken += AT_ONCE, at += AT_ONCE * stride)
        take_rows<AT_ONCE>(narrow, s, at, stride, local, taken, AT_ONCE);
    if (taken < n)
        take_rows<AT_ONCE>(narrow, s, at, stride, local, taken, (unsigned)(n - taken));
    trigger_next_launch();
    float first[members];
    typename OP::second second[members];
#pragma unroll
    for (int c = 0; c < members; c++) {
        first[c] = s.of[c].first;
        second[c] = for_all(narrow, s.of[c].second, 0, 1);
    }
    const int together = VECTORS_ONLY ? members : 1;
#pragma unroll
    for (int c = 0; c < members; c += together)
        put_answers<together>(op, first + c, second + c, n, out,
                              first_column + start + c * REDUCE_THREADS, columns);
}

struct launch_columns {
    template <class OP, typename T>
    static enum reduce_status of(const struct reduction *r, OP op, T)
    {
        const struct reduce_matrix *m = r->matrix;
        const struct reduce_plan *plan = r->plan;
        const bool is_few = plan->loads == FEW_COLUMN_LOADS;
        if (plan->kind == COLUMNS_IN_A_THREAD)
            return launch_reduction(
                r,
                !plan->vectors ? (is_few ? columns_in_a_thread<OP, T, false, FEW_COLUMN_LOADS>
                                         : columns_in_a_thread<OP, T, false, COLUMN_LOADS>)
                : m->rows == 1 ? columns_in_a_thread<OP, T, true, 1>
                : m->rows == 2 ? columns_in_a_thread<OP, T, true, 2>
                : is_few       ? columns_in_a_thread<OP, T, true, FEW_COLUMN_LOADS>
                               : columns_in_a_thread<OP, T, true, COLUMN_LOADS>,
                op, (const T *)m->data, m->rows, m->columns, m->stride, r->out);
        return launch_reduction(r,
                                plan->vectors   ? columns_of<OP, T, VECTORS>
                                : plan->shifted ? columns_of<OP, T, SHIFTED>
                                                : columns_of<OP, T, ELEMENTS>,
                                op, (const T *)m->data, m->rows, m->columns, m->stride, plan->lanes,
                                (unsigned)plan->tiles, (unsigned)plan->parts, plan->part, r->out,
                                r->shared);
    }
};

extern "C" enum reduce_status reduce_columns_by(const struct reduce_plan *plan,
                                                enum reduce_operator op,
                                                const struct reduce_matrix *matrix, void *out,
                                                const struct reduce_workspace *workspace,
                                                cudaStream_t stream)
{
    struct reduction r = {plan, matrix, NULL, out, {}, stream, false};
    struct reduce_plan chosen;
    unsigned sms;
    enum reduce_status status = reduce_begin_matrix(&r, op, workspace, false, &sms);
    if (status != REDUCE_OK || matrix->columns == 0)
        return status;
    if (plan == NULL) {
        chosen = reduce_columns_plan(matrix, sms);
        r.plan = &chosen;
    }
    if (r.plan->kind != COLUMNS &&
        r.plan->kind != COLUMNS_IN_A_THREAD) { /* the one column is a row */
        const struct reduce_matrix row = {matrix->data, matrix->type, 1, matrix->rows,
                                          matrix->rows};
        return reduce_rows_by(r.plan, op, &row, out, workspace, stream);
    }
    return by_type<launch_columns, size_t>(&r, op, matrix->type);
}

extern "C" enum reduce_status reduce_columns(enum reduce_operator op,
                                             const struct reduce_matrix *matrix, void *out,
                                             const struct reduce_workspace *workspace,
                                             cudaStream_t stream)
{
    return reduce_columns_by(NULL, op, matrix, out, workspace, stream);
}
