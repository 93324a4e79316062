/*
 * hinted_sum.h: step 09's flagged_slots with another load instruction. What can a load say about
 * caches?
 *
 * Prediction, written before the first run: a sum reads every byte once, so no cache can help and
 * no hint can gain more than noise, but one that makes the L2 cache fetch more than is asked for
 * may cost: 256 bytes for each 128 are read only a little later, by another SM.
 */
#ifndef HINTED_SUM_H
#define HINTED_SUM_H

#include "library/parts/cluster.h" /* HOPPER_CODE */
#include "library/parts/slots.h"

#define LOADS 8

/* Loads 16 bytes, as the variant that includes this says. */
typedef float4 load_fn(const float4 *p);

/* As thread_sum() in tile.h, but for the load, and the order of additions: the members of each
   float4 first. */
template <load_fn LOAD> static __device__ float hinted_sum(const float *in, size_t n)
{
    struct parts p = parts_of(in, n);
    const float4 *body = (const float4 *)(in + p.head);
    unsigned tile = LOADS * blockDim.x;
    float sum = head_or_tail(in, n, p);

    for (size_t first = (size_t)blockIdx.x * tile; first < p.vectors;
         first += (size_t)gridDim.x * tile) {
        const float4 *mine = body + first + threadIdx.x;
        size_t left = p.vectors - first;
        float4 v[LOADS] = {};
        if (left >= tile) {
#pragma unroll
            for (int k = 0; k < LOADS; k++)
                v[k] = LOAD(mine + k * blockDim.x);
        } else {
#pragma unroll
            for (int k = 0; k < LOADS; k++)
                if (threadIdx.x + k * blockDim.x < left)
                    v[k] = LOAD(mine + k * blockDim.x);
        }
#pragma unroll
        for (int k = 0; k < LOADS; k++)
            sum += (v[k].x + v[k].y) + (v[k].z + v[k].w);
    }
    return sum;
}

template <load_fn LOAD>
static __global__ void hinted(const float *in, struct slots slots, float *out, size_t n)
{
    unsigned epoch = next_epoch(slots);
    float sum = block_sum(hinted_sum<LOAD>(in, n));
    finish_in_slots(sum, blockIdx.x, gridDim.x, slots, epoch, out);
}

template <load_fn LOAD> static void launch_hinted(struct sum *s)
{
    s->grid = waiting_grid(tile_grid(s, LOADS), s->sms);
    struct slots slots = lesson_slots(s);
    hinted<LOAD><<<s->grid, s->block, 0, s->stream>>>(s->in, slots, s->out, s->n);
    CUDA_CHECK(cudaGetLastError());
    s->depth = tile_depth(tiles_each(s, LOADS), LOADS) + blocks_for(s->grid, s->block) + 5 + 5;
}

#endif
