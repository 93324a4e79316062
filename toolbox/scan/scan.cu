/*
 * Prefix sums of a warp and of a block: out[i] is the sum of all that comes before in the same
 * row of 32, or in the same block's share, with in[i] (inclusive) or without it (exclusive).
 *
 * Look at: ./toolbox08 -v 'scan_warp*,scan_block*' --counters     barriers, shuffles, shared memory
 * Next:    the whole array, in scan_array.cu
 */
#include "scan.h"
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

/* A scan is called by all threads of a block, each with an element of its own. */
typedef float scan_fn(float x);

/* Lane 0 has nothing before it. Not x - own: that rounds again, and makes a NaN of a NaN that the
   sum should not have yet. */
static __device__ float warp_exclusive(float x)
{
    return from_below(warp_scan(x));
}

static __device__ float warp_shared(float x)
{
    __shared__ float smem[1024];
    unsigned tid = threadIdx.x, lane = tid % 32;

    for (unsigned d = 1; d < 32; d *= 2) {
        smem[tid] = x;
        __syncwarp(); /* all have stored */
        if (lane >= d)
            x += smem[tid - d];
        __syncwarp(); /* all have read: smem may change */
    }
    return x;
}

static __device__ float warp_groups(float x)
{
    return cg::inclusive_scan(cg::tiled_partition<32>(cg::this_thread_block()), x,
                              cg::plus<float>());
}

static __device__ float block_scan(float x)
{
    float all;
    x = warp_scan(x);
    return warps_before(x, &all) + x;
}

static __device__ float block_exclusive(float x)
{
    float all;
    x = warp_scan(x);
    return warps_before(x, &all) + from_below(x);
}

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

/* EACH elements a thread, blockDim.x apart: all are loaded before the first scan. Nobody leaves
   early: where the array has ended, a zero takes part. */
template <scan_fn *SCAN, int EACH>
static __global__ void scan_shares(const float *in, size_t n, float *out)
{
    size_t first = (size_t)blockIdx.x * blockDim.x * EACH + threadIdx.x;
    float x[EACH];

#pragma unroll
    for (unsigned k = 0; k < EACH; k++)
        x[k] = first + k * blockDim.x < n ? in[first + k * blockDim.x] : 0.0f;
#pragma unroll
    for (unsigned k = 0; k < EACH; k++) {
        x[k] = SCAN(x[k]);
        if (first + k * blockDim.x < n)
            out[first + k * blockDim.x] = x[k];
    }
}

template <scan_fn *SCAN, int EACH> static void launch(struct sum *s)
{
    s->grid = blocks_for(s->n, (size_t)s->block * EACH);
    scan_shares<SCAN, EACH><<<s->grid, s->block, 0, s->stream>>>(s->in, s->n, s->out);
    CUDA_CHECK(cudaGetLastError());
}

/* SHARE 0: the block. DEPTH: five additions for a warp, five for the warps, one for both; log2 of
   1024 by Hillis and Steele; 31 in any order, for a library's scan of 32. */
template <unsigned SHARE, bool EXCLUSIVE, unsigned DEPTH>
static void check(const struct answer *a, struct verdict *verdict)
{
    const struct scan_shape shape = {SHARE > 0 ? SHARE : a->block, EXCLUSIVE, DEPTH, 0};
    check_scan(a, verdict, &shape);
}

static const struct task rows = {n_words, check<32, false, 5>},
                         rows_exclusive = {n_words, check<32, true, 5>},
                         rows_library = {n_words, check<32, false, 31>},
                         blocks = {n_words, check<0, false, 11>},
                         blocks_exclusive = {n_words, check<0, true, 11>};

/* name, what, launcher, elements a thread scans, blocks that it admits, what is right */
#define SCAN(NAME, WHAT, LAUNCH, EACH, TASK)                                                       \
    {                                                                                              \
        .name = NAME, .what = WHAT, .launch = LAUNCH, .per_thread = EACH,                          \
        .block_rule = BLOCK_WHOLE_WARPS, .min_block = 32, .task = &TASK                            \
    }

static const struct variant variants[] = {
    SCAN("scan_warp", "rows of 32, 5 shuffles", (launch<warp_scan, 8>), 8, rows),
    SCAN("scan_warp_exclusive", "one shuffle more", (launch<warp_exclusive, 8>), 8, rows_exclusive),
    SCAN("scan_warp_shared", "rows of 32 through shared memory", (launch<warp_shared, 8>), 8, rows),
    SCAN("scan_warp_groups", "cg::inclusive_scan of a tile", (launch<warp_groups, 8>), 8,
         rows_library),
    SCAN("scan_block", "warps, then their totals, 2 barriers", (launch<block_scan, 1>), 1, blocks),
    SCAN("scan_block_exclusive", "without the element itself", (launch<block_exclusive, 1>), 1,
         blocks_exclusive),
    SCAN("scan_block_shared", "through shared memory, 2 barriers a round",
         (launch<block_shared, 1>), 1, blocks),
};

const struct topic scan_topic = TOPIC(variants);
