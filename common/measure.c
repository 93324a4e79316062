/* measure.c: see measure.h. */
#include "measure.h"

#include "device.h"
#include "message.h"
#include "task.h"
#include "timing.h"
#include "variant_limits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One variant at one n, over and over. */
struct trial {
    const struct bench *bench;
    const struct variant *variant;
    struct question question; /* what the launcher is handed */
    float host_out;           /* where a variant on the CPU writes its sum */
    size_t *offsets;          /* of ragged rows, in host memory; else NULL */
};

static bool on_many(const struct trial *trial)
{
    return trial->variant->flags & MANY_GPUS;
}

static bool on_cpu(const struct trial *trial)
{
    return trial->variant->flags & ON_CPU;
}

/* Words of the answer that must be written; of a sum none is counted. */
static size_t written_words(const struct bench *bench, const struct variant *variant, size_t row)
{
    size_t gap = bench->options->gap;
    if (variant->task != NULL && variant->task->written != NULL)
        return variant->task->written(bench->data, bench->n);
    return variant->task != NULL || (variant->flags & COPIES)
               ? answer_words(variant, bench->n, row, gap)
               : 0;
}

/* Where ragged rows begin, here and on the device. */
static void open_offsets(struct trial *trial)
{
    const struct bench *bench = trial->bench;
    size_t rows = rows_in(bench->n, trial->question.row, 0), bytes = (rows + 1) * sizeof(size_t);
    void *offsets;
    trial->offsets = malloc(bytes);
    if (trial->offsets == NULL)
        exit(complain(STATUS_USAGE, "no memory for %zu rows: take a smaller -n", rows));
    make_offsets(trial->offsets, rows, bench->n, bench->options->lengths, bench->options->seed);
    CUDA_CHECK(cudaMalloc(&offsets, bytes));
    CUDA_CHECK(cudaMemcpy(offsets, trial->offsets, bytes, cudaMemcpyHostToDevice));
    trial->question.offsets = offsets;
}

static void close_offsets(struct trial *trial)
{
    CUDA_CHECK(cudaFree((void *)(uintptr_t)trial->question.offsets));
    free(trial->offsets);
}

static void ask(struct trial *trial, size_t row)
{
    const struct bench *bench = trial->bench;
    const struct buffers *buffers = &bench->buffers;
    bool overwrites = trial->variant->flags & OVERWRITES_INPUT;
    trial->question.row = row;
    trial->question.gap = takes_gap(trial->variant) ? bench->options->gap : 0;
    trial->question.task = trial->variant->task;
    if (has_ragged_rows(trial->variant))
        open_offsets(trial);
    trial->question.sum = (struct sum){
        .in = on_cpu(trial) ? bench->data
              : overwrites  ? buffers->work
                            : buffers->input,
        .n = bench->n,
        .out = on_cpu(trial) ? &trial->host_out : buffers->out,
        .scratch = buffers->scratch,
        .block = on_cpu(trial) ? 0 : bench->options->block,
        .sms = bench->sms,
        .element = trial->variant->element,
        .stream = bench->stream,
        .shares = on_many(trial) ? bench->gpus.shares : NULL,
        .gpus = on_many(trial) ? bench->gpus.count : 0,
    };
}

/* Before each run: the input as it was, and an output that is no sum. */
static void prepare(void *context)
{
    struct trial *trial = context;
    const struct bench *bench = trial->bench;
    size_t words = answer_words(trial->variant, bench->n, trial->question.row, trial->question.gap);
    if (on_cpu(trial)) {
        memset(&trial->host_out, POISON_BYTE, sizeof(float));
        return;
    }
    if (on_many(trial)) {
        poison_outputs(&bench->gpus);
        return;
    }
    if (trial->variant->flags & OVERWRITES_INPUT)
        CUDA_CHECK(cudaMemcpyAsync(bench->buffers.work, bench->buffers.input,
                                   bench->n * sizeof(float), cudaMemcpyDeviceToDevice,
                                   bench->stream));
    CUDA_CHECK(
        cudaMemsetAsync(bench->buffers.out, POISON_BYTE, words * sizeof(float), bench->stream));
}

/* Each run, for timing.c, too. */
static void launch(void *context)
{
    struct trial *trial = context;
    trial->variant->launch(&trial->question.sum); /* in its own file, as all kernels are */
    if (on_many(trial))
        return_to_first(&trial->bench->gpus);
}

static struct job job_of(struct trial *trial)
{
    return (struct job){prepare, launch, trial, on_many(trial) ? &trial->bench->gpus : NULL};
}

/* Waits for the answer of another question than a sum, and judges it. */
static struct verdict judge_task(const struct trial *trial)
{
    const struct bench *bench = trial->bench;
    const struct question *asked = &trial->question;
    size_t bytes = answer_words(trial->variant, bench->n, asked->row, asked->gap) * sizeof(float);
    struct verdict verdict = {.ok = true};
    float *out = malloc(bytes > 0 ? bytes : 1);
    if (out == NULL)
        exit(complain(STATUS_USAGE, "no memory for %zu bytes of answer: take a smaller -n", bytes));
    CUDA_CHECK(cudaStreamSynchronize(bench->stream));
    CUDA_CHECK(cudaMemcpy(out, bench->buffers.out, bytes, cudaMemcpyDeviceToHost));
    const struct answer answer = {.in = bench->data,
                                  .n = bench->n,
                                  .row = asked->row,
                                  .gap = asked->gap,
                                  .offsets = trial->offsets,
                                  .task = trial->variant->task,
                                  .out = out,
                                  .block = asked->sum.block,
                                  .depth = asked->sum.depth};
    trial->variant->task->check(&answer, &verdict);
    free(out);
    return verdict;
}

/* Waits for the sums of all GPUs, and judges them: they must be the same, bit for bit. */
static struct verdict judge_gpus(const struct trial *trial)
{
    const struct bench *bench = trial->bench;
    struct verdict verdict = {.ok = true};
    float first = 0, sum;
    for (unsigned g = 0; verdict.ok && g < bench->gpus.count; g++) {
        const struct share *share = &bench->gpus.shares[g];
        CUDA_CHECK(cudaStreamSynchronize(share->stream));
        CUDA_CHECK(cudaMemcpy(&sum, share->out, sizeof sum, cudaMemcpyDeviceToHost));
        if (g == 0)
            first = sum;
        verdict = check_sum(sum, &bench->exact, trial->question.sum.depth);
        if (verdict.ok && memcmp(&sum, &first, sizeof sum) != 0) {
            verdict.ok = false;
            snprintf(verdict.reason, sizeof verdict.reason, "GPU %u has %.9g, GPU 0 has %.9g", g,
                     (double)sum, (double)first);
        }
    }
    return verdict;
}

/* Waits for the sum, and judges it. */
static struct verdict judge_sum(const struct trial *trial)
{
    if (trial->variant->task != NULL)
        return judge_task(trial);
    if (on_many(trial))
        return judge_gpus(trial);
    enum element element = trial->variant->element;
    char sum[sizeof(double)];
    memcpy(sum, &trial->host_out, sizeof trial->host_out);
    if (!on_cpu(trial)) {
        CUDA_CHECK(cudaStreamSynchronize(trial->bench->stream));
        CUDA_CHECK(cudaMemcpy(sum, trial->bench->buffers.out, element_sum_bytes(element),
                              cudaMemcpyDeviceToHost));
    }
    return check_element_sum(element, sum, &trial->bench->exact, trial->question.sum.depth);
}

static struct verdict judge(const struct trial *trial)
{
    struct verdict verdict = judge_sum(trial);
    const char *(*why_wrong)(const struct sum *) = trial->variant->why_wrong;
    const char *why = verdict.ok || why_wrong == NULL ? NULL : why_wrong(&trial->question.sum);
    if (why != NULL)
        snprintf(verdict.reason, sizeof verdict.reason, "%s", why);
    return verdict;
}

/* Microseconds in which a plain read, or for an answer of many words a plain copy, moves as many
   bytes; 0 where that was not measured. */
static double roof_of(const struct bench *bench, const struct result *result, bool graph)
{
    const struct result *roof = result->written >= bench->n / 4 ? &bench->copy : &bench->read;
    double time = graph ? roof->graph.time.median : roof->plain.time.median;
    if (result->variant->task == NULL)
        return graph ? bench->read.graph.time.median : bench->read.plain.time.median;
    return roof->n == 0 ? 0 : time * bytes_needed(result) / bytes_needed(roof);
}

static void time_plain(struct trial *trial, struct result *result)
{
    const struct bench *bench = trial->bench;
    const struct job job = job_of(trial);
    size_t repeat = bench->options->repeat;
    if (on_cpu(trial)) {
        result->plain.time = time_on_cpu(&job, repeat);
    } else {
        result->plain.time = time_on_gpu(&job, bench->stream, !bench->options->warm, repeat);
        result->plain.roof = roof_of(bench, result, false);
    }
    if (result->checked) {
        struct verdict last = judge(trial);
        if (!last.ok)
            result->plain.verdict = last;
    }
}

static bool goes_in_graph(const struct trial *trial)
{
    return trial->bench->n <= LARGEST_IN_GRAPH &&
           !(trial->variant->flags & (ON_CPU | NOT_IN_GRAPH));
}

/* A variant that overwrites its input sums, from the second time in the graph on, what the
   one before left: the accesses are the same, but the last sum means nothing. */
static void time_in_graph(struct trial *trial, struct result *result)
{
    const struct bench *bench = trial->bench;
    const struct job job = job_of(trial);
    cudaGraphExec_t graph = capture_graph(&job, bench->stream);
    if (result->checked && !(trial->variant->flags & OVERWRITES_INPUT)) {
        prepare(trial);
        CUDA_CHECK(cudaGraphLaunch(graph, bench->stream));
        result->graph.verdict = judge(trial);
    }
    result->graph.time = time_graph(&job, graph, bench->stream, bench->options->repeat);
    result->graph.roof = roof_of(bench, result, true);
    CUDA_CHECK(cudaGraphExecDestroy(graph));
}

void measure_variant(const struct bench *bench, const struct variant *variant, size_t row,
                     struct result *result)
{
    struct trial trial = {.bench = bench, .variant = variant};
    struct sum *sum = &trial.question.sum;
    *result = (struct result){.variant = variant, .n = bench->n, .row = row};
    result->written = written_words(bench, variant, row);
    if (takes_gap(variant))
        result->in_gaps = rows_in(bench->n, row, bench->options->gap) * bench->options->gap;
    result->checked = !(variant->flags & ROOF);
    result->plain.verdict.ok = result->graph.verdict.ok = true;

    CUDA_CHECK(cudaMemset(bench->buffers.scratch, POISON_BYTE, bench->buffers.scratch_bytes));
    ask(&trial, row);
    prepare(&trial);
    counters_start();
    launch(&trial);
    if (result->checked)
        result->plain.verdict = result->graph.verdict = judge(&trial);
    if (!on_cpu(&trial))
        counters_stop(&result->counters, bench->options->counters);
    result->grid = sum->grid; /* 0 where a library or a copy chooses for itself ... */
    result->block = sum->grid > 0 ? sum->block : 0; /* ... the block too */

    if (bench->timed && result_ok(result)) { /* the time of a wrong sum says nothing */
        time_plain(&trial, result);
        if (goes_in_graph(&trial))
            time_in_graph(&trial, result);
    }
    close_offsets(&trial);
}

void measure_roofs(struct bench *bench, bool copy)
{
    static struct variant read = {.name = "read", .launch = launch_read, .flags = ROOF};
    static const struct variant copy_floats = {
        .name = "copy", .launch = launch_copy_floats, .flags = ROOF | COPIES};
    read.element = bench->element;
    bench->read = bench->copy = (struct result){0};
    measure_variant(bench, &read, 0, &bench->read);
    if (copy)
        measure_variant(bench, &copy_floats, 0, &bench->copy);
}
