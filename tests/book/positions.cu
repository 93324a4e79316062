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
template <typename T>
static __global__ void load(const char *in, unsigned stride, unsigned requests, T *out)
{
    for (unsigned k = 0; k < requests; k++)
        out[threadIdx.x] = *(const T *)(in + (k * WARP + threadIdx.x) * stride);
}

static __global__ void load_shared(unsigned stride, float *out)
{
    __shared__ float words[WORDS];
    for (unsigned k = threadIdx.x; k < WORDS; k += WARP)
        words[k] = k;
    __syncthreads();
    out[threadIdx.x] = words[threadIdx.x * stride];
}

/* A round of step 01's tree; worked has a place for each thread. */
static __global__ void round_of_v0(float *data, unsigned stride, bool *worked)
{
    unsigned tid = threadIdx.x;
    if (tid % (2 * stride) == 0 && tid + stride < BLOCK) {
        data[tid] += data[tid + stride];
        worked[tid] = true;
    }
}

static __global__ void round_of_v1(float *data, unsigned stride, bool *worked)
{
    unsigned index = 2 * stride * threadIdx.x;
    if (index + stride < BLOCK) {
        data[index] += data[index + stride];
        worked[threadIdx.x] = true;
    }
}

static __global__ void shuffle(unsigned delta, int *out)
{
    out[threadIdx.x] = __shfl_down_sync(0xffffffff, (int)threadIdx.x, delta);
}

/* What a thread of step 03 loads before its block's tree, which is a barrier here. */
static __global__ void load_many(const float *in, unsigned loads, float *out)
{
    size_t begin = (size_t)blockIdx.x * BLOCK * loads + threadIdx.x;
    float sum = 0.0f;
    for (unsigned k = 0; k < loads; k++)
        sum += begin + k * BLOCK < ELEMENTS ? in[begin + k * BLOCK] : 0.0f;
    __syncthreads();
    out[blockIdx.x * BLOCK + threadIdx.x] = sum;
}

/* The counts of what was launched since the last call. */
static const struct simt_counts *counted(void)
{
    if (cudaDeviceSynchronize() != cudaSuccess || simt_launch_count() != 1)
        exit(1);
    return simt_launch(0);
}

static char *memory; /* of the device: 8 * ELEMENTS bytes, zero; what is written goes to the end */
static char *written;

static void sectors(void)
{
    for (unsigned stride = 1; stride <= 32; stride++)
        for (unsigned offset = 0; offset < 32; offset++) {
            simt_launches_clear();
            load<<<1, WARP>>>(memory + 4 * offset, 4 * stride, 1, (float *)written);
            printf("sectors %u %u\t%llu\n", stride, offset,
                   (unsigned long long)counted()->gld_sectors);
        }
}

template <typename T> static void wide(unsigned offset)
{
    const unsigned width = sizeof(T);
    if (offset % 4 != 0)
        return;
    fflush(stdout);
    if (fork() == 0) { /* a misaligned load ends it, with a message */
        simt_launches_clear();
        load<<<1, WARP>>>(memory + offset, width, 512 / (WARP * width), (T *)written);
        const struct simt_counts *c = counted();
        printf("wide %u %u\t%llu %llu\n", width, offset, (unsigned long long)c->gld_requests,
               (unsigned long long)c->gld_sectors);
        exit(0);
    }
    int status;
    wait(&status);
    if (status != 0)
        printf("wide %u %u\tfails\n", width, offset);
}

static void banks(void)
{
    for (unsigned stride = 0; stride <= 33; stride++) {
        simt_launches_clear();
        load_shared<<<1, WARP>>>(stride, (float *)written);
        printf("banks %u\t%llu\n", stride, (unsigned long long)counted()->shared_ld_wavefronts);
    }
}

static void work(void)
{
    for (unsigned stride = 1; stride < BLOCK; stride *= 2)
        for (int v = 0; v < 2; v++) {
            static bool worked[BLOCK];
            cudaMemset(written, 0, BLOCK);
            simt_launches_clear();
            (v == 0 ? round_of_v0 : round_of_v1)<<<1, BLOCK>>>((float *)memory, stride,
                                                               (bool *)written);
            unsigned long long requests = counted()->gld_requests;
            cudaMemcpy(worked, written, BLOCK, cudaMemcpyDeviceToHost);
            printf("work v%d %u\t%llu ", v, stride, requests);
            for (unsigned t = 0; t < BLOCK; t++)
                putchar('0' + worked[t]);
            putchar('\n');
        }
}

static void shuffles(void)
{
    for (unsigned delta = 0; delta < WARP; delta++) {
        int from[WARP];
        simt_launches_clear();
        shuffle<<<1, WARP>>>(delta, (int *)written);
        printf("shuffle %u\t%llu", delta, (unsigned long long)counted()->shuffles);
        cudaMemcpy(from, written, sizeof from, cudaMemcpyDeviceToHost);
        for (unsigned lane = 0; lane < WARP; lane++)
            printf(" %d", from[lane]);
        putchar('\n');
    }
}

static void loads(void)
{
    for (unsigned count = 1; count <= 16; count++) {
        unsigned share = BLOCK * count;
        simt_launches_clear();
        load_many<<<(ELEMENTS + share - 1) / share, BLOCK>>>((float *)memory, count,
                                                             (float *)written);
        const struct simt_counts *c = counted();
        printf("loads %u\t%llu %llu\n", count, (unsigned long long)c->busiest_load_bytes,
               (unsigned long long)c->barriers);
    }
}

int main(void)
{
    simt_count_requests(true);
    cudaMalloc((void **)&memory, 8 * ELEMENTS);
    cudaMemset(memory, 0, 8 * ELEMENTS);
    written = memory + 4 * ELEMENTS;
    sectors();
    for (unsigned offset = 0; offset <= 32; offset += 4) {
        wide<float>(offset);
        wide<float2>(offset);
        wide<float4>(offset);
    }
    banks();
    work();
    shuffles();
    loads();
    return 0;
}
