/*
 * doubles: 16 floats at once, in doubles, where their exponents allow it.
 *
 * New:     against accumulators.cu: if the exponents of a thread's 16 floats lie within 26 binades,
 *          their sum in doubles is exact. Another float among them is added by itself. Only if the
 *          array's exponents lie too far apart, all go to the accumulators.
 * Why:     a few steps on whole numbers and an addition for each float take less time than a load
 *          and a store of shared memory.
 * Look at: ./step13 -n 100000 --counters, with --pattern uniform and wide: the bytes of shared
 *          memory
 */
#include "library/parts/window.h"

#define LOADS  16
#define PER_SM 2 /* blocks */

static __global__ void __launch_bounds__(MOST_THREADS, PER_SM)
    doubles(const float *in, struct slots slots, float *out, size_t n)
{
    accumulators a = shared_accumulators();
    limbs_of_warps limbs = shared_limbs();
    unsigned epoch = next_epoch(slots);
    unsigned place;
    struct partial p = exact_thread_sum<LOADS, 16>(a, limbs[threadIdx.x / 32], in, n, &place);
    finish_exactly(limbs, p, place, n, slots, epoch, out);
}

static void launch(struct sum *s)
{
    struct slots slots = lesson_exact_slots(s);
    s->grid = exact_grid(s, LOADS, PER_SM);
    s->depth = 0; /* rounds once, at the end */
    doubles<<<s->grid, s->block, 0, s->stream>>>(s->in, slots, s->out, s->n);
    CUDA_CHECK(cudaGetLastError());
}

extern const struct variant variant_doubles = {
    .name = "doubles",
    .what = "16 floats in doubles where 26 binades hold them",
    .launch = launch,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .max_block = MOST_THREADS,
};
