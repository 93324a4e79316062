/*
 * cycles.h: how many cycles an operation of a warp takes, for shuffle_cost.cu and vote_cost.cu.
 * ROUNDS of them, each needing the result of the one before, between two readings of the SM's
 * clock. One warp with one value: latency. 32 warps with 4 values each: rate.
 */
#ifndef CYCLES_H
#define CYCLES_H

#include "cuda_errors.h"
#include "message.h"
#include <stdio.h>
#include <string.h>

/* The simulator takes no times: few rounds are enough to check the values. */
#ifdef SIMT_SIMULATOR
#define ROUNDS 16
#else
#define ROUNDS 256
#endif
enum { MOST_THREADS = 1024, MOST_VALUES = 4 };

#define ALL 0xffffffffu

/* Defined where the compiler makes code that can reduce in one instruction (compute capability
   8.0), for the host or the simulator. */
#ifdef SIMT_SIMULATOR
#define REDUCE_CODE
#elif !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define REDUCE_CODE
#endif

/* Kernel arguments, so that the compiler does not know them and cannot compute ahead. */
struct unknown {
    unsigned zero, one, source; /* 0, 1, a lane */
};

/* One chain of a thread: its value, the one before, and where it meets others. */
struct link {
    unsigned value, before, lane;
    unsigned *mine, *partner, *row; /* its word of shared memory, its neighbour's, the block's */
};

/* What each program has. step(): one round. result(): what is checked, after the last one.
   replay(): one round on the host, of 32 lanes' values and those before. */
template <int OP> static __device__ void step(struct link *l, struct unknown u);
template <int OP> static __device__ unsigned result(const struct link *l);
static void replay(int op, unsigned value[32], const unsigned before[32], unsigned threads);

/* VALUES independent chains in each thread; when the first began and the last ended. */
template <int OP, int VALUES>
static __global__ void chain(unsigned *values, struct unknown u, long long *begin, long long *end)
{
    extern __shared__ unsigned smem[];
    unsigned tid = threadIdx.x, threads = blockDim.x, lost = 0;
    struct link l[VALUES];

#pragma unroll
    for (int k = 0; k < VALUES; k++) {
        unsigned *row = smem + k * threads;
        l[k] = {values[k * threads + tid], 0, tid % 32, row + tid, row + (tid ^ 1), row};
        row[tid] = 0;
        lost |= l[k].value == ALL;
    }
    /* None is; but this barrier needs the values, so they are here when the clock is read. */
    if (__syncthreads_or(lost))
        return;
    long long start = clock64();
#pragma unroll 32
    for (int i = 0; i < ROUNDS; i++) {
#pragma unroll
        for (int k = 0; k < VALUES; k++) {
            unsigned before = l[k].value;
            step<OP>(&l[k], u);
            l[k].before = before;
        }
    }
    long long stop = clock64();
    __syncthreads();
#pragma unroll
    for (int k = 0; k < VALUES; k++)
        values[k * threads + tid] = result<OP>(&l[k]);
    begin[tid] = start;
    end[tid] = stop;
}

/* The same rounds on the host. Returns how many of `count` values differ. */
static int count_wrong(int op, const unsigned *first, const unsigned *last, unsigned count,
                       unsigned threads)
{
    int wrong = 0;
    for (unsigned warp = 0; warp < count; warp += 32) {
        unsigned value[32], before[32] = {0}, now[32];
        memcpy(value, first + warp, sizeof value);
        for (int i = 0; i < ROUNDS; i++) {
            memcpy(now, value, sizeof now);
            replay(op, value, before, threads);
            memcpy(before, now, sizeof before);
        }
        for (unsigned l = 0; l < 32; l++)
            wrong += last[warp + l] != value[l];
    }
    return wrong;
}

/* Runs one block and prints one line. Lane l begins with l % groups, and a number of its warp and
   chain. Returns how many values are wrong. */
template <int OP, int VALUES>
static int measure(const char *name, unsigned threads, unsigned groups)
{
    static unsigned first[MOST_VALUES * MOST_THREADS], last[MOST_VALUES * MOST_THREADS];
    static long long begin[MOST_THREADS], end[MOST_THREADS];
    const struct unknown u = {0, 1, 5};
    unsigned *values, count = threads * VALUES;
    long long *device_begin, *device_end;

    for (unsigned i = 0; i < count; i++)
        first[i] = i / 32 * 32 + i % 32 % groups;
    CUDA_CHECK(cudaMalloc(&values, sizeof last));
    CUDA_CHECK(cudaMalloc(&device_begin, sizeof begin));
    CUDA_CHECK(cudaMalloc(&device_end, sizeof end));
    for (int run = 0; run < 2; run++) { /* the first one fetches the code */
        CUDA_CHECK(cudaMemcpy(values, first, count * sizeof *first, cudaMemcpyHostToDevice));
        chain<OP, VALUES>
            <<<1, threads, count * sizeof *first>>>(values, u, device_begin, device_end);
        CUDA_CHECK(cudaGetLastError());
    }
    CUDA_CHECK(cudaMemcpy(last, values, count * sizeof *last, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(begin, device_begin, threads * sizeof *begin, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(end, device_end, threads * sizeof *end, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(values));
    CUDA_CHECK(cudaFree(device_begin));
    CUDA_CHECK(cudaFree(device_end));

    int wrong = count_wrong(OP, first, last, count, threads);
    long long earliest = begin[0], latest = end[0];
    for (unsigned i = 0; i < threads; i++) {
        earliest = begin[i] < earliest ? begin[i] : earliest;
        latest = end[i] > latest ? end[i] : latest;
    }
    double cycles = (double)(latest - earliest), rounds = ROUNDS;
    printf("%s,%u,%d,%d,", name, threads / 32, VALUES, wrong == 0);
    if (ON_SIMULATOR)
        printf(",,\n");
    else
        printf("%.0f,%.2f,%.4f\n", cycles, cycles / rounds,
               rounds * VALUES * (threads / 32) / cycles);
    return wrong;
}

template <int OP> static int measure_both(const char *name, unsigned groups)
{
    return measure<OP, 1>(name, 32, groups) + measure<OP, MOST_VALUES>(name, MOST_THREADS, groups);
}

/* Prints the CSV's first line. */
static void print_columns(void)
{
    printf("operation,warps,values,ok,cycles,cycles_a_round,per_cycle\n");
}

/* The exit status, from how many values are wrong. */
static int judge(const char *program, int wrong)
{
    if (wrong > 0)
        fprintf(stderr, "%s: %d values are not what they must be\n", program, wrong);
    return wrong > 0 ? 1 : 0;
}

#endif
