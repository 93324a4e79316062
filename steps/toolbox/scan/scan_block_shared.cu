/*
 * scan_block_shared: the sums of scan_block.cu through shared memory.
 *
 * New:     against scan_block.cu: no warps; as many rounds as the block has doublings.
 * Why:     it is how blocks scanned before there were shuffles.
 * Look at: the barriers: ./scan -v scan_block,scan_block_shared --counters
 */
#include "scan_shares.h"

#define EACH 1 /* element of a thread */

/* The classic: Hillis and Steele, "Data parallel algorithms", 1986. Two barriers a round. */
static __device__ float block_shared(float x)
{
    __shared__ float smem[1024];
    unsigned tid = threadIdx.x;

    for (unsigned d = 1; d < blockDim.x; d *= 2) {
        smem[tid] = x;
        __syncthreads();
        if (tid >= d)
            x += smem[tid - d];
        __syncthreads();
    }
    return x;
}

extern const struct variant variant_scan_block_shared = {
    .name = "scan_block_shared",
    .what = "through shared memory, 2 barriers a round",
    .launch = launch_shares<block_shared, EACH>,
    .per_thread = EACH,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &scan_block_task,
};
