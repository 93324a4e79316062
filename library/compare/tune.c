/* tune.c: the time of every plan that could sum n floats, at many n. sum_f32_plan.c's limits are
   where these times cross. */
#include "harness.h"

#include "ours.h"

static unsigned sms;
static bool clusters;

static bool same(const struct sum_f32_plan *a, const struct sum_f32_plan *b)
{
    return a->kind == b->kind && a->loads == b->loads && a->threads == b->threads &&
           a->blocks == b->blocks;
}

static void try_plan(const struct comparison *c, size_t n, struct sum_f32_plan plan)
{
    static const char *const kinds[] = {"block", "cluster", "blocks"};
    struct sum_f32_plan chosen = sum_f32_plan(n, sms, clusters);
    planned = plan;
    for (int cold = 0; cold < 2; cold++) {
        struct row row = {.setting = {n, 0, GRAPH, cold},
                          .kind = kinds[plan.kind],
                          .loads = plan.loads,
                          .threads = plan.threads,
                          .blocks = plan.blocks,
                          .chosen = same(&plan, &chosen)};
        row.outcome.us[0] = measure_way(c, &row.setting, c->subject->ours);
        put_row(c, &row);
    }
}

static void try_one_block(const struct comparison *c, size_t n)
{
    for (unsigned loads = 4; loads <= 8; loads *= 2) {
        size_t threads = (n + loads * 4 - 1) / (loads * 4);
        threads = threads > 512 ? 512 : (threads + 31) / 32 * 32;
        try_plan(c, n, (struct sum_f32_plan){ONE_BLOCK, loads, (unsigned)threads, 1});
    }
}

static void try_clusters(const struct comparison *c, size_t n)
{
    for (unsigned blocks = 2; blocks <= 8; blocks *= 2) {
        size_t threads = (n + blocks * 16 - 1) / (blocks * 16);
        threads = threads > 512 ? 512 : (threads + 31) / 32 * 32;
        try_plan(c, n, (struct sum_f32_plan){ONE_CLUSTER, 4, (unsigned)threads, blocks});
    }
}

/* A block for each tile; as many as SMs, if those are fewer; and some blocks for each SM. */
static void try_many_blocks(const struct comparison *c, size_t n, unsigned loads, unsigned threads)
{
    size_t tile = (size_t)loads * threads * 4, tiles = (n + tile - 1) / tile;
    const unsigned per_sm[] = {1, 2, 4, 16, 64};
    if (tiles <= MOST_BLOCKS_PER_SM * sms)
        try_plan(c, n, (struct sum_f32_plan){MANY_BLOCKS, loads, threads, (unsigned)tiles});
    for (size_t i = 0; i < sizeof per_sm / sizeof per_sm[0]; i++) {
        unsigned blocks = per_sm[i] * sms;
        if (blocks < tiles && tiles / blocks < 4096)
            try_plan(c, n, (struct sum_f32_plan){MANY_BLOCKS, loads, threads, blocks});
    }
}

static void try_all(const struct comparison *c, size_t n)
{
    if (n > c->most)
        return;
    if (n <= 32 << 10)
        try_one_block(c, n);
    if (clusters && n >= 4 << 10 && n <= 256 << 10)
        try_clusters(c, n);
    if (n >= 16 << 10) {
        try_many_blocks(c, n, 8, 128);
        try_many_blocks(c, n, 8, 256);
    }
    if (n >= 512 << 10) {
        try_many_blocks(c, n, 8, 512);
        try_many_blocks(c, n, 16, 256);
        try_many_blocks(c, n, 16, 512);
    }
}

static void tune(struct comparison *c)
{
    must(sum_f32_device(&sms, &clusters));
    for (size_t n = 32; n <= c->most; n *= c->quick ? 4 : 2) {
        try_all(c, n);
        if (n >= 1024 && n <= 8 << 20)
            try_all(c, n / 2 * 3);
    }
}

const struct subject subject_tune = {
    .name = "tune",
    .what = "sum_f32() by every plan that could sum n floats: all times are in the CSV.",
    .columns = "n,cache,kind,loads,threads,blocks,chosen,us",
    .ours = &our_planned,
    .run = tune,
    .most = (size_t)1 << 29,
    .room = 2 * sizeof(float), /* cold sums of the largest n have two places */
};
