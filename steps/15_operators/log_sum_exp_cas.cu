/*
 * log_sum_exp_cas: the blocks merge into one word of 64 bits, by compare and swap.
 *
 * New:     against log_sum_exp_batch.cu: no array of partial states. A state of 8 bytes fits into a
 *          word that an atomic can exchange: read it, merge, write it if no other block came
 *          between, else again.
 * Why:     it works for every operator whose state has 8 bytes. But the order of arrival decides
 *          the order of the merges, and blocks that come together wait for each other.
 * Look at: ./step15 -v log_sum_exp_batch,log_sum_exp_cas -n 1M,256M
 */
#include "log_sum_exp.h"

/* The word holds the state's bits, exclusive-ored with those of none(): 0 is the state of no
   elements, and the memory needs nothing but zeros. */
static __device__ word pack(log_sum_exp::state s)
{
    return ((word)__float_as_uint(s.largest) << 32 | __float_as_uint(s.sum)) ^
           (word)__float_as_uint(-INFINITY) << 32;
}

static __device__ log_sum_exp::state unpack(word w)
{
    w ^= (word)__float_as_uint(-INFINITY) << 32;
    return {__uint_as_float((unsigned)(w >> 32)), __uint_as_float((unsigned)w)};
}

static __global__ void reduce_by_cas(log_sum_exp op, const float *in, size_t n, word *merged,
                                     unsigned *tickets, float *out)
{
    struct place at = {threadIdx.x, blockDim.x, blockIdx.x, gridDim.x};
    log_sum_exp::state s = block_merge(op, thread_state<true>(op, in, n, at));

    if (threadIdx.x == 0) {
        word seen = atomicAdd(merged, 0), expected;
        do {
            expected = seen;
            seen = atomicCAS(merged, expected, pack(op.merge(unpack(expected), s)));
        } while (seen != expected);
    }
    if (is_last_block(tickets) && threadIdx.x == 0)
        op.answer(unpack(atomicExch(merged, 0)), out); /* and ready for the next launch */
}

static void launch(struct sum *s)
{
    static word *words; /* what is merged, and the tickets */
    if (words == NULL) {
        CUDA_CHECK(cudaMalloc(&words, 2 * sizeof *words));
        CUDA_CHECK(cudaMemset(words, 0, 2 * sizeof *words));
    }
    plan_reduce(s, s->n);
    s->depth += s->grid;
    reduce_by_cas<<<s->grid, s->block, 0, s->stream>>>(log_sum_exp(), s->in, s->n, words,
                                                       (unsigned *)(words + 1), s->out);
    CUDA_CHECK(cudaGetLastError());
}

extern const struct variant variant_log_sum_exp_cas = {
    .name = "log_sum_exp_cas",
    .what = "the same; the blocks merge in one word by compare and swap",
    .launch = launch,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &log_sum_exp_task,
};
