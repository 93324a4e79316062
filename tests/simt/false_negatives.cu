/* false_negatives.cu: mistakes that the simulator does not see. The table in docs/simulator.md has
 * a row for each. When one is found some day, its row goes.
 * run: SIMT_STRICT=1 SIMT_SCHEDULE=0 KERNEL
 * run: SIMT_STRICT=1 SIMT_SCHEDULE=5 KERNEL
 * tier: more
 */
#include "kernels.h"
#include <cuda/ptx>
#include <new>

/* The compiler may load in[] once and keep it, though the kernel writes it. */
__global__ void read_twice(const int *__restrict__ in, int *out) {
    out[threadIdx.x] = in[threadIdx.x] + 1;
    out[threadIdx.x] = in[threadIdx.x] + 1;
}
CASE(restrict_written) { read_twice<<<1, 32>>>(device, device); }

/* The compiler knows no length of dynamic shared memory's parts, nor of what a pointer leads to. */
KERNEL(into_the_next_array, 1, 32) {
    extern __shared__ int both[];
    int *first = both, *second = both + 32;
    first[threadIdx.x] = second[threadIdx.x] = 1;
    __syncthreads();
    data[threadIdx.x] = first[threadIdx.x + blockDim.x / 2] + second[threadIdx.x];
}

KERNEL(into_another_allocation, 1, 1) { data[more - data] = 3; }

/* The function has a pointer, and not the array's length. */
__device__ __noinline__ void fill(int *to, int n) { for (int i = 0; i < n; i++) to[i] = i; }
KERNEL(overrun_through_a_pointer, 1, 32) {
    struct { int eight[8], after; } mine;
    fill(mine.eight, blockDim.x / 4 + 1);
    data[threadIdx.x] = mine.after;
}

/* The function writes to the address that it is given for its result. */
struct four { int of[4]; };
__device__ __noinline__ four fours(int i) { return {{i, i, i, i}}; }
KERNEL(returned_into_memory, 1, 32) { new ((four *)data) four(fours((int)threadIdx.x)); }

__device__ int never_written[32];
KERNEL(unwritten_variable, 1, 32) { data[threadIdx.x] = never_written[threadIdx.x]; }

__managed__ int managed;
__global__ void store(int *p) { p[3] = managed; }
CASE(static_beside_managed) {
    static int ours[4];
    store<<<1, 1>>>(ours);
}

#define BARRIERS if (threadIdx.x < 16) __syncthreads(); else __syncthreads()
KERNEL(barriers_of_one_line, 1, 32) {
    BARRIERS;
    data[threadIdx.x] = 1;
}

/* It is to be read out still: nothing waits for that. */
KERNEL(bulk_copy_unwaited, 1, 32) {
    __shared__ alignas(16) int tile[32];
    tile[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 0) {
        cuda::ptx::cp_async_bulk(cuda::ptx::space_global, cuda::ptx::space_shared, data, tile, sizeof tile);
        tile[0] = 2;
    }
}

KERNEL(unset_local, 1, 32) {
    int sum;
    for (int i = 0; i < data[threadIdx.x]; i++) sum += i;
    data[threadIdx.x + 32] = sum;
}
KERNEL(beyond_launch_bounds, 1, 128, __launch_bounds__(64)) { data[threadIdx.x] = 1; }
__global__ void add_one(int *data) { data[threadIdx.x] += 1; }
CASE(streams_without_event) {
    cudaStream_t a, b;
    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
    cudaDeviceSynchronize();
    add_one<<<1, 32, 0, a>>>(device);
    add_one<<<1, 32, 0, b>>>(device);
    cudaDeviceSynchronize();
}
CASE(use_before_dependency) {
    add_one<<<1, 32>>>(device);
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute overlap = {};
    overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    overlap.val.programmaticStreamSerializationAllowed = 1;
    config.gridDim = 1, config.blockDim = 32, config.attrs = &overlap, config.numAttrs = 1;
    cudaLaunchKernelEx(&config, add_one, device);
    cudaDeviceSynchronize();
}
