/*
 * compact_shared: compact.cu with the lanes' ranks by shared memory.
 *
 * New:     against compact.cu: a scan of the warp's counts in shared memory, not a ballot.
 * Why:     it is what the ballot is to be compared with.
 * Look at: wavefronts: ./compact -v compact,compact_shared -n 64K --counters
 */
#include "compact_tiles.h"

/* How many of the lanes below keep theirs, of these 128 elements: five rounds, in which each lane
   adds what lies 1, 2, 4, ... below. */
static __device__ unsigned below_by_shared(float4 v)
{
    __shared__ unsigned counts[1024];
    unsigned *mine = &counts[threadIdx.x / 32 * 32], lane = threadIdx.x % 32;
    unsigned kept = (v.x > 0) + (v.y > 0) + (v.z > 0) + (v.w > 0), upto = kept;
#pragma unroll
    for (unsigned m = 1; m < 32; m *= 2) {
        mine[lane] = upto;
        __syncwarp();
        upto += lane >= m ? mine[lane - m] : 0;
        __syncwarp();
    }
    return upto - kept;
}

extern const struct variant variant_compact_shared = {
    .name = "compact_shared",
    .what = "the same, ranks by shared memory",
    .launch = launch_tiles<below_by_shared>,
    .per_thread = LOADS * 4,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .max_block = MOST_THREADS,
    .task = &compact_tiles_task,
};
