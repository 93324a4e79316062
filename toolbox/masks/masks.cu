/*
 * Masks: who takes part. All kernels answer one question: the n words of the array, added up as
 * whole numbers (modulo 2^32). Any order gives the same bits, so a wrong one is no rounding.
 *
 * Each kernel that is right stands beside specimens, which are wrong by one slip.
 *
 * Look at: ./toolbox08 --check -n 1000 -v masks_full_tail     what the simulator says of it
 */
#include "masks.h"

#define ALL   0xffffffffu
#define LOWER 0x0000ffffu /* lanes 0 to 15 */

enum slip { RIGHT, LEAVES, LANE_0, BRANCH, CALLER, SOURCE, EDGE, TWELVE, NO_SYNCWARP };

static __device__ size_t my_index(void)
{
    return (size_t)blockIdx.x * blockDim.x + threadIdx.x;
}

/* Lanes behind the end of the array bring a 0, which changes no sum. */
static __device__ unsigned my_word(const float *in, size_t n)
{
    return my_index() < n ? __float_as_uint(in[my_index()]) : 0;
}

/* Nobody is absent: every thread comes, with a word or without one. SPECIMEN: the mask names
   lanes that have returned or, in a block of 100, that never were. */
template <enum slip SLIP> static __global__ void tail(const float *in, size_t n, unsigned *out)
{
    if (SLIP == LEAVES && my_index() >= n)
        return;
    unsigned sum = my_word(in, n);
    for (unsigned offset = 16; offset > 0; offset /= 2)
        sum += __shfl_down_sync(ALL, sum, offset);
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, sum);
}

static __device__ unsigned first_of(unsigned mask)
{
    return (unsigned)__ffs(mask) - 1;
}

/* The sum over the lanes that `mask` names, whichever they are; all of them call this. */
static __device__ unsigned sum_over(unsigned mask, unsigned value)
{
    unsigned sum = 0;
    for (unsigned rest = mask; rest != 0; rest &= rest - 1) /* takes out the lowest */
        sum += __shfl_sync(mask, value, first_of(rest));
    return sum;
}

/* Any block: the lanes that exist are counted, and then they vote who has a word. */
static __global__ void count(const float *in, size_t n, unsigned *out)
{
    unsigned lane = threadIdx.x % 32, to_end = blockDim.x - (threadIdx.x - lane);
    unsigned exist = to_end < 32 ? ALL >> (32 - to_end) : ALL;
    unsigned mask = __ballot_sync(exist, my_index() < n);
    if (my_index() < n) {
        unsigned sum = sum_over(mask, my_word(in, n));
        if (lane == first_of(mask))
            atomicAdd(out, sum);
    }
}

/* The lanes that happen to be here add up theirs, and the first of *them* hands it in: right for
   any groups. SPECIMEN: lane 0 does it, as if all lanes came in one group. */
template <enum slip SLIP> static __global__ void groups(const float *in, size_t n, unsigned *out)
{
    if (my_index() < n) {
        unsigned mask = __activemask();
        unsigned sum = sum_over(mask, my_word(in, n));
        if (threadIdx.x % 32 == (SLIP == LANE_0 ? 0 : first_of(mask)))
            atomicAdd(out, sum);
    }
}

/* The upper half's words go down, then the lower half is alone. SPECIMENS: the first shuffle
   stands in the branch, where half of ALL never comes; lanes call that LOWER does not name; or
   lanes are read that it does not name, since the width is 32. */
template <enum slip SLIP> static __global__ void half(const float *in, size_t n, unsigned *out)
{
    unsigned lane = threadIdx.x % 32, sum = my_word(in, n);
    if (SLIP != BRANCH)
        sum += __shfl_down_sync(ALL, sum, 16);
    if (lane < 16 || SLIP == CALLER) {
        if (SLIP == BRANCH)
            sum += __shfl_down_sync(ALL, sum, 16);
        for (unsigned offset = 8; offset > 0; offset /= 2)
            sum += __shfl_down_sync(LOWER, sum, offset, SLIP == SOURCE ? 32 : 16);
        if (lane == 0)
            atomicAdd(out, sum);
    }
}

/* Two segments of 16 lanes, each with a sum of its own. SPECIMENS: an offset of 16 leads past the
   segment's edge, where a lane reads itself; 12 is no width. */
template <enum slip SLIP> static __global__ void width(const float *in, size_t n, unsigned *out)
{
    const unsigned segment = SLIP == TWELVE ? 12 : 16;
    unsigned sum = my_word(in, n);
    for (unsigned offset = SLIP == EDGE ? 16 : 8; offset > 0; offset /= 2)
        sum += __shfl_down_sync(ALL, sum, offset, segment);
    if (threadIdx.x % 32 % segment == 0)
        atomicAdd(out, sum);
}

/* The twin through shared memory. SPECIMEN: nothing between the rounds; it relies on lanes
   that go in step. */
template <enum slip SLIP> static __global__ void shared(const float *in, size_t n, unsigned *out)
{
    __shared__ unsigned smem[1024];
    unsigned lane = threadIdx.x % 32, *mine = smem + threadIdx.x;
    *mine = my_word(in, n);
    __syncwarp();
    for (unsigned offset = 16; offset > 0; offset /= 2) {
        if (lane < offset)
            *mine += mine[offset];
        if (SLIP != NO_SYNCWARP)
            __syncwarp();
    }
    if (lane == 0)
        atomicAdd(out, *mine);
}

static const struct variant variants[] = {
    WARPS("masks_tail", "all lanes come, with a 0 if they have no word", tail<RIGHT>, 0),
    ANY_BLOCK("masks_full_tail", "some return before, and are named", tail<LEAVES>, SPECIMEN),
    ANY_BLOCK("masks_count", "those that exist vote who has a word", count, 0),
    ANY_BLOCK("masks_groups", "__activemask(): each group for itself", groups<RIGHT>, 0),
    ANY_BLOCK("masks_activemask", "lane 0 for all groups", groups<LANE_0>, SPECIMEN),
    WARPS("masks_half", "all lanes, then the lower 16 alone", half<RIGHT>, 0),
    WARPS("masks_branch", "all are named where 16 come", half<BRANCH>, SPECIMEN),
    WARPS("masks_caller", "16 are named where all come", half<CALLER>, SPECIMEN),
    WARPS("masks_source", "a lane is read that is not named", half<SOURCE>, SPECIMEN),
    WARPS("masks_width", "two segments of 16 lanes", width<RIGHT>, 0),
    WARPS("masks_edge", "an offset past the segment's edge", width<EDGE>, SPECIMEN),
    WARPS("masks_twelve", "segments of 12 lanes", width<TWELVE>, SPECIMEN),
    WARPS("masks_shared", "a tree in shared memory", shared<RIGHT>, 0),
    WARPS("masks_no_syncwarp", "the same without __syncwarp()", shared<NO_SYNCWARP>, SPECIMEN),
};

const struct topic masks_topic = TOPIC(variants);
