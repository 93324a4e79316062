/*
 * Step 08: 16-byte loads, many of them in flight: to the memory roof.
 *
 * New:     a thread asks for LOADS float4 (16 bytes each) before it needs the first; a block sums
 *          one tile of the array, and there are as many blocks as tiles.
 * Why:     by Little's law bandwidth is bytes in flight / latency. Step 06 has one load of 4 bytes
 *          for each thread in flight, 8 KB an SM; the memory of an H200 needs more than three
 *          times that. Fewer, wider loads also cost fewer instructions and requests.
 * Look at: where it stops to pay: ./step08 -n 256M, and every size of tile: ./step08 --demo
 *          The loads themselves are in tile.h, since steps 09 to 11 take them over as they are.
 */
#include "lesson.h"
#include "sweep.h"
#include "tile.h" /* thread_sum(), the idea of this step, and block_sum() */

template <int LOADS> static __global__ void sum_blocks(const float *in, float *partial, size_t n)
{
    float sum = block_sum(thread_sum<LOADS>(in, n));
    if (threadIdx.x == 0)
        partial[blockIdx.x] = sum;
}

/* A block for each tile, then one block over their sums, with the widest tile there is. */
template <int LOADS> static void launch_vectors(struct sum *s)
{
    const size_t last_tile = 1024 * 8 * 4; /* floats */
    s->grid = blocks_for(s->n, (size_t)s->block * LOADS * 4);
    sum_blocks<LOADS><<<s->grid, s->block, 0, s->stream>>>(s->in, s->scratch, s->n);
    CUDA_CHECK(cudaGetLastError());
    sum_blocks<8><<<1, 1024, 0, s->stream>>>(s->scratch, s->out, s->grid);
    CUDA_CHECK(cudaGetLastError());
    s->depth = tile_depth(1, LOADS) + tile_depth(blocks_for(s->grid, last_tile), 8);
}

/* name, what, launcher, elements a thread sums, flags, blocks it admits, smallest block */
static const struct variant variants[] = {
    {"vector_x1", "1 float4 in flight for each thread", launch_vectors<1>, 4, 0, BLOCK_WHOLE_WARPS,
     32},
    {"vector_x2", "2 float4 in flight", launch_vectors<2>, 8, 0, BLOCK_WHOLE_WARPS, 32},
    {"vector_x4", "4 float4 in flight", launch_vectors<4>, 16, 0, BLOCK_WHOLE_WARPS, 32},
    {"vector_x8", "8 float4 in flight", launch_vectors<8>, 32, 0, BLOCK_WHOLE_WARPS, 32},
    {"vector_x16", "16 float4 in flight", launch_vectors<16>, 64, 0, BLOCK_WHOLE_WARPS, 32, NULL,
     768}, /* 80 registers each: an SM has room for that many threads */
};

int main(int argc, char **argv)
{
    const struct lesson lesson = {.name = "08_vectorized",
                                  .idea = "16-byte loads, many in flight: to the memory roof",
                                  .variants = variants,
                                  .variant_count = sizeof variants / sizeof variants[0],
                                  .demo = sweep};
    return run_lesson(argc, argv, &lesson);
}
