/*
 * Experiment subnormals: does an atomic addition keep the smallest floats?
 *
 * Asks:    a float below 2^-126 is subnormal. PTX says that atom.add.f32 and red.add.f32 flush
 *          subnormal inputs and results to 0 on global memory, and not on shared memory. Is it so?
 * How:     32 lanes add 1e-40 each, five ways: by atomicAdd() on a word of global memory and of
 *          shared memory, with its result used (atom) and not (red), and by shuffles in registers.
 * Expect:  0 and 0 on global memory; 3.2e-39 in the other three.
 * Run:     make subnormals && ./subnormals
 */
#include "cuda_errors.h"
#include "message.h"
#include <stdio.h>

enum { WAYS = 5 };
static const char *const names[WAYS] = {"global memory, no result", "global memory, result used",
                                        "shared memory, no result", "shared memory, result used",
                                        "registers, by shuffles"};

static __global__ void add_all(const float *in, float *sums, float *seen)
{
    __shared__ float shared[2];
    unsigned lane = threadIdx.x;
    float x = in[lane];
    if (lane < 2)
        shared[lane] = 0.0f;
    __syncwarp();
    atomicAdd(&sums[0], x);
    seen[lane] = atomicAdd(&sums[1], x);
    atomicAdd(&shared[0], x);
    seen[32 + lane] = atomicAdd(&shared[1], x);
    for (int offset = 16; offset > 0; offset /= 2)
        x += __shfl_down_sync(0xffffffff, x, offset);
    __syncwarp();
    if (lane == 0) {
        sums[2] = shared[0];
        sums[3] = shared[1];
        sums[4] = x;
    }
}

int main(int argc, char **argv)
{
    begin_program(argv[0]);
    if (argc > 1)
        return complain(STATUS_USAGE, "\"%s\": there are no options", argv[1]);
    float in[32], sums[WAYS], *device_in, *device_sums, *seen;
    int device = 0, status = select_device(device);
    if (status >= 0)
        return status;
    for (int i = 0; i < 32; i++)
        in[i] = 1e-40f;
    CUDA_CHECK(cudaMalloc(&device_in, sizeof in));
    CUDA_CHECK(cudaMalloc(&device_sums, sizeof sums));
    CUDA_CHECK(cudaMalloc(&seen, 64 * sizeof *seen));
    CUDA_CHECK(cudaMemcpy(device_in, in, sizeof in, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemset(device_sums, 0, sizeof sums));
    add_all<<<1, 32>>>(device_in, device_sums, seen);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(sums, device_sums, sizeof sums, cudaMemcpyDeviceToHost));
    for (int k = 0; k < WAYS; k++)
        printf("%-28s%g\n", names[k], (double)sums[k]);
    CUDA_CHECK(cudaFree(device_in));
    CUDA_CHECK(cudaFree(device_sums));
    CUDA_CHECK(cudaFree(seen));
    return 0;
}
