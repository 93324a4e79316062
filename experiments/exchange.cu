/*
 * Experiment exchange: what does a shuffle cost?
 *
 * Asks:    Source 002 calls a shuffle an exchange of "zero or nearly zero overhead". How many
 *          cycles until its result can be used (latency), and how many can an SM do (rate)?
 *          Beside it the same exchange through shared memory, and a plain addition.
 * How:     ROUNDS exchanges with the neighbour lane, each needing the one before, between two
 *          readings of the SM's clock. One warp with one value: latency. 32 warps with 4 values
 *          each: rate. An even number of exchanges gives each lane its own value back: checked.
 * Expect:  (written before the first run; H200)
 *          - add: latency 4 cycles; rate 4 warps a cycle (128 additions, CUDA C++ Programming
 *            Guide, "Throughput of Native Arithmetic Instructions").
 *          - shuffle: latency about 24 cycles, that of a read of shared memory, whose data path
 *            it uses; rate 1 warp a cycle (32 lanes, the same table).
 *          - shared memory and __syncwarp(): a store and a load, one after the other, so twice
 *            the latency, about 50 cycles, and half the rate, 0.5.
 *          - with __syncthreads(), as in step 04's tree: some 20 cycles more for one warp.
 *          So five shuffles are about 120 cycles: not zero, but half of what they replace.
 * Run:     make exchange && ./exchange
 * Prints a CSV. The simulator has no clock: there the values are checked, and no more.
 */
#include "gpu.h"
#include <stdio.h>

enum { ROUNDS = 256, MOST_THREADS = 1024, MOST_VALUES = 4 };
enum op { ADD, SHUFFLE, SHARED, SHARED_BARRIER };

template <enum op OP> static __device__ float step(float value, float *mine, const float *other)
{
    if (OP == ADD)
        return value + 1.0f;
    if (OP == SHUFFLE)
        return __shfl_xor_sync(0xffffffff, value, 1);
    *mine = value;
    OP == SHARED ? __syncwarp() : __syncthreads();
    value = *other;
    OP == SHARED ? __syncwarp() : __syncthreads(); /* before the next round overwrites it */
    return value;
}

/* VALUES independent chains in each thread; when the first began and the last ended. */
template <enum op OP, int VALUES>
static __global__ void chain(float *values, long long *begin, long long *end)
{
    __shared__ float smem[MOST_VALUES * MOST_THREADS];
    unsigned tid = threadIdx.x, threads = blockDim.x;
    float value[VALUES];
    bool negative = false;

#pragma unroll
    for (int k = 0; k < VALUES; k++) {
        value[k] = values[k * threads + tid];
        negative |= value[k] < 0.0f;
    }
    /* None is; but this barrier needs the values, so they are here when the clock is read. */
    if (__syncthreads_or(negative))
        return;
    long long start = clock64();
#pragma unroll 32
    for (int i = 0; i < ROUNDS; i++) {
#pragma unroll
        for (int k = 0; k < VALUES; k++) {
            float *row = smem + k * threads;
            value[k] = step<OP>(value[k], row + tid, row + (tid ^ 1));
        }
    }
    long long stop = clock64();
#pragma unroll
    for (int k = 0; k < VALUES; k++)
        values[k * threads + tid] = value[k];
    begin[tid] = start;
    end[tid] = stop;
}

/* Runs one block and prints one line. Returns how many values are wrong. */
template <enum op OP, int VALUES> static int measure(const char *name, unsigned threads)
{
    float values[MOST_VALUES * MOST_THREADS], *device_values;
    long long begin[MOST_THREADS], end[MOST_THREADS], *device_begin, *device_end;
    unsigned count = threads * VALUES;
    int wrong = 0;

    for (unsigned i = 0; i < count; i++)
        values[i] = (float)i;
    CUDA_CHECK(cudaMalloc(&device_values, sizeof values));
    CUDA_CHECK(cudaMalloc(&device_begin, sizeof begin));
    CUDA_CHECK(cudaMalloc(&device_end, sizeof end));
    for (int run = 0; run < 2; run++) { /* the first one fetches the code */
        CUDA_CHECK(
            cudaMemcpy(device_values, values, count * sizeof(float), cudaMemcpyHostToDevice));
        chain<OP, VALUES><<<1, threads>>>(device_values, device_begin, device_end);
        CUDA_CHECK(cudaGetLastError());
    }
    CUDA_CHECK(cudaMemcpy(values, device_values, count * sizeof(float), cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(begin, device_begin, threads * sizeof *begin, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(end, device_end, threads * sizeof *end, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(device_values));
    CUDA_CHECK(cudaFree(device_begin));
    CUDA_CHECK(cudaFree(device_end));

    for (unsigned i = 0; i < count; i++)
        wrong += values[i] != (float)i + (OP == ADD ? ROUNDS : 0);
    long long first = begin[0], last = end[0];
    for (unsigned i = 0; i < threads; i++) {
        first = begin[i] < first ? begin[i] : first;
        last = end[i] > last ? end[i] : last;
    }
    double cycles = (double)(last - first), rounds = ROUNDS;
    printf("%s,%u,%d,%d,", name, threads / 32, VALUES, wrong == 0);
    if (ON_SIMULATOR)
        printf(",,\n");
    else
        printf("%.0f,%.2f,%.4f\n", cycles, cycles / rounds,
               rounds * VALUES * (threads / 32) / cycles);
    return wrong;
}

template <enum op OP> static int measure_both(const char *name)
{
    return measure<OP, 1>(name, 32) + measure<OP, MOST_VALUES>(name, MOST_THREADS);
}

int main(void)
{
    int status = select_device(0);
    if (status >= 0)
        return status;
    printf("operation,warps,values,ok,cycles,cycles_a_round,per_cycle\n");
    int wrong = measure_both<ADD>("add") + measure_both<SHUFFLE>("shuffle") +
                measure_both<SHARED>("shared") + measure_both<SHARED_BARRIER>("shared_barrier");
    if (wrong > 0)
        fprintf(stderr, "exchange: %d values are not what they must be\n", wrong);
    return wrong > 0 ? 1 : 0;
}
