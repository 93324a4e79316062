/*
 * faults.cu: one kernel for each thing that the simulator must refuse. The line
 * that it must name carries the mark "FAULT name"; tests/simulator.t runs each
 * and compares what it says. `faults NAME` runs one; without a name it lists them.
 */
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>
namespace cg = cooperative_groups;

__global__ void two_barriers(float *p, int)
{
    if (threadIdx.x < 16)
        __syncthreads();
    else
        __syncthreads(); /* FAULT two_barriers */
    p[0] = 1;
}

__global__ void write_past_end(float *p, int n)
{
    p[threadIdx.x + n - 24] = 1; /* FAULT write_past_end */
}

__global__ void read_past_end(float *p, int n)
{
    p[0] = p[n]; /* FAULT read_past_end */
}

__global__ void read_before_start(float *p, int n)
{
    p[0] = p[n / 1024 - 5 - n / 1024]; /* FAULT read_before_start */
}

__global__ void atomic_past_end(float *p, int n)
{
    atomicAdd(&p[n], 1.0f); /* FAULT atomic_past_end */
}

__global__ void absent_lane(float *p, int)
{
    p[threadIdx.x] = __shfl_down_sync(0xffffffff, 1.0f, 16); /* FAULT absent_lane */
}

__global__ void returned_lane(float *p, int)
{
    if (threadIdx.x == 21)
        return;
    p[threadIdx.x] = __shfl_down_sync(0xffffffff, 1.0f, 16); /* FAULT returned_lane */
}

__global__ void lane_outside_mask(float *p, int)
{
    if (threadIdx.x < 3)
        p[threadIdx.x] = __shfl_down_sync(7, 1.0f, 16); /* FAULT lane_outside_mask */
}

__global__ void mask_without_caller(float *p, int)
{
    p[threadIdx.x] = __ballot_sync(0xffff0000, 1); /* FAULT mask_without_caller */
}

__global__ void masks_differ(float *p, int)
{
    unsigned mask = threadIdx.x < 31 ? 0xffffffff : 0x80000001;
    p[threadIdx.x] = __any_sync(mask, 1); /* FAULT masks_differ */
}

__global__ void bad_width(float *p, int)
{
    p[threadIdx.x] = __shfl_sync(0xffffffff, 1.0f, 0, 12); /* FAULT bad_width */
}

__global__ void lane_never_comes(float *p, int)
{
    if (threadIdx.x != 9)
        __syncwarp(); /* FAULT lane_never_comes */
    __syncthreads();
    p[0] = 1;
}

__global__ void unwritten_static_shared(float *p, int)
{
    __shared__ float tile[64];
    tile[threadIdx.x] = 1;
    __syncthreads();
    p[threadIdx.x] = tile[threadIdx.x + 1]; /* FAULT unwritten_static_shared */
}

__global__ void unwritten_dynamic_shared(float *p, int)
{
    extern __shared__ float tile[];
    tile[threadIdx.x] = 1;
    __syncthreads();
    p[threadIdx.x] = tile[threadIdx.x + 1]; /* FAULT unwritten_dynamic_shared */
}

__global__ void unwritten_global(float *p, int)
{
    p[threadIdx.x] = p[threadIdx.x + 2048]; /* FAULT unwritten_global */
}

__global__ void unwritten_counter(float *p, int)
{
    __shared__ int counts[32];
    atomicAdd(&counts[threadIdx.x % 4], 1); /* FAULT unwritten_counter */
    __syncthreads();
    p[threadIdx.x] = (float)counts[threadIdx.x % 4];
}

__global__ void unwritten_copied(float *p, int)
{
    float four[4];
    memcpy(four, p + 2048, sizeof four); /* FAULT unwritten_copied */
    p[threadIdx.x] = four[threadIdx.x % 4];
}

__global__ void heap_overrun(float *p, int n)
{
    float *own = new float[4];
    for (int i = 0; i <= n / 1024; i++)
        own[i] = 1; /* FAULT heap_overrun */
    p[threadIdx.x] = own[0];
    delete[] own;
}

__global__ void heap_stale(float *p, int)
{
    float *own = (float *)malloc(64);
    own[3] = 1;
    free(own);
    p[threadIdx.x] = own[3]; /* FAULT heap_stale */
}

__global__ void heap_foreign(float *p, int)
{
    free(p); /* FAULT heap_foreign */
}

__global__ void memset_past_shared(float *p, int)
{
    extern __shared__ float tile[];
    memset(tile, 0, 260); /* FAULT memset_past_shared */
    p[threadIdx.x] = tile[threadIdx.x];
}

__global__ void past_dynamic_shared(float *p, int)
{
    extern __shared__ float tile[];
    tile[threadIdx.x + 64] = p[0]; /* FAULT past_dynamic_shared */
}

__global__ void endless_wait(volatile float *p, int)
{
    while (threadIdx.x == 0 && p[0] != 7) /* FAULT endless_wait */
        ;
    __syncthreads();
}

__global__ void endless_wait_for_two(volatile float *p, int)
{
    while (threadIdx.x == 0 && (p[0] == 7 || p[1] != 7)) /* FAULT endless_wait_for_two */
        ;
    __syncthreads();
}

__global__ void endless_vote(volatile float *p, int)
{
    while (__any_sync(0xffffffff, p[threadIdx.x] != 7)) /* FAULT endless_vote */
        ;
}

__global__ void endless_loop(float *, int)
{
    if (threadIdx.x == 9)
        while (true) /* FAULT endless_loop */
            ;
    __syncthreads();
}

__global__ void endless_calculation(float *p, int)
{
    float x = threadIdx.x;
    while (x != 3.5f)
        x = x * 0.5f + 7; /* FAULT endless_calculation */
    p[0] = x;
}

__global__ void grid_sync_in_plain_launch(float *p, int)
{
    cg::this_grid().sync(); /* FAULT grid_sync_in_plain_launch */
    p[0] = 1;
}

__global__ void grid_sync_skipped(float *p, int)
{
    if (blockIdx.x == 1)
        return;
    cg::this_grid().sync(); /* FAULT grid_sync_skipped */
    p[0] = 1;
}

__global__ void host_memory(float *p, int)
{
    p[0] = 1; /* FAULT host_memory */
}

__global__ void freed_memory(float *p, int)
{
    p[0] = 1; /* FAULT freed_memory */
}

__global__ void misaligned(float *p, int)
{
    *(float4 *)(p + 1) = make_float4(1, 2, 3, 4); /* FAULT misaligned */
}

__global__ void stack_overflow(float *p, int n)
{
    volatile char frame[4096];
    frame[n % 4096] = 1; /* FAULT stack_overflow */
    if (n > 0)
        stack_overflow(p, n - 1);
    p[0] = frame[n % 4096];
}

__global__ void stack_jump(float *p, int n)
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

__global__ void __cluster_dims__(2) cluster_ends(float *p, int)
{
    p[threadIdx.x + 32 * blockIdx.x] = read_other(0, true, false);
}

__global__ void __cluster_dims__(2) cluster_ended(float *p, int)
{
    p[threadIdx.x + 32 * blockIdx.x] = read_other(1, true, false);
}

__global__ void __cluster_dims__(2) cluster_unseen(float *p, int)
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

__global__ void __cluster_dims__(2) cluster_not_begun(float *p, int)
{
    p[threadIdx.x + 32 * blockIdx.x] = read_other(1, false, true);
}

__global__ void __cluster_dims__(2) cluster_unwritten(float *p, int)
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

__global__ void __cluster_dims__(2) cluster_past_dynamic(float *, int)
{
    extern __shared__ float tile[];
    cg::cluster_group cluster = cg::this_cluster();
    float *other = cluster.map_shared_rank(tile, cluster.block_rank() ^ 1);
    cluster.sync();
    other[64 + threadIdx.x] = 1; /* FAULT cluster_past_dynamic */
    cluster.sync();
}

__global__ void __cluster_dims__(2) cluster_sync_skipped(float *p, int)
{
    if (blockIdx.x == 1 && threadIdx.x == 7)
        return;
    cg::this_cluster().sync(); /* FAULT cluster_sync_skipped */
    p[0] = 1;
}

__global__ void __cluster_dims__(2) cluster_sync_in_one(float *p, int)
{
    if (blockIdx.x == 0)
        cg::this_cluster().sync(); /* FAULT cluster_sync_in_one */
    else
        __syncthreads();
    p[blockIdx.x * 32 + threadIdx.x] = 1;
}

__global__ void __cluster_dims__(2) cluster_arrives_twice(float *, int)
{
    cg::this_cluster().barrier_arrive();
    cg::this_cluster().barrier_arrive(); /* FAULT cluster_arrives_twice */
}

__global__ void __cluster_dims__(2) cluster_only_waits(float *, int)
{
    cg::this_cluster().barrier_wait(); /* FAULT cluster_only_waits */
}

__global__ void __cluster_dims__(2) cluster_no_such_block(float *p, int)
{
    __shared__ float tile[32];
    p[0] = *cg::this_cluster().map_shared_rank(tile, 2); /* FAULT cluster_no_such_block */
}

__global__ void __cluster_dims__(2) cluster_maps_global(float *p, int)
{
    p[0] = *cg::this_cluster().map_shared_rank(p, 1); /* FAULT cluster_maps_global */
}

/* A pointer that one block mapped, in the hands of another: of the one it leads to. */
__global__ void __cluster_dims__(2) cluster_pointer_given(float *p, int)
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

__global__ void null_pointer(float *p, int)
{
    p[3] = 1; /* FAULT null_pointer */
}

__global__ void zero_division(float *p, int n)
{
    p[0] = (float)(7 / (n - 4096)); /* FAULT zero_division */
}

__global__ void read_only_load(float *p, int)
{
    p[threadIdx.x] = 1;
    p[threadIdx.x + 32] = __ldg(&p[threadIdx.x]); /* FAULT read_only_load */
}

__device__ float on_device;
__constant__ float constant_there[2];
static void host_variable(void)
{
    on_device = 1; /* FAULT host_variable */
}

static void host_constant(float *out)
{
    out[0] = constant_there[1]; /* FAULT host_constant */
}

static void host_null(float *p)
{
    *p = 1; /* FAULT host_null */
}

static void host_access(float *device)
{
    device[0] = 1; /* FAULT host_access */
}

typedef void kernel_fn(float *, int);
static const struct {
    const char *name;
    kernel_fn *kernel;
    unsigned threads;
} kernels[] =
    {
#define KERNEL(NAME, THREADS)                                                                      \
    {                                                                                              \
#NAME, NAME, THREADS                                                                       \
    }
        KERNEL(two_barriers, 32),
        KERNEL(write_past_end, 32),
        KERNEL(read_past_end, 1),
        KERNEL(read_before_start, 1),
        KERNEL(atomic_past_end, 1),
        KERNEL(absent_lane, 35),
        KERNEL(returned_lane, 32),
        KERNEL(lane_outside_mask, 32),
        KERNEL(mask_without_caller, 32),
        KERNEL(masks_differ, 32),
        KERNEL(bad_width, 32),
        KERNEL(lane_never_comes, 32),
        KERNEL(unwritten_static_shared, 32),
        KERNEL(unwritten_dynamic_shared, 32),
        KERNEL(past_dynamic_shared, 32),
        KERNEL(unwritten_global, 1),
        KERNEL(unwritten_counter, 32),
        KERNEL(unwritten_copied, 1),
        KERNEL(heap_overrun, 1),
        KERNEL(heap_stale, 1),
        KERNEL(heap_foreign, 1),
        KERNEL(memset_past_shared, 1),
        KERNEL(zero_division, 1),
        KERNEL(read_only_load, 32),
        KERNEL(grid_sync_in_plain_launch, 32),
        KERNEL(endless_loop, 32),
        KERNEL(endless_calculation, 32),
        KERNEL(misaligned, 1),
        KERNEL(stack_overflow, 1),
        KERNEL(stack_jump, 1),
},
  clusters[] = {
      KERNEL(cluster_ends, 32),          KERNEL(cluster_ended, 32),
      KERNEL(cluster_unseen, 1),         KERNEL(cluster_not_begun, 32),
      KERNEL(cluster_unwritten, 32),     KERNEL(cluster_past_dynamic, 32),
      KERNEL(cluster_sync_skipped, 32),  KERNEL(cluster_sync_in_one, 32),
      KERNEL(cluster_arrives_twice, 32), KERNEL(cluster_only_waits, 32),
      KERNEL(cluster_no_such_block, 32), KERNEL(cluster_maps_global, 32),
      KERNEL(cluster_pointer_given, 32),
};

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    float *device, host[4] = {0};
    cudaMalloc(&device, 4096 * sizeof *device); /* the upper half stays as it is */
    cudaMemset(device, 0, 8192);
    for (auto &k : kernels)
        if (strcmp(k.name, name) == 0)
            k.kernel<<<1, k.threads, 256>>>(device, 4096);
    for (auto &k : clusters)
        if (strcmp(k.name, name) == 0)
            k.kernel<<<2, k.threads, 256>>>(device, 4096);
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
