/*
 * environment.c: see predict.h. The program runs as ever; of each launch three blocks are
 * recorded. At its end there is a line for each kernel and shape, on standard error.
 */
#include "devices.h"
#include "fault.h"
#include "time/predict.h"
#include "time/price.h"
#include "time/replay.h"
#include <stdio.h>
#include <stdlib.h>

static struct gpu gpu;
static bool wanted;

static struct line {
    void *entry; /* of the kernel */
    unsigned long long grid;
    unsigned threads, launches;
    struct simt_time time; /* of the first launch */
} * lines;
static size_t line_count;

static void print(void)
{
    fflush(stdout);
    fprintf(stderr, "simulator: a model of time, not a measurement: %s (docs/time.md)\n", gpu.name);
    for (size_t i = 0; i < line_count; i++) {
        const struct line *l = &lines[i];
        fprintf(stderr, "simulator: %s: %s<<<%llu, %u>>>: ", l->entry ? place_name(l->entry) : "?",
                kernel_name((void *[ENTRIES]){l->entry}), l->grid, l->threads);
        if (l->time.refused)
            fprintf(stderr, "not predicted: %s", l->time.refused);
        else
            fprintf(stderr, "%.2f to %.2f us, %s %.0f %%", l->time.low, l->time.high,
                    limit_names[l->time.limit], 100 * l->time.share[l->time.limit]);
        fprintf(stderr, l->launches > 1 ? ", the first of %u launches\n" : "\n", l->launches);
    }
}

/* Before main(), which may ask how many SMs there are. */
static void __attribute__((constructor)) read_environment(void)
{
    const char *name = getenv("SIMT_MODEL");
    if (!name || !*name)
        return;
    const char *problem = gpu_read(&gpu, name);
    if (problem) {
        fprintf(stderr, "simulator: SIMT_MODEL: %s\n", problem);
        exit(2);
    }
    simt_sms = (unsigned)gpu.sms;
    wanted = record_on = places_stay = simt_sms_stay = true;
    record_entered = price_begin;
    atexit(print);
}

static struct line *line_of(void *entry, const struct launch_record *l)
{
    for (size_t i = 0; i < line_count; i++)
        if (lines[i].entry == entry && lines[i].grid == l->grid && lines[i].threads == l->threads)
            return &lines[i];
    lines = simt_grow(lines, line_count, sizeof *lines);
    struct line *new = &lines[line_count++];
    *new = (struct line){.entry = entry, .grid = l->grid, .threads = l->threads};
    return new;
}

void environment_launch_ended(void)
{
    size_t count;
    const struct launch_record *l = record_launches(&count);
    if (!wanted || record_sampling)
        return;
    while (count > 0 && l[count - 1].grid == 0) /* a memset */
        count--;
    if (count > 0) {
        struct line *line = line_of(kernel_entry(simt_now.entered), &l[count - 1]);
        if (line->launches++ == 0)
            line->time = predict(&gpu, &l[count - 1], 1, line_count == 1);
    }
    record_clear();
}
