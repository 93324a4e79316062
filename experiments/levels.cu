/*
 * Experiment levels: how far away is each memory, and how much can be read from it?
 *
 * Asks:    latency and bandwidth of shared memory, L1, L2 and device memory, with the size of
 *          each as the device tells it.
 * How:     latency: one thread follows a ring, each element of which holds the index of the next,
 *          one in each 128 bytes, in no order that could be guessed. Nothing to overlap, so the
 *          time of a step is the latency. Bandwidth: whole SMs read floats, 16 bytes at a time,
 *          from an array that fits, over and over.
 * Expect:  (written before the first run; H200)
 *          - Shared memory and L1 are the same memory: 128 bytes a cycle for each SM (CUDA C++
 *            Programming Guide: 32 banks of 4 bytes), 132 SMs, 1.98 GHz: 33 TB/s. Latency of
 *            shared memory 30 cycles, of L1 a few more, since a tag must match.
 *          - L2: twice the bandwidth of device memory at least, or it would not be worth having;
 *            latency 250 cycles. Device memory: the roof of step 00, 4.7 TB/s; latency 800
 *            cycles, 400 ns, which step 06 gives by Little's law.
 * Run:     make levels && ./levels
 * Prints a CSV. The simulator has no clock: there the values are checked, and no more.
 */
#include "device.h"
#include "gpu.h"
#include <stdio.h>

enum { LINE = 32, SMALL = 4096, THREADS = 1024 }; /* floats: 128 bytes, 16 KiB */

struct level {
    const char *name;
    double bytes; /* of one, as the device tells it; 0 if it does not */
    unsigned count;
    unsigned ring;  /* 4-byte words to walk through: a power of two */
    unsigned steps; /* to time; as many as the ring has, first, untimed, if it fits a cache */
    unsigned words; /* to read over and over: for each SM, or for all */
    bool for_each_sm;
    unsigned rounds;
};

/* The next line of the ring: all of them come, once each, before the first comes again. */
static __host__ __device__ unsigned next_line(unsigned line, unsigned lines)
{
    return (line * 1664525u + 1013904223u) % lines;
}

static __global__ void make_ring(unsigned *ring, unsigned lines)
{
    unsigned line = blockIdx.x * blockDim.x + threadIdx.x;
    if (line < lines)
        ring[(size_t)line * LINE] = next_line(line, lines) * LINE;
}

template <bool SHARED>
static __global__ void walk(const unsigned *ring, unsigned untimed, unsigned steps,
                            unsigned *reached, long long *clocks)
{
    __shared__ unsigned copy[SMALL];
    if (SHARED)
        for (unsigned i = 0; i < SMALL; i += LINE)
            copy[i] = ring[i];
    const unsigned *from = SHARED ? copy : ring;
    unsigned at = 0;

    clocks[0] = clock64();
    for (unsigned i = 0; i < untimed; i++)
        at = from[at];
    clocks[1] = clock64();
    for (unsigned i = 0; i < steps; i++)
        at = from[at];
    clocks[2] = clock64();
    *reached = at;
}

/* All elements are 1, so that each thread can tell whether it has read them all. */
template <bool SHARED>
static __global__ void read_often(const float4 *in, unsigned quads, bool for_each_sm,
                                  unsigned rounds, unsigned *wrong)
{
    __shared__ float4 copy[SHARED ? SMALL / 4 : 1];
    unsigned tid = threadIdx.x, step = for_each_sm ? blockDim.x : gridDim.x * blockDim.x;
    unsigned first = for_each_sm ? tid : blockIdx.x * blockDim.x + tid, read = 0;
    const float4 *from = for_each_sm ? in + (size_t)blockIdx.x * quads : in;
    float sum = 0.0f;

    if (SHARED) {
        for (unsigned i = tid; i < SMALL / 4; i += blockDim.x)
            copy[i] = from[i];
        __syncthreads();
        from = copy;
    }
    for (unsigned round = 0; round < rounds; round++) {
#pragma unroll 4
        for (unsigned i = first; i < quads; i += step) {
            /* Another element in each round, or the compiler reads it once and for all. */
            float4 value = from[SHARED ? (i + 32 * round) % (SMALL / 4) : i];
            sum += (value.x + value.y) + (value.z + value.w);
            read++;
        }
    }
    if (sum != 4.0f * (float)read)
        atomicAdd(wrong, 1);
}

static float milliseconds(cudaEvent_t begin, cudaEvent_t end)
{
    float time = 0.0f;
    CUDA_CHECK(cudaEventSynchronize(end));
    CUDA_CHECK(cudaEventElapsedTime(&time, begin, end));
    return time;
}

/* Prints one line. Returns how much was wrong. */
template <bool SHARED> static unsigned measure(const struct level *level, unsigned sms)
{
    size_t words = level->for_each_sm ? (size_t)level->words * sms : level->words;
    unsigned lines = level->ring / LINE, untimed = level->rounds > 8 ? lines : 0, at = 0, *ring, *told;
    unsigned reached[2] = {0, 0};
    long long clocks[3], *device_clocks;
    float4 *in;
    cudaEvent_t begin, end;

    CUDA_CHECK(cudaMalloc(&ring, level->ring * sizeof *ring));
    CUDA_CHECK(cudaMalloc(&in, words * sizeof(float)));
    CUDA_CHECK(cudaMalloc(&told, sizeof reached));
    CUDA_CHECK(cudaMalloc(&device_clocks, sizeof clocks));
    CUDA_CHECK(cudaMemset(told, 0, sizeof reached));
    CUDA_CHECK(cudaEventCreate(&begin));
    CUDA_CHECK(cudaEventCreate(&end));
    make_ring<<<(lines + 255) / 256, 256>>>(ring, lines);
    fill_ones<<<1024, 256>>>((float *)in, words);
    flush_l2(0);
    CUDA_CHECK(cudaEventRecord(begin));
    walk<SHARED><<<1, 1>>>(ring, untimed, level->steps, told, device_clocks);
    CUDA_CHECK(cudaEventRecord(end));
    float walked_ms = milliseconds(begin, end), best_ms = 0.0f;
    for (int run = 0; run < 5; run++) {
        CUDA_CHECK(cudaEventRecord(begin));
        read_often<SHARED><<<level->for_each_sm ? sms : 2 * sms, THREADS>>>(
            in, level->words / 4, level->for_each_sm, level->rounds, told + 1);
        CUDA_CHECK(cudaEventRecord(end));
        float ms = milliseconds(begin, end);
        best_ms = run == 0 || ms < best_ms ? ms : best_ms;
    }
    return 0;
}
