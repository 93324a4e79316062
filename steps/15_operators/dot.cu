/*
 * dot: the product of two vectors: the first half of the array times the second.
 *
 * New:     against reduce_sum.cu: the operator has something of its own, the other vector.
 * Why:     twice the bytes for each addition, and as fast per byte: the memory sets the pace. The
 *          other vector may begin anywhere, so it is read by single floats. Four such loads touch
 *          the same sectors one after another, and caches answer three of them.
 * Look at: ./step15 -v reduce_sum,dot -n 256M; the sectors: -n 64K --counters
 */
#include "reduce.h"

struct dot {
    typedef float state;
    const float *other;

    __device__ state none() const
    {
        return 0.0f;
    }
    __device__ state add(state s, float x, size_t i) const
    {
        return fmaf(x, other[i], s);
    }
    __device__ state merge(state a, state b) const
    {
        return a + b;
    }
    __device__ void answer(state s, float *out) const
    {
        *out = s;
    }
};

static void launch(struct sum *s)
{
    launch_reduce(s, dot{s->in + s->n / 2}, s->n / 2);
}

extern const struct variant variant_dot = {
    .name = "dot",
    .what = "the first half of the array times the second",
    .launch = launch,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &dot_task,
};
