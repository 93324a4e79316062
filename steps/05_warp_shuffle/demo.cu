/*
 * What __shfl_down_sync reads, lane by lane (source 004): one block of 32, 64 and 35 threads,
 * arr[i] = i + 1, and each thread asks for the value of the lane 16 above its own.
 */
#include "cuda_errors.h"
#include <stdio.h>

#define OFFSET       16
#define MOST_THREADS 64

/* got[i] is what thread i read; shuffled[i] is 0 if it had no lane to read from. */
static __global__ void read_down(const float *arr, float *got, int *shuffled)
{
    unsigned tid = threadIdx.x, lane = tid % 32, first = tid - lane;
    float value = arr[tid];

    /* The last warp may have fewer than 32 lanes: a mask must name those and no other. */
    unsigned lanes = blockDim.x - first < 32 ? blockDim.x - first : 32;
    unsigned exist = 0xffffffff >> (32 - lanes);

    /* To read beyond the warp's 32 lanes is defined: the reader keeps its own value. To read one of
       the 32 that does not exist is not, so such a reader must not shuffle at all. */
    bool defined = lane + OFFSET >= 32 || lane + OFFSET < lanes;
    unsigned mask = __ballot_sync(exist, defined); /* all lanes learn which are in */
    shuffled[tid] = defined;
    if (defined)
        got[tid] = __shfl_down_sync(mask, value, OFFSET);
}

static void print_row(const char *label, unsigned begin, unsigned end, const float *value,
                      const int *shuffled)
{
    printf("  %-7s", label);
    for (unsigned i = begin; i < end; i++) {
        if (shuffled[i])
            printf("%4g", value[i]);
        else
            printf("   ?");
    }
    printf("\n");
}

static void print_warp(unsigned begin, unsigned end, const float *arr, const float *got,
                       const int *shuffled)
{
    float number[MOST_THREADS];
    int always[MOST_THREADS];
    for (unsigned i = begin; i < end; i++) {
        number[i] = (float)i;
        always[i] = 1;
    }

    printf("warp %u, %u lane%s\n", begin / 32, end - begin, end - begin == 1 ? "" : "s");
    for (unsigned half = begin; half < end; half += 16) {
        unsigned stop = half + 16 < end ? half + 16 : end;
        print_row("thread", half, stop, number, always);
        print_row("has", half, stop, arr, always);
        print_row("reads", half, stop, got, shuffled);
    }
    for (unsigned i = begin; i < end; i++)
        if (!shuffled[i])
            printf("  thread %u: undefined: lane %u of warp %u does not exist\n", i,
                   i % 32 + OFFSET, i / 32);
}

/* Returns how many threads read something else than the rule says. */
static int count_wrong(unsigned threads, const float *arr, const float *got, const int *shuffled)
{
    int wrong = 0;
    for (unsigned i = 0; i < threads; i++) {
        unsigned from = i % 32 + OFFSET < 32 ? i + OFFSET : i;
        if (shuffled[i] != (from < threads) || (from < threads && got[i] != arr[from]))
            wrong++;
    }
    return wrong;
}

extern "C" int shuffle_demo(void)
{
    const unsigned sizes[] = {32, 64, 35};
    float arr[MOST_THREADS], got[MOST_THREADS], *device_arr, *device_got;
    int shuffled[MOST_THREADS], *device_shuffled, wrong = 0;

    for (unsigned i = 0; i < MOST_THREADS; i++)
        arr[i] = (float)(i + 1);
    CUDA_CHECK(cudaMalloc(&device_arr, sizeof arr));
    CUDA_CHECK(cudaMalloc(&device_got, sizeof got));
    CUDA_CHECK(cudaMalloc(&device_shuffled, sizeof shuffled));
    CUDA_CHECK(cudaMemcpy(device_arr, arr, sizeof arr, cudaMemcpyHostToDevice));

    for (unsigned k = 0; k < 3; k++) {
        unsigned threads = sizes[k];
        CUDA_CHECK(cudaMemset(device_got, 0, sizeof got));
        read_down<<<1, threads>>>(device_arr, device_got, device_shuffled);
        CUDA_CHECK(cudaGetLastError());
        CUDA_CHECK(cudaMemcpy(got, device_got, sizeof got, cudaMemcpyDeviceToHost));
        CUDA_CHECK(
            cudaMemcpy(shuffled, device_shuffled, threads * sizeof(int), cudaMemcpyDeviceToHost));

        printf("%s%u threads, __shfl_down_sync(mask, value, %d)\n", k > 0 ? "\n" : "", threads,
               OFFSET);
        for (unsigned begin = 0; begin < threads; begin += 32)
            print_warp(begin, begin + 32 < threads ? begin + 32 : threads, arr, got, shuffled);
        wrong += count_wrong(threads, arr, got, shuffled);
    }

    CUDA_CHECK(cudaFree(device_arr));
    CUDA_CHECK(cudaFree(device_got));
    CUDA_CHECK(cudaFree(device_shuffled));
    if (wrong > 0)
        fprintf(stderr, "step05: %d threads did not read what __shfl_down_sync promises\n", wrong);
    return wrong > 0 ? 1 : 0;
}
