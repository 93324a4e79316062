/*
 * cached_accumulators: the accumulators in use stay in registers.
 *
 * New:     against accumulators.cu: the two, one for each sign, that the last float went to are
 *          registers; they go to shared memory when a float comes that belongs elsewhere.
 * Why:     floats of a size, as most data are, go to the same two again and again.
 * Look at: ./step13 -n 100000 --counters: wavefronts of shared memory, against accumulators
 */
#include "library/parts/exact.h"

#define LOADS  4
#define PER_SM 4           /* blocks */
#define FLOATS (4 * LOADS) /* of a thread, in a tile */

/* The sums of the floats whose exponents have `group` in their upper 3 bits. */
struct cached {
    word plus, minus;
    unsigned group;
};

static inline __device__ void write_back(accumulators a, struct cached *u)
{
    a[u->group][threadIdx.x] += u->plus;
    a[u->group + NEGATIVE][threadIdx.x] += u->minus;
    u->plus = u->minus = 0;
}

static inline __device__ void add_cached(accumulators a, struct cached *u, float x)
{
    unsigned bits = __float_as_uint(x), group = bits >> 28 & 7;
    if (group != u->group) {
        write_back(a, u);
        u->group = group;
    }
    if (bits >> 31)
        u->minus += significand(bits);
    else
        u->plus += significand(bits);
}

static __global__ void __launch_bounds__(MOST_THREADS, PER_SM)
    cached_accumulators(const float *in, struct slots slots, float *out, size_t n)
{
    accumulators a = shared_accumulators();
    limbs_of_warps limbs = shared_limbs();
    unsigned epoch = next_epoch(slots), tile = LOADS * blockDim.x;
    unsigned flags = IN_LIMBS, added = 1;
    struct cached u = {0, 0, 3}; /* 3: exponents of floats from 2^-31 to below 2 */
    struct parts p = parts_of(in, n);
    clear(a);
    const float4 *body = (const float4 *)(in + p.head), none = {-0.0f, -0.0f, -0.0f, -0.0f};
    float rest = head_or_tail(in, n, p);
    flags |= flags_of(rest);
    add_cached(a, &u, rest);

    for (size_t first = (size_t)blockIdx.x * tile; first < p.vectors;
         first += (size_t)gridDim.x * tile) {
        float4 v[LOADS];
        load_tile<LOADS>(body + first, p.vectors - first, v);
        cut_tile<LOADS>(p.vectors - first, none, v);
#pragma unroll
        for (int k = 0; k < LOADS; k += BATCH / 4) {
            float x[BATCH];
            members<BATCH>(v + k, x);
            flags |= flags_of_batch<BATCH>(x);
#pragma unroll
            for (int i = 0; i < BATCH; i++)
                add_cached(a, &u, x[i]);
        }
        added += FLOATS;
        if (added > MOST_ADDED - FLOATS) {
            write_back(a, &u);
            carry_over(a);
            added = 1;
        }
    }
    write_back(a, &u);
    add_up(a, limbs[threadIdx.x / 32]);
    const struct partial sum = {0, flags};
    finish_exactly(limbs, sum, 0, n, slots, epoch, out);
}

static void launch(struct sum *s)
{
    struct slots slots = lesson_exact_slots(s);
    s->grid = exact_grid(s, LOADS, PER_SM);
    s->depth = 0; /* rounds once, at the end */
    cached_accumulators<<<s->grid, s->block, 0, s->stream>>>(s->in, slots, s->out, s->n);
    CUDA_CHECK(cudaGetLastError());
}

extern const struct variant variant_cached_accumulators = {
    .name = "cached_accumulators",
    .what = "the two accumulators in use in registers, the rest in shared memory",
    .launch = launch,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .max_block = MOST_THREADS,
};
