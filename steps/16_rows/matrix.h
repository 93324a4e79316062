/*
 * matrix.h: what the kernels of step 16 share: the matrix, and a launch by the operator that was
 * asked for.
 */
#ifndef MATRIX_H
#define MATRIX_H

#include "15_operators/argmax.h"
#include "15_operators/log_sum_exp.h"
#include "15_operators/maximum.h"
#include "15_operators/mean_variance.h"
#include "15_operators/norm.h"
#include "15_operators/reduce_sum.h"
#include "rows.h"

/* In C's order: element j of row r is in[r * lead + j]. */
struct matrix {
    const float *in;
    size_t rows, row, lead; /* floats of a row; from the beginning of one to that of the next */
    float *out;             /* answer k begins at out[k * words] */
    unsigned words;
};

static inline struct matrix matrix_of(const struct sum *s)
{
    const struct question *asked = (const struct question *)s;
    const struct task *each = asked->task->of_each;
    struct matrix m = {s->in,      rows_in(s->n, asked->row, asked->gap),
                       asked->row, asked->row + asked->gap,
                       s->out,     (unsigned)(each != NULL ? each->words(0, 0) : 1)};
    return m;
}

/* KERNEL::launch<BY_BATCH>(s, op), with the operator that was asked for. */
template <class KERNEL> static void launch_by_operator(struct sum *s)
{
    const struct task *each = ((const struct question *)s)->task->of_each;
    if (each == &maximum_task)
        KERNEL::template launch<false>(s, maximum());
    else if (each == &argmax_task)
        KERNEL::template launch<false>(s, argmax());
    else if (each == &mean_variance_task)
        KERNEL::template launch<true>(s, mean_variance());
    else if (each == &log_sum_exp_task)
        KERNEL::template launch<true>(s, log_sum_exp());
    else if (each == &norm_task)
        KERNEL::template launch<false>(s, scaled_norm());
    else
        KERNEL::template launch<false>(s, reduce_sum());
    CUDA_CHECK(cudaGetLastError());
}

/* The blocks that the rows are dealt out to, where a block takes so many at a time: enough to fill
   the GPU some times over, so that no SM waits long for the last ones. */
static inline unsigned grid_for_rows(const struct sum *s, size_t rows, size_t rows_of_block)
{
    size_t most = (size_t)s->sms * BLOCKS_AT_ONCE * 4;
    unsigned blocks = blocks_for(rows, rows_of_block);
    return blocks < most ? blocks : (unsigned)most;
}

/* Additions on the longest way of an element through thread_state(), where so many threads share n
   elements: those of a thread, and one for head or tail. */
static inline size_t thread_depth(size_t n, size_t threads)
{
    size_t tile = threads * LOADS * 4;
    return (n + tile - 1) / tile * LOADS * 4 + 1;
}

#endif
