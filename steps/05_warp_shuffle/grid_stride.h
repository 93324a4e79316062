/* grid_stride.h: the grid of a grid-stride loop, where each thread steps over the whole array.
 */
#ifndef GRID_STRIDE_H
#define GRID_STRIDE_H

#include "lesson.h"

/* Eight blocks for each SM: of 256 threads they fill it. No more than the elements need. */
static inline unsigned stride_grid(const struct sum *s)
{
    unsigned wanted = blocks_for(s->n, s->block), most = 8 * s->sms;
    return wanted < most ? wanted : most;
}

/* How many elements a thread of the grid s->grid meets, at most. */
static inline size_t stride_steps(const struct sum *s)
{
    size_t threads = (size_t)s->grid * s->block;
    return (s->n + threads - 1) / threads;
}

#endif
