/*
 * warp_tile.h: a warp holds a tile of 32 x 32 floats in 32 registers of each lane: r[k] of lane l
 * is element (k, l), row k and column l. How a tile gets there and back, and the launch.
 */
#ifndef WARP_TILE_H
#define WARP_TILE_H

#include "lesson.h"
#include "task.h"

/* Each tile of 32 x 32 floats: element (k, l) goes to (l, k). */
extern const struct task transpose_task;

enum { TILE_FLOATS = 32 * 32 };

/* The tile of this warp; the grid covers all tiles, and the last block may have warps too many. */
static inline __device__ size_t first_of_tile(void)
{
    return ((size_t)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32) * TILE_FLOATS;
}

/* A row of the tile at a time, so that the lanes read neighbours. */
static inline __device__ void load_tile(float r[32], const float *tile)
{
#pragma unroll
    for (unsigned k = 0; k < 32; k++)
        r[k] = tile[32 * k + threadIdx.x % 32];
}

static inline __device__ void store_tile(float *tile, const float r[32])
{
#pragma unroll
    for (unsigned k = 0; k < 32; k++)
        tile[32 * k + threadIdx.x % 32] = r[k];
}

/* Transposes whole tiles, one for each warp. */
typedef void tile_kernel(const float *in, size_t n, float *out);

/* Launches it with so many floats of shared memory for each warp. */
static inline void launch_tiles(struct sum *s, tile_kernel *kernel, unsigned warp_floats)
{
    size_t bytes = s->block / 32 * warp_floats * sizeof(float);
    s->grid = blocks_for(s->n, (size_t)s->block * 32);
    kernel<<<s->grid, s->block, bytes, s->stream>>>(s->in, s->n, s->out);
    CUDA_CHECK(cudaGetLastError());
}

#endif
