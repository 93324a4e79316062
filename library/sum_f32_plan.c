/*
 * sum_f32_plan.c: which kernel for which n. The limits are where the times of results/h200/tune.csv
 * cross (make compare writes it); tests/test_library.py holds them to it.
 */
#include "sum_f32_plan.h"
#include "parts/waiting.h"

enum {
    K = 1 << 10,
    M = 1 << 20,
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

/* Block 0 of them waits for the others (waiting.h). */
static struct sum_f32_plan many_blocks(size_t n, unsigned loads, unsigned threads, size_t most)
{
    unsigned blocks = blocks_up_to(most, n, (size_t)loads * threads * 4);
    return (struct sum_f32_plan){MANY_BLOCKS, loads, threads, blocks};
}

struct sum_f32_plan sum_f32_plan(size_t n, unsigned sms, bool clusters)
{
    if (n <= 4 * K)
        return (struct sum_f32_plan){ONE_BLOCK, 4, threads_for(n, 1, 4), 1};
    if (n <= 16 * K)
        return (struct sum_f32_plan){ONE_BLOCK, 8, threads_for(n, 1, 8), 1};
    if (n <= 64 * K && clusters)
        return (struct sum_f32_plan){ONE_CLUSTER, 4, threads_for(n, CLUSTER_BLOCKS, 4),
                                     CLUSTER_BLOCKS};
    if (n <= 512 * K)
        return many_blocks(n, 8, 128, sms);
    if (n <= 1 * M)
        return many_blocks(n, 8, 512, sms);
    /* A block for each SM keeps the finish short. Larger arrays rather have many blocks: an SM that
       is faster than the others takes more of them. But each is a slot, and block 0 looks at them
       in turn. */
    if (n <= 64 * M)
        return many_blocks(n, 16, 512, sms);
    unsigned most = (n < 512 * M ? 16 : MOST_BLOCKS_PER_SM) * sms;
    return many_blocks(n, 16, 256, waiting_grid(most, sms));
}

struct sum_f32_plan sum_types_plan(size_t n, size_t element_bytes, unsigned slot_words,
                                   unsigned sms, bool clusters)
{
    size_t floats = n / sizeof(float) * element_bytes +
                    (n % sizeof(float) * element_bytes + sizeof(float) - 1) / sizeof(float);
    struct sum_f32_plan plan = sum_f32_plan(floats, sms, clusters);
    unsigned most = MOST_BLOCKS_PER_SM / slot_words * sms; /* one workspace is enough for all */
    if (plan.kind == MANY_BLOCKS && plan.blocks > most)
        plan.blocks = most;
    return plan;
}

/* From trials on H200s, in results/trials.md: 11_exact.csv to 20_digits.csv. Up to 32 million
   floats each thread of block 0 has one slot to wait for, not two in turn. The kernels with 8 and
   16 loads are for blocks of EXACT_THREADS. */
struct sum_f32_plan sum_exact_plan(size_t n, unsigned sms, bool clusters)
{
    const unsigned most = waiting_grid(EXACT_BLOCKS_PER_SM * sms, sms);
    if (n <= 4 * K) {
        unsigned loads = n <= 1 * K ? 2 : 4;
        return (struct sum_f32_plan){ONE_BLOCK, loads, threads_for(n, 1, loads), 1};
    }
    if (n <= 32 * K && clusters) {
        unsigned loads = n <= 8 * K ? 2 : 4;
        return (struct sum_f32_plan){ONE_CLUSTER, loads, threads_for(n, CLUSTER_BLOCKS, loads),
                                     CLUSTER_BLOCKS};
    }
    if (n <= 128 * K)
        return many_blocks(n, 2, n <= 32 * K ? 64 : 128, sms);
    if (n <= 256 * K)
        return many_blocks(n, 4, 128, sms);
    if (n <= 32 * M)
        return many_blocks(n, n <= 4 * M ? 4 : 8, EXACT_THREADS,
                           most < EXACT_THREADS ? most : EXACT_THREADS);
    return many_blocks(n, 16, EXACT_THREADS, most);
}

size_t sum_f32_depth(const struct sum_f32_plan *plan, size_t n)
{
    return sum_types_depth(plan, n, sizeof(float));
}

/* log2 of a load's members: they are added in pairs. */
static size_t member_depth(size_t element_bytes)
{
    return element_bytes == 2 ? 3 : element_bytes == 4 ? 2 : 1;
}

size_t sum_types_depth(const struct sum_f32_plan *plan, size_t n, size_t element_bytes)
{
    size_t round = (size_t)plan->blocks * plan->threads * plan->loads * 16 / element_bytes;
    size_t rounds = (n + round - 1) / round;
    /* 16 bytes each load, their members, head or tail; then warp and block */
    size_t depth = rounds * plan->loads + member_depth(element_bytes) + 1 + 5 + 5;
    if (plan->kind == ONE_CLUSTER)
        depth += plan->blocks;
    if (plan->kind == MANY_BLOCKS)
        depth += (plan->blocks + plan->threads - 1) / plan->threads + 5 + 5;
    return depth;
}
