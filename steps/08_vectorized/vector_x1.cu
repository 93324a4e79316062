/*
 * vector_x1: 16-byte loads, a block for each tile.
 *
 * New:     against ../06_two_pass/two_pass.cu: a thread loads a float4, 16 bytes, not 4; and there
 *          is a block for each tile, which is what its threads load at once.
 * Why:     by Little's law bandwidth is bytes in flight / latency. Step 06 has 8 KB for an SM in
 *          flight; the memory of an H200 needs more than three times that. Wider loads also cost
 *          fewer instructions and requests. The loads themselves are in tile.h, since steps 09 to
 *          11 take them over as they are.
 * Look at: ./step08 -n 256M, and every size of tile: ./step08 --demo (needs a GPU). Simulator:
 *          a quarter of the requests: ./step06 -n 64K --counters && ./step08 -n 64K --counters
 */
#include "library/parts/tile.h" /* thread_sum(), the idea of this step */

#define LOADS 1

template <int LOADS_EACH>
static __global__ void sum_blocks(const float *in, float *partial, size_t n)
{
    unsigned tid = threadIdx.x;
    float sum = thread_sum<LOADS_EACH>(in, n);

    sum = block_sum(sum);
    if (tid == 0)
        partial[blockIdx.x] = sum;
}

static void launch(struct sum *s)
{
    s->grid = blocks_for(s->n, (size_t)s->block * LOADS * 4); /* a block for each tile */
    s->depth = tile_depth(1, LOADS) + tile_depth(blocks_for(s->grid, 1024 * 8 * 4), 8);
    sum_blocks<LOADS><<<s->grid, s->block, 0, s->stream>>>(s->in, s->scratch, s->n);
    CUDA_CHECK(cudaGetLastError());
    /* Launches in one stream run one after the other: all partial sums are there. */
    sum_blocks<8><<<1, 1024, 0, s->stream>>>(s->scratch, s->out, s->grid);
    CUDA_CHECK(cudaGetLastError());
}

extern const struct variant variant_vector_x1 = {
    .name = "vector_x1",
    .what = "1 float4 in flight for each thread",
    .launch = launch,
    .per_thread = LOADS * 4,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
};
