/*
 * masks.h: how the kernels of masks.cu are launched, and what is right: the n words of the array,
 * added up as whole numbers, in out[0].
 */
#ifndef MASKS_H
#define MASKS_H

#include "toolbox.h"

typedef void kernel_fn(const float *in, size_t n, unsigned *out);

/* A thread for each word. The kernels add to out[0], so a zero must be there first. */
template <kernel_fn *KERNEL> static void launch(struct sum *s)
{
    s->grid = blocks_for(s->n, s->block);
    CUDA_CHECK(cudaMemsetAsync(s->out, 0, sizeof(unsigned), s->stream));
    KERNEL<<<s->grid, s->block, 0, s->stream>>>(s->in, s->n, (unsigned *)s->out);
    CUDA_CHECK(cudaGetLastError());
}

static size_t one_word(size_t n, size_t row)
{
    (void)n, (void)row;
    return 1;
}

static void check_sum(const struct answer *a, struct verdict *verdict)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < a->n; i++)
        sum += word_at(a->in, i);
    expect_word(verdict, a->out, 0, sum);
}

static const struct task task = {.words = one_word, .check = check_sum};

#define WARPS(NAME, WHAT, KERNEL, FLAGS)                                                           \
    {                                                                                              \
        NAME, WHAT, launch<KERNEL>, 1, FLAGS, BLOCK_WHOLE_WARPS, 32, NULL, 0, &task                \
    }
#define ANY_BLOCK(NAME, WHAT, KERNEL, FLAGS)                                                       \
    {                                                                                              \
        NAME, WHAT, launch<KERNEL>, 1, FLAGS, BLOCK_ANY, 1, NULL, 0, &task                         \
    }

#endif
