/*
 * vector_x2 to vector_x16: 2 to 16 loads of 16 bytes in flight for each thread.
 *
 * New:     against vector_x1.cu: how many loads a thread issues before it needs the first answer is
 *          a template argument, and each number is a variant.
 * Why:     twice as many loads are twice as many bytes in flight, from half as many blocks.
 * Look at: where it stops paying: ./step08 -n 256M (simulator: half as many blocks, so half of the
 *          stores: ./step08 -n 64K --counters)
 */
#include "library/parts/tile.h" /* thread_sum(), the idea of this step */

template <int LOADS_EACH>
static __global__ void sum_blocks(const float *in, float *partial, size_t n)
{
    unsigned tid = threadIdx.x;
    float sum = thread_sum<LOADS_EACH>(in, n);

    sum = block_sum(sum);
    if (tid == 0)
        partial[blockIdx.x] = sum;
}

template <int LOADS> static void launch(struct sum *s)
{
    s->grid = blocks_for(s->n, (size_t)s->block * LOADS * 4); /* a block for each tile */
    s->depth = tile_depth(1, LOADS) + tile_depth(blocks_for(s->grid, 1024 * 8 * 4), 8);
    sum_blocks<LOADS><<<s->grid, s->block, 0, s->stream>>>(s->in, s->scratch, s->n);
    CUDA_CHECK(cudaGetLastError());
    /* Launches in one stream run one after the other: all partial sums are there. */
    sum_blocks<8><<<1, 1024, 0, s->stream>>>(s->scratch, s->out, s->grid);
    CUDA_CHECK(cudaGetLastError());
}

template <int LOADS>
static constexpr struct variant vector(const char *name, const char *what, unsigned max_block = 0)
{
    return {.name = name,
            .what = what,
            .launch = launch<LOADS>,
            .per_thread = LOADS * 4,
            .block_rule = BLOCK_WHOLE_WARPS,
            .min_block = 32,
            .max_block = max_block};
}

extern const struct variant variant_vector_x2 = vector<2>("vector_x2", "2 float4 in flight");
extern const struct variant variant_vector_x4 = vector<4>("vector_x4", "4 float4 in flight");
extern const struct variant variant_vector_x8 = vector<8>("vector_x8", "8 float4 in flight");
/* 80 registers each: an SM has room for 768 such threads. */
extern const struct variant variant_vector_x16 =
    vector<16>("vector_x16", "16 float4 in flight", 768);
