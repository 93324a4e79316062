/*
 * reduce_segments.cu: reduce_segments(), rows of any lengths by offsets. The elements and the ends
 * of segments are laid out in one list, in order, an end as long as several elements; and every
 * warp gets as long a piece of it. So neither one long segment nor a million empty ones keeps a
 * warp busy while others wait (merge path: Merrill and Garland, 2016). A list that is short, or
 * whose segments are even, or long on average, needs none of that (reduce_whole.h).
 *
 * A warp goes through its elements tile by tile (reduce_tile.h), and the next tile is in flight
 * meanwhile. When all warps of a block are done they put together the segments that they share, and
 * the last of the blocks that share one puts that together.
 */
#include "reduce_tile.h"
#include "reduce_whole.h"

#define NEVER INT64_MAX

/* ---- which piece of the list a warp has ---- */

/* Between two pieces: the number of the next element, and of the segment that ends next. */
struct cut {
    size_t element, segment;
    size_t start; /* of that segment */
    bool inside;  /* it has elements in front of the cut */
};

/* The whole list. */
struct list {
    size_t origin; /* the first element */
    size_t piece;  /* of a warp, in elements; an end counts as END_BYTES */
};

/* What is known of a cut: of the ends, those in front of `low` lie before it, those from `high` on
   do not; and what ends[low - 1] and ends[high] are. */
struct bracket {
    int64_t low, high;
    int64_t start, end;
};

/* Each lane asked for one end, in order; one in front of all is `before`, too. */
static __device__ void narrow(struct bracket &b, bool before, int64_t asked, int64_t end)
{
    const int count = __popc(__ballot_sync(ALL_LANES, before));
    const int64_t last = __shfl_sync(ALL_LANES, (long long)asked, count > 0 ? count - 1 : 0);
    const int64_t start = __shfl_sync(ALL_LANES, (long long)end, count > 0 ? count - 1 : 0);
    const int64_t next = __shfl_sync(ALL_LANES, (long long)asked, count % 32);
    const int64_t its_end = __shfl_sync(ALL_LANES, (long long)end, count % 32);
    if (count > 0 && last >= b.low)
        b.low = last + 1, b.start = start;
    if (count < 32 && next < b.high)
        b.high = next, b.end = its_end;
}

/* Whether an end, number `number` of all, lies in front of the place `at` of the list. */
static __device__ bool lies_before(int64_t end, int64_t number, int64_t origin, int64_t weight,
                                   int64_t at)
{
    return end != NEVER && end - origin + number * weight < at;
}

/* Both cuts of this warp. A binary search would ask the memory 20 times and more in turn. So first
   each thread of the block asks for one end, of all; and each lane for one near where the cut would
   be if all segments had one length: 1, 2, 4 ... away. Then each lane for one of 32 that are left.
   A cut between blocks that falls into a short segment, or near the beginning of a long one, is
   moved to one of its ends. */
template <typename T>
static __device__ struct list find_cuts(const int64_t *offsets, size_t segments, double share,
                                        struct cut *cuts)
{
    __shared__ int64_t samples[SEGMENT_THREADS];
    const int64_t *ends = offsets + 1, count = (int64_t)segments, weight = END_BYTES / sizeof(T);
    const unsigned lane = threadIdx.x % 32;
    const int64_t step = (count + SEGMENT_THREADS - 1) / SEGMENT_THREADS;
    const int64_t sampled = (threadIdx.x + 1) * step - 1;
    const size_t number = (size_t)blockIdx.x * WARPS + threadIdx.x / 32;
    const int64_t away = lane < 16 ? -(1 << (15 - lane)) : (1 << (lane - 16)) - 1;
    int64_t asked[2], end[2], at[2]; /* of both cuts: at is the place in the list */
    const int64_t sample = sampled < count ? ends[sampled] : NEVER;
    for (int c = 0; c < 2; c++) {
        asked[c] = (int64_t)((double)(number + c) * share * (double)count) + away;
        end[c] = asked[c] >= 0 && asked[c] < count ? ends[asked[c]] : NEVER;
    }
    const int64_t origin = offsets[0], all = offsets[count] - origin + weight * count;
    const int64_t piece = (int64_t)((double)all * share) + 1; /* a division takes longer */
    samples[threadIdx.x] = sample;
    __syncthreads();
    struct bracket b[2];
    for (int c = 0; c < 2; c++) {
        const int64_t from = (int64_t)(number + c) * piece;
        at[c] = from < all ? from : all;
        unsigned before = 0;
        for (unsigned i = 0; i < SEGMENT_THREADS; i += 32) {
            const int64_t its_number = (i + lane + 1) * step - 1;
            before += __popc(__ballot_sync(
                ALL_LANES, lies_before(samples[i + lane], its_number, origin, weight, at[c])));
        }
        b[c].low = before * step;
        b[c].start = before > 0 ? samples[before - 1] : origin;
        b[c].high = b[c].low + step - 1 < count ? b[c].low + step - 1 : count;
        b[c].end = b[c].high < count ? samples[before] : NEVER;
        narrow(b[c], asked[c] < 0 || lies_before(end[c], asked[c], origin, weight, at[c]), asked[c],
               end[c]);
    }
    while (b[0].low < b[0].high || b[1].low < b[1].high) {
        for (int c = 0; c < 2; c++) {
            asked[c] = b[c].low + (lane + 1) * ((b[c].high - b[c].low + 31) / 32) - 1;
            end[c] = b[c].low < b[c].high && asked[c] < b[c].high ? ends[asked[c]] : NEVER;
        }
        for (int c = 0; c < 2; c++)
            narrow(b[c], lies_before(end[c], asked[c], origin, weight, at[c]),
                   end[c] != NEVER ? asked[c] : count, end[c]);
    }
    /* The longest segment that lies in one block: so few blocks have to meet. */
    const int64_t whole = piece * WARPS < MOST_WHOLE ? piece * WARPS : MOST_WHOLE;
    for (int c = 0; c < 2; c++) {
        const int64_t most = b[c].low * weight + b[c].start - origin; /* in front of its elements */
        const int64_t in_front = at[c] > most ? at[c] - most : 0;
        const int64_t length = b[c].end - b[c].start; /* behind all it is not asked */
        const bool of_block = (threadIdx.x / 32 + c) % WARPS == 0;
        const bool is_short = of_block && in_front > 0 && length <= whole;
        if (is_short && in_front > length / 2)
            b[c].low++, b[c].start = b[c].end;
        const bool inside = !is_short && in_front > (of_block ? NEAR : 0);
        cuts[c] = {(size_t)(b[c].start + (inside ? in_front : 0)), (size_t)b[c].low,
                   (size_t)b[c].start, inside};
    }
    return {(size_t)origin, (size_t)piece};
}

/* ---- what a warp leaves for the others of its block ---- */

enum { HEAD, OPEN }; /* of a segment that began before the piece; of one that is open behind it */
template <class OP> struct left_by_warp {
    partial_state<OP> part[2];
    size_t segment, start; /* the first of the piece; where it begins */
    bool inside, ended;    /* it began before the piece; it ends in it */
};

/* Called by two warps. Both put together what the warps left; the first writes the answers. It goes
   on with what is open behind the block, the second with what ends in it, of other blocks, too:
   those on both sides of each cut that is inside the segment, which follows from the offsets. */
template <typename T, class OP>
static __device__ void put_warps_together(OP op, const left_by_warp<OP> *left, struct cut behind,
                                          const int64_t *offsets, struct list list, void *out,
                                          struct shared_answers shared)
{
    const bool of_head = threadIdx.x >= 32;
    bool head_waits = left[0].inside;
    partial_state<OP> open = {OP::NONE, OP::NO_SECOND}, head = open;
#pragma unroll 1 /* code that runs once takes longer to come than to run */
    for (unsigned w = 0; w < WARPS; w++) {
        if (left[w].ended && left[w].inside) {
            const partial_state<OP> s = joined(op, open, left[w].part[HEAD]);
            if (head_waits)
                head = s;
            else if (threadIdx.x == 0)
                op.answer(s.first, op.since(s.second, left[w].start), 0, out, left[w].segment);
        }
        if (left[w].ended) {
            head_waits = false;
            open = left[w].part[OPEN];
        } else {
            open = joined(op, open, left[w].part[OPEN]);
        }
    }
    if (!(of_head ? left[0].inside && !head_waits : behind.inside))
        return;
    const size_t segment = of_head ? left[0].segment : behind.segment;
    const size_t start = (size_t)offsets[segment], end = (size_t)offsets[segment + 1];
    const size_t before = segment * (END_BYTES / sizeof(T)) - list.origin;
    const size_t share = list.piece * WARPS;
    put_blocks_together(op, of_head ? head : open, shared, (before + start + NEAR) / share,
                        (before + end) / share, start, out, segment);
}

/* ---- the kernel ---- */

/* Where segments end that are to come, in shared memory; and the next ends, which are in flight. */
struct ends {
    const int64_t *first; /* of the piece */
    unsigned all;         /* of the piece; what lies behind them ends NEVER */
    unsigned known, used;
    int64_t piece; /* the number of the element with place 0 */
    int64_t coming[ENDS_AT_ONCE];
};

static __device__ void ask_for_ends(struct ends &ends)
{
    for (unsigned k = 0; k < ENDS_AT_ONCE; k++) {
        const unsigned i = ends.known + k * 32 + threadIdx.x % 32;
        ends.coming[k] = i < ends.all ? ends.first[i] : NEVER;
    }
}

/* Then at least ENDS_AT_ONCE * 32 are known that are not used. */
template <class OP> static __device__ void take_ends(warp_tile<OP> &tile, struct ends &ends)
{
    for (unsigned k = 0; k < ENDS_AT_ONCE; k++) {
        const unsigned i = ends.known + k * 32 + threadIdx.x % 32;
        const int64_t end = ends.coming[k];
        tile.ends[i % ENDS_KNOWN] = end == NEVER ? NO_PLACE : (unsigned)(end - ends.piece);
    }
    ends.known += ENDS_AT_ONCE * 32;
    ask_for_ends(ends);
}

/* Marks where segments begin in a tile that has `done` places of the piece in front of it, and `to`
   of its own. Returns how many of those that are known end in it. */
template <class OP>
static __device__ unsigned mark_ends(warp_tile<OP> &tile, const struct ends &ends, unsigned done,
                                     unsigned to)
{
    const unsigned known = ends.known - ends.used;
    unsigned ended = 0, some = 32;
    for (unsigned i = threadIdx.x % 32; some == 32; i += 32) {
        const unsigned end = i < known ? tile.ends[(ends.used + i) % ENDS_KNOWN] : NO_PLACE;
        const unsigned at = end - done;
        if (at < TILE_PLACES)
            atomicOr(&tile.starts[at / 32], 1u << at % 32);
        some = __popc(__ballot_sync(ALL_LANES, end <= done + to));
        ended += some;
    }
    return ended;
}

template <class OP> static __device__ partial_state<OP> state_of(OP op, seen s, size_t number)
{
    if constexpr (OP::TWO)
        if (s.place != NO_PLACE)
            return {s.first, number + s.place};
    return {s.first, OP::NO_SECOND};
}

/* How far a warp is in its piece. */
struct progress {
    size_t segment, start; /* that is open; where it begins, counted from the piece's place 0 */
    seen open;             /* of it, by this lane */
    bool head_waits;       /* other warps know of it, too */
    unsigned front;        /* where it goes on in the tile */
};

/* The answers of all segments that end in a tile, and what is open behind them. */
template <typename T, class OP>
static __device__ void answer_tile(OP op, warp_tile<OP> &tile, struct ends &ends,
                                   struct progress &p, left_by_warp<OP> &left, const uint4 *piece,
                                   unsigned done, unsigned to, void *out)
{
    const unsigned lane = threadIdx.x % 32;
    for (bool all_known = false; !all_known;) { /* once, but where very many end */
        const unsigned ended = mark_ends(tile, ends, done, to);
        all_known = ended < ends.known - ends.used;
        const unsigned last_end =
            ended > 0 ? tile.ends[(ends.used + ended - 1) % ENDS_KNOWN] - done : p.front;
        const unsigned limit = all_known ? to : last_end;
        __syncwarp();
        scan_tile(op, tile, p.front, limit);
        __syncwarp();
        if (ended > 0) { /* the first may have begun in front of the tile */
            seen s = seen_by_all<T>(op, p.open, piece);
            if (lane == 0) {
                const unsigned end = tile.ends[ends.used % ENDS_KNOWN] - done;
                s = both(op, s, seen_at(op, tile, p.front, end, done));
                if (p.head_waits)
                    left.part[HEAD] = state_of(op, s, (size_t)ends.piece);
                else
                    op.answer(s.first, op.since(state_of(op, s, 0).second, p.start), 0, out,
                              p.segment);
            }
            p.open = nothing_seen(op);
            p.head_waits = false;
            p.start = done + last_end;
        }
        for (unsigned i = lane > 0 ? lane : 32; i < ended; i += 32) {
            const unsigned at = ends.used + i, end = tile.ends[at % ENDS_KNOWN] - done;
            const unsigned from = tile.ends[(at - 1) % ENDS_KNOWN] - done;
            const seen s = seen_at(op, tile, from, end, 0);
            op.answer(s.first, op.since(state_of(op, s, 0).second, from), 0, out, p.segment + i);
        }
        if (lane == 0 && limit > last_end) {
            seen s = seen_at(op, tile, last_end, limit, done);
            s.place *= 2; /* it is no vector's */
            p.open = both(op, p.open, s);
        }
        p.front = last_end;
        p.segment += ended;
        ends.used += ended;
        __syncwarp();
        tile.starts[lane] = 0;
        if (ends.known - ends.used <= ENDS_KNOWN - ENDS_AT_ONCE * 32)
            take_ends(tile, ends);
        __syncwarp();
    }
    p.front = 0;
}

/* Which elements are this block's it does not know yet. It asks for those that would be if all had
   one length, and each block `part` of them: so all blocks together ask for everything. */
template <typename T> static __device__ void ask_for_part(const T *in, size_t n, double part)
{
    const size_t start = (size_t)((double)n * part * blockIdx.x), most = (size_t)((double)n * part);
    const size_t from = start < n ? start : n;
    ask_ahead(in + from, n - from < most ? n - from : most);
}

/* share: of a warp, of all. */
template <class OP, typename T, bool MAY_BE_EVEN>
static __global__ void __launch_bounds__(SEGMENT_THREADS, SEGMENT_BLOCKS_PER_SM)
    segments_of(OP op, const T *data, size_t n, const int64_t *offsets, size_t segments,
                double share, unsigned list_blocks, void *out, struct shared_answers shared)
{
    const unsigned members = sixteen_bytes<T>::MEMBERS;
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    warp_tile<OP> &tile = ((warp_tile<OP> *)shared_bytes())[warp];
    __shared__ left_by_warp<OP> left[WARPS];
    __shared__ struct cut block_cuts[2];
    __shared__ struct list whole;

    ask_for_part(offsets, segments, share * (double)WARPS);
    ask_for_part(data, n, share * (double)WARPS);
    wait_for_kernel_before();
    if (MAY_BE_EVEN && (even_segments(with_short_numbers(op), data, offsets, segments, out) ||
                        blockIdx.x >= list_blocks))
        return;
    struct cut cuts[2];
    const struct list list = find_cuts<T>(offsets, segments, share, cuts);
    if (threadIdx.x == 0)
        block_cuts[0] = cuts[0];
    if (threadIdx.x == SEGMENT_THREADS - 1)
        block_cuts[1] = cuts[1], whole = list;
    __syncthreads();
    for (int c = 0; c < 2; c++) { /* where a block's cut was moved, those of its warps are, too */
        if (cuts[c].segment < block_cuts[0].segment)
            cuts[c] = block_cuts[0];
        if (cuts[c].segment >= block_cuts[1].segment && !block_cuts[1].inside)
            cuts[c] = block_cuts[1];
    }
    const size_t shift = (uintptr_t)data % 16 / sizeof(T); /* what places are more than numbers */
    const struct placed_elements x = {(const uint4 *)(data - shift), shift, n + shift};
    const size_t begin = cuts[0].element + shift;
    size_t place = begin / members * members;
    unsigned rest = (unsigned)(cuts[1].element + shift - place);
    const uint4 *piece = x.vectors + place / members;

    uint4 raw[loads_of_tile<T>];
    ask_for_tile<T>(raw, x, place, rest);
    struct ends ends = {.first = offsets + 1 + cuts[0].segment,
                        .all = (unsigned)(cuts[1].segment - cuts[0].segment),
                        .piece = (int64_t)(place - shift)};
    ask_for_ends(ends);
    struct progress p = {cuts[0].segment, cuts[0].start - (size_t)ends.piece, nothing_seen(op),
                         cuts[0].inside, (unsigned)(begin - place)};
    if (lane == 0) { /* registers are for what is in flight */
        left[warp].segment = cuts[0].segment, left[warp].start = cuts[0].start;
        left[warp].inside = cuts[0].inside;
    }
    tile.starts[lane] = 0;
    take_ends(tile, ends);
    __syncwarp();
    for (unsigned done = 0;; done += TILE_PLACES) {
        const unsigned to = rest < TILE_PLACES ? rest : TILE_PLACES;
        const bool more = rest > TILE_PLACES;
        const bool is_one =
            p.front == 0 && to == TILE_PLACES && tile.ends[ends.used % ENDS_KNOWN] > done + to;
        if (is_one)
            take_tile<T>(op, p.open, raw, done);
        else
            lay_out<T>(op, tile, raw);
        place += TILE_PLACES;
        rest -= to;
        if (more)
            ask_for_tile<T>(raw, x, place, rest);
        else
            trigger_next_launch();
        if (!is_one)
            answer_tile<T>(op, tile, ends, p, left[warp], piece, done, to, out);
        if (!more)
            break;
    }
    p.open = seen_by_all<T>(op, p.open, piece);
    if (lane == 0) {
        left[warp].part[OPEN] = state_of(op, p.open, (size_t)ends.piece);
        left[warp].ended = ends.used > 0;
    }
    __syncthreads();
    if (threadIdx.x < 64)
        put_warps_together<T>(op, left, block_cuts[1], offsets, whole, out, shared);
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800 /* whose SMs hold 1024 threads */
#define LONG_BLOCKS (1024 / SEGMENT_THREADS)
#else
#define LONG_BLOCKS LONG_BLOCKS_PER_SM
#endif

/* share: of a block, of all elements. most: of a segment that its block has to itself. */
template <class OP, typename T>
static __global__ void __launch_bounds__(SEGMENT_THREADS, LONG_BLOCKS)
    long_segments_of(OP op, const T *data, size_t n, const int64_t *offsets, size_t segments,
                     double share, unsigned sharers, size_t most, void *out,
                     struct shared_answers shared)
{
    ask_for_part(data, n, share);
    wait_for_kernel_before();
    if (blockIdx.x < sharers) {
        share_segments(op, data, {offsets, segments, most}, sharers, out, shared);
        return;
    }
    const size_t mine = blockIdx.x - sharers;
    const size_t start = (size_t)offsets[mine], its_n = (size_t)offsets[mine + 1] - start;
    if (its_n <= most)
        block_a_segment(with_short_numbers(op), data + start, its_n, out, mine);
}

/* Writes the number of the first offset that is wrong. */
static __global__ void __launch_bounds__(SEGMENT_THREADS)
    first_wrong(const int64_t *offsets, size_t segments, size_t n, unsigned long long *wrong)
{
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i <= segments;
         i += (size_t)gridDim.x * blockDim.x)
        if ((size_t)offsets[i] > n || /* and so is a negative one */
            (i < segments && offsets[i] > offsets[i + 1]))
            atomicMin(wrong, (unsigned long long)i);
}

template <class OP, typename T>
static enum reduce_status launch_segments(const struct reduction &r,
                                          const struct reduce_segments *s, OP op, T)
{
    const struct reduce_plan &plan = r.plan;
    const T *data = (const T *)s->data;
    if (plan.in_block == 1)
        return launch_reduction(r, 0, long_segments_of<OP, T>, op, data, s->n, s->offsets,
                                s->segments, 1.0 / (double)plan.blocks, plan.sharers,
                                plan.most_alone, r.out, r.shared);
    return launch_reduction(
        r, WARPS * sizeof(warp_tile<OP>),
        plan.in_block > 0 ? segments_of<OP, T, true> : segments_of<OP, T, false>, op, data, s->n,
        s->offsets, s->segments, 1.0 / (double)(plan.list_blocks * WARPS),
        (unsigned)plan.list_blocks, r.out, r.shared);
}

/* ---- what reduce_rows.h declares ---- */

static enum reduce_status begin(struct reduction *r, enum reduce_operator op,
                                const struct reduce_segments *s,
                                const struct reduce_workspace *workspace)
{
    if (op != REDUCE_SUM && op != REDUCE_MAX && op != REDUCE_ARGMAX)
        return REDUCE_BAD_OPERATOR;
    if (s == NULL || (s->offsets == NULL && s->segments > 0))
        return REDUCE_NULL_POINTER;
    if ((uintptr_t)s->offsets % sizeof(int64_t))
        return REDUCE_MISALIGNED;
    return reduce_begin(r, op, s->type, s->data, s->n, s->segments, workspace);
}

enum reduce_status reduce_segments_by(const struct reduce_plan *plan, enum reduce_operator op,
                                      const struct reduce_segments *segments, void *out,
                                      const struct reduce_workspace *workspace, cudaStream_t stream)
{
    struct reduction r = {.out = out, .stream = stream};
    const enum reduce_status status = begin(&r, op, segments, workspace);
    if (status != REDUCE_OK || segments->segments == 0)
        return status;
    r.plan = plan != NULL ? *plan : reduce_segments_plan(segments, r.sms);
    return by_type(segments->type, [&](auto t) {
        return op == REDUCE_SUM   ? launch_segments(r, segments, row_sum(), t)
               : op == REDUCE_MAX ? launch_segments(r, segments, row_largest<false>(), t)
                                  : launch_segments(r, segments, row_where<size_t, false>(), t);
    });
}

enum reduce_status reduce_segments(enum reduce_operator op, const struct reduce_segments *segments,
                                   void *out, const struct reduce_workspace *workspace,
                                   cudaStream_t stream)
{
    return reduce_segments_by(NULL, op, segments, out, workspace, stream);
}

enum reduce_status reduce_check_offsets(const struct reduce_segments *segments, size_t *wrong,
                                        const struct reduce_workspace *workspace,
                                        cudaStream_t stream)
{
    static float nowhere; /* no answers are written, but reduce_begin() asks where to */
    struct reduction r = {.out = &nowhere, .stream = stream};
    const enum reduce_status status = begin(&r, REDUCE_SUM, segments, workspace);
    if (status != REDUCE_OK || segments->segments == 0)
        return status;
    unsigned long long *place = (unsigned long long *)r.shared.slots, found;
    if (cudaMemsetAsync(place, 0xff, sizeof found, stream) != cudaSuccess)
        return REDUCE_LAUNCH_FAILED;
    /* Not cudaPeekAtLastError(): an error of the caller's may still be there. */
    if (launch_grid(SEGMENT_BLOCKS_PER_SM * r.sms, SEGMENT_THREADS, 0, 1, false, stream,
                    first_wrong, segments->offsets, segments->segments, segments->n,
                    place) != cudaSuccess ||
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
