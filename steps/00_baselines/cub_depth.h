/* cub_depth.h: how deep the tree of additions of NVIDIA's library is. */
#ifndef CUB_DEPTH_H
#define CUB_DEPTH_H

#include "lesson.h"

/* The longest way of an element through CUB's kernels, in additions, or a little more (CCCL 3.0,
   tuning_reduce.cuh and dispatch_reduce.cuh): tiles of 256 threads * 16 elements, 5 blocks for each
   one that an SM holds (4 at least, of 256 threads), then one block over the blocks' sums. A thread
   adds 16 values a tile, a warp takes 5 rounds, 8 warps come one after another. */
static inline size_t cub_depth(size_t n, unsigned sms)
{
    size_t tiles = blocks_for(n, 256 * 16), most = 5 * 4 * (size_t)sms;
    size_t tiles_per_block = (tiles + most - 1) / most;
    size_t sums = 5 * 8 * (size_t)sms; /* 8 blocks of 256 threads fill an SM */
    return 16 * tiles_per_block + 5 + 8 + 16 * blocks_for(sums, 256 * 16) + 5 + 8;
}

#endif
