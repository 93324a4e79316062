/*
 * false_negatives.cu: mistakes that the simulator does not see. The table in docs/simulator.md has
 * a row for each. `false_negatives NAME` runs one, and nothing is reported; without a name it lists
 * them. When one is found some day, tests/severity.t says so, and the row goes.
 */
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

/* The compiler may load in[] once and keep it, though the kernel writes it. */
__global__ void restrict_written(const int *__restrict__ in, int *out)
{
    out[threadIdx.x] = in[threadIdx.x] + 1;
    out[threadIdx.x] = in[threadIdx.x] + 1;
}

/* Block 2 waits for the flag of block 1, which was written before, and reads block 0's value. */
__global__ void wrong_flag(int *data)
{
    volatile int *flags = data;
    if (blockIdx.x < 2) {
        data[8 + blockIdx.x] = 1;
        __threadfence();
        flags[blockIdx.x] = 1;
    } else {
        while (flags[1] == 0)
            ;
        __threadfence();
        data[12] = data[8];
    }
}

/* The compiler knows no length of dynamic shared memory's parts, nor of what a pointer leads to. */
__global__ void into_the_next_array(int *data, int n)
{
    extern __shared__ int both[];
    int *first = both, *second = both + 32;
    first[threadIdx.x] = second[threadIdx.x] = 1;
    __syncthreads();
    data[threadIdx.x] = first[threadIdx.x + n] + second[threadIdx.x];
}

__global__ void into_another_allocation(int *data, long distance)
{
    data[distance] = 3;
}

/* The function has a pointer, and not the array's length. */
__device__ __noinline__ void fill(int *to, int n)
{
    for (int i = 0; i < n; i++)
        to[i] = i;
}
__global__ void overrun_through_a_pointer(int *data, int n)
{
    struct {
        int eight[8], after;
    } mine;
    fill(mine.eight, n);
    data[threadIdx.x] = mine.after;
}

/* The function writes to the address that it is given for its result. */
struct four {
    int of[4];
};
__device__ __noinline__ four fours(int i)
{
    return {{i, i, i, i}};
}
__global__ void returned_into_memory(int *data)
{
    new ((four *)data) four(fours((int)threadIdx.x));
}

__device__ int never_written[32];
__global__ void unwritten_variable(int *data)
{
    data[threadIdx.x] = never_written[threadIdx.x];
}

#define BARRIERS                                                                                   \
    if (threadIdx.x < 16)                                                                          \
        __syncthreads();                                                                           \
    else                                                                                           \
        __syncthreads()
__global__ void barriers_of_one_line(int *data)
{
    BARRIERS;
    data[threadIdx.x] = 1;
}

__global__ void __launch_bounds__(64) beyond_launch_bounds(int *data)
{
    data[threadIdx.x] = 1;
}

__global__ void add_one(int *data)
{
    data[threadIdx.x] += 1;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    int *data, *other;
    cudaStream_t a, b;
    cudaMalloc(&data, 4096);
    cudaMalloc(&other, 4096);
    cudaMemset(data, 0, 4096);
    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
    cudaDeviceSynchronize();
#define RUN(NAME, ...)                                                                             \
    if (argc == 1)                                                                                 \
        puts(#NAME);                                                                               \
    else if (strcmp(name, #NAME) == 0) {                                                           \
        __VA_ARGS__;                                                                               \
    }
    RUN(restrict_written, (restrict_written<<<1, 32>>>(data, data)))
    RUN(wrong_flag, (wrong_flag<<<3, 1>>>(data)))
    RUN(into_the_next_array, (into_the_next_array<<<1, 32, 256>>>(data, 16)))
    RUN(into_another_allocation, (into_another_allocation<<<1, 1>>>(data, other - data)))
    RUN(overrun_through_a_pointer, (overrun_through_a_pointer<<<1, 32>>>(data, 9)))
    RUN(returned_into_memory, (returned_into_memory<<<1, 32>>>(data)))
    RUN(unwritten_variable, (unwritten_variable<<<1, 32>>>(data)))
    RUN(barriers_of_one_line, (barriers_of_one_line<<<1, 32>>>(data)))
    RUN(beyond_launch_bounds, (beyond_launch_bounds<<<1, 128>>>(data)))
    RUN(streams_without_event, (add_one<<<1, 32, 0, a>>>(data)); (add_one<<<1, 32, 0, b>>>(data)))
    RUN(use_before_dependency, (add_one<<<1, 32>>>(data)); cudaLaunchConfig_t config = {};
        cudaLaunchAttribute overlap = {};
        overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
        overlap.val.programmaticStreamSerializationAllowed = 1; config.gridDim = 1;
        config.blockDim = 32; config.attrs = &overlap; config.numAttrs = 1;
        cudaLaunchKernelEx(&config, add_one, data))
    return cudaDeviceSynchronize() != cudaSuccess;
}
