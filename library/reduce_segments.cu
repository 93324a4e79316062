/*
 * reduce_segments.cu: reduce_segments(), rows of any lengths by offsets. The elements and the ends
 * of segments are laid out in one list, in order, and every block gets as long a piece of it: so
 * neither one long segment nor a million empty ones keeps a block busy while others wait (merge
 * path: Merrill and Garland, 2016).
 *
 * A block goes through its piece from left to right. The rest of a long segment it reads as a row.
 * Else it takes a tile: it brings the elements into shared memory, each thread goes through
 * SEGMENT_ITEMS of the list, and a scan over the threads hands on what is open where a thread
 * begins. What is open at the ends of a block is left in its slot, and the last block to come puts
 * the slots together in their order.
 */
#include "reduce_common.h"

enum { TILE = REDUCE_THREADS * SEGMENT_ITEMS, WARPS = REDUCE_THREADS / 32 };

/* What is known of a segment, or of its part in front of some place. ended: in a scan, whether it
   began after the first of the places that are put together. */
template <class OP> struct open_state {
    float first;
    typename OP::second second;
    bool ended;
};

/* Of a block: what it knew of the first segment that ends in its piece, and what is open behind. */
template <class OP> struct block_slot {
    struct open_state<OP> head, open; /* open.ended: a segment ends in this piece, and ... */
    size_t segment;                   /* ... this is the first */
};

template <class OP> static inline __device__ struct open_state<OP> nothing_open(OP op, bool ended) {
    return {op.none(), op.no_second(), ended};
}

/* a lies before b. */
template <class OP>
static inline __device__ struct open_state<OP> joined(OP op, struct open_state<OP> a,
                                                      struct open_state<OP> b) {
    float first = op.merge_first(a.first, b.first);
    typename OP::second second = op.merge_second(op.rebase(a.first, a.second, 0, 0.0f, first),
                                                 op.rebase(b.first, b.second, 0, 0.0f, first));
    return {first, second, b.ended};
}

/* The same where a segment may have ended in b: then a is of no concern behind it. */
template <class OP>
static inline __device__ struct open_state<OP> in_turn(OP op, struct open_state<OP> a,
                                                       struct open_state<OP> b) {
    if (b.ended)
        return b;
    b = joined(op, a, b);
    b.ended = a.ended;
    return b;
}

template <class OP>
static inline __device__ struct open_state<OP> from_lane_before(struct open_state<OP> s,
                                                                unsigned distance) {
    struct open_state<OP> before;
    before.first = __shfl_up_sync(0xffffffff, s.first, distance);
    if constexpr (sizeof s.second == 8)
        before.second = (size_t)__shfl_up_sync(0xffffffff, (unsigned long long)s.second, distance);
    else
        before.second = __shfl_up_sync(0xffffffff, s.second, distance);
    before.ended = __shfl_up_sync(0xffffffff, (int)s.ended, distance);
    return before;
}

/* What is open where this thread begins, if `open` is where the block begins; and in `open` what is
   open where the block ends. The same in all threads. Two calls need a barrier between them. */
template <class OP>
static inline __device__ struct open_state<OP> scan_block(OP op, struct open_state<OP> mine,
                                                          struct open_state<OP> &open) {
    __shared__ struct open_state<OP> of_warp[WARPS];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (unsigned distance = 1; distance < 32; distance *= 2) {
        struct open_state<OP> before = from_lane_before(mine, distance);
        if (lane >= distance)
            mine = in_turn(op, before, mine);
    }
    if (lane == 31)
        of_warp[warp] = mine;
    mine = from_lane_before(mine, 1);
    __syncthreads();
    struct open_state<OP> before = open;
    for (unsigned w = 0; w < WARPS; w++) {
        if (w == warp)
            before = open;
        open = in_turn(op, open, of_warp[w]);
    }
    return lane > 0 ? in_turn(op, before, mine) : before;
}

/* A place in the list: the number of the next element, and of the next end. */
struct place {
    size_t element, end;
};

/* How many ends lie in front of the place number `at` of the list: of those the whole block looks
   at 256 at once. Every search for itself would ask the memory 20 times and more in turn. */
static inline __device__ size_t ends_before(size_t at, const int64_t *ends, int64_t origin,
                                            size_t elements, size_t segments)
{
    size_t low = at > elements ? at - elements : 0, high = at < segments ? at : segments;
    while (low < high) {
        size_t width = (high - low + REDUCE_THREADS - 1) / REDUCE_THREADS;
        size_t mine = low + (threadIdx.x + 1) * width - 1;
        bool before = mine < high && (size_t)(ends[mine] - origin) + mine < at;
        low += (size_t)__syncthreads_count(before) * width;
        high = low + width - 1 < high ? low + width - 1 : high;
    }
    return low;
}

/* The same in a tile, by one thread. */
static inline __device__ unsigned ends_before(unsigned at, const unsigned short *ends,
                                              unsigned elements, unsigned count)
{
    unsigned low = at > elements ? at - elements : 0, high = at < count ? at : count;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (ends[middle] + middle < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The elements of a tile, and how many of them lie in front of each end in it. */
template <typename T> struct shared_tile {
    __align__(16) T elements[TILE + 16 / sizeof(T)];
    unsigned short ends[TILE];
};

/* Brings the ends among the next `items` of the list; returns how many. AT_ONCE are in flight. */
template <int AT_ONCE>
static inline __device__ unsigned bring_ends(unsigned short *to, const int64_t *ends,
                                             struct place at, unsigned items, size_t segments)
{
    for (unsigned first = 0;; first += AT_ONCE * REDUCE_THREADS) {
        size_t end[AT_ONCE];
        unsigned inside = 0;
#pragma unroll
        for (int k = 0; k < AT_ONCE; k++) {
            size_t i = at.end + first + k * REDUCE_THREADS + threadIdx.x;
            end[k] = i < segments ? (size_t)ends[i] - at.element : (size_t)TILE;
        }
#pragma unroll
        for (int k = 0; k < AT_ONCE; k++) {
            unsigned i = first + k * REDUCE_THREADS + threadIdx.x;
            if (end[k] + i < items) {
                to[i] = (unsigned short)end[k];
                inside++;
            }
        }
        unsigned all = 0;
#pragma unroll
        for (int k = 1; k <= AT_ONCE; k++)
            all += (unsigned)__syncthreads_count(inside >= (unsigned)k);
        if (all < AT_ONCE * REDUCE_THREADS)
            return first + all;
    }
}

/* Copies `count` elements to shared memory, 16 bytes at a time; returns where the first lies. */
template <typename T> static inline __device__ const T *bring(T *to, const T *from, size_t count)
{
    const unsigned members = sixteen_bytes<T>::MEMBERS;
    const int each = (TILE / members + REDUCE_THREADS - 1) / REDUCE_THREADS;
    struct parts p = parts_of(from, count);
    T *start = to + (uintptr_t)from % 16 / sizeof(T); /* as far from a multiple of 16 bytes */
    const uint4 *vectors = (const uint4 *)(from + p.head);
    uint4 v[each];
#pragma unroll
    for (int k = 0; k < each; k++)
        if (threadIdx.x + k * REDUCE_THREADS < p.vectors)
            v[k] = vectors[threadIdx.x + k * REDUCE_THREADS];
    if (threadIdx.x < p.head)
        start[threadIdx.x] = from[threadIdx.x];
    if (threadIdx.x < p.tail)
        start[count - p.tail + threadIdx.x] = from[count - p.tail + threadIdx.x];
#pragma unroll
    for (int k = 0; k < each; k++)
        if (threadIdx.x + k * REDUCE_THREADS < p.vectors)
            ((uint4 *)(start + p.head))[threadIdx.x + k * REDUCE_THREADS] = v[k];
    return start;
}

/* Where answers go. The first end in a block's piece goes to its slot: what lies in front of the
   piece is not known there. */
template <class OP> struct answers {
    const int64_t *offsets;
    void *out;
    size_t first_end;
    struct block_slot<OP> *slot;
};

template <class OP>
static inline __device__ void answer(OP op, struct answers<OP> to, struct open_state<OP> s,
                                     size_t segment)
{
    if (segment == to.first_end) {
        to.slot->head = s;
        to.slot->segment = segment;
        return;
    }
    if constexpr (OP::TWO)
        s.second = op.since(s.second, (size_t)to.offsets[segment]);
    op.answer(s.first, s.second, 0, to.out, segment);
}

/* This thread's items of a tile that has so many elements and ends. `at`: where the tile begins. */
template <class OP, typename T>
static inline __device__ void take_items(OP op, const T *x, const unsigned short *ends,
                                         unsigned elements, unsigned count, struct place at,
                                         struct open_state<OP> &open, struct answers<OP> to)
{
    const unsigned all = elements + count, mine = threadIdx.x * SEGMENT_ITEMS;
    unsigned end = mine < all ? ends_before(mine, ends, elements, count) : count;
    unsigned element = mine < all ? mine - end : elements, head_end = 0;
    struct open_state<OP> s = nothing_open(op, false), head = s;
#pragma unroll 3
    for (unsigned i = mine; i < mine + SEGMENT_ITEMS && i < all; i++) {
        if (end == count || element < ends[end]) {
            size_t number = at.element + element;
            float value = op.key(wide(x[element++]));
            s = in_turn(op, s, {value, op.second_of(value, number, value), false});
            continue;
        }
        if (s.ended) {
            answer(op, to, s, at.end + end);
        } else {
            head = s;
            head_end = end;
        }
        s = nothing_open(op, true);
        end++;
    }
    struct open_state<OP> before = scan_block(op, s, open);
    if (s.ended)
        answer(op, to, joined(op, before, head), at.end + head_end);
}

/* The last block: what is open at the end of each block belongs in front of the next one's head.
   Each thread has as many slots, side by side. */
template <class OP>
static inline __device__ void put_together(OP op, const struct block_slot<OP> *slots,
                                           struct answers<OP> to)
{
    const unsigned each = (gridDim.x + REDUCE_THREADS - 1) / REDUCE_THREADS;
    const unsigned first = threadIdx.x * each;
    const unsigned end = first + each < gridDim.x ? first + each : gridDim.x;
    struct open_state<OP> open = nothing_open(op, false), s = open;
    to.first_end = (size_t)-1;
    for (unsigned i = first; i < end; i++)
        s = in_turn(op, s, slots[i].open);
    s = scan_block(op, s, open);
    for (unsigned i = first; i < end; i++) {
        if (slots[i].open.ended)
            answer(op, to, joined(op, s, slots[i].head), slots[i].segment);
        s = in_turn(op, s, slots[i].open);
    }
}

template <class OP, typename T>
static __global__ void __launch_bounds__(REDUCE_THREADS, 2)
    segments_of(OP op, const T *data, const int64_t *offsets, size_t segments, void *out,
                struct shared_answers shared)
{
    struct shared_tile<T> &tile =
        *(struct shared_tile<T> *)shared_bytes<sizeof(struct shared_tile<T>)>();
    struct block_slot<OP> *slots = (struct block_slot<OP> *)shared.slots;
    const int64_t *ends = offsets + 1;

    wait_for_kernel_before(data, 0);
    const size_t elements = (size_t)(offsets[segments] - offsets[0]), all = elements + segments;
    const size_t piece = (all + gridDim.x - 1) / gridDim.x, from = blockIdx.x * piece;
    size_t left = from < all ? (all - from < piece ? all - from : piece) : 0;
    struct place at = {0, 0};
    if (left > 0)
        at.end = ends_before(from, ends, offsets[0], elements, segments);
    at.element = (size_t)offsets[0] + from - at.end;
    struct open_state<OP> open = nothing_open(op, false);
    const struct answers<OP> to = {
        offsets, out, at.end, &slots[blockIdx.x]
    };
    bool many_ends = false;

    while (left > 0) {
        const size_t of_segment = (size_t)ends[at.end] - at.element;
        if (of_segment >= LONG_SEGMENT && left >= LONG_SEGMENT) {
            const size_t count = of_segment < left ? of_segment : left;
            struct running<OP> s = nothing_yet(op);
            const struct row_share<T> share = take_share(op, s, data + at.element, count,
                                                         at.element, threadIdx.x, REDUCE_THREADS);
            /* Before the next one are barriers: a tile has the end. */
            block_state(op, s, count, share);
            open = in_turn(op, open, {s.first, s.second, false});
            at.element += count;
            left -= count;
            continue;
        }
        const unsigned items = left < TILE ? (unsigned)left : (unsigned)TILE;
        const unsigned count = many_ends ? bring_ends<4>(tile.ends, ends, at, items, segments)
                                         : bring_ends<1>(tile.ends, ends, at, items, segments);
        const T *x = bring(tile.elements, data + at.element, items - count);
        __syncthreads();
        take_items(op, x, tile.ends, items - count, count, at, open, to);
        many_ends = count > REDUCE_THREADS;
        at.element += items - count;
        at.end += count;
        left -= items;
    }
    trigger_next_launch();
    if (threadIdx.x == 0)
        slots[blockIdx.x].open = open;
    __syncthreads(); /* all that goes to the slot, before thread 0 draws the ticket */
    if (is_last_of(gridDim.x, shared.tickets))
        put_together(op, slots, to);
}

/* Writes the number of the first offset that is wrong. */
static __global__ void __launch_bounds__(REDUCE_THREADS)
    first_wrong(const int64_t *offsets, size_t segments, size_t n, unsigned long long *wrong)
{
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i <= segments;
         i += (size_t)gridDim.x * blockDim.x)
        if (offsets[i] < 0 || (size_t)offsets[i] > n ||
            (i < segments && offsets[i] > offsets[i + 1]))
            atomicMin(wrong, (unsigned long long)i);
}

struct launch_segments {
    template <class OP, typename T>
    static enum reduce_status of(const struct reduction *r, OP op, T)
    {
        return launch_reduction(r, segments_of<OP, T>, op, (const T *)r->segments->data,
                                r->segments->offsets, r->segments->segments, r->out, r->shared);
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
