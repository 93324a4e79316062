/* resident_grid.h: launching a kernel whose blocks must all be on the GPU at the same time. */
#ifndef RESIDENT_GRID_H
#define RESIDENT_GRID_H

#include "lesson.h"

#include <cooperative_groups.h>

typedef void cooperative_kernel(const float *in, float *partial, float *out, size_t n);

/* As many blocks as the GPU can hold at once, and no more than the elements need. Sets s->grid and
   s->depth. Ends the program, by CUDA_CHECK, on a GPU that cannot launch cooperatively. */
static inline void launch_resident(struct sum *s, cooperative_kernel *kernel)
{
    void *args[] = {&s->in, &s->scratch, &s->out, &s->n};
    int per_sm = 0, device = 0, supported = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&supported, cudaDevAttrCooperativeLaunch, device));
    CUDA_CHECK(supported ? cudaSuccess : cudaErrorNotSupported);
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, kernel, (int)s->block, 0));

    unsigned wanted = blocks_for(s->n, s->block), most = (unsigned)per_sm * s->sms;
    s->grid = wanted < most ? wanted : most;
    /* The chevrons promise no barrier of the grid; this call does, or it refuses the launch. */
    CUDA_CHECK(
        cudaLaunchCooperativeKernel((const void *)kernel, s->grid, s->block, args, 0, s->stream));
    size_t threads = (size_t)s->grid * s->block;
    s->depth = (s->n + threads - 1) / threads + 5 + 5 + blocks_for(s->grid, s->block) + 5 + 5;
}

#endif
