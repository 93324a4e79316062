/*
 * driver.c: the main() of every lesson, and of every experiment that times its variants: reads the
 * command line, plans, makes the numbers, runs each variant on them, checks, times and prints.
 */
#include "cuda_errors.h"
#include "data.h"
#include "device.h"
#include "machine.h"
#include "measure.h"
#include "message.h"
#include "plan.h"
#include "report.h"
#include "task.h"

#include <string.h>

/* All that lives as long as the run. */
struct run {
    const struct lesson *lesson;
    struct options options;
    struct machine machine;
    char gpus[300]; /* "2 x NVIDIA H200" */
    struct plan plan;
    struct setting setting;
    struct bench bench;
    struct report report;
    struct whole_file csv;
    struct trace trace;
};

/* What variants of one n have in common, as long as they sum elements of one type. */
static void begin_elements(struct run *run, const struct size_plan *size, enum element element)
{
    struct bench *bench = &run->bench;
    bench->n = size->n;
    bench->element = element;
    bench->exact = sum_elements_exactly(element, bench->data, size->n);
    open_buffers(&bench->buffers, &size->needs, element, run->options.offset, bench->data, size->n);
    if (bench->gpus.count > 0)
        open_shares(&bench->gpus, &run->options, bench->data, size->n);
    if (!bench->timed)
        return;
    measure_roofs(bench, size->needs.copy);
    report_roof(&run->report, "plain read", &bench->read);
    if (bench->copy.plain.time.runs > 0)
        report_roof(&run->report, "plain copy", &bench->copy);
}

/* All that is planned for one n. */
static void run_size(struct run *run, const struct size_plan *size)
{
    struct bench *bench = &run->bench;
    for (size_t i = 0; i < size->cell_count; i++) {
        const struct cell *cell = &size->cells[i];
        enum element element = cell->variant->element;
        struct result result;
        if (i > 0 && element != bench->element)
            close_buffers(&bench->buffers);
        if (i == 0 || element != bench->element)
            begin_elements(run, size, element);
        measure_variant(bench, cell->variant, cell->row, &result);
        report_result(&run->report, &result);
        csv_add(&run->csv, &run->setting, &result);
        trace_add(&run->trace, bench, &result);
    }
    if (size->cell_count > 0 && bench->gpus.count > 0)
        close_shares(&bench->gpus);
    if (size->cell_count > 0)
        close_buffers(&bench->buffers);
}

static size_t largest_size(const struct options *options)
{
    size_t largest = 0;
    for (size_t k = 0; k < options->size_count; k++)
        largest = options->sizes[k] > largest ? options->sizes[k] : largest;
    return largest;
}

static bool is_stdout(const char *path)
{
    return path != NULL && strcmp(path, "-") == 0;
}

/* Opens the files that are to be written, so that a path that cannot be is reported first. */
static int open_files(struct run *run)
{
    int status = csv_open(&run->csv, run->options.csv);
    return status == STATUS_OK ? trace_open(&run->trace, &run->options) : status;
}

/* Where, and under which names, the run takes place; the head of the table. */
static void begin(struct run *run)
{
    const struct options *options = &run->options;
    snprintf(run->gpus, sizeof run->gpus, "%u x %s", run->machine.gpus, run->machine.gpu);
    FILE *out = is_stdout(options->csv) || is_stdout(options->trace) ? stderr : stdout;
    run->setting = (struct setting){
        .step = run->lesson->name,
        .backend = run->machine.backend,
        .gpu = run->machine.gpu,
        .cpu = run->machine.cpu,
        .gpus = run->machine.gpus > 1 ? run->gpus : run->machine.gpu,
        .pattern = pattern_name(options->pattern),
        .cold = !options->warm,
    };
    run->bench.options = options;
    run->bench.sms = run->machine.sms;
    run->bench.timed = !ON_SIMULATOR && !options->check;
    run->bench.data = allocate_data(options->offset, largest_size(options));
    CUDA_CHECK(cudaStreamCreate(&run->bench.stream));
    if (run->machine.gpus > 0)
        open_gpus(&run->bench.gpus, options, run->machine.gpus, run->bench.stream);
    report_begin(&run->report, out, &run->plan, &run->machine);
}

static int end(struct run *run)
{
    if (run->bench.gpus.count > 0)
        close_gpus(&run->bench.gpus);
    CUDA_CHECK(cudaStreamDestroy(run->bench.stream));
    free_data(run->options.offset, run->bench.data);
    free_plan(&run->plan);
    int status = report_end(&run->report);
    int csv_status = whole_file_close(&run->csv), trace_status = trace_close(&run->trace);
    return status != STATUS_OK ? status : csv_status != STATUS_OK ? csv_status : trace_status;
}

/* Runs the command line over the lesson. Returns the exit status: 0 all right,
   1 a wrong sum or a CUDA error, 2 usage, 77 nothing could run here. */
static int run_lesson(int argc, char **argv, const struct lesson *lesson)
{
    struct run run = {.lesson = lesson};
    const struct options *options = &run.options;
    int status = parse_options(argc, argv, lesson, ON_SIMULATOR, &run.options);
    if (status != OPTIONS_GO_ON)
        return status;
    if (options->list)
        return print_list(lesson, options->csv);
    run.lesson = lesson = ask_by_operator(lesson, options->by_operator);
    status = options->model != NULL ? model_open(options) : open_files(&run);
    if (status != STATUS_OK)
        return status;
    if (about_many_gpus(lesson))
        prepare_for_gpus(options);
    status = select_device(options->device);
    if (status >= 0)
        return status;
    hold_stream(NULL, 1); /* a first launch: does the program hold code for this GPU? */
    counters_setup(options);
    if (options->demo)
        return lesson->demo();
    read_machine(&run.machine, options->device);
    if (about_many_gpus(lesson))
        status = find_gpus(options, &run.machine);
    if (status >= 0)
        return status;
    status = make_plan(&run.plan, lesson, options, &run.machine);
    if (status != STATUS_OK)
        return status;
    if (options->model != NULL) {
        status = model_run(&run.plan, options, run.machine.sms);
        free_plan(&run.plan);
        return status;
    }

    begin(&run);
    /* The numbers are made once, for the largest n: its first n are those of every smaller one,
       unless the pattern depends on n. */
    bool anew = pattern_depends_on_n(options->pattern);
    if (!anew)
        fill_data(run.bench.data, largest_size(options), options->pattern, options->seed);
    for (size_t k = 0; k < options->size_count; k++) {
        if (anew)
            fill_data(run.bench.data, options->sizes[k], options->pattern, options->seed);
        run_size(&run, &run.plan.sizes[k]);
    }
    return end(&run);
}

int main(int argc, char **argv)
{
    return run_lesson(argc, argv, &lesson);
}
