/* run.c: one call of launch(), with what lies around it. */
#include "runner.h"

#include "check.h" /* POISON_BYTE */

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *run_launch(const struct run *run, float *in, float *out)
{
    static char problem[256];
    size_t bytes = run->n * sizeof(float), words = run->words;
    /* With nothing to sum, in points beyond all memory that is there: reading it is an error. */
    size_t before = run->n == 0 ? 1 : run->offset;
    float *memory, *device_out;
    cudaError_t error;

    if (run->gpus > 0)
        return run_on_gpus(run, in, out);
    error = cudaMalloc((void **)&memory, before * sizeof(float) + bytes);
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&device_out, (words + 1) * sizeof(float));
    if (error != cudaSuccess) {
        snprintf(problem, sizeof problem, "no device memory: %s", cudaGetErrorString(error));
        return problem;
    }
    /* One float may be left out, which launch() then must not have read. */
    size_t hole = run->hole > 0 ? run->hole - 1 : run->n,
           after_hole = hole < run->n ? hole + 1 : hole;
    cudaMemcpy(memory + before, in, hole * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(memory + before + after_hole, in + after_hole, (run->n - after_hole) * sizeof(float),
               cudaMemcpyHostToDevice);
    uint64_t given = sum_of_bytes(in, bytes);
    memset(in, 0, bytes); /* the host is not to find them there */
    cudaMemset(device_out, POISON_BYTE, (words + 1) * sizeof(float));

    watch_host();
    launch(memory + before, device_out, run->n, run->block);
    error = cudaGetLastError();
    if (error == cudaSuccess)
        error = cudaDeviceSynchronize();
    if (error != cudaSuccess) {
        snprintf(problem, sizeof problem, "CUDA refuses the launch: %s", cudaGetErrorString(error));
        return problem;
    }
    see_out(device_out, run->kernel_words);
    cudaMemcpy(out, device_out, words * sizeof(float), cudaMemcpyDeviceToHost);
    bool changed = false;
    if (run->hole == 0) {
        float *now = malloc(bytes + 1);
        cudaMemcpy(now, memory + before, bytes, cudaMemcpyDeviceToHost);
        changed = sum_of_bytes(now, bytes) != given;
        free(now);
    }
    cudaFree(memory);
    cudaFree(device_out);
    return changed && !run->overwrites_input ? "in[] was overwritten: it is only to be read" : NULL;
}
