/* gpus.c: one call of a launch() for several GPUs: each has a share in its own memory. */
#include "runner.h"

#include "check.h" /* POISON_BYTE */
#include "cuda_errors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct run {
    size_t n, words; /* floats of in[]; words of out[] of each GPU */
    unsigned block, gpus, offset;
    bool vectors;
};

/* Where share g of n floats begins: g + 1 parts for GPU g; share `gpus` begins at n. */
static size_t share_start(size_t n, unsigned gpus, unsigned g)
{
    return n * g * (g + 1) / (gpus * (gpus + 1));
}

static bool reach_each_other(int a, int b)
{
    int there = 1, back = 1;
    if (a != b) {
        CUDA_CHECK(cudaDeviceCanAccessPeer(&there, a, b));
        CUDA_CHECK(cudaDeviceCanAccessPeer(&back, b, a));
    }
    return there && back;
}

unsigned gpus_there(void)
{
    int count, use = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess)
        return 0;
    for (bool all = true; all && use < count && use < MOST_GPUS; use += all)
        for (int other = 0; other < use; other++)
            all = all && reach_each_other(use, other);
    return (unsigned)use;
}

/* All GPUs of this process reach each other's memory from here on. */
static void make_peers(unsigned gpus)
{
    static unsigned made;
    for (unsigned a = 0; a < gpus; a++)
        for (unsigned b = 0; b < gpus; b++)
            if (a != b && (a >= made || b >= made)) {
                CUDA_CHECK(cudaSetDevice((int)a));
                CUDA_CHECK(cudaDeviceEnablePeerAccess((int)b, 0));
            }
    made = gpus > made ? gpus : made;
}

/* What GPU g gets: the numbers in host memory, to be freed, and how many in *n. */
static float *numbers_of(const struct run *run, const float *in, unsigned g, size_t *n)
{
    size_t from = run->vectors ? 0 : share_start(run->n, run->gpus, g);
    *n = run->vectors ? run->n : share_start(run->n, run->gpus, g + 1) - from;
    float *numbers = malloc((*n + 1) * sizeof *numbers);
    for (size_t i = 0; i < *n; i++)
        numbers[i] = in[from + i] * (float)(run->vectors ? g + 1 : 1);
    return numbers;
}

/* With nothing to sum, in points beyond all memory that is there, as in run_launch(). */
static size_t floats_before(const struct run *run, size_t n)
{
    return n == 0 ? 1 : run->offset;
}

/* *given: a checksum of its numbers. */
static struct share open_share(const struct run *run, const float *in, unsigned g, uint64_t *given)
{
    struct share share = {.device = (int)g};
    size_t words = run->words + 1;
    float *numbers = numbers_of(run, in, g, &share.n);
    size_t before = floats_before(run, share.n);
    CUDA_CHECK(cudaSetDevice(share.device));
    CUDA_CHECK(cudaMalloc((void **)&share.in, (before + share.n) * sizeof(float)));
    CUDA_CHECK(cudaMalloc((void **)&share.out, words * sizeof(float)));
    CUDA_CHECK(cudaStreamCreate(&share.stream));
    share.in += before;
    CUDA_CHECK(cudaMemcpy(share.in, numbers, share.n * sizeof(float), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset(share.out, POISON_BYTE, words * sizeof(float)));
    CUDA_CHECK(cudaDeviceSynchronize()); /* before another GPU writes there */
    *given = sum_of_bytes(numbers, share.n * sizeof(float));
    memset(numbers, 0, share.n * sizeof(float)); /* the host is not to find them there */
    free(numbers);
    return share;
}

/* Copies the words of GPU g to out. Returns whether its numbers are what they were. */
static bool close_share(const struct run *run, struct share *share, uint64_t given, float *out)
{
    size_t n = run->vectors ? run->n
                            : share_start(run->n, run->gpus, (unsigned)share->device + 1) -
                                  share_start(run->n, run->gpus, (unsigned)share->device);
    float *now = malloc(n * sizeof(float) + 1);
    CUDA_CHECK(cudaSetDevice(share->device));
    CUDA_CHECK(cudaMemcpy(now, share->in, n * sizeof(float), cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(out, share->out, run->words * sizeof(float), cudaMemcpyDeviceToHost));
    bool same = sum_of_bytes(now, n * sizeof(float)) == given;
    CUDA_CHECK(cudaFree(share->in - floats_before(run, n)));
    CUDA_CHECK(cudaFree(share->out));
    CUDA_CHECK(cudaStreamDestroy(share->stream));
    free(now);
    return same;
}

/* After all GPUs have come to their end. */
static cudaError_t wait_for_gpus(unsigned gpus)
{
    cudaError_t error = cudaGetLastError();
    for (unsigned g = 0; g < gpus; g++) {
        cudaSetDevice((int)g);
        cudaError_t of_gpu = cudaDeviceSynchronize();
        error = error == cudaSuccess ? of_gpu : error;
    }
    return error;
}

const char *run_on_gpus(const struct call *call, float *in, size_t n, unsigned block, float *out,
                        size_t words)
{
    static char problem[256];
    const struct run run = {n, words, block, call->gpus, call->offset, call->how & VECTORS};
    struct share shares[MOST_GPUS] = {0};
    uint64_t given[MOST_GPUS];
    launch_on_gpus *launch_them = (launch_on_gpus *)(void (*)(void))launch;
    bool same = true;
    make_peers(run.gpus);
    for (unsigned g = 0; g < run.gpus; g++)
        shares[g] = open_share(&run, in, g, &given[g]);
    memset(in, 0, n * sizeof *in);
    watch_host();
    launch_them(shares, run.gpus, block);
    cudaError_t error = wait_for_gpus(run.gpus);
    if (error != cudaSuccess) {
        snprintf(problem, sizeof problem, "CUDA refuses the launch: %s", cudaGetErrorString(error));
        return problem;
    }
    for (unsigned g = 0; g < run.gpus; g++)
        see_out(call, shares[g].out, words);
    for (unsigned g = 0; g < run.gpus; g++)
        same = close_share(&run, &shares[g], given[g], out + g * words) && same;
    return same || call->how & OVERWRITES ? NULL : "in[] was overwritten: it is only to be read";
}
