/*
 * multi_pass.cu: blocks cannot wait for each other, but a launch waits for the one before it. So
 * the kernel runs again on the partial sums that it left, one for each block, until one value is
 * left.
 */
#include "multi_pass.h"

void multi_pass_sum(struct sum *s, pass_kernel *kernel, unsigned per_thread, size_t shared_bytes)
{
    size_t share = (size_t)s->block * per_thread; /* elements that one block adds up */
    unsigned grid = blocks_for(s->n, share), pass = 0;
    float *in = s->in;
    size_t n = s->n;

    s->grid = grid;
    s->depth = 0;
    do {
        grid = blocks_for(n, share);
        /* A pass reads one half of the scratch memory and writes the other. */
        float *partial = grid == 1 ? s->out : s->scratch + (size_t)(pass % 2) * s->grid;
        kernel<<<grid, s->block, shared_bytes, s->stream>>>(in, partial, n);
        CUDA_CHECK(cudaGetLastError());
        s->depth += per_thread - 1 + ceil_log2(s->block);
        in = partial;
        n = grid;
        pass++;
    } while (grid > 1);
}
