/*
 * runner.c: the program of an exercise: calls its function when the judge asks
 * (practice/judge/program.py), over a socket that is descriptor CHANNEL. Of each call it takes the
 * values of all arguments, and gives what the arrays hold afterwards and what the simulator
 * counted.
 */
#include "runner.h"

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef SIMT_SIMULATOR
#include "simt.h"
#else
#include "gpus.h"
#endif

double copied_to_host; /* copies.c counts it */

/* Of an exercise without call = "..."; program.py's takes its place. */
__attribute__((weak)) void course_call(void **values)
{
    launch(values[0], values[1], *(size_t *)values[2], *(unsigned *)values[3]);
}

enum { MOST_ARGUMENTS = 32 };

static struct argument arguments[MOST_ARGUMENTS];
static void *sent[MOST_ARGUMENTS], *held[MOST_ARGUMENTS];
static uint64_t sums[MOST_ARGUMENTS]; /* checksums of what was sent */
/* Device memory of the call before, where that said KEEP. */
static struct {
    void *memory;
    uint64_t bytes, offset;
} kept[MOST_ARGUMENTS];

static bool read_all(void *to, size_t bytes)
{
    for (char *next = to; bytes > 0;) {
        ssize_t got = read(CHANNEL, next, bytes);
        if (got <= 0)
            return false;
        next += got, bytes -= (size_t)got;
    }
    return true;
}

static void write_all(const void *from, size_t bytes)
{
    for (const char *next = from; bytes > 0;) {
        ssize_t given = write(CHANNEL, next, bytes);
        if (given <= 0)
            exit(1); /* the judge is gone */
        next += given, bytes -= (size_t)given;
    }
}

void *room(size_t bytes)
{
    void *memory = calloc(bytes + 1, 1);
    if (memory == NULL) {
        perror("practice: no memory");
        exit(1);
    }
    return memory;
}

uint64_t sum_of_bytes(const void *from, size_t bytes)
{
    uint64_t sum = 0xcbf29ce484222325;
    for (size_t i = 0; i < bytes; i++)
        sum = (sum ^ ((const unsigned char *)from)[i]) * 0x100000001b3;
    return sum;
}

static bool is_array(const struct argument *a)
{
    return a->kind == IN || a->kind == OUT;
}

static void forget_kept(size_t i)
{
    if (kept[i].memory)
        cudaFree(kept[i].memory);
    kept[i].memory = NULL;
}

/* Exactly its size: what lies beyond is an error. */
static bool place_on_device(size_t i)
{
    const struct argument *a = &arguments[i];
    size_t hole = a->hole > 0 ? 4 * (a->hole - 1) : a->bytes, after = a->hole > 0 ? hole + 4 : hole;
    char *memory = kept[i].memory;
    if (a->hole > 0 || kept[i].bytes != a->bytes || kept[i].offset != a->offset) {
        forget_kept(i);
        memory = NULL;
    }
    kept[i].memory = NULL;
    if (!memory && cudaMalloc((void **)&memory,
                              a->bytes + a->offset > 0 ? a->bytes + a->offset : 1) != cudaSuccess)
        return false;
    held[i] = memory + a->offset;
    if (a->bytes > 0) {
        cudaMemcpy(held[i], sent[i], hole, cudaMemcpyHostToDevice);
        cudaMemcpy((char *)held[i] + after, (char *)sent[i] + after, a->bytes - after,
                   cudaMemcpyHostToDevice);
    }
    return true;
}

static bool place(size_t i)
{
    const struct argument *a = &arguments[i];
    bool placed = true;
    held[i] = NULL;
    sums[i] = sum_of_bytes(sent[i], a->bytes);
    if (is_array(a) && !a->on_host) {
        placed = place_on_device(i);
    } else {
        held[i] = is_array(a) ? malloc(a->bytes) : room(a->bytes);
        memcpy(held[i], sent[i], a->bytes);
    }
    memset(sent[i], 0, a->bytes); /* the host is not to find there what is the device's */
    return placed;
}

/* What an array holds now, and no more of it. */
static void *fetch(size_t i, bool keep)
{
    const struct argument *a = &arguments[i];
    void *now = room(a->bytes);
    if (!is_array(a) || a->on_host) {
        memcpy(now, held[i], a->bytes);
        free(held[i]);
        return now;
    }
    if (a->bytes > 0 && !a->hole)
        cudaMemcpy(now, held[i], a->bytes, cudaMemcpyDeviceToHost);
    kept[i].memory = (char *)held[i] - a->offset;
    kept[i].bytes = a->bytes, kept[i].offset = a->offset;
    if (!keep)
        forget_kept(i);
    return now;
}

static void begin_call(const struct call *call)
{
    count_from_here(call);
#ifdef SIMT_SIMULATOR
    simt_run_kernels(!(call->how & NO_KERNELS));
    simt_last_block_first(call->how & LAST_BLOCK_FIRST);
#endif
    forget_refused();
    limit_call();
    copied_to_host = 0;
    watch_host();
}

static cudaError_t end_call(void)
{
    cudaError_t error = cudaGetLastError();
    return error == cudaSuccess ? cudaDeviceSynchronize() : error;
}

static void run(const struct call *call, struct answer *answer)
{
    bool placed = true;
    for (size_t i = 0; i < call->arguments; i++)
        placed = place(i) && placed;
    if (!placed) {
        snprintf(answer->problem, sizeof answer->problem, "no device memory for the arrays");
        return;
    }
    size_t floats = arguments[0].bytes / sizeof(float);
    begin_call(call);
    long before = live_allocations();
    course_call(held);
    cudaError_t error = end_call();
    answer->copied_to_host = copied_to_host + stored_for_host();
    for (size_t i = 0; i < call->arguments; i++)
        if (arguments[i].kind == OUT && !arguments[i].on_host && error == cudaSuccess)
            see_out(call, held[i], arguments[i].bytes / sizeof(float));
    counted(floats, answer->counts);
    answer->counts[ALLOCATIONS] = (double)(live_allocations() - before);
    if (error != cudaSuccess) {
        snprintf(answer->problem, sizeof answer->problem, "CUDA refuses %s: %s",
                 launch ? "the launch" : "a call", cudaGetErrorString(error));
        snprintf(answer->place, sizeof answer->place, "%s", refused_at());
    }
}

/* in, out, n, block, as launch() has them. */
static void run_gpus(const struct call *call, struct answer *answer)
{
    size_t n = arguments[0].bytes / sizeof(float),
           words = arguments[1].bytes / sizeof(float) / call->gpus;
    begin_call(call);
    const char *problem = run_on_gpus(call, sent[0], n, *(unsigned *)sent[3], sent[1], words);
    counted(n, answer->counts);
    if (problem) {
        snprintf(answer->problem, sizeof answer->problem, "%s", problem);
        snprintf(answer->place, sizeof answer->place, "%s", refused_at());
    }
}

static void give_answers(const struct call *call, struct answer *answer)
{
    if (call->how & ALL_GPUS) {
#ifdef SIMT_SIMULATOR
        simt_gpus(MOST_GPUS);
#else
        prepare_for_gpus(&(struct options){.gpus = MOST_GPUS});
#endif
    }
    answer->counts[0] = gpus_there();
    answer->counts[1] = &seed && answers;
    answer->counts[2] = &seed ? seed : 0;
    for (unsigned q = 0; answers && q < call->kernel_words; q++)
        answer->counts[3 + q] = answers[q];
}

/* What the counts are called: a line each, and an empty one. */
static void begin(void)
{
    for (enum count what = 0; what < COUNTS; what++) {
        write_all(count_names[what], strlen(count_names[what]));
        write_all("\n", 1);
    }
    write_all("\n", 1);
}

static bool take_arguments(const struct call *call)
{
    for (size_t i = 0; i < call->arguments; i++) {
        if (!read_all(&arguments[i], sizeof *arguments))
            return false;
        sent[i] = room(arguments[i].bytes);
        if (!read_all(sent[i], arguments[i].bytes))
            return false;
    }
    return true;
}

int main(void)
{
    struct call call;
    if (write(CHANNEL, "", 0) != 0) {
        fprintf(stderr, "practice: an exercise cannot run alone: practice/run check runs it\n");
        return 2;
    }
    begin();
    for (; read_all(&call, sizeof call) && call.arguments <= MOST_ARGUMENTS;) {
        struct answer answer = {.nonce = call.nonce};
        bool on_gpus = call.gpus > 0;
        if (!take_arguments(&call))
            return 1;
        if (call.how & ANSWERS)
            give_answers(&call, &answer);
#ifndef SIMT_SIMULATOR /* which measures no time */
        else if (call.how & TIME)
            take_times(sent[0], *(size_t *)sent[2], *(unsigned *)sent[3],
                       arguments[1].bytes / sizeof(float), sent[4], answer.counts);
#endif
        else
            (on_gpus ? run_gpus : run)(&call, &answer);
        fflush(stdout);
        bool ran = !(call.how & (ANSWERS | TIME)) && !on_gpus;
        for (size_t i = 0; i < call.arguments && ran; i++) {
            void *now = answer.problem[0] ? NULL : fetch(i, call.how & KEEP);
            if (now && arguments[i].kind == IN && !arguments[i].hole && !(call.how & OVERWRITES) &&
                sum_of_bytes(now, arguments[i].bytes) != sums[i])
                snprintf(answer.problem, sizeof answer.problem,
                         "argument %zu was overwritten: it is only to be read", i + 1);
            free(sent[i]);
            sent[i] = now;
        }
        write_all(&answer, sizeof answer);
        for (size_t i = 0; i < call.arguments; i++) {
            if (!answer.problem[0] && (arguments[i].kind == OUT || arguments[i].kind == RESULT) &&
                !(call.how & TIME))
                write_all(sent[i], arguments[i].bytes);
            free(sent[i]);
        }
    }
    return 0;
}
