/*
 * Experiment unrolled: step 03 taken apart.
 *
 * Asks:    Why does v5 gain nothing over v4 (source 001)? And how much of v3's gain over v2 is
 *          latency hidden behind several loads, how much is fewer trees for each element?
 * How:     v4 and v5 whole; their loads alone; their trees alone. Then 8 elements for each
 *          thread with 1, 2, 4 and 8 of the loads in flight at once, and nothing else changed.
 * Expect:  (written before the first run; H200, 256M elements, the first launch)
 *          - To issue its instructions takes v4 134 * 8 * 131072 / (132 SMs * 4 a cycle) =
 *            266,000 cycles, 135 us at 1980 MHz; v5 (87 for each warp) 88 us. Both took about
 *            285 us: so nobody waits for the issue slots, and what v5 saves nobody misses.
 *          - loads_only: 1.07 GB read and 0.13 GB written at 4.6 TB/s: 262 us.
 *          - tree_v4: 8 rounds of about 100 cycles, 124 blocks one after another in each of an
 *            SM's 8 places: about 100 us. tree_v5: a little less. If blocks did not overlap,
 *            v4 would take 360 us.
 *          - in_flight: a block of v2 lives 1405 ns (1395 us * 132 * 8 / 1048576 blocks). One
 *            load takes 424 ns (8 KiB in flight for each SM in step 06, 2530 GB/s), so its tree
 *            takes 980. Then x8_flight1 is 8 * 424 + 980 ns for 2048 elements: 545 us.
 *            flight2, with loads at 500 ns: 370 us; flight4, at 700 ns: 296 us; flight8: 302 us,
 *            since that is v3x8. So of the factor 4.7 between v2 and v3x8, 2.6 is fewer trees
 *            and 1.8 is latency hidden.
 * Run:     make unrolled && ./unrolled -n 256M
 */
#include "multi_pass.h"

#define BLOCK 256 /* of all variants, for v5 must know it */

enum tree { NO_TREE, TREE_V3, TREE_V4, TREE_V5 };

/* One round of the tree in place, as in steps 02 and 03. */
static __device__ void add_round(float *idata, unsigned stride, unsigned count)
{
    unsigned tid = threadIdx.x;
    if (tid < stride && tid + stride < count)
        idata[tid] += idata[tid + stride];
}

template <int LOADS, int FLIGHT, enum tree TREE>
static __global__ void part(float *in, float *partial, size_t n)
{
    unsigned block = TREE == TREE_V5 ? BLOCK : blockDim.x; /* a constant, or not */
    unsigned tid = threadIdx.x, share = block * (LOADS > 0 ? LOADS : 8);
    size_t begin = (size_t)blockIdx.x * share;
    unsigned count = n - begin < share ? (unsigned)(n - begin) : share;
    float *idata = in + begin;
    float sum = LOADS > 0 ? 0.0f : (float)tid; /* without loads: anything at all */

#pragma unroll 1
    for (int k = 0; k < LOADS; k += FLIGHT) {
        float a[FLIGHT];
#pragma unroll
        for (int j = 0; j < FLIGHT; j++) {
            unsigned i = tid + (k + j) * block;
            a[j] = i < count ? idata[i] : 0.0f;
        }
#pragma unroll
        for (int j = 0; j < FLIGHT; j++)
            sum += a[j]; /* waits until they are all here */
    }
    if (tid < count)
        idata[tid] = sum;
    __syncthreads();

    for (unsigned stride = block / 2; TREE != NO_TREE && stride > (TREE == TREE_V3 ? 0 : 32);
         stride /= 2) {
        add_round(idata, stride, count);
        __syncthreads();
    }
    if ((TREE == TREE_V4 || TREE == TREE_V5) && tid < 32) {
#pragma unroll
        for (unsigned stride = 32; stride > 0; stride /= 2) {
            add_round(idata, stride, count);
            __syncwarp();
        }
    }
    if (tid == 0)
        partial[blockIdx.x] = count > 0 ? idata[0] : 0.0f;
}

template <int LOADS, int FLIGHT, enum tree TREE> static void sum_up(struct sum *s)
{
    multi_pass_sum(s, part<LOADS, FLIGHT, TREE>, LOADS, 0);
}

/* What is no sum is launched once. */
template <int LOADS, enum tree TREE> static void only(struct sum *s)
{
    s->grid = blocks_for(s->n, (size_t)s->block * 8);
    part<LOADS, LOADS == 0 ? 1 : LOADS, TREE>
        <<<s->grid, s->block, 0, s->stream>>>(s->in, s->scratch, s->n);
    CUDA_CHECK(cudaGetLastError());
}

static const struct variant v4 = {
    .name = "v4",
    .what = "as in step 03",
    .launch = sum_up<8, 8, TREE_V4>,
    .per_thread = 8,
    .flags = OVERWRITES_INPUT,
    .block_rule = BLOCK_POWER_OF_TWO,
    .min_block = BLOCK,
    .max_block = BLOCK,
};

static const struct variant v5 = {
    .name = "v5",
    .what = "as in step 03",
    .launch = sum_up<8, 8, TREE_V5>,
    .per_thread = 8,
    .flags = OVERWRITES_INPUT,
    .block_rule = BLOCK_POWER_OF_TWO,
    .min_block = BLOCK,
    .max_block = BLOCK,
};

static const struct variant loads_only = {
    .name = "loads_only",
    .what = "no tree: 8 loads, a store",
    .launch = only<8, NO_TREE>,
    .per_thread = 8,
    .flags = OVERWRITES_INPUT | ROOF,
    .block_rule = BLOCK_POWER_OF_TWO,
    .min_block = BLOCK,
    .max_block = BLOCK,
};

static const struct variant tree_v3 = {
    .name = "tree_v3",
    .what = "v3's tree, no loads before it",
    .launch = only<0, TREE_V3>,
    .per_thread = 8,
    .flags = OVERWRITES_INPUT | ROOF,
    .block_rule = BLOCK_POWER_OF_TWO,
    .min_block = BLOCK,
    .max_block = BLOCK,
};

static const struct variant tree_v4 = {
    .name = "tree_v4",
    .what = "v4's tree, no loads before it",
    .launch = only<0, TREE_V4>,
    .per_thread = 8,
    .flags = OVERWRITES_INPUT | ROOF,
    .block_rule = BLOCK_POWER_OF_TWO,
    .min_block = BLOCK,
    .max_block = BLOCK,
};

static const struct variant tree_v5 = {
    .name = "tree_v5",
    .what = "v5's tree, no loads before it",
    .launch = only<0, TREE_V5>,
    .per_thread = 8,
    .flags = OVERWRITES_INPUT | ROOF,
    .block_rule = BLOCK_POWER_OF_TWO,
    .min_block = BLOCK,
    .max_block = BLOCK,
};

static const struct variant x1_flight1 = {
    .name = "x1_flight1",
    .what = "v3 with 1 element per thread: v2's work",
    .launch = sum_up<1, 1, TREE_V3>,
    .per_thread = 1,
    .flags = OVERWRITES_INPUT,
    .block_rule = BLOCK_POWER_OF_TWO,
    .min_block = BLOCK,
    .max_block = BLOCK,
};

static const struct variant x8_flight1 = {
    .name = "x8_flight1",
    .what = "v3x8, one load after another",
    .launch = sum_up<8, 1, TREE_V3>,
    .per_thread = 8,
    .flags = OVERWRITES_INPUT,
    .block_rule = BLOCK_POWER_OF_TWO,
    .min_block = BLOCK,
    .max_block = BLOCK,
};

static const struct variant x8_flight2 = {
    .name = "x8_flight2",
    .what = "v3x8, 2 loads at once",
    .launch = sum_up<8, 2, TREE_V3>,
    .per_thread = 8,
    .flags = OVERWRITES_INPUT,
    .block_rule = BLOCK_POWER_OF_TWO,
    .min_block = BLOCK,
    .max_block = BLOCK,
};

static const struct variant x8_flight4 = {
    .name = "x8_flight4",
    .what = "v3x8, 4 loads at once",
    .launch = sum_up<8, 4, TREE_V3>,
    .per_thread = 8,
    .flags = OVERWRITES_INPUT,
    .block_rule = BLOCK_POWER_OF_TWO,
    .min_block = BLOCK,
    .max_block = BLOCK,
};

static const struct variant x8_flight8 = {
    .name = "x8_flight8",
    .what = "v3x8: 8 loads at once",
    .launch = sum_up<8, 8, TREE_V3>,
    .per_thread = 8,
    .flags = OVERWRITES_INPUT,
    .block_rule = BLOCK_POWER_OF_TWO,
    .min_block = BLOCK,
    .max_block = BLOCK,
};

static const struct variant *const variants[] = {
    &v4,         &v5,         &loads_only, &tree_v3,    &tree_v4,    &tree_v5,
    &x1_flight1, &x8_flight1, &x8_flight2, &x8_flight4, &x8_flight8, NULL,
};

extern const struct lesson lesson = {
    .name = "unrolled",
    .idea = "step 03 taken apart: its loads, its trees",
    .variants = variants,
};
