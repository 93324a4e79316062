/*
 * reduce_segments.cu: reduce_segments(), rows of any lengths by offsets. The elements and the ends
 * of segments are laid out in one list, in order, and every block gets as long a piece of it: so
 * neither one long segment nor a million empty ones keeps a block busy while others wait (merge
 * path: Merrill and Garland, 2016). A cut that falls near the beginning of a segment is moved
 * there: so short segments lie in one piece each.
 *
 * A block goes through its elements tile by tile. It makes a tree of each (reduce_tree.h), and for
 * each segment a thread asks the tree; a warp does, for a long one. The next tile is in flight
 * meanwhile. A segment that several blocks share is put together by the last of them to come.
 */
#include "reduce_common.h"
#include "reduce_tree.h"

enum {
    WARPS = REDUCE_THREADS / 32,
    SLOTS_AT_ONCE = 16, /* that a lane asks for before it waits for one */
};

/* a lies before b. */
template <class OP>
static inline __device__ struct partial_state<OP> joined(OP op, struct partial_state<OP> a,
                                                         struct partial_state<OP> b) {
    float first = op.merge_first(a.first, b.first);
    return {first, op.merge_second(op.rebase(a.first, a.second, 0, 0.0f, first),
                                   op.rebase(b.first, b.second, 0, 0.0f, first))};
}

template <class OP>
static inline __device__ struct partial_state<OP> nothing_open(OP op) {
    return {op.none(), op.no_second()};
}

/* ---- which piece of the list a block has ---- */

/* Between two pieces: the number of the next element, and of the segment that ends next. */
struct cut {
    size_t element, segment;
    bool inside; /* the segment has elements in front of the cut */
};

/* The whole list. */
struct list {
    const int64_t *offsets;
    size_t segments, origin, elements, piece; /* elements and ends in each piece */
};

/* Both cuts of this block, in cuts[0] and cuts[1]. A binary search would ask the memory 20 times
   and more in turn: of the ends the whole block looks at 256 at once. The first of them do not
   depend on how long the list is, which is asked for at the same time. */
static __device__ struct list find_cuts(const int64_t *offsets, size_t segments, size_t n,
                                        struct cut *cuts)
{
    if (gridDim.x == 1) { /* all that there is, and no offset is waited for */
        cuts[0] = {0, 0, false};
        cuts[1] = {n, segments, false};
        return {offsets, segments, 0, n, n + segments};
    }
    const int64_t *ends = offsets + 1;
    const size_t step = (segments + REDUCE_THREADS - 1) / REDUCE_THREADS;
    const size_t probed = (threadIdx.x + 1) * step - 1;
    const int64_t probe = probed < segments ? ends[probed] : 0;
    const size_t origin = (size_t)offsets[0], elements = (size_t)offsets[segments] - origin;
    const size_t all = elements + segments, piece = (all + gridDim.x - 1) / gridDim.x;
    const size_t from = blockIdx.x * piece;
    const size_t at[2] = {from < all ? from : all, all - from > piece ? from + piece : all};
    const struct list list = {offsets, segments, origin, elements, piece};
    size_t low[2], high[2];

#pragma unroll
    for (int c = 0; c < 2; c++) {
        bool before = probed < segments && (size_t)probe - origin + probed < at[c];
        low[c] = (size_t)__syncthreads_count(before) * step;
        high[c] = low[c] + step - 1 < segments ? low[c] + step - 1 : segments;
    }
    while (low[0] < high[0] || low[1] < high[1]) {
        size_t width[2], mine[2];
        int64_t end[2];
#pragma unroll
        for (int c = 0; c < 2; c++) {
            width[c] = (high[c] - low[c] + REDUCE_THREADS - 1) / REDUCE_THREADS;
            mine[c] = low[c] + (threadIdx.x + 1) * width[c] - 1;
            end[c] = low[c] < high[c] && mine[c] < high[c] ? ends[mine[c]] : INT64_MAX;
        }
#pragma unroll
        for (int c = 0; c < 2; c++) {
            bool before = end[c] < INT64_MAX && (size_t)end[c] - origin + mine[c] < at[c];
            low[c] += (size_t)__syncthreads_count(before) * width[c];
            high[c] = low[c] + width[c] - 1 < high[c] ? low[c] + width[c] - 1 : high[c];
        }
    }
#pragma unroll
    for (int c = 0; c < 2; c++) {
        cuts[c] = {origin + at[c] - low[c], low[c], false};
        if (low[c] < segments) {
            size_t start = (size_t)offsets[low[c]];
            cuts[c].inside = cuts[c].element - start > NEAR;
            if (!cuts[c].inside)
                cuts[c].element = start;
        }
    }
    return list;
}

/* ---- a segment that several blocks share ---- */

/* Called by one warp of each of them, with what the block knows of the segment. Which blocks they
   are follows from the offsets: those on both sides of each cut that is inside the segment. */
template <class OP>
static inline __device__ void put_together(OP op, struct partial_state<OP> mine, size_t segment,
                                           struct list list, bool ends_here, void *out,
                                           struct shared_answers shared)
{
    struct partial_state<OP> *slots = (struct partial_state<OP> *)shared.slots;
    const size_t start = (size_t)list.offsets[segment], end = (size_t)list.offsets[segment + 1];
    const size_t first = (start - list.origin + segment + NEAR) / list.piece;
    const size_t last = (end - list.origin + segment) / list.piece;
    const unsigned lane = threadIdx.x % 32, count = (unsigned)(last - first + 1);
    bool is_last = false;

    /* A block has two slots: one for what is open behind it, one for what ends in it. */
    if (lane == 0) {
        slots[2 * blockIdx.x + ends_here] = mine;
        __threadfence();
        is_last = atomicInc(&shared.tickets[last], count - 1) == count - 1;
        __threadfence();
    }
    if (!__shfl_sync(0xffffffff, (int)is_last, 0))
        return;
    __syncwarp();
    struct partial_state<OP> s = nothing_open(op), part[SLOTS_AT_ONCE];
    for (size_t next = first + lane; next <= last; next += 32 * SLOTS_AT_ONCE) {
#pragma unroll
        for (unsigned k = 0; k < SLOTS_AT_ONCE; k++) {
            const size_t i = next + 32 * k;
            part[k] = i <= last ? slots[2 * i + (i == last)] : nothing_open(op);
        }
#pragma unroll
        for (unsigned k = 0; k < SLOTS_AT_ONCE; k++)
            s = joined(op, s, part[k]);
    }
    float largest = s.first;
    all_firsts<1>(op, &largest, 32);
    if constexpr (OP::TWO) {
        s.second = op.rebase(s.first, s.second, 0, 0.0f, largest);
        all_seconds<1>(op, &s.second, 32);
    }
    if (lane == 0)
        op.answer(largest, op.since(s.second, start), 0, out, segment);
}

/* ---- the kernel ---- */

/* What was found from `from` on in a tile, whose place 0 is the element `number`. */
template <typename T, class OP>
static inline __device__ struct partial_state<OP>
state_of(OP op, const struct tree &tree, struct found f, unsigned from, size_t number) {
    struct partial_state<OP> s = {
        f.first, op.no_second()
    };
    if constexpr (OP::TWO)
        if (f.node != NO_NODE)
            s.second = number + place_of<T>(op, tree, f, from);
    return s;
}

/* How many of n are for this block if each has as many; and the first of them. */
static inline __device__ size_t
even_share(size_t n, size_t *from)
{
    const size_t share = (n + gridDim.x - 1) / gridDim.x, start = blockIdx.x * share;
    *from = start < n ? start : n;
    return n - *from < share ? n - *from : share;
}

/* What one tile leaves for the next, and for the end, in shared memory. */
template <class OP> struct passed_on {
    struct partial_state<OP> open[2]; /* what is open in front of a tile, in turn */
    struct partial_state<OP> head;    /* of the segment that begins in front of the piece */
    size_t segment;                   /* the first that does not end in the tile */
    struct cut cuts[2];
    struct list list;
};

/* The tile's place 0 is the element `number`; its own are from `front` to `to` - 1. */
struct tile {
    size_t number;
    unsigned front, to;
};

/* A thread's segment: number i of the tile's; `left` segments, from it on, end in this piece. One
   that lies behind them begins and ends NEVER. (31 bits are enough for a block's share.) */
struct own_segment {
    const int64_t *at;
    int left;
    unsigned i;
    int64_t start, end;
};
#define NEVER INT64_MAX

static inline __device__ struct own_segment ask_for_ends(struct own_segment s)
{
    s.start = s.left >= 0 ? s.at[0] : NEVER;
    s.end = s.left > 0 ? s.at[1] : NEVER;
    return s;
}

/* The answers of all segments that end in a tile, and what is open behind them. All threads of a
   block call it, each with the first of its segments; a thread's next one is 256 further on. */
template <typename T, class OP>
static inline __device__ void
answer_tile(OP op, const struct tree &tree, struct tile tile, struct own_segment own,
            size_t segment, struct passed_on<OP> &passed, unsigned turn, bool head_waits, void *out)
{
    const int64_t first = (int64_t)(tile.number + tile.front);
    const int64_t limit = (int64_t)(tile.number + tile.to);
    const unsigned lane = threadIdx.x % 32, number = (unsigned)tile.number;
    for (;;) {
        const bool ends = own.end <= limit;
        const bool asks = ends || own.i == 0 || own.start <= limit; /* or it is the open one */
        const bool from_before = own.i == 0 && own.start < first;
        const unsigned from = from_before ? tile.front : (unsigned)own.start - number;
        const unsigned to = ends ? (unsigned)own.end - number : tile.to;
        const bool is_long = asks && (int)(to - from) > MOST_ALONE * (int)sixteen_bytes<T>::MEMBERS;
        struct own_segment next = {own.at + REDUCE_THREADS, own.left - REDUCE_THREADS,
                                   own.i + REDUCE_THREADS, NEVER, NEVER};
        if (ends) /* it comes while this one is answered */
            next = ask_for_ends(next);

        if (__all_sync(0xffffffff, ends && own.i > 0 && !is_long)) { /* nothing special */
            const struct found f = ask<T>(op, tree, from, to);
            const struct partial_state<OP> s = state_of<T>(op, tree, f, from, tile.number);
            op.answer(s.first, op.since(s.second, (size_t)own.start), 0, out, segment + own.i);
            own = next;
            continue;
        }
        struct found f = {op.none(), NO_NODE};
        if (asks && !is_long)
            f = ask<T>(op, tree, from, to);
        for (unsigned long_ones = __ballot_sync(0xffffffff, is_long); long_ones > 0;
             long_ones &= long_ones - 1) {
            const int of = __ffs((int)long_ones) - 1;
            const unsigned its_from = __shfl_sync(0xffffffff, from, of);
            const unsigned its_to = __shfl_sync(0xffffffff, to, of);
            const struct found all = ask_together<T>(op, tree, its_from, its_to);
            if ((int)lane == of)
                f = all;
        }
        if (asks) {
            struct partial_state<OP> s = state_of<T>(op, tree, f, from, tile.number);
            if (own.i == 0)
                s = joined(op, passed.open[turn], s);
            if (!ends) {
                passed.open[turn ^ 1] = s;
                passed.segment = segment + own.i;
            } else if (own.i == 0 && head_waits) {
                passed.head = s;
            } else {
                op.answer(s.first, op.since(s.second, (size_t)own.start), 0, out, segment + own.i);
            }
        }
        if (!__all_sync(0xffffffff, ends))
            return;
        own = next;
    }
}

template <class OP, typename T>
static __global__ void __launch_bounds__(REDUCE_THREADS, SEGMENT_BLOCKS_PER_SM)
    segments_of(OP op, const T *data, size_t n, const int64_t *offsets, size_t segments, void *out,
                struct shared_answers shared)
{
    const unsigned members = sixteen_bytes<T>::MEMBERS;
    struct tree &tree = *(struct tree *)shared_bytes<sizeof(struct tree)>();
    __shared__ struct passed_on<OP> passed;

    /* Which elements are this block's it does not know yet. It asks for those that would be if all
       segments had one length: so all blocks together ask for everything. */
    size_t from, count = even_share(segments, &from);
    ask_ahead(offsets + from, count);
    count = even_share(n, &from);
    wait_for_kernel_before(data + from, count);
    struct cut cuts[2];
    const struct list list = find_cuts(offsets, segments, n, cuts);
    const size_t shift = (uintptr_t)data % 16 / sizeof(T); /* what places are more than numbers */
    const struct placed_elements x = {(const uint4 *)(data - shift), list.origin + shift,
                                      list.origin + list.elements + shift};
    const size_t begin = cuts[0].element + shift, end = cuts[1].element + shift;
    const size_t behind = (end + members - 1) / members; /* the last vector */
    size_t segment = cuts[0].segment, v = begin / members;
    /* For each segment there is a thread; where few end, they are spread over the warps. */
    const bool few = (cuts[1].segment - segment) * 32 * members <= end - begin;
    const unsigned rank = few ? threadIdx.x % 32 * WARPS + threadIdx.x / 32 : threadIdx.x;
    bool head_waits = cuts[0].inside; /* for what other blocks know of its segment */

    uint4 share[TREE_LOADS];
    ask_for_tile<T>(share, x, v, behind);
    if (threadIdx.x == 0) { /* registers are for what is in flight */
        passed.open[0] = nothing_open(op);
        passed.cuts[0] = cuts[0];
        passed.cuts[1] = cuts[1];
        passed.list = list;
    }
    for (unsigned turn = 0;; turn ^= 1) {
        const size_t base = v * members, to = end - base, all = members * TREE_VECTORS;
        const struct tile tile = {base - shift, begin > base ? (unsigned)(begin - base) : 0,
                                  (unsigned)(to < all ? to : all)};
        const size_t left = cuts[1].segment - segment;
        const struct own_segment own =
            ask_for_ends({offsets + segment + rank,
                          (int)(left < INT32_MAX ? left : INT32_MAX) - (int)rank, rank, 0, 0});
        plant<T>(op, tree, share);
        v += TREE_VECTORS;
        const bool more = v < behind;
        if (more)
            ask_for_tile<T>(share, x, v, behind);
        else
            trigger_next_launch();
        __syncthreads(); /* the tree is whole */
        answer_tile<T>(op, tree, tile, own, segment, passed, turn, head_waits, out);
        __syncthreads(); /* no thread asks this tree any more, and all know what is open */
        if (!more) {
            /* One warp for what is open behind this piece, one for what ends in it. */
            const bool of_head = threadIdx.x >= 32;
            const struct cut cut = passed.cuts[of_head ? 0 : 1];
            if (threadIdx.x < 64 && cut.inside &&
                (!of_head || cut.segment < passed.cuts[1].segment))
                put_together(op, of_head ? passed.head : passed.open[turn ^ 1], cut.segment,
                             passed.list, of_head, out, shared);
            return;
        }
        head_waits &= passed.segment == segment;
        segment = passed.segment;
    }
}

/* Writes the number of the first offset that is wrong. */
static __global__ void __launch_bounds__(REDUCE_THREADS)
    first_wrong(const int64_t *offsets, size_t segments, size_t n, unsigned long long *wrong)
{
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i <= segments;
         i += (size_t)gridDim.x * blockDim.x)
        if ((size_t)offsets[i] > n || /* and so is a negative one */
            (i < segments && offsets[i] > offsets[i + 1]))
            atomicMin(wrong, (unsigned long long)i);
}

struct launch_segments {
    template <class OP, typename T>
    static enum reduce_status of(const struct reduction *r, OP op, T)
    {
        return launch_reduction(r, segments_of<OP, T>, op, (const T *)r->segments->data,
                                r->segments->n, r->segments->offsets, r->segments->segments, r->out,
                                r->shared);
    }
};

template <typename T>
static enum reduce_status segments_by(const struct reduction *r, enum reduce_operator op)
{
    switch (op) {
    case REDUCE_SUM:
        return launch_segments::of(r, row_sum(), T());
    case REDUCE_MAX:
        return launch_segments::of(r, largest_of(0), T());
    case REDUCE_ARGMAX:
        return launch_segments::of(r, where_of<size_t>(0), T());
    default:
        return REDUCE_BAD_OPERATOR;
    }
}

/* ---- what reduce_rows.h declares ---- */

static enum reduce_status begin(struct reduction *r, enum reduce_operator op,
                                const struct reduce_workspace *workspace, unsigned *sms)
{
    const struct reduce_segments *s = r->segments;
    if (op != REDUCE_SUM && op != REDUCE_MAX && op != REDUCE_ARGMAX)
        return REDUCE_BAD_OPERATOR;
    if (s == NULL || (s->offsets == NULL && s->segments > 0))
        return REDUCE_NULL_POINTER;
    if ((uintptr_t)s->offsets % sizeof(int64_t))
        return REDUCE_MISALIGNED;
    return reduce_begin(r, op, s->type, s->data, s->n, s->segments, workspace, sms);
}

extern "C" enum reduce_status reduce_segments(enum reduce_operator op,
                                              const struct reduce_segments *segments, void *out,
                                              const struct reduce_workspace *workspace,
                                              cudaStream_t stream)
{
    struct reduction r = {NULL, NULL, segments, out, {}, stream, false};
    unsigned sms;
    enum reduce_status status = begin(&r, op, workspace, &sms);
    if (status != REDUCE_OK || segments->segments == 0)
        return status;
    const struct reduce_plan plan = reduce_segments_plan(segments, sms);
    r.plan = &plan;
    switch (segments->type) {
    case REDUCE_F32:
        return segments_by<float>(&r, op);
    case REDUCE_F16:
        return segments_by<__half>(&r, op);
    case REDUCE_BF16:
        return segments_by<__nv_bfloat16>(&r, op);
    }
    return REDUCE_BAD_TYPE;
}

extern "C" enum reduce_status reduce_check_offsets(const struct reduce_segments *segments,
                                                   size_t *wrong,
                                                   const struct reduce_workspace *workspace,
                                                   cudaStream_t stream)
{
    static float nowhere; /* no answers are written, but reduce_begin() asks where to */
    struct reduction r = {NULL, NULL, segments, &nowhere, {}, stream, false};
    unsigned sms;
    enum reduce_status status = begin(&r, REDUCE_SUM, workspace, &sms);
    if (status != REDUCE_OK || segments->segments == 0)
        return status;
    unsigned long long *place = (unsigned long long *)r.shared.slots, found;
    if (cudaMemsetAsync(place, 0xff, sizeof found, stream) != cudaSuccess)
        return REDUCE_LAUNCH_FAILED;
    first_wrong<<<SPLIT_BLOCKS_PER_SM * sms, REDUCE_THREADS, 0, stream>>>(
        segments->offsets, segments->segments, segments->n, place);
    if (cudaPeekAtLastError() != cudaSuccess ||
        cudaMemcpyAsync(&found, place, sizeof found, cudaMemcpyDeviceToHost, stream) !=
            cudaSuccess ||
        cudaStreamSynchronize(stream) != cudaSuccess)
        return REDUCE_LAUNCH_FAILED;
    if (found == (unsigned long long)-1)
        return REDUCE_OK;
    if (wrong != NULL)
        *wrong = (size_t)found;
    return REDUCE_BAD_OFFSETS;
}
