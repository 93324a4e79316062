/*
 * runner.c: the program of a submission to a course: calls the function of the exercise when the
 * grader asks (program.py), over a socket that is descriptor CHANNEL. Of each call it takes the
 * values of all arguments, and gives what the arrays hold afterwards and what the simulator
 * counted.
 */
#include "runner/runner.h"
#include "copies.h"

#include <cuda_runtime_api.h>
#include <simt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Made from the exercise's call = "...": calls that function. values[i] points to argument i, or is
   the array; the last is where the function's own value goes. */
void course_call(void **values);
const char *count_name(enum count what); /* judge/counts.c */

enum { MOST_ARGUMENTS = 32 };
enum kind { SCALAR, IN, OUT, RESULT };

/* As program.py packs them. The nonce comes back: who writes to the channel without having read it
   is no runner. */
struct call {
    uint64_t nonce, schedule;
    uint32_t arguments, how; /* bits of enum how */
};
enum how { COUNT_REQUESTS = 1, NO_KERNELS = 2 };
struct argument {
    uint32_t kind, on_host;
    uint64_t bytes;
};
struct answer {
    uint64_t nonce;
    double copied_to_host, counts[COUNTS];
    char problem[256];
};

static struct argument arguments[MOST_ARGUMENTS];
static void *sent[MOST_ARGUMENTS], *held[MOST_ARGUMENTS];
static uint64_t sums[MOST_ARGUMENTS]; /* checksums of what was sent */

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
            exit(1); /* the grader is gone */
        next += given, bytes -= (size_t)given;
    }
}

static void *room(size_t bytes)
{
    void *memory = calloc(bytes + 1, 1);
    if (memory == NULL) {
        perror("practice: no memory");
        exit(1);
    }
    return memory;
}

static bool is_array(const struct argument *a)
{
    return a->kind == IN || a->kind == OUT;
}

/* An array of exactly its size: what lies beyond is an error. */
static bool place(size_t i)
{
    const struct argument *a = &arguments[i];
    held[i] = NULL;
    if (!is_array(a)) {
        held[i] = room(a->bytes);
        memcpy(held[i], sent[i], a->bytes);
    } else if (a->on_host) {
        held[i] = malloc(a->bytes);
        memcpy(held[i], sent[i], a->bytes);
    } else {
        if (cudaMalloc(&held[i], a->bytes > 0 ? a->bytes : 1) != cudaSuccess)
            return false;
        cudaMemcpy(held[i], sent[i], a->bytes, cudaMemcpyHostToDevice);
    }
    sums[i] = sum_of_bytes(sent[i], a->bytes);
    memset(sent[i], 0, a->bytes); /* the host is not to find there what is the device's */
    return true;
}

/* What an array holds now, and no more of it. */
static void *fetch(size_t i)
{
    const struct argument *a = &arguments[i];
    void *now = room(a->bytes);
    if (!is_array(a) || a->on_host)
        memcpy(now, held[i], a->bytes);
    else
        cudaMemcpy(now, held[i], a->bytes, cudaMemcpyDeviceToHost);
    if (is_array(a) && !a->on_host)
        cudaFree(held[i]);
    else
        free(held[i]);
    return now;
}

static void run(const struct call *call, struct answer *answer)
{
    char *problem = answer->problem;
    bool placed = true;
    for (size_t i = 0; i < call->arguments; i++)
        placed = place(i) && placed;
    if (!placed) {
        snprintf(problem, sizeof answer->problem, "no device memory for the arrays");
        return;
    }
    count_from_here(call->how & COUNT_REQUESTS, call->schedule, 0);
    simt_run_kernels(!(call->how & NO_KERNELS));
    simt_last_block_first(call->schedule % 2 == 1);
    copied_to_host = 0;
    course_call(held);
    answer->copied_to_host = copied_to_host;
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess)
        error = cudaDeviceSynchronize();
    counted(0, answer->counts); /* no share of n is asked for */
    for (size_t i = 0; i < simt_launch_count(); i++)
        answer->copied_to_host += (double)simt_launch(i)->host_store_bytes;
    if (error != cudaSuccess)
        snprintf(problem, sizeof answer->problem, "CUDA refuses a call: %s",
                 cudaGetErrorString(error));
}

/* Whether the file can be called at all, and what the counts are called: a line each, and an empty
   one. */
static void begin(void)
{
    for (enum count what = 0; what < COUNTS; what++) {
        const char *name = count_name(what) ? count_name(what) : "-"; /* the judge's own */
        write_all(name, strlen(name));
        write_all("\n", 1);
    }
    write_all("\n", 1);
}

int main(void)
{
    struct call call;
    begin();
    while (read_all(&call, sizeof call) && call.arguments <= MOST_ARGUMENTS) {
        struct answer answer = {.nonce = call.nonce};
        for (size_t i = 0; i < call.arguments; i++) {
            if (!read_all(&arguments[i], sizeof *arguments))
                return 1;
            sent[i] = room(arguments[i].bytes);
            if (!read_all(sent[i], arguments[i].bytes))
                return 1;
        }
        run(&call, &answer);
        fflush(stdout);
        for (size_t i = 0; i < call.arguments; i++) {
            void *now = answer.problem[0] ? NULL : fetch(i);
            if (now && arguments[i].kind == IN && sum_of_bytes(now, arguments[i].bytes) != sums[i])
                snprintf(answer.problem, sizeof answer.problem,
                         "argument %zu was overwritten: it is only to be read", i + 1);
            free(sent[i]);
            sent[i] = now;
        }
        write_all(&answer, sizeof answer);
        for (size_t i = 0; i < call.arguments; i++) {
            if (!answer.problem[0] && (arguments[i].kind == OUT || arguments[i].kind == RESULT))
                write_all(sent[i], arguments[i].bytes);
            free(sent[i]);
        }
    }
    return 0;
}
