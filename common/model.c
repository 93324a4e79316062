/* model.c: see report.h. */
#include "report.h"

#include "message.h"

#ifndef SIMT_SIMULATOR

int model_open(const struct options *options)
{
    (void)options;
    return STATUS_OK;
}

int model_run(const struct plan *plan, const struct options *options, unsigned sms)
{
    (void)plan, (void)options, (void)sms;
    return STATUS_OK;
}

#else

#include "element.h"
#include "numbers.h"
#include "simt.h"
#include "task.h"
#include "variant_limits.h"
#include "whole_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The data that are made: the array holds them again and again. A multiple of pages. */
enum { PATTERN = 1 << 20 };

int model_open(const struct options *options)
{
    const char *problem = simt_model_gpu(options->model);
    return problem == NULL ? STATUS_OK : complain(STATUS_USAGE, "--model: %s", problem);
}

/* One n: its arrays on the device, filled with the pattern without taking room for it. */
struct arrays {
    char *input;
    float *out, *scratch;
};

static void *device_array(size_t bytes)
{
    void *p;
    CUDA_CHECK(cudaMalloc(&p, bytes > 0 ? bytes : 1));
    return p;
}

/* Starts at a page: so the array has one page more than it needs. */
static char *repeated(enum element element, const float *data, size_t n, char **block)
{
    enum { PAGE = 4096 };
    size_t bytes = (n + 1) * element_bytes(element), some = PATTERN * element_bytes(element);
    *block = device_array(bytes + 2 * PAGE);
    char *first = (char *)(((uintptr_t)*block + PAGE - 1) / PAGE * PAGE);
    char *elements = malloc(some);
    if (elements == NULL)
        abort(); /* some megabytes */
    make_elements(element, data, PATTERN, elements);
    if (!simt_model_repeat(first, (bytes + PAGE - 1) / PAGE * PAGE, elements, some))
        exit(complain(STATUS_USAGE, "no memory for %zu numbers: take a smaller -n", n));
    free(elements);
    return first;
}

/* What the model says of one cell; sets *grid and *block of the first launch. */
static struct simt_time predict(const struct cell *cell, const struct size_plan *size,
                                const struct options *o, unsigned sms, const float *data,
                                struct sum *sum)
{
    const struct variant *variant = cell->variant;
    const char *refused = variant->flags & ON_CPU      ? "it runs on the CPU"
                          : variant->flags & MANY_GPUS ? "there are several devices"
                          : has_ragged_rows(variant)   ? "its rows, and so its blocks, differ"
                                                       : NULL;
    if (refused != NULL)
        return (struct simt_time){.refused = refused};
    char *block;
    size_t words = answer_words(variant, size->n, cell->row, takes_gap(variant) ? o->gap : 0);
    struct arrays a = {.input = repeated(variant->element, data, size->n + o->offset, &block),
                       .out = device_array((words + 8) * sizeof(float)),
                       .scratch = device_array(size->needs.scratch_floats * sizeof(float))};
    CUDA_CHECK(cudaMemset(a.scratch, 0, size->needs.scratch_floats * sizeof(float)));
    struct question question = {
        .sum = {.in = (float *)(a.input + o->offset * element_bytes(variant->element)),
                .n = size->n,
                .out = a.out,
                .scratch = a.scratch,
                .block = o->block,
                .sms = sms,
                .element = variant->element},
        .row = cell->row,
        .gap = takes_gap(variant) ? o->gap : 0,
        .task = variant->task};
    simt_model_start(true);
    variant->launch(&question.sum);
    CUDA_CHECK(cudaDeviceSynchronize());
    struct simt_time time = simt_model_end(!o->warm);
    CUDA_CHECK(cudaFree(block));
    CUDA_CHECK(cudaFree(a.out));
    CUDA_CHECK(cudaFree(a.scratch));
    *sum = question.sum;
    return time;
}

/* ---- the table ---- */

static void print_shares(FILE *out, const struct simt_time *time)
{
    bool done[SIMT_LIMITS] = {false};
    for (int k = 0; k < 3; k++) {
        int most = -1;
        for (int i = 0; i < SIMT_LIMITS; i++)
            if (!done[i] && time->share[i] >= 0.05 &&
                (most < 0 || time->share[i] > time->share[most]))
                most = i;
        if (most < 0)
            break;
        done[most] = true;
        fprintf(out, "%s%s %.0f %%", k > 0 ? ", " : "", simt_limit_name((enum simt_limit)most),
                100 * time->share[most]);
    }
}

static const char *figure(double us, char text[16])
{
    snprintf(text, 16, us < 100 ? "%.2f" : us < 10000 ? "%.1f" : "%.0f", us);
    return text;
}

/* first: the first variant of this n. */
static void print_row(FILE *out, int width, size_t n, const struct variant *variant,
                      const struct simt_time *time, const struct simt_time *first)
{
    char size[SIZE_TEXT], low[16], high[16], factor[32] = "";
    fprintf(out, "%-*s %8s ", width, variant->name, format_size(n, size));
    if (time->refused != NULL) {
        fprintf(out, "not predicted: %s\n", time->refused);
        return;
    }
    if (first != NULL && time != first)
        snprintf(factor, sizeof factor,
                 time->low <= first->high && first->low <= time->high ? "too close to tell"
                                                                      : "%.2f",
                 first->middle / time->middle);
    fprintf(out, "%9s to %8s %18s  ", figure(time->low, low), figure(time->high, high), factor);
    print_shares(out, time);
    fputc('\n', out);
}

static void csv_row(FILE *csv, const char *step, size_t n, const struct cell *cell,
                    const struct sum *sum, const struct options *o, const struct simt_time *time)
{
    char gpu[80];
    snprintf(gpu, sizeof gpu, "%s", simt_model_gpu_name());
    keep_plain(gpu);
    fprintf(csv, "%s,%s,%s,%zu,%u,%u,%zu,%s,", step, cell->variant->name, gpu, n, sum->block,
            sum->grid, cell->row, o->warm ? "warm" : "cold");
    if (time->refused == NULL)
        fprintf(csv, "%.4f,%.4f,%s,%.1f", time->low, time->high, simt_limit_name(time->limit),
                time->instructions);
    else
        fprintf(csv, ",,refused,");
    for (int i = 0; i < SIMT_LIMITS; i++)
        if (time->refused == NULL)
            fprintf(csv, ",%.4f", time->share[i]);
        else
            fputc(',', csv);
    fputc('\n', csv);
}

int model_run(const struct plan *plan, const struct options *o, unsigned sms)
{
    struct whole_file csv;
    int status = whole_file_open(&csv, "the CSV file", o->csv);
    if (status != STATUS_OK)
        return status;
    FILE *out = o->csv != NULL && strcmp(o->csv, "-") == 0 ? stderr : stdout;
    float *data = allocate_data(0, PATTERN);
    fill_data(data, PATTERN, o->pattern, o->seed);
    if (csv.lines != NULL)
        fputs("step,variant,gpu,n,block,grid,row,cache,model_low_us,model_high_us,model_limit,"
              "model_instructions,share_launches,share_bytes,share_instructions,share_latency,"
              "share_barriers,share_atomics\n",
              csv.lines);
    fprintf(out, "%s: a model, not a measurement: %s, L2 %s, plain launches (docs/time.md)\n\n",
            plan->lesson->name, simt_model_gpu_name(), o->warm ? "warm" : "cold");
    fprintf(out, "%-*s %8s %21s %18s  %s\n", plan->name_width, "variant", "n", "microseconds",
            "faster than first", "what limits");
    for (size_t k = 0; k < o->size_count; k++) {
        const struct size_plan *size = &plan->sizes[k];
        struct simt_time first = {0}, time;
        bool some = false;
        for (size_t i = 0; i < size->cell_count; i++) {
            const struct variant *variant = size->cells[i].variant;
            struct sum sum = {0};
            time = predict(&size->cells[i], size, o, sms, data, &sum);
            if (!some)
                first = time;
            print_row(out, plan->name_width, size->n, variant, some ? &time : &first,
                      some || time.refused == NULL ? &first : NULL);
            fflush(out);
            if (csv.lines != NULL)
                csv_row(csv.lines, plan->lesson->name, size->n, &size->cells[i], &sum, o, &time);
            some |= time.refused == NULL;
        }
    }
    free_data(0, data);
    return whole_file_close(&csv);
}

#endif
