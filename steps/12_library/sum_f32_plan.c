/*
 * sum_f32_plan.c: which kernel for which n. The limits are where the times of results/h200/tune.csv cross
 * (make tune); tests/tune.t holds them to it.
 */
#include "sum_f32_plan.h"

enum {
    BLOCK_LIMIT = 16 << 10,   /* floats: up to here one block is fastest ... */
    CLUSTER_LIMIT = 64 << 10, /* ... then one cluster of CLUSTER blocks ... */
    SMALL_LIMIT = 2 << 20,    /* ... then tiles of 32 KB, and beyond of 128 KB */
    CLUSTER = 8,
};

/* Threads for n floats in so many blocks, each with `loads` float4: whole warps, 512 at most. */
static unsigned threads_for(size_t n, unsigned blocks, unsigned loads)
{
    size_t each = (size_t)blocks * loads * 4, threads = (n + each - 1) / each;
    if (threads > 512)
        return 512;
    return threads == 0 ? 32 : (unsigned)(threads + 31) / 32 * 32;
}

/* A block for each tile, and no more than `most`. */
static unsigned blocks_up_to(size_t most, size_t n, size_t tile)
{
    size_t tiles = (n + tile - 1) / tile;
    return (unsigned)(tiles < most ? tiles : most);
}

struct sum_f32_plan sum_f32_plan(size_t n, unsigned sms, bool clusters)
{
    unsigned loads = n <= BLOCK_LIMIT / 4 ? 4 : 8;
    if (n <= BLOCK_LIMIT)
        return (struct sum_f32_plan){ONE_BLOCK, loads, threads_for(n, 1, loads), 1};
    if (n <= CLUSTER_LIMIT && clusters)
        return (struct sum_f32_plan){ONE_CLUSTER, 4, threads_for(n, CLUSTER, 4), CLUSTER};
    if (n <= SMALL_LIMIT)
        return (struct sum_f32_plan){MANY_BLOCKS, 8, 256, blocks_up_to(sms, n, 256 * 8 * 4)};
    /* A block for each SM keeps the finish short. Large arrays rather have many blocks, so that
       an SM that is faster than the others takes more of them. */
    size_t per_sm = n <= (size_t)64 << 20 ? 1 : n <= (size_t)256 << 20 ? 16 : MOST_BLOCKS_PER_SM;
    return (struct sum_f32_plan){MANY_BLOCKS, 16, 512, blocks_up_to(per_sm * sms, n, 512 * 16 * 4)};
}

size_t sum_f32_depth(const struct sum_f32_plan *plan, size_t n)
{
    size_t round = (size_t)plan->blocks * plan->threads * plan->loads * 4;
    size_t rounds = (n + round - 1) / round;
    /* a float4 each round, its members, the head and the tail; then warp and block */
    size_t depth = rounds * plan->loads + 2 + 2 + 5 + 5;
    if (plan->kind == ONE_CLUSTER)
        depth += plan->blocks;
    if (plan->kind == MANY_BLOCKS)
        depth += (plan->blocks + plan->threads - 1) / plan->threads + 5 + 5;
    return depth;
}
