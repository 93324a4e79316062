/*
 * positions.cu: what the simulator counts at each position of the figures that a reader moves
 * (tools/book/interaction.js). Prints a line for each: the figure and its position, a tab, the
 * counts.
 */
#include "../../simulator/simt.h"
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WARP = 32, BLOCK = 256, ELEMENTS = 1 << 16, WORDS = 33 * WARP };

/* One load of each lane, stride bytes apart; a warp's next request follows its first. */
template <typename T> static __global__ void load(const char *in, unsigned stride, unsigned requests, T *out) {
    for (unsigned k = 0; k < requests; k++) out[threadIdx.x] = *(const T *)(in + (k * WARP + threadIdx.x) * stride);
}

static __global__ void load_shared(unsigned stride, float *out) {
    __shared__ float words[WORDS];
    for (unsigned k = threadIdx.x; k < WORDS; k += WARP) words[k] = k;
    __syncthreads();
    out[threadIdx.x] = words[threadIdx.x * stride];
}

/* A round of step 01's tree by v0 or v1; worked has a place for each thread. */
static __global__ void tree_round(int v, float *data, unsigned stride, bool *worked) {
    unsigned tid = threadIdx.x, index = v == 0 ? tid : 2 * stride * tid;
    if (index % (2 * stride) == 0 && index + stride < BLOCK) {
        data[index] += data[index + stride];
        worked[tid] = true;
    }
}

static __global__ void shuffle(unsigned delta, int *out) {
    out[threadIdx.x] = __shfl_down_sync(0xffffffff, (int)threadIdx.x, delta);
}

/* What a thread of step 03 loads before its block's tree, which is a barrier here. */
static __global__ void load_many(const float *in, unsigned loads, float *out) {
    size_t begin = (size_t)blockIdx.x * BLOCK * loads + threadIdx.x;
    float sum = 0.0f;
    for (unsigned k = 0; k < loads; k++) sum += begin + k * BLOCK < ELEMENTS ? in[begin + k * BLOCK] : 0.0f;
    __syncthreads();
    out[blockIdx.x * BLOCK + threadIdx.x] = sum;
}

/* The counts of what is launched. */
template <typename F> static const struct simt_counts *counted(F launch) {
    simt_launches_clear();
    launch();
    if (cudaDeviceSynchronize() != cudaSuccess || simt_launch_count() != 1) exit(1);
    return simt_launch(0);
}

static char *memory; /* of the device: 8 * ELEMENTS bytes, zero; what is written goes to the end */
static float *written;

template <typename T> static void wide(unsigned offset) {
    const unsigned width = sizeof(T);
    int status;
    fflush(stdout);
    if (fork() == 0) { /* a misaligned load ends it, with a message */
        const struct simt_counts *c =
            counted([&] { load<<<1, WARP>>>(memory + offset, width, 512 / (WARP * width), (T *)written); });
        printf("wide %u %u\t%lu %lu\n", width, offset, c->gld_requests, c->gld_sectors);
        exit(0);
    }
    wait(&status);
    if (status != 0) printf("wide %u %u\tfails\n", width, offset);
}

int main(void) {
    simt_count_requests(true);
    cudaMalloc((void **)&memory, 8 * ELEMENTS);
    cudaMemset(memory, 0, 8 * ELEMENTS);
    written = (float *)(memory + 4 * ELEMENTS);
    for (unsigned stride = 1; stride <= 32; stride++)
        for (unsigned offset = 0; offset < 32; offset++)
            printf("sectors %u %u\t%lu\n", stride, offset,
                   counted([&] { load<<<1, WARP>>>(memory + 4 * offset, 4 * stride, 1, written); })->gld_sectors);
    for (unsigned offset = 0; offset <= 32; offset += 4) {
        wide<float>(offset);
        wide<float2>(offset);
        wide<float4>(offset);
    }
    for (unsigned stride = 0; stride <= 33; stride++)
        printf("banks %u\t%lu\n", stride,
               counted([&] { load_shared<<<1, WARP>>>(stride, written); })->shared_ld_wavefronts);
    for (unsigned stride = 1; stride < BLOCK; stride *= 2)
        for (int v = 0; v < 2; v++) {
            bool worked[BLOCK];
            cudaMemset(written, 0, BLOCK);
            printf(
                "work v%d %u\t%lu ", v, stride,
                counted([&] { tree_round<<<1, BLOCK>>>(v, (float *)memory, stride, (bool *)written); })->gld_requests);
            cudaMemcpy(worked, written, BLOCK, cudaMemcpyDeviceToHost);
            for (bool one : worked) putchar('0' + one);
            putchar('\n');
        }
    for (unsigned delta = 0; delta < WARP; delta++) {
        int from[WARP];
        printf("shuffle %u\t%lu", delta, counted([&] { shuffle<<<1, WARP>>>(delta, (int *)written); })->shuffles);
        cudaMemcpy(from, written, sizeof from, cudaMemcpyDeviceToHost);
        for (int lane : from) printf(" %d", lane);
        putchar('\n');
    }
    for (unsigned count = 1; count <= 16; count++) {
        unsigned share = BLOCK * count;
        const struct simt_counts *c =
            counted([&] { load_many<<<(ELEMENTS + share - 1) / share, BLOCK>>>((float *)memory, count, written); });
        printf("loads %u\t%lu %lu\n", count, c->busiest_load_bytes, c->barriers);
    }
    return 0;
}
