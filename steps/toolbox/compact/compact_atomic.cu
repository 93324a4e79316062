/*
 * compact_atomic: compaction with one atomic for each kept element.
 *
 * New:     the question of compact.cu, as one would write it down first.
 * Why:     it is what the others are to be compared with.
 * Look at: the atomics: ./compact -v 'compact*atomic' -n 64K --counters
 */
#include "compact.h"

static __global__ void compact_atomic(const float *in, size_t n, float *out, unsigned *number)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] > 0)
        out[atomicAdd(number, 1)] = in[i];
}

static void launch(struct sum *s)
{
    unsigned *number = zeroed_number(s);
    s->grid = blocks_for(s->n, s->block);
    compact_atomic<<<s->grid, s->block, 0, s->stream>>>(s->in, s->n, s->out, number);
    CUDA_CHECK(cudaGetLastError());
}

/* In any order. */
static void check(const struct answer *answer, struct verdict *verdict)
{
    check_compaction(answer, verdict, 1);
}

static const struct task task = {
    .name = "compact",
    .words = compact_words,
    .check = check,
    .written = compact_written,
    .max_n = UINT32_MAX, /* counted in 32 bits */
};

extern const struct variant variant_compact_atomic = {
    .name = "compact_atomic",
    .what = "one atomic for each kept element, as written",
    .launch = launch,
    .per_thread = 1,
    .task = &task,
};
