/*
 * reduce_columns.cu: reduce_columns(). Lanes lie side by side along a row, each with 16 bytes of
 * it, and go down the rows. A block has a tile of columns, and groups of lanes that have other rows
 * of it. If there are few tiles, several blocks share the rows of one. If there are few rows, or
 * very many columns, a thread has all of its columns.
 *
 * Rows that do not begin at multiples of 16 bytes are read 16 bytes at a time, too, if they are not
 * short. The rows of one thread lie 8 rows apart, or 16 and so on; so all of them begin equally far
 * behind such a multiple, and the thread reads from there. After the last row its columns, which
 * are shifted by that distance, are brought into place.
 */
#include "reduce_meet.h"

/* How a lane reads what it has of a row. */
enum column_access {
    VECTORS, /* 16 bytes at once; rows begin at multiples of 16 bytes */
    SHIFTED, /* 16 bytes at once, from the multiple in front; rows begin anywhere */
    ELEMENTS /* one by one; rows begin anywhere */
};

/* What a thread keeps of its columns, side by side: so it is written and read at once. */
template <typename V, int N> struct alignas(N * sizeof(V) < 16 ? N * sizeof(V) : 16) side_by_side {
    V of[N];
};

/* In a thread a row has its number among the thread's own rows: 32 bits are enough, for even of
   2^40 bytes no thread has 2^32 rows. Row i of the thread is start + i * step for all others. */
template <class OP>
static __device__ auto second_for_all(OP, typename OP::second s, size_t start, size_t step)
{
    if constexpr (OP::LOOKS_AGAIN)
        return s == OP::NO_SECOND ? (size_t)-1 : start + s * step;
    else
        return s;
}

/*
 * Groups of `lanes` lanes have the same columns, N for each lane; their states meet in shared
 * memory. What a group has there is a row of `lanes * N` positions, a position for each column; and
 * groups of a warp have one such row together, by shuffles.
 */
template <class OP, int N> struct passed_states {
    alignas(16) float first[N * REDUCE_THREADS];
    alignas(16) typename OP::second second[OP::TWO ? N * REDUCE_THREADS : 1];
    alignas(16) float origin[OP::HAS_ORIGIN ? N * REDUCE_THREADS : 1]; /* of the first two groups */
};

static __device__ unsigned threads_of_row(unsigned lanes)
{
    return lanes < 32 ? 32 : lanes;
}

/* Shuffles, and writes a warp's values, or those of as many warps as a group has. */
template <int N, typename V, class MERGE>
static __device__ void pass_values(V *passed, side_by_side<V, N> value, unsigned lanes, MERGE merge)
{
    const unsigned size = threads_of_row(lanes);
    const unsigned row = threadIdx.x / size, place = threadIdx.x % size;
    for (unsigned mask = lanes; mask < 32; mask *= 2)
#pragma unroll
        for (int c = 0; c < N; c++)
            value.of[c] = merge(value.of[c], from_lane(value.of[c], mask));
    if (place < lanes)
        ((side_by_side<V, N> *)passed)[row * lanes + place] = value;
}

/* What all rows have at a position, in their order. */
template <typename V, class MERGE>
static __device__ V value_at(const V *passed, unsigned position, unsigned positions, unsigned rows,
                             MERGE merge)
{
    V value = passed[position];
    for (unsigned r = 1; r < REDUCE_THREADS / 32; r++) {
        const V both = merge(value, passed[(r < rows ? r : 0) * positions + position]);
        value = r < rows ? both : value;
    }
    return value;
}

/* The states of all groups, of `count` elements in all: state_at() has them then. As in
   block_state(), all threads learn the first parts and so the pivots, to which each brings its
   second parts. */
template <class OP, int N>
static __device__ void pass_states(OP op, const running<OP> (&s)[N], unsigned lanes, size_t count,
                                   passed_states<OP, N> *passed)
{
    const unsigned positions = lanes * N, rows = REDUCE_THREADS / threads_of_row(lanes);
    const auto merge = [](float a, float b) { return OP::merge_first(a, b); };
    side_by_side<float, N> first;
#pragma unroll
    for (int c = 0; c < N; c++)
        first.of[c] = s[c].first;
    pass_values<N>(passed->first, first, lanes, merge);
    __syncthreads();
    if constexpr (OP::TWO) {
        for (unsigned i = threadIdx.x; i < positions; i += REDUCE_THREADS)
            passed->first[i] = value_at(passed->first, i, positions, rows, merge);
        __syncthreads();
        first = ((side_by_side<float, N> *)passed->first)[threadIdx.x % lanes];
        side_by_side<typename OP::second, N> second;
#pragma unroll
        for (int c = 0; c < N; c++)
            second.of[c] = op.rebase(s[c].first, s[c].second, s[c].count, s[c].pivot,
                                     op.pivot(first.of[c], count));
        pass_values<N>(passed->second, second, lanes,
                       [](auto a, auto b) { return OP::merge_second(a, b); });
        __syncthreads();
    }
}

template <class OP, int N>
static __device__ running<OP> state_at(OP op, const passed_states<OP, N> *passed, unsigned position,
                                       unsigned lanes, size_t count)
{
    const unsigned positions = lanes * N, rows = REDUCE_THREADS / threads_of_row(lanes);
    running<OP> s = {passed->first[position], 0.0f, OP::NO_SECOND, count};
    if constexpr (OP::TWO)
        s.second = value_at(passed->second, position, positions, rows,
                            [](auto a, auto b) { return OP::merge_second(a, b); });
    else
        s.first = value_at(passed->first, position, positions, rows,
                           [](float a, float b) { return OP::merge_first(a, b); });
    s.pivot = op.pivot(s.first, count);
    return s;
}

/* As ask_ahead(), of a tile: a line of each of a thread's first rows. If not SHIFTED, that is the
   tile's first: to ask for all was slower. */
template <typename T>
static __device__ void ask_for_rows(const T *in, size_t step, size_t rows, bool of_line)
{
#if defined(HOPPER_CODE) && !defined(SIMT_SIMULATOR)
    for (unsigned r = 0; of_line && gridDim.x <= BLOCKS_AHEAD && r < COLUMN_LOADS && r < rows; r++)
        asm volatile("prefetch.global.L2 [%0];" ::"l"(in + r * step) : "memory");
#endif
}

/* The column of a tile that has this position, where each lane has `members` side by side. */
template <enum column_access ACCESS>
static __device__ unsigned column_at(unsigned position, unsigned lanes, int members)
{
    return ACCESS == ELEMENTS ? position % members * lanes + position / members : position;
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
};

/* What a lane reads of a row. `start`: its first column in the tile; `here`: columns from the
   tile's first to the row's end. If SHIFTED, the lane reads from `shift` elements in front of its
   column on. In front of a row's first tile there are none. */
template <enum column_access ACCESS, int N>
static __device__ auto places_of_lane(unsigned start, unsigned lanes, size_t here, unsigned shift,
                                      bool is_first_tile)
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
static __device__ void load_each(uint4 *raw, const T *in, size_t step, PLACES local, places<1> down)
{
    for (int r = 0; r < AT_ONCE; r++)
        if (down.has(r))
            load_places<VECTORS_ONLY, 1>(&raw[r], in + r * step, local);
}

/* The same where the first or the last of 16 bytes lie outside of the row: these are not read. The
   others are read 4 bytes at a time; the first or the last half may be left alone. */
template <int AT_ONCE, int N, typename T>
static __device__ void load_ends(uint4 *raw, const T *in, size_t step, members_in_row<N> local,
                                 places<1> down)
{
    const int each = 4 / sizeof(T);
    members_in_row<4> words = {0};
    for (int w = 0; w < 4; w++)
        words.bits |= (local.has(each * w) && local.has(each * w + each - 1)) << w;
    load_each<false, AT_ONCE>(raw, (const unsigned *)in, step / each, words, down);
    if constexpr (each == 2) {
        const int first = __ffs((int)local.bits) - 1, last = 31 - __clz((int)local.bits);
        const int alone = first % 2 == 1 ? first : last;
        T x[AT_ONCE] = {};
        for (int r = 0; r < AT_ONCE; r++)
            if (down.has(r))
                x[r] = in[r * step + alone];
        for (int i = 0; i < AT_ONCE * N; i++) /* an index that is not known would need memory */
            if (i % N == alone)
                ((T *)raw)[i] = x[i / N];
    }
}

/* Reads what a lane has of its next rows. If SHIFTED, lanes in the middle of the row, nearly all,
   have 16 bytes of it. */
template <enum column_access ACCESS, int AT_ONCE, typename T, class PLACES>
static __device__ void load_rows(uint4 *raw, const T *in, size_t step, PLACES local, places<1> down)
{
    const int N = sixteen_bytes<T>::MEMBERS;
    if constexpr (ACCESS != SHIFTED)
        load_each<ACCESS == VECTORS, AT_ONCE>(raw, in, step, local, down);
    else if (local.bits == (1u << N) - 1)
        load_each<true, AT_ONCE>(raw, in, step, places<N>{0, 0, 1}, down);
    else
        load_ends<AT_ONCE>(raw, in, step, local, down);
}

/* Takes in `rows` rows of this thread, AT_ONCE at most, which lie `step` elements apart; the first
   of them is its row number `taken`. All are read at once. The first ones set origins. */
template <enum column_access ACCESS, int AT_ONCE, class EACH, class OP, int N, typename T,
          class PLACES>
static __device__ void take_rows(EACH (&each)[N], running<OP> (&s)[N], const T *in, size_t step,
                                 PLACES local, size_t taken, unsigned rows)
{
    const places<1> down = {taken, 1, rows};
    uint4 raw[AT_ONCE] = {};
    load_rows<ACCESS, AT_ONCE>(raw, in, step, local, down);
#pragma unroll
    for (int c = 0; c < N; c++) {
        float x[AT_ONCE];
        for (int r = 0; r < AT_ONCE; r++)
            x[r] = wide(((const T *)&raw[r])[c]);
        to_keys<AT_ONCE>(each[c], x, taken == 0, down);
        const auto op = with_short_numbers(each[c]);
        s[c].count = taken; /* what is the same of all columns, or follows, is not kept */
        s[c].pivot = op.pivot(s[c].first, taken);
        take<AT_ONCE, true>(op, s[c], x, rows, down);
    }
}

/* Lanes have N values each, side by side; each value becomes the one `shift` places further on.
   First a lane rotates its own, by each bit of the shift: an index that the compiler does not know
   would need local memory. Those that came round are for the lane before. */
template <int N, class AT> static __device__ void shift_values(unsigned shift, AT at)
{
    side_by_side<std::remove_reference_t<decltype(at(0))>, N> value;
#pragma unroll
    for (int c = 0; c < N; c++)
        value.of[c] = at(c);
    for (int by = 1; by < N; by *= 2) {
        const auto before = value;
#pragma unroll
        for (int c = 0; c < N; c++)
            value.of[c] = shift & by ? before.of[(c + by) % N] : before.of[c];
    }
#pragma unroll
    for (int c = 0; c < N; c++) {
        const auto next = __shfl_down_sync(ALL_LANES, value.of[c], 1);
        at(c) = c + shift < N ? value.of[c] : next;
    }
}

/* Brings a thread's columns into place. Pivots follow from the first parts. */
template <class EACH, class OP, int N>
static __device__ void shift_columns(EACH (&each)[N], running<OP> (&s)[N], unsigned shift)
{
    if constexpr (OP::HAS_ORIGIN)
        shift_values<N>(shift, [&](int c) -> float & { return each[c].origin; });
    shift_values<N>(shift, [&](int c) -> float & { return s[c].first; });
    if constexpr (OP::TWO)
        shift_values<N>(shift, [&](int c) -> typename OP::second & { return s[c].second; });
}

/* The operator for the column at a position of a block: about the origin of one of two groups. */
template <class OP, int N>
static __device__ OP at_position(OP op, const passed_states<OP, N> *passed, unsigned position,
                                 unsigned lanes)
{
    if constexpr (OP::HAS_ORIGIN)
        op = with_origin(op, passed->origin[position],
                         lanes < REDUCE_THREADS ? passed->origin[lanes * N + position] : INFINITY);
    return op;
}

/* Brings the states of each column, in all groups of a block, to one origin. */
template <class OP, int N>
static __device__ void meet_in_tile(const OP (&each)[N], running<OP> (&s)[N], unsigned lanes,
                                    passed_states<OP, N> *passed)
{
    if constexpr (OP::HAS_ORIGIN) {
        const unsigned position = threadIdx.x * N; /* in the row of its group */
#pragma unroll
        for (int c = 0; c < N; c++)
            if (threadIdx.x < 2 * lanes)
                passed->origin[position + c] = own_origin(each[c], s[c]);
        __syncthreads();
#pragma unroll
        for (int c = 0; c < N; c++)
            settle(each[c], at_position(each[c], passed, position % (lanes * N) + c, lanes), s[c]);
    }
}

/* The states of the blocks that meet, of `count` elements in all, each with its own of its column
   `position`; in shared memory then. elements(i): of slot i. */
template <class OP, class ELEMENTS>
static __device__ running<OP> merge_blocks(OP op, running<OP> s, passed_states<OP, 1> *passed,
                                           const struct meeting &slots, unsigned positions,
                                           size_t count, ELEMENTS elements)
{
    const int at_once = OP::TWO ? 8 : 16; /* slots */
    const unsigned position = threadIdx.x % positions;
    take_slots<at_once>(op, s, slots, threadIdx.x / positions, REDUCE_THREADS / positions,
                        elements);
    const running<OP> one[1] = {s};
    __syncthreads(); /* no thread reads what was passed before */
    pass_states(op, one, positions, count, passed);
    return state_at(op, passed, position, positions, count);
}

/* Blocks for which an SM is to have registers: reduce_plan.c counts on them. */
template <class OP, typename T> constexpr int column_blocks = OP::TWO && sizeof(T) == 2 ? 3 : 4;

/* Blocks that share a tile leave their states in slots, and the last to begin of a team merges
   those of the team, in their order: so the bits do not depend on which is last. A team has as many
   blocks as one can read the slots of in a few turns. If there are more, those that merge are a
   team again, with slots of their own: in those of blocks one could find what a block left. */
template <class OP, typename T, enum column_access ACCESS>
static __global__ void __launch_bounds__(REDUCE_THREADS, column_blocks<OP, T>)
    columns_of(OP op, const T *in, size_t rows, size_t columns, size_t stride, unsigned lanes,
               unsigned tiles, unsigned parts, size_t part, void *out, struct shared_answers shared)
{
    const int members = sixteen_bytes<T>::MEMBERS, at_once = COLUMN_LOADS;
    __shared__ bool merges[2];
    const unsigned log_lanes = __ffs((int)lanes) - 1,
                   log_groups = __ffs(REDUCE_THREADS) - 1 - log_lanes;
    const unsigned lane = threadIdx.x & (lanes - 1), group = threadIdx.x >> log_lanes;
    const unsigned groups = 1u << log_groups, positions = lanes * members;
    /* If SHIFTED, the last lane reads for the lane before it, and has no columns. */
    const unsigned width = (ACCESS == SHIFTED ? lanes - 1 : lanes) * members;
    /* Blocks that run at the same time read side by side. */
    const unsigned tile = blockIdx.x % tiles, mine = blockIdx.x / tiles;
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

    const auto narrow = with_short_numbers(op);
    running<decltype(with_short_numbers(op))> seen[members];
    running<OP> s[members];
    passed_states<OP, members> *const passed = (passed_states<OP, members> *)shared_bytes();
    OP each[members];
#pragma unroll
    for (int c = 0; c < members; c++)
        seen[c] = nothing_yet(narrow), each[c] = op;
    const size_t step = groups * stride;
    ask_for_rows(at, step, left, lane % (128 / 16) == 0);
    wait_for_kernel_before();
    /* With whom blocks that share rows meet: each thread has one column then. */
    const unsigned alone = column_at<ACCESS>(threadIdx.x % positions, lanes, members);
    T top[2] = {};
    if (OP::HAS_ORIGIN && parts > 1 && alone < width && alone < here)
        top[0] = in[first_column + alone], top[1] = in[stride + first_column + alone];
    /* The tickets of a tile: of each team with the first of its blocks, of all teams beside it. */
    unsigned *const tickets = shared.tickets + (size_t)tile * parts;
    const unsigned log_team = log_groups + __ffs(COLUMN_SLOTS) - 1;
    const unsigned team = mine >> log_team, teams = ((parts - 1) >> log_team) + 1;
    const unsigned first = team << log_team;
    const unsigned in_team = parts - first < 1u << log_team ? parts - first : 1u << log_team;
    unsigned before = 0;
    if (in_team > 1 && threadIdx.x == 0)
        before = atomicInc(&tickets[first], in_team - 1); /* comes while elements do */
    for (; left >= at_once; left -= at_once, taken += at_once, at += at_once * step)
        take_rows<ACCESS, at_once>(each, seen, at, step, local, taken, at_once);
    if (left > 0)
        take_rows<ACCESS, at_once>(each, seen, at, step, local, taken, (unsigned)left);
    trigger_next_launch();
    taken += left;
    if (ACCESS == SHIFTED)
        shift_columns(each, seen, shift);
#pragma unroll
    for (int c = 0; c < members; c++)
        s[c] = {seen[c].first, ACCESS == SHIFTED ? op.pivot(seen[c].first, taken) : seen[c].pivot,
                second_for_all(narrow, seen[c].second, first_row, groups), taken};
    meet_in_tile(each, s, lanes, passed);
    if (threadIdx.x == 0) {
        merges[0] = before == in_team - 1;
        if (teams > 1 && merges[0])
            before = atomicInc(&tickets[1], teams - 1);
    }
    pass_states(op, s, lanes, end - mine * part, passed);
    if (parts == 1) {
        for (unsigned i = threadIdx.x; i < positions; i += REDUCE_THREADS) {
            const unsigned column = column_at<ACCESS>(i, lanes, members);
            if (column >= width || column >= here)
                continue;
            const running<OP> answer = state_at(op, passed, i, lanes, rows);
            at_position(op, passed, i, lanes)
                .answer(answer.first, answer.second, rows, out, first_column + column);
        }
        return;
    }
    /* Now a thread has one column. */
    const unsigned position = threadIdx.x % positions;
    running<OP> all = state_at(op, passed, position, lanes, end - mine * part);
    const OP own = at_position(op, passed, position, lanes);
    op = with_origin(op, wide(top[0]), wide(top[1]));
    move_to(own, op, all);
    /* Elements of a column in `count` parts from number i on. */
    const auto elements_of = [=](unsigned i, unsigned count) {
        const size_t most = count * part, after = rows - i * part;
        return after < most ? after : most;
    };
    const unsigned of_block = words_of<OP> * positions;
    volatile word *const flagged = (volatile word *)shared.flagged + position;
    const struct meeting of_team = {flagged + ((size_t)tile * parts + first) * of_block, of_block,
                                    positions, in_team, mine - first};
    passed_states<OP, 1> *const again = (passed_states<OP, 1> *)passed;
    if (!merges[0]) {
        if (threadIdx.x < positions)
            publish_state(of_team, all);
        return;
    }
    if (in_team > 1)
        all = merge_blocks(op, all, again, of_team, positions, elements_of(first, in_team),
                           [=](unsigned i) { return elements_of(first + i, 1); });
    if (teams > 1) {
        const struct meeting of_tile = {flagged +
                                            ((size_t)gridDim.x + (size_t)tile * teams) * of_block,
                                        of_block, positions, teams, team};
        if (threadIdx.x == 0)
            merges[1] = before == teams - 1;
        __syncthreads();
        if (!merges[1]) {
            if (threadIdx.x < positions)
                publish_state(of_tile, all);
            return;
        }
        all = merge_blocks(op, all, again, of_tile, positions, rows,
                           [=](unsigned i) { return elements_of(i << log_team, 1u << log_team); });
    }
    const unsigned column = column_at<ACCESS>(threadIdx.x, lanes, members);
    if (threadIdx.x < positions && column < width && column < here)
        op.answer(all.first, all.second, rows, out, first_column + column);
}

/* ---- few rows, or many columns ---- */

/* A thread has its columns to itself: AT_ONCE rows of them, and as many again. */
template <class OP, typename T, enum column_access ACCESS, int AT_ONCE>
static __global__ void __launch_bounds__(REDUCE_THREADS)
    columns_in_a_thread(OP op, const T *in, size_t rows, size_t columns, size_t stride, void *out)
{
    const int members = sixteen_bytes<T>::MEMBERS, width = REDUCE_THREADS * members;
    const size_t first_column = (size_t)blockIdx.x * width, here = columns - first_column;
    const unsigned start = ACCESS == VECTORS ? threadIdx.x * members : threadIdx.x;
    const size_t n = AT_ONCE < FEW_COLUMN_LOADS ? AT_ONCE : rows;
    auto local = places_of_lane<ACCESS, members>(start, REDUCE_THREADS, here, 0, false);
    local.groups = start < here ? local.groups : 0;
    const auto narrow = with_short_numbers(op);
    running<decltype(with_short_numbers(op))> s[members];
    OP each[members];
    const T *at = in + first_column;
    size_t taken = 0;
#pragma unroll
    for (int c = 0; c < members; c++)
        s[c] = nothing_yet(narrow), each[c] = op;
    ask_for_rows(at + start, stride, start < here ? n : 0, threadIdx.x % (128 / 16) == 0);
    wait_for_kernel_before();
    for (; n - taken >= AT_ONCE; taken += AT_ONCE, at += AT_ONCE * stride)
        take_rows<ACCESS, AT_ONCE>(each, s, at, stride, local, taken, AT_ONCE);
    if (taken < n)
        take_rows<ACCESS, AT_ONCE>(each, s, at, stride, local, taken, (unsigned)(n - taken));
    trigger_next_launch();
    float first[members];
    typename OP::second second[members];
#pragma unroll
    for (int c = 0; c < members; c++) {
        s[c].count = n;
        settle(with_short_numbers(each[c]), with_short_numbers(each[c]), s[c]);
        first[c] = s[c].first;
        second[c] = second_for_all(narrow, s[c].second, 0, 1);
    }
    const int together = ACCESS == VECTORS ? members : 1;
#pragma unroll
    for (int c = 0; c < members; c += together)
        put_answers<together>(each + c, first + c, second + c, n, out,
                              first_column + start + c * REDUCE_THREADS, columns);
}

template <class OP, typename T>
static enum reduce_status launch_columns(const struct reduction &r, const struct reduce_matrix *m,
                                         OP op, T)
{
    const struct reduce_plan &plan = r.plan;
    const T *in = (const T *)m->data;
    const bool is_few = plan.loads == FEW_COLUMN_LOADS;
    if (plan.kind == COLUMNS_IN_A_THREAD)
        return launch_reduction(
            r, 0,
            !plan.vectors  ? (is_few ? columns_in_a_thread<OP, T, ELEMENTS, FEW_COLUMN_LOADS>
                                     : columns_in_a_thread<OP, T, ELEMENTS, COLUMN_LOADS>)
            : m->rows == 1 ? columns_in_a_thread<OP, T, VECTORS, 1>
            : m->rows == 2 ? columns_in_a_thread<OP, T, VECTORS, 2>
            : is_few       ? columns_in_a_thread<OP, T, VECTORS, FEW_COLUMN_LOADS>
                           : columns_in_a_thread<OP, T, VECTORS, COLUMN_LOADS>,
            op, in, m->rows, m->columns, m->stride, r.out);
    return launch_reduction(r, sizeof(passed_states<OP, sixteen_bytes<T>::MEMBERS>),
                            plan.vectors   ? columns_of<OP, T, VECTORS>
                            : plan.shifted ? columns_of<OP, T, SHIFTED>
                                           : columns_of<OP, T, ELEMENTS>,
                            op, in, m->rows, m->columns, m->stride, plan.lanes,
                            (unsigned)plan.tiles, (unsigned)plan.parts, plan.part, r.out, r.shared);
}

enum reduce_status reduce_columns_by(const struct reduce_plan *plan, enum reduce_operator op,
                                     const struct reduce_matrix *matrix, void *out,
                                     const struct reduce_workspace *workspace, cudaStream_t stream)
{
    struct reduction r = {.out = out, .stream = stream};
    const enum reduce_status status = reduce_begin_matrix(&r, op, matrix, workspace, false);
    if (status != REDUCE_OK || matrix->columns == 0)
        return status;
    r.plan = plan != NULL ? *plan : reduce_columns_plan(op, matrix, r.sms);
    if (r.plan.kind != COLUMNS && r.plan.kind != COLUMNS_IN_A_THREAD) { /* one column is a row */
        const struct reduce_matrix row = {matrix->data, matrix->type, 1, matrix->rows,
                                          matrix->rows};
        return reduce_rows_by(&r.plan, op, &row, out, workspace, stream);
    }
    return by_operator(op, matrix->type,
                       [&](auto o, auto t) { return launch_columns(r, matrix, o, t); });
}

enum reduce_status reduce_columns(enum reduce_operator op, const struct reduce_matrix *matrix,
                                  void *out, const struct reduce_workspace *workspace,
                                  cudaStream_t stream)
{
    return reduce_columns_by(NULL, op, matrix, out, workspace, stream);
}
