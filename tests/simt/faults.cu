/*
 * faults.cu: one kernel for each thing that the simulator must refuse. The line
 * that it must name carries the mark "FAULT name"; tests/test_simulator.py runs each
 * and compares what it says. `faults NAME` runs one; without a name it lists them.
 */
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>
namespace cg = cooperative_groups;

static struct kernel {
    const char *name;
    void (*function)(float *, int);
    unsigned grid, block;
} kernels[100];
static int count;
static int add(kernel k)
{
    kernels[count] = k;
    return count++;
}
/* The head of a kernel, which is known by its name. What the simulator says stands before. */
#define KERNEL(NAME, GRID, BLOCK, ...)                                                             \
    __global__ void NAME(float *p, int n);                                                         \
    static const int number_of_##NAME = add({#NAME, NAME, GRID, BLOCK});                           \
    __global__ void __VA_ARGS__ NAME(float *p, int n)

/* __syncthreads() here, while thread 0 waits at another */
KERNEL(two_barriers, 1, 32)
{
    if (threadIdx.x < 16)
        __syncthreads();
    else
        __syncthreads(); /* FAULT two_barriers */
    p[0] = 1;
}

/* writes 4 bytes at byte 16384 of an allocation of 16384 bytes, made at tests/simt/faults.cu: */
KERNEL(write_past_end, 1, 32)
{
    p[threadIdx.x + n - 24] = 1; /* FAULT write_past_end */
}

/* reads 4 bytes at byte 16384 of an allocation of 16384 bytes, made at tests/simt/faults.cu: */
KERNEL(read_past_end, 1, 1)
{
    p[0] = p[n]; /* FAULT read_past_end */
}

/* reads 4 bytes, 20 before an allocation of 16384 bytes, made at tests/simt/faults.cu: */
KERNEL(read_before_start, 1, 1)
{
    p[0] = p[n / 1024 - 5 - n / 1024]; /* FAULT read_before_start */
}

/* writes 4 bytes at byte 16384 */
KERNEL(atomic_past_end, 1, 1)
{
    atomicAdd(&p[n], 1.0f); /* FAULT atomic_past_end */
}

/* __shfl_down_sync() reads lane 16, which does not exist: undefined */
KERNEL(absent_lane, 1, 35)
{
    p[threadIdx.x] = __shfl_down_sync(0xffffffff, 1.0f, 16); /* FAULT absent_lane */
}

/* __shfl_down_sync() reads lane 21, which has returned: undefined */
KERNEL(returned_lane, 1, 32)
{
    if (threadIdx.x == 21)
        return;
    p[threadIdx.x] = __shfl_down_sync(0xffffffff, 1.0f, 16); /* FAULT returned_lane */
}

/* reads lane 16, which its mask 0x00000007 does not name */
KERNEL(lane_outside_mask, 1, 32)
{
    if (threadIdx.x < 3)
        p[threadIdx.x] = __shfl_down_sync(7, 1.0f, 16); /* FAULT lane_outside_mask */
}

/* does not name the calling lane 0 */
KERNEL(mask_without_caller, 1, 32)
{
    p[threadIdx.x] = __ballot_sync(0xffff0000, 1); /* FAULT mask_without_caller */
}

/* with mask 0xffffffff, while lane 31 is at __any_sync() with mask 0x80000001 */
KERNEL(masks_differ, 1, 32)
{
    unsigned mask = threadIdx.x < 31 ? 0xffffffff : 0x80000001;
    p[threadIdx.x] = __any_sync(mask, 1); /* FAULT masks_differ */
}

/* with width 12 */
KERNEL(bad_width, 1, 32)
{
    p[threadIdx.x] = __shfl_sync(0xffffffff, 1.0f, 0, 12); /* FAULT bad_width */
}

/* deadlock: this thread waits at a warp operation, thread 9 waits at __syncthreads() */
KERNEL(lane_never_comes, 1, 32)
{
    if (threadIdx.x != 9)
        __syncwarp(); /* FAULT lane_never_comes */
    __syncthreads();
    p[0] = 1;
}

/* reads shared memory that no thread of its block has written */
KERNEL(unwritten_static_shared, 1, 32)
{
    __shared__ float tile[64];
    tile[threadIdx.x] = 1;
    __syncthreads();
    p[threadIdx.x] = tile[threadIdx.x + 1]; /* FAULT unwritten_static_shared */
}

/* reads shared memory that no thread of its block has written */
KERNEL(unwritten_dynamic_shared, 1, 32)
{
    extern __shared__ float tile[];
    tile[threadIdx.x] = 1;
    __syncthreads();
    p[threadIdx.x] = tile[threadIdx.x + 1]; /* FAULT unwritten_dynamic_shared */
}

/* reads global memory that no thread or copy has written */
KERNEL(unwritten_global, 1, 1)
{
    p[threadIdx.x] = p[threadIdx.x + 2048]; /* FAULT unwritten_global */
}

/* reads shared memory that no thread of its block has written */
KERNEL(unwritten_counter, 1, 32)
{
    __shared__ int counts[32];
    atomicAdd(&counts[threadIdx.x % 4], 1); /* FAULT unwritten_counter */
    __syncthreads();
    p[threadIdx.x] = (float)counts[threadIdx.x % 4];
}

/* no thread of its block has written: thread (32,0,0) writes it later, at tests/simt/faults.cu: */
KERNEL(barrier_missing, 1, 64)
{
    __shared__ float tile[64];
    tile[threadIdx.x] = 1;
    p[threadIdx.x] = tile[threadIdx.x ^ 32]; /* FAULT barrier_missing */
}

struct sphere {
    float x, y, z, r, weight;
};
static __device__ __noinline__ float reach(sphere s)
{
    return s.x + s.r;
}
static __device__ __noinline__ float weight(sphere s)
{
    return s.weight;
}

/* A class that does not say how it is copied, returned by its name: it is not destroyed twice, and
   what is passed by value in this file is seen all the same. */
struct memory {
    float *p;
    explicit memory(size_t bytes)
    {
        cudaMalloc(&p, bytes);
    }
    ~memory()
    {
        cudaFree(p);
    }
};
static memory zeroed(size_t bytes)
{
    memory m(bytes);
    cudaMemset(m.p, 0, bytes / 2);
    return m;
}

/* reads 20 bytes at byte 16400 of an allocation of 16384 bytes */
KERNEL(passed_by_value, 1, 1)
{
    const sphere *spheres = (const sphere *)p;
    p[0] = reach(spheres[n / 5 + 1]); /* FAULT passed_by_value */
}

/* reads shared memory that no thread of its block has written, and none does later: it is not */
KERNEL(member_not_set, 1, 32)
{
    __shared__ sphere spheres[32], copies[32];
    spheres[threadIdx.x].x = spheres[threadIdx.x].r = 1;
    copies[threadIdx.x] = spheres[threadIdx.x];
    p[threadIdx.x] = reach(copies[threadIdx.x]);
    p[threadIdx.x] = copies[threadIdx.x].weight; /* FAULT member_not_set */
}

/* reads shared memory that no thread of its block has written */
KERNEL(member_used_by_value, 1, 32)
{
    __shared__ sphere spheres[32];
    spheres[threadIdx.x].x = 1;
    p[threadIdx.x] = weight(spheres[threadIdx.x]); /* FAULT member_used_by_value */
}

/* reads global memory that no thread or copy has written */
KERNEL(unwritten_copied, 1, 1)
{
    float four[4];
    memcpy(four, p + 2048, sizeof four); /* FAULT unwritten_copied */
    p[threadIdx.x] = four[threadIdx.x % 4];
}

/* writes 4 bytes at byte 16 of an allocation of 16 bytes, made at tests/simt/faults.cu: */
KERNEL(heap_overrun, 1, 1)
{
    float *own = new float[4];
    for (int i = 0; i <= n / 1024; i++)
        own[i] = 1; /* FAULT heap_overrun */
    p[threadIdx.x] = own[0];
    delete[] own;
}

/* reads 4 bytes of device memory that is not allocated */
KERNEL(heap_stale, 1, 1)
{
    float *own = (float *)malloc(64);
    own[3] = 1;
    free(own);
    p[threadIdx.x] = own[3]; /* FAULT heap_stale */
}

/* which malloc() or new in a kernel did not give */
KERNEL(heap_foreign, 1, 1)
{
    free(p); /* FAULT heap_foreign */
}

/* writes 4 bytes at byte 256 of dynamic shared memory; the launch gave it 256 bytes */
KERNEL(memset_past_shared, 1, 1)
{
    extern __shared__ float tile[];
    memset(tile, 0, 260); /* FAULT memset_past_shared */
    p[threadIdx.x] = tile[threadIdx.x];
}

/* writes 4 bytes at byte 256 of dynamic shared memory; the launch gave it 256 bytes */
KERNEL(past_dynamic_shared, 1, 32)
{
    extern __shared__ float tile[];
    tile[threadIdx.x + 64] = p[0]; /* FAULT past_dynamic_shared */
}

/* deadlock: this thread reads the same place again and again, thread 1 waits at __syncthreads() */
__global__ void endless_wait(volatile float *p, int)
{
    while (threadIdx.x == 0 && p[0] != 7) /* FAULT endless_wait */
        ;
    __syncthreads();
}

/* deadlock: this thread reads the same place again and again, thread 1 waits at __syncthreads() */
__global__ void endless_wait_for_two(volatile float *p, int)
{
    while (threadIdx.x == 0 && (p[0] == 7 || p[1] != 7)) /* FAULT endless_wait_for_two */
        ;
    __syncthreads();
}

/* deadlock: this thread reads the same place again and again, and no thread is left to end it */
__global__ void endless_vote(volatile float *p, int)
{
    while (__any_sync(0xffffffff, p[threadIdx.x] != 7)) /* FAULT endless_vote */
        ;
}

/* never ends */
KERNEL(endless_loop, 1, 32)
{
    if (threadIdx.x == 9)
        while (true) /* FAULT endless_loop */
            ;
    __syncthreads();
}

/* never ends */
KERNEL(endless_calculation, 1, 32)
{
    float x = threadIdx.x;
    while (x != 3.5f)
        x = x * 0.5f + 7; /* FAULT endless_calculation */
    p[0] = x;
}

/* use cudaLaunchCooperativeKernel() */
KERNEL(grid_sync_in_plain_launch, 1, 32)
{
    cg::this_grid().sync(); /* FAULT grid_sync_in_plain_launch */
    p[0] = 1;
}

/* deadlock: this thread waits at grid.sync(), and no thread is left to end it */
__global__ void grid_sync_skipped(float *p, int)
{
    if (blockIdx.x == 1)
        return;
    cg::this_grid().sync(); /* FAULT grid_sync_skipped */
    p[0] = 1;
}

/* neither device memory, shared memory nor its own */
__global__ void host_memory(float *p, int)
{
    p[0] = 1; /* FAULT host_memory */
}

/* device memory that is not allocated */
__global__ void freed_memory(float *p, int)
{
    p[0] = 1; /* FAULT freed_memory */
}

/* no multiple of 16: misaligned */
KERNEL(misaligned, 1, 1)
{
    *(float4 *)(p + 1) = make_float4(1, 2, 3, 4); /* FAULT misaligned */
}

/* needs more than the 64 KiB of local memory */
KERNEL(stack_overflow, 1, 1)
{
    volatile char frame[4096];
    frame[n % 4096] = 1; /* FAULT stack_overflow */
    if (n > 0)
        stack_overflow(p, n - 1);
    p[0] = frame[n % 4096];
}

/* needs more than the 64 KiB of local memory */
KERNEL(stack_jump, 1, 1)
{
    volatile char frame[100 * 1024];
    frame[n % 4096] = 1; /* FAULT stack_jump */
    p[0] = frame[n % 4096];
}

/* ---- clusters of 2 blocks of 32 threads ---- */

/* The first block reads what the other holds. */
static __device__ float read_other(unsigned reader, bool first, bool last)
{
    __shared__ float tile[32];
    cg::cluster_group cluster = cg::this_cluster();
    tile[threadIdx.x] = 1;
    if (first)
        cluster.sync();
    float value = 0;
    const float *other = cluster.map_shared_rank(tile, cluster.block_rank() ^ 1);
    if (cluster.block_rank() == reader)
        value = other[threadIdx.x]; /* FAULT cluster_ends cluster_ended cluster_not_begun */
    if (last)
        cluster.sync();
    return value;
}

/* reads shared memory of block (1,0,0), which may have ended */
KERNEL(cluster_ends, 2, 32, __cluster_dims__(2))
{
    p[threadIdx.x + 32 * blockIdx.x] = read_other(0, true, false);
}

/* reads shared memory of block (0,0,0), which may have ended */
KERNEL(cluster_ended, 2, 32, __cluster_dims__(2))
{
    p[threadIdx.x + 32 * blockIdx.x] = read_other(1, true, false);
}

/* writes shared memory of block (0,0,0), which may have ended */
KERNEL(cluster_unseen, 2, 1, __cluster_dims__(2))
{
    __shared__ int flag;
    cg::cluster_group cluster = cg::this_cluster();
    flag = 0;
    cluster.sync();
    if (cluster.block_rank() == 1)
        atomicExch(cluster.map_shared_rank(&flag, 0), 7); /* FAULT cluster_unseen */
    else
        p[threadIdx.x] = 1;
}

/* reads shared memory of block (0,0,0), which may not have begun */
KERNEL(cluster_not_begun, 2, 32, __cluster_dims__(2))
{
    p[threadIdx.x + 32 * blockIdx.x] = read_other(1, false, true);
}

/* reads shared memory that no thread of the cluster has written */
KERNEL(cluster_unwritten, 2, 32, __cluster_dims__(2))
{
    extern __shared__ float tile[];
    cg::cluster_group cluster = cg::this_cluster();
    if (cluster.block_rank() == 0)
        tile[threadIdx.x] = 1;
    cluster.sync();
    if (cluster.block_rank() == 0)
        p[threadIdx.x] =
            *cluster.map_shared_rank(&tile[threadIdx.x], 1); /* FAULT cluster_unwritten */
    cluster.sync();
}

/* writes 4 bytes at byte 256 of dynamic shared memory; the launch gave it 256 */
KERNEL(cluster_past_dynamic, 2, 32, __cluster_dims__(2))
{
    extern __shared__ float tile[];
    cg::cluster_group cluster = cg::this_cluster();
    float *other = cluster.map_shared_rank(tile, cluster.block_rank() ^ 1);
    cluster.sync();
    other[64 + threadIdx.x] = 1; /* FAULT cluster_past_dynamic */
    cluster.sync();
}

/* waits at a barrier of its cluster, thread 7 of block (1,0,0) has returned */
KERNEL(cluster_sync_skipped, 2, 32, __cluster_dims__(2))
{
    if (blockIdx.x == 1 && threadIdx.x == 7)
        return;
    cg::this_cluster().sync(); /* FAULT cluster_sync_skipped */
    p[0] = 1;
}

/* waits at a barrier of its cluster, thread 0 of block (1,0,0) has returned */
KERNEL(cluster_sync_in_one, 2, 32, __cluster_dims__(2))
{
    if (blockIdx.x == 0)
        cg::this_cluster().sync(); /* FAULT cluster_sync_in_one */
    else
        __syncthreads();
    p[blockIdx.x * 32 + threadIdx.x] = 1;
}

/* arrives at a barrier of its cluster again before it waited */
KERNEL(cluster_arrives_twice, 2, 32, __cluster_dims__(2))
{
    cg::this_cluster().barrier_arrive();
    cg::this_cluster().barrier_arrive(); /* FAULT cluster_arrives_twice */
}

/* without having arrived there */
KERNEL(cluster_only_waits, 2, 32, __cluster_dims__(2))
{
    cg::this_cluster().barrier_wait(); /* FAULT cluster_only_waits */
}

/* maps shared memory of block 2 of a cluster that has 2 */
KERNEL(cluster_no_such_block, 2, 32, __cluster_dims__(2))
{
    __shared__ float tile[32];
    p[0] = *cg::this_cluster().map_shared_rank(tile, 2); /* FAULT cluster_no_such_block */
}

/* maps a pointer that does not lead to shared memory */
KERNEL(cluster_maps_global, 2, 32, __cluster_dims__(2))
{
    p[0] = *cg::this_cluster().map_shared_rank(p, 1); /* FAULT cluster_maps_global */
}

/* A pointer that one block mapped, in the hands of another: of the one it leads to. */
/* writes its own shared memory by a pointer that another block mapped */
KERNEL(cluster_pointer_given, 2, 32, __cluster_dims__(2))
{
    __shared__ float *given;
    __shared__ float value;
    cg::cluster_group cluster = cg::this_cluster();
    cluster.sync();
    if (cluster.thread_rank() == 0)
        *cluster.map_shared_rank(&given, 1) = cluster.map_shared_rank(&value, 1);
    cluster.sync();
    if (cluster.block_rank() == 1)
        *given = p[0]; /* FAULT cluster_pointer_given */
}

/* writes 4 bytes at 0xc: neither device memory, shared memory nor its own */
__global__ void null_pointer(float *p, int)
{
    p[3] = 1; /* FAULT null_pointer */
}

/* divides a whole number by zero */
KERNEL(zero_division, 1, 1)
{
    p[0] = (float)(7 / (n - 4096)); /* FAULT zero_division */
}

/* reads by __ldg() what this launch has written */
KERNEL(read_only_load, 1, 32)
{
    p[threadIdx.x] = 1;
    p[threadIdx.x + 32] = __ldg(&p[threadIdx.x]); /* FAULT read_only_load */
}

__device__ float on_device;
__constant__ float constant_there[2];
/* host code writes a __device__ or __constant__ variable */
static void host_variable(void)
{
    on_device = 1; /* FAULT host_variable */
}

/* host code reads a __device__ or __constant__ variable */
static void host_constant(float *out)
{
    out[0] = constant_there[1]; /* FAULT host_constant */
}

/* host code touches memory that is not there */
static void host_null(float *p)
{
    *p = 1; /* FAULT host_null */
}

/* host code writes device memory: copy it with cudaMemcpy() */
static void host_access(float *device)
{
    device[0] = 1; /* FAULT host_access */
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    memory m = zeroed(4096 * sizeof(float)); /* the upper half stays as it is */
    float *device = m.p, host[4] = {0};
    for (int i = 0; i < count; i++)
        if (strcmp(kernels[i].name, name) == 0)
            kernels[i].function<<<kernels[i].grid, kernels[i].block, 256>>>(device, 4096);
    if (strcmp(name, "endless_wait") == 0)
        endless_wait<<<1, 32>>>(device, 0);
    if (strcmp(name, "endless_wait_for_two") == 0)
        endless_wait_for_two<<<1, 32>>>(device, 0);
    if (strcmp(name, "endless_vote") == 0)
        endless_vote<<<1, 32>>>(device, 0);
    if (strcmp(name, "host_memory") == 0)
        host_memory<<<1, 1>>>(host, 0);
    if (strcmp(name, "null_pointer") == 0)
        null_pointer<<<1, 1>>>(nullptr, 0);
    if (strcmp(name, "host_variable") == 0)
        host_variable();
    if (strcmp(name, "host_constant") == 0)
        host_constant(host);
    if (strcmp(name, "host_null") == 0)
        host_null(nullptr);
    if (strcmp(name, "host_access") == 0)
        host_access(device);
    if (strcmp(name, "freed_memory") == 0) {
        cudaFree(device);
        freed_memory<<<1, 1>>>(device, 0);
    }
    if (strcmp(name, "grid_sync_skipped") == 0) {
        int n = 0;
        void *arguments[] = {&device, &n};
        cudaLaunchCooperativeKernel(grid_sync_skipped, 2, 32, arguments);
    }
    printf("%s: nothing was refused\n", name);
    return 0;
}
