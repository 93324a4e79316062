/*
 * tune: the time of every plan that could sum n floats, at many n; make compare
 *
 *     tune FILE.csv
 *
 * sum_f32_plan.c's limits are where these times cross. Exit status: 0, or 2.
 */
#include "cuda_errors.h"
#include "message.h"
#include "ours.h"
#include "whole_file.h"

#include <stdlib.h>
#include <string.h>

#define MOST ((size_t)1 << 29)

struct tuning {
    struct field field;
    struct ours ours;
    unsigned sms;
    bool clusters;
    struct whole_file csv;
};

static bool same(const struct sum_f32_plan *a, const struct sum_f32_plan *b)
{
    return a->kind == b->kind && a->loads == b->loads && a->threads == b->threads &&
           a->blocks == b->blocks;
}

static void try_plan(struct tuning *t, size_t n, struct sum_f32_plan plan)
{
    static const char *const kinds[] = {"block", "cluster", "blocks"};
    struct sum_f32_plan chosen = sum_f32_plan(n, t->sms, t->clusters);
    const struct way way = {sum_ours, &t->ours};
    t->ours.plan = &plan;
    t->ours.overlap = true;
    for (int cold = 0; cold < 2; cold++) {
        struct setting setting = {n, 0, GRAPH, cold, sizeof(float)};
        double us = measure_way(&t->field, &setting, &way);
        fprintf(t->csv.lines, "%zu,%s,%s,%u,%u,%u,%d,%.4f\n", n, cold ? "cold" : "warm",
                kinds[plan.kind], plan.loads, plan.threads, plan.blocks, same(&plan, &chosen), us);
    }
}

static void try_one_block(struct tuning *t, size_t n)
{
    for (unsigned loads = 4; loads <= 8; loads *= 2) {
        size_t threads = (n + loads * 4 - 1) / (loads * 4);
        threads = threads > 512 ? 512 : (threads + 31) / 32 * 32;
        try_plan(t, n, (struct sum_f32_plan){ONE_BLOCK, loads, (unsigned)threads, 1});
    }
}

static void try_clusters(struct tuning *t, size_t n)
{
    for (unsigned blocks = 2; blocks <= 8; blocks *= 2) {
        size_t threads = (n + blocks * 16 - 1) / (blocks * 16);
        threads = threads > 512 ? 512 : (threads + 31) / 32 * 32;
        try_plan(t, n, (struct sum_f32_plan){ONE_CLUSTER, 4, (unsigned)threads, blocks});
    }
}

/* A block for each tile; as many as SMs, if those are fewer; and some blocks for each SM. */
static void try_many_blocks(struct tuning *t, size_t n, unsigned loads, unsigned threads)
{
    size_t tile = (size_t)loads * threads * 4, tiles = (n + tile - 1) / tile;
    const unsigned per_sm[] = {1, 2, 4, 16, 64};
    if (tiles <= MOST_BLOCKS_PER_SM * t->sms)
        try_plan(t, n, (struct sum_f32_plan){MANY_BLOCKS, loads, threads, (unsigned)tiles});
    for (size_t i = 0; i < sizeof per_sm / sizeof per_sm[0]; i++) {
        unsigned blocks = per_sm[i] * t->sms;
        if (blocks < tiles && tiles / blocks < 4096)
            try_plan(t, n, (struct sum_f32_plan){MANY_BLOCKS, loads, threads, blocks});
    }
}

static void try_all(struct tuning *t, size_t n)
{
    if (n <= 32 << 10)
        try_one_block(t, n);
    if (t->clusters && n >= 4 << 10 && n <= 256 << 10)
        try_clusters(t, n);
    if (n >= 16 << 10) {
        try_many_blocks(t, n, 8, 128);
        try_many_blocks(t, n, 8, 256);
    }
    if (n >= 512 << 10) {
        try_many_blocks(t, n, 8, 512);
        try_many_blocks(t, n, 16, 256);
        try_many_blocks(t, n, 16, 512);
    }
}

int main(int argc, char **argv)
{
    struct tuning t = {.sms = 0};
    float *host;
    begin_program(argv[0]);
    if (argc != 2)
        return complain(STATUS_USAGE, "usage: tune FILE.csv");
    int status = whole_file_open(&t.csv, "the CSV file", argv[1]);
    if (status != STATUS_OK)
        return status;
    status = select_device(0);
    if (status >= 0)
        return status;
    must(sum_f32_device(&t.sms, &t.clusters));
    t.field = make_field(2 * MOST + 64, &host);
    t.ours = make_ours();
    fprintf(t.csv.lines, "n,cache,kind,loads,threads,blocks,chosen,us\n");
    for (size_t n = 32; n <= MOST; n *= 2) {
        try_all(&t, n);
        if (n >= 1024 && n <= 8 << 20)
            try_all(&t, n / 2 * 3);
    }
    free(host);
    return whole_file_close(&t.csv);
}
