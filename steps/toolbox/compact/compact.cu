/*
 * compact: keep the elements > 0, and say how many they are. Each element must learn how many
 * before it are kept.
 *
 * New:     within a warp that is a ballot and the number of bits below one's own; compact_tiles.h
 *          is the kernel.
 * Why:     one instruction tells all lanes what each of them keeps.
 * Look at: how many atomics each way takes: ./compact -v 'compact*' -n 64K --counters
 */
#include "compact_tiles.h"

/* How many of the lanes below keep theirs, of these 128 elements. */
static __device__ unsigned below_by_ballot(float4 v)
{
    unsigned lower = (1u << threadIdx.x % 32) - 1;
    return __popc(__ballot_sync(0xffffffff, v.x > 0) & lower) +
           __popc(__ballot_sync(0xffffffff, v.y > 0) & lower) +
           __popc(__ballot_sync(0xffffffff, v.z > 0) & lower) +
           __popc(__ballot_sync(0xffffffff, v.w > 0) & lower);
}

extern const struct variant variant_compact = {
    .name = "compact",
    .what = "ranks by ballot, an atomic for each tile of 16 floats a thread",
    .launch = launch_tiles<below_by_ballot>,
    .per_thread = LOADS * 4,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .max_block = MOST_THREADS,
    .task = &compact_tiles_task,
};
