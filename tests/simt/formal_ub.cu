/*
 * formal_ub.cu: what is wrong by the memory model alone, and common nevertheless. The simulator
 * writes one note and goes on, or ends there with SIMT_STRICT=1. The lines that it must name carry
 * the mark "NOTE name". `formal_ub NAME SEED` runs one; without a name it lists them. All get
 * `data`, 4096 ints that are 0.
 */
#include "../../simulator/simt.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>

/* ---- all write the same ---- */

__global__ void changed(int *data)
{
    if (threadIdx.x % 3 == 0)
        data[0] = 1; /* NOTE changed */
}

__global__ void found_in_shared(int *data)
{
    __shared__ int found;
    if (threadIdx.x > 40)
        found = 7; /* NOTE found_in_shared */
    __syncthreads();
    data[threadIdx.x] = found;
}

struct pair {
    int first, second;
};
__global__ void same_struct(int *data)
{
    pair p = {3, 4};
    *(pair *)data = p; /* NOTE same_struct */
}

__global__ void blocks_clear(int *data)
{
    for (int i = (int)threadIdx.x; i < 128; i += (int)blockDim.x)
        data[i] = 0; /* NOTE blocks_clear */
}

/* ---- a plain read before the loop that compares and swaps ---- */

static __device__ double guide_add(double *address, double value)
{
    unsigned long long *word = (unsigned long long *)address, assumed;
    unsigned long long old = *word; /* NOTE double_add */
    do {
        assumed = old;
        old = atomicCAS(word, assumed,
                        (unsigned long long)__double_as_longlong(
                            value + __longlong_as_double((long long)assumed)));
    } while (assumed != old);
    return __longlong_as_double((long long)old);
}

__global__ void double_add(int *data)
{
    guide_add((double *)data, 1.5);
}

__global__ void largest(int *data)
{
    float mine = (float)(threadIdx.x + 64 * blockIdx.x);
    int old = data[0]; /* NOTE largest */
    while (mine > __int_as_float(old)) {
        int seen = atomicCAS(data, old, __float_as_int(mine));
        if (seen == old)
            break;
        old = seen;
    }
}

/* ---- a plain read before an atomic that moves a word one way ---- */

__global__ void relax(int *data)
{
    int u = (int)(blockIdx.x * blockDim.x + threadIdx.x), v = (u * 5 + 1) % 64;
    int reached = data[u] + 1 + u % 3; /* NOTE relax */
    if (data[v] < reached)             /* NOTE relax */
        atomicMax(&data[v], reached);
}

__global__ void visit(int *data)
{
    unsigned *seen = (unsigned *)data, bit = 1u << threadIdx.x % 32;
    for (int i = 0; i < 2; i++)
        if ((seen[i] & bit) == 0 && (atomicOr(&seen[i], bit) & bit) == 0) /* NOTE visit */
            atomicAdd(&data[64], 1);
}

/* ---- one fence of two ---- */

__global__ void ticket(int *data)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        data[64 + blockIdx.x] = (int)blockIdx.x + 1; /* NOTE ticket */
        __threadfence();
        last = atomicInc((unsigned *)data, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x < gridDim.x)
        atomicAdd(&data[1], data[64 + threadIdx.x]); /* NOTE ticket */
}

__global__ void flag_of_a_block(int *data)
{
    volatile int *flag = data;
    if (blockIdx.x == 0) {
        data[64 + threadIdx.x] = 5; /* NOTE flag_of_a_block */
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0)
            *flag = 1;
    } else {
        if (threadIdx.x == 0)
            while (*flag == 0)
                ;
        __syncthreads();
        data[128 + threadIdx.x] = data[64 + threadIdx.x]; /* NOTE flag_of_a_block */
    }
}

__global__ void lock_without_second_fence(int *data)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(data, 0, 1) != 0)
            ;
        data[1] += 1; /* NOTE lock_without_second_fence */
        __threadfence();
        atomicExch(data, 0);
    }
}

/* ---- volatile flags between the warps of a block ---- */

__global__ void warp_waits_for_warp(int *data)
{
    __shared__ volatile int ready;
    __shared__ int value;
    if (threadIdx.x == 0)
        ready = 0;
    __syncthreads();
    if (threadIdx.x == 32) {
        value = 9;
        __threadfence_block();
        ready = 1; /* NOTE warp_waits_for_warp */
    }
    if (threadIdx.x == 0) {
        while (ready == 0) /* NOTE warp_waits_for_warp */
            ;
        __threadfence_block();
        data[0] = value;
    }
}

/* ---- shuffles from lanes outside the mask, thrown away ---- */

__global__ void half_a_warp_reads_on(int *data)
{
    if (threadIdx.x < 16) {
        int v = (int)threadIdx.x, other;
        for (int d = 8; d > 0; d /= 2) {
            other = __shfl_down_sync(0xffff, v, d); /* NOTE half_a_warp_reads_on */
            if ((int)threadIdx.x + d < 16)
                v += other;
        }
        data[threadIdx.x] = v;
    }
}

__global__ void last_lane_reads_its_neighbour(int *data)
{
    if (threadIdx.x < 20) {
        int next = (int)threadIdx.x + 1, lane = next;
        next = __shfl_sync(0xfffff, next, lane); /* NOTE last_lane_reads_its_neighbour */
        data[threadIdx.x] = threadIdx.x < 19 ? next - 1 : -1;
    }
}

/* Whole warps meet at one barrier from two lines: PTX counts warps. */
__global__ void barriers_of_roles(int *data)
{
    __shared__ int box[32];
    if (threadIdx.x < 32) {
        box[threadIdx.x] = 1;
        __syncthreads(); /* NOTE barriers_of_roles */
    } else {
        __syncthreads(); /* NOTE barriers_of_roles */
        data[threadIdx.x] = box[threadIdx.x % 32];
    }
}

typedef void kernel_fn(int *);
static const struct {
    const char *name;
    kernel_fn *kernel;
    unsigned grid, block;
} kernels[] = {
#define KERNEL(NAME, GRID, BLOCK) {#NAME, NAME, GRID, BLOCK},
    KERNEL(changed, 4, 64) KERNEL(found_in_shared, 2, 64) KERNEL(same_struct, 2, 32)
        KERNEL(blocks_clear, 3, 64) KERNEL(double_add, 4, 32) KERNEL(largest, 4, 32)
            KERNEL(relax, 4, 32) KERNEL(visit, 4, 64) KERNEL(ticket, 8, 64)
                KERNEL(flag_of_a_block, 2, 64) KERNEL(lock_without_second_fence, 8, 32)
                    KERNEL(warp_waits_for_warp, 1, 64) KERNEL(half_a_warp_reads_on, 1, 32)
                        KERNEL(last_lane_reads_its_neighbour, 1, 32)
                            KERNEL(barriers_of_roles, 1, 64)};

int main(int argc, char **argv)
{
    int *data, first[2];
    simt_schedule(argc > 2 ? strtoull(argv[2], NULL, 10) : 0);
    cudaMalloc(&data, 4096 * sizeof *data);
    for (auto &k : kernels) {
        if (argc == 1)
            puts(k.name);
        if (argc == 1 || strcmp(k.name, argv[1]) != 0)
            continue;
        cudaMemset(data, 0, 4096 * sizeof *data);
        k.kernel<<<k.grid, k.block>>>(data);
        cudaMemcpy(first, data, sizeof first, cudaMemcpyDeviceToHost);
        printf("%s left %d %d\n", k.name, first[0], first[1]);
    }
    return 0;
}
