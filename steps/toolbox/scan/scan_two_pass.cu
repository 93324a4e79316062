/*
 * scan_two_pass: prefix sums of the whole array in three launches: the sums of all tiles, their
 * prefix sums, the tiles again.
 *
 * New:     against scan_array.cu: no block waits for another, and the array is read twice.
 * Why:     it is what the look-back is to be compared with.
 * Look at: twice the sectors of loads: ./scan -v scan_array,scan_two_pass -n 64K --counters
 */
#include "library/parts/tile.h"
#include "scan_tile.h"

static __global__ void sum_tiles(struct array a, float *sums)
{
    struct tile t;
    float sum = 0.0f;

    load_tile(&t, a, blockIdx.x);
#pragma unroll
    for (int k = 0; k < ROWS; k++)
        sum += (t.v[k].x + t.v[k].y) + (t.v[k].z + t.v[k].w);
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}

/* One block: sums[i] becomes the sum of those before it. Each thread has neighbours. */
static __global__ void scan_sums(float *sums, unsigned count)
{
    unsigned each = (count + blockDim.x - 1) / blockDim.x;
    unsigned first = min(each * threadIdx.x, count), end = min(first + each, count);
    float sum = 0.0f, all;

    for (unsigned i = first; i < end; i++)
        sum += sums[i];
    sum = warp_scan(sum);
    float before = warps_before(sum, &all) + from_below(sum);
    for (unsigned i = first; i < end; i++) {
        float own = sums[i];
        sums[i] = before;
        before += own;
    }
}

static __global__ void scan_tiles(struct array a, const float *before)
{
    struct tile t;
    float all;

    load_tile(&t, a, blockIdx.x);
    float mine = warps_before(scan_tile(&t), &all);
    store_tile(&t, a, blockIdx.x, before[blockIdx.x] + mine);
}

static void launch(struct sum *s)
{
    struct array a = array_of(s);
    s->grid = blocks_for(a.end, TILE(s->block));
    sum_tiles<<<s->grid, s->block, 0, s->stream>>>(a, s->scratch);
    CUDA_CHECK(cudaGetLastError());
    scan_sums<<<1, 1024, 0, s->stream>>>(s->scratch, s->grid);
    CUDA_CHECK(cudaGetLastError());
    scan_tiles<<<s->grid, s->block, 0, s->stream>>>(a, s->scratch);
    CUDA_CHECK(cudaGetLastError());
}

extern const struct variant variant_scan_two_pass = {
    .name = "scan_two_pass",
    .what = "sums of tiles, their scan, the tiles again",
    .launch = launch,
    .per_thread = 4 * ROWS,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &scan_array_task,
};
