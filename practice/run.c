/* run.c: one call of launch(), with what lies around it. */
#include "practice.h"

#include "check.h" /* POISON_BYTE */

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* SplitMix64: G. L. Steele, D. Lea and C. H. Flood, "Fast splittable pseudorandom number
   generators", OOPSLA 2014. */
uint64_t draw(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

void draw_data(float *x, size_t n, uint64_t seed)
{
    for (size_t i = 0; i < n; i++) {
        int value = (int)(draw(&seed) % 16) - 8;
        x[i] = (float)(value >= 0 ? value + 1 : value);
    }
}

size_t share_of(const struct run *run)
{
    if (run->gpus > 0)
        return run->gpus;
    unsigned per_thread = run->criteria->per_thread;
    return (size_t)run->block * (per_thread == 0 ? 1 : per_thread);
}

size_t words_of(const struct run *run)
{
    return run->criteria->reference->words(run->n, share_of(run));
}

size_t all_words_of(const struct run *run)
{
    return words_of(run) * (run->gpus > 0 ? run->gpus : 1);
}

const char *run_launch(const struct run *run, const float *in, float *out)
{
    static char problem[256];
    size_t bytes = run->n * sizeof(float), words = words_of(run);
    /* With nothing to sum, in points behind all memory that is there: reading it is an error. */
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
    cudaMemcpy(memory + before, in, bytes, cudaMemcpyHostToDevice);
    cudaMemset(device_out, POISON_BYTE, (words + 1) * sizeof(float));

    use_schedule(run->schedule);
    launch(memory + before, device_out, run->n, run->block);
    error = cudaGetLastError();
    if (error == cudaSuccess)
        error = cudaDeviceSynchronize();
    if (error != cudaSuccess) {
        snprintf(problem, sizeof problem, "CUDA refuses the launch: %s", cudaGetErrorString(error));
        return problem;
    }
    cudaMemcpy(out, device_out, words * sizeof(float), cudaMemcpyDeviceToHost);
    float *after = malloc(bytes + 1);
    cudaMemcpy(after, memory + before, bytes, cudaMemcpyDeviceToHost);
    bool changed = memcmp(after, in, bytes) != 0;
    free(after);
    cudaFree(memory);
    cudaFree(device_out);
    return changed && !run->criteria->eats_input ? "in[] was overwritten: it is only to be read"
                                                 : NULL;
}
