/*
 * driver.c: run_lesson(), what every step's main calls: reads the command line,
 * makes the numbers, runs each variant on them, checks, times and prints.
 */
#include "blocks.h"
#include "csv.h"
#include "data.h"
#include "device.h"
#include "gpu.h"
#include "machine.h"
#include "measure.h"
#include "message.h"
#include "numbers.h"
#include "plan.h"
#include "report.h"
#include "shapes.h"
#include "trace.h"

#include <stdlib.h>
#include <string.h>

/* All that lives as long as the run. */
struct run {
    const struct lesson *lesson;
    struct lesson here;                    /* the lesson, ... */
    struct variant variants[MAX_VARIANTS]; /* ... and what of it this GPU can run */
    struct options options;
    struct machine machine;
    struct setting setting;
    struct bench bench;
    struct report report;
    struct whole_file csv;
    struct trace trace;
};

enum { WHY_TEXT = BLOCKS_TEXT + SHAPE_TEXT };

/* Why a selected variant does not run, for a message after its name. */
static const char *why_skipped(const struct run *run, size_t i, char text[WHY_TEXT])
{
    const struct variant *variant = &run->lesson->variants[i];
    char takes[BLOCKS_TEXT + SHAPE_TEXT];
    if (variant->launch == NULL)
        return variant->why_not;
    if (!admits_pattern(variant, run->options.pattern))
        return "takes " UNIT_PATTERNS;
    if (!admits_block(variant, run->options.block))
        snprintf(text, WHY_TEXT, "takes %s, not %u", describe_blocks(variant, takes),
                 run->options.block);
    else
        snprintf(text, WHY_TEXT, "takes %s, not %zu", describe_rows(variant, takes),
                 run->options.rows[0]);
    return text;
}

/* Of a variant that runs: an n or a row that it does not take, or NULL. The row is told first. */
static const char *what_it_leaves(const struct run *run, size_t i, char text[WHY_TEXT])
{
    const struct variant *variant = &run->lesson->variants[i];
    const struct options *o = &run->options;
    char takes[SHAPE_TEXT], size[SIZE_TEXT];
    for (size_t r = 0; r < o->row_count; r++) {
        if (!admits_row(variant, o->rows[r])) {
            snprintf(text, WHY_TEXT, "at rows of %zu: takes %s", o->rows[r],
                     describe_rows(variant, takes));
            return text;
        }
        for (size_t k = 0; k < o->size_count; k++) {
            if (!admits_n(variant, o->sizes[k], o->rows[r])) {
                snprintf(text, WHY_TEXT, "at n = %s: takes %s", format_size(o->sizes[k], size),
                         describe_n(variant, o->rows[r], takes));
                return text;
            }
        }
    }
    return NULL;
}

static void report_skipped(struct run *run)
{
    char text[WHY_TEXT];
    for (size_t i = 0; i < run->lesson->variant_count; i++) {
        const struct variant *variant = &run->lesson->variants[i];
        if (!run->options.selected[i])
            continue;
        if (!will_run(run->lesson, &run->options, i))
            report_skip(&run->report, variant, "", why_skipped(run, i, text));
        else if (what_it_leaves(run, i, text) != NULL)
            report_skip(&run->report, variant, " in part,", text);
    }
}

/* Returns 0 if some variant can run; else 77, after one line with the first reason. */
static int check_variants(const struct run *run)
{
    size_t first = run->lesson->variant_count;
    char text[WHY_TEXT];
    for (size_t i = run->lesson->variant_count; i-- > 0;) {
        if (will_run(run->lesson, &run->options, i))
            return STATUS_OK;
        if (run->options.selected[i])
            first = i;
    }
    if (first == run->lesson->variant_count)
        return complain(STATUS_NOTHING, "only specimens here: --specimens runs them");
    return complain(STATUS_NOTHING, "%s cannot run here: %s", run->lesson->variants[first].name,
                    why_skipped(run, first, text));
}

/* One variant at one n, and one length of its rows, if it has any. */
static void run_variant(struct run *run, const struct variant *variant, size_t row)
{
    struct bench *bench = &run->bench;
    struct result result;
    if (!admits_row(variant, row) || !admits_n(variant, bench->n, row))
        return;
    bench->row = has_rows(variant) ? row : 0;
    measure_variant(bench, variant, &result);
    report_result(&run->report, &result);
    csv_add(&run->csv, &run->setting, &result);
    trace_add(&run->trace, bench, &result);
}

static void run_size(struct run *run, size_t n)
{
    const struct options *options = &run->options;
    struct bench *bench = &run->bench;
    bench->n = n;
    bench->exact = sum_exactly(bench->data, n);
    open_buffers(&bench->buffers, run->lesson, &run->options, bench->sms, bench->data, n);
    if (bench->timed) {
        measure_roofs(bench);
        report_roof(&run->report, "plain read", &bench->read);
        if (bench->copy.plain.time.runs > 0)
            report_roof(&run->report, "plain copy", &bench->copy);
    }
    for (size_t i = 0; i < run->lesson->variant_count; i++) {
        const struct variant *variant = &run->lesson->variants[i];
        size_t rows = has_rows(variant) ? options->row_count : 1;
        for (size_t r = 0; r < rows && will_run(run->lesson, options, i); r++)
            run_variant(run, variant, options->rows[r]);
    }
    close_buffers(&bench->buffers);
}

static size_t largest_size(const struct options *options)
{
    size_t largest = 0;
    for (size_t k = 0; k < options->size_count; k++)
        largest = options->sizes[k] > largest ? options->sizes[k] : largest;
    return largest;
}

/* The numbers are made once, for the largest n: its first n are those of every
   smaller one, unless the pattern depends on n. */
static void run_sizes(struct run *run)
{
    const struct options *options = &run->options;
    size_t largest = largest_size(options);
    bool anew = pattern_depends_on_n(options->pattern);
    float *data = allocate_data(options, largest);
    run->bench.data = data;
    if (!anew)
        fill_data(data, largest, options->pattern, options->seed);
    for (size_t k = 0; k < options->size_count; k++) {
        if (anew)
            fill_data(data, options->sizes[k], options->pattern, options->seed);
        run_size(run, options->sizes[k]);
    }
    free_data(options, data);
}

/* A variant that needs a newer GPU than this cannot run here; the lesson itself is constant. */
static void leave_out_the_newer(struct run *run)
{
    unsigned here = 10 * (unsigned)run->machine.major + (unsigned)run->machine.minor;
    run->here = *run->lesson;
    run->here.variants = run->variants;
    for (size_t i = 0; i < run->here.variant_count; i++) {
        run->variants[i] = run->lesson->variants[i];
        if (run->variants[i].capability > here)
            run->variants[i].launch = NULL;
    }
    run->lesson = &run->here;
}

/* Where, and under which names, the run takes place. */
static void describe(struct run *run)
{
    const struct options *options = &run->options;
    read_machine(&run->machine, options->device);
    leave_out_the_newer(run);
    run->setting = (struct setting){
        .step = run->lesson->name,
        .backend = run->machine.backend,
        .gpu = run->machine.gpu,
        .cpu = run->machine.cpu,
        .pattern = pattern_name(options->pattern),
        .cold = !options->warm,
    };
    run->bench.options = options;
    run->bench.sms = run->machine.sms;
    run->bench.timed = !ON_SIMULATOR && !options->check;
    CUDA_CHECK(cudaStreamCreate(&run->bench.stream));
}

static bool is_stdout(const char *path)
{
    return path != NULL && strcmp(path, "-") == 0;
}

static int run_table(struct run *run)
{
    const struct options *options = &run->options;
    FILE *out = is_stdout(options->csv) || is_stdout(options->trace) ? stderr : stdout;
    report_begin(&run->report, out, run->lesson, &run->machine, &run->options);
    report_skipped(run);
    run_sizes(run);
    int status = report_end(&run->report);
    int csv_status = whole_file_close(&run->csv), trace_status = trace_close(&run->trace);
    return status != STATUS_OK ? status : csv_status != STATUS_OK ? csv_status : trace_status;
}

int run_lesson(int argc, char **argv, const struct lesson *lesson)
{
    struct run run = {.lesson = lesson};
    int status = parse_options(argc, argv, lesson, ON_SIMULATOR, &run.options);
    if (status != OPTIONS_GO_ON)
        return status;
    status = csv_open(&run.csv, run.options.csv);
    if (status == STATUS_OK)
        status = trace_open(&run.trace, &run.options);
    if (status != STATUS_OK)
        return status;
    status = select_device(run.options.device);
    if (status >= 0)
        return status;
    hold_stream(NULL, 1); /* a first launch: does the program hold code for this GPU? */
    counts_setup(&run.options);
    if (run.options.demo)
        return lesson->demo();

    describe(&run);
    status = check_variants(&run);
    if (status == STATUS_OK)
        status = check_sizes(run.lesson, &run.options, run.machine.sms);
    if (status == STATUS_OK)
        status = run_table(&run);
    CUDA_CHECK(cudaStreamDestroy(run.bench.stream));
    return status;
}
