/* faults.cu: what the simulator must refuse, a kernel each. n is 4096, and p points to so many
 * floats, of which the first half is zero; dynamic shared memory has 256 bytes.
 * run: KERNEL
 * seconds: 10
 */
#include "kernels.h"
#include <cooperative_groups.h>
#include <csignal>
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>
namespace cg = cooperative_groups;

/* A class that does not say how it is copied, returned by its name: it is not destroyed twice, and
   what is passed by value in this file is seen all the same. */
struct memory {
    float *p;
    explicit memory(size_t bytes) { cudaMalloc(&p, bytes); /* EXPECT write_past_end read_past_end read_before_start atomic_past_end passed_by_value freed_memory: made at */ }
    ~memory() { cudaFree(p); }
};
static memory zeroed(size_t bytes) {
    memory m(bytes);
    cudaMemset(m.p, 0, bytes / 2);
    return m;
}

#undef KERNEL
#define KERNEL(NAME, GRID, BLOCK, ...) KERNEL_OF(NAME, __VA_ARGS__, (float *p, int n), NAME<<<GRID, BLOCK, 256>>>(zeroed(4096 * sizeof(float)).p, 4096))

KERNEL(two_barriers, 1, 32) {
    if (threadIdx.x < 16) __syncthreads(); /* EXPECT two_barriers: waits at another */
    else __syncthreads(); /* EXPECT two_barriers: __syncthreads\(\) here, while thread 0 waits at another */
    p[0] = 1;
}
KERNEL(write_past_end, 1, 32) { p[threadIdx.x + n - 24] = 1; /* EXPECT write_past_end: writes 4 bytes at byte 16384 of an allocation of 16384 bytes, made at */ }
KERNEL(read_past_end, 1, 1) { p[0] = p[n]; /* EXPECT read_past_end: reads 4 bytes at byte 16384 of an allocation of 16384 bytes, made at */ }
KERNEL(read_before_start, 1, 1) { p[0] = p[n / 1024 - 5 - n / 1024]; /* EXPECT read_before_start: reads 4 bytes, 20 before an allocation of 16384 bytes, made at */ }
KERNEL(atomic_past_end, 1, 1) { atomicAdd(&p[n], 1.0f); /* EXPECT atomic_past_end: writes 4 bytes at byte 16384 */ }
KERNEL(absent_lane, 1, 35) { p[threadIdx.x] = __shfl_down_sync(0xffffffff, 1.0f, 16); /* EXPECT absent_lane: __shfl_down_sync\(\) reads lane 16, which does not exist: undefined */ }
KERNEL(returned_lane, 1, 32) {
    if (threadIdx.x == 21) return;
    p[threadIdx.x] = __shfl_down_sync(0xffffffff, 1.0f, 16); /* EXPECT returned_lane: __shfl_down_sync\(\) reads lane 21, which has returned: undefined */
}
KERNEL(lane_outside_mask, 1, 32) {
    if (threadIdx.x < 3) p[threadIdx.x] = __shfl_down_sync(7, 1.0f, 16); /* EXPECT lane_outside_mask: reads lane 16, which its mask 0x00000007 does not name */
}
KERNEL(mask_without_caller, 1, 32) { p[threadIdx.x] = __ballot_sync(0xffff0000, 1); /* EXPECT mask_without_caller: does not name the calling lane 0 */ }
KERNEL(masks_differ, 1, 32) {
    unsigned mask = threadIdx.x < 31 ? 0xffffffff : 0x80000001;
    p[threadIdx.x] = __any_sync(mask, 1); /* EXPECT masks_differ: with mask 0xffffffff, while lane 31 is at __any_sync\(\) with mask 0x80000001 */
}
KERNEL(bad_width, 1, 32) { p[threadIdx.x] = __shfl_sync(0xffffffff, 1.0f, 0, 12); /* EXPECT bad_width: with width 12 */ }
KERNEL(lane_never_comes, 1, 32) {
    if (threadIdx.x != 9) __syncwarp(); /* EXPECT lane_never_comes: deadlock: this thread waits at a warp operation, thread 9 waits at __syncthreads\(\) */
    __syncthreads();
    p[0] = 1;
}
KERNEL(unwritten_static_shared, 1, 32) {
    __shared__ float tile[64];
    tile[threadIdx.x] = 1;
    __syncthreads();
    p[threadIdx.x] = tile[threadIdx.x + 1]; /* EXPECT unwritten_static_shared: reads shared memory that no thread of its block has written */
}
KERNEL(unwritten_dynamic_shared, 1, 32) {
    extern __shared__ float tile[];
    tile[threadIdx.x] = 1;
    __syncthreads();
    p[threadIdx.x] = tile[threadIdx.x + 1]; /* EXPECT unwritten_dynamic_shared: reads shared memory that no thread of its block has written */
}
KERNEL(unwritten_global, 1, 1) { p[threadIdx.x] = p[threadIdx.x + 2048]; /* EXPECT unwritten_global: reads global memory that no thread or copy has written */ }
KERNEL(unwritten_counter, 1, 32) {
    __shared__ int counts[32];
    atomicAdd(&counts[threadIdx.x % 4], 1); /* EXPECT unwritten_counter: reads shared memory that no thread of its block has written */
    __syncthreads();
    p[threadIdx.x] = (float)counts[threadIdx.x % 4];
}
KERNEL(barrier_missing, 1, 64) {
    __shared__ float tile[64];
    tile[threadIdx.x] = 1; /* EXPECT barrier_missing: writes it later */
    p[threadIdx.x] = tile[threadIdx.x ^ 32]; /* EXPECT barrier_missing: no thread of its block has written: thread \(32,0,0\) writes it later, at */
}

struct sphere { float x, y, z, r, weight; };
static __device__ __noinline__ float reach(sphere s) { return s.x + s.r; }
static __device__ __noinline__ float weight(sphere s) { return s.weight; }
KERNEL(passed_by_value, 1, 1) {
    const sphere *spheres = (const sphere *)p;
    p[0] = reach(spheres[n / 5 + 1]); /* EXPECT passed_by_value: reads 20 bytes at byte 16400 of an allocation of 16384 bytes */
}
KERNEL(member_not_set, 1, 32) {
    __shared__ sphere spheres[32], copies[32];
    spheres[threadIdx.x].x = spheres[threadIdx.x].r = 1;
    copies[threadIdx.x] = spheres[threadIdx.x];
    p[threadIdx.x] = reach(copies[threadIdx.x]);
    p[threadIdx.x] = copies[threadIdx.x].weight; /* EXPECT member_not_set: reads shared memory that no thread of its block has written, and none does later: it is not */
}
KERNEL(member_used_by_value, 1, 32) {
    __shared__ sphere spheres[32];
    spheres[threadIdx.x].x = 1;
    p[threadIdx.x] = weight(spheres[threadIdx.x]); /* EXPECT member_used_by_value: reads shared memory that no thread of its block has written */
}
KERNEL(unwritten_copied, 1, 1) {
    float four[4];
    memcpy(four, p + 2048, sizeof four); /* EXPECT unwritten_copied: reads global memory that no thread or copy has written */
    p[threadIdx.x] = four[threadIdx.x % 4];
}
KERNEL(heap_overrun, 1, 1) {
    float *own = new float[4]; /* EXPECT heap_overrun: made at */
    for (int i = 0; i <= n / 1024; i++) own[i] = 1; /* EXPECT heap_overrun: writes 4 bytes at byte 16 of an allocation of 16 bytes, made at */
    p[threadIdx.x] = own[0];
    delete[] own;
}
KERNEL(heap_stale, 1, 1) {
    float *own = (float *)malloc(64); /* EXPECT heap_stale: made at */
    own[3] = 1;
    free(own);
    p[threadIdx.x] = own[3]; /* EXPECT heap_stale: reads 4 bytes of device memory that was freed: byte 12 of an allocation of */
}
KERNEL(heap_foreign, 1, 1) { free(p); /* EXPECT heap_foreign: which malloc\(\) or new in a kernel did not give */ }
KERNEL(memset_past_shared, 1, 1) {
    extern __shared__ float tile[];
    memset(tile, 0, 260); /* EXPECT memset_past_shared: writes 4 bytes at byte 256 of dynamic shared memory; the launch gave it 256 bytes */
    p[threadIdx.x] = tile[threadIdx.x];
}
KERNEL(past_dynamic_shared, 1, 32) {
    extern __shared__ float tile[];
    tile[threadIdx.x + 64] = p[0]; /* EXPECT past_dynamic_shared: writes 4 bytes at byte 256 of dynamic shared memory; the launch gave it 256 bytes */
}
KERNEL(endless_wait, 1, 32) {
    while (threadIdx.x == 0 && ((volatile float *)p)[0] != 7) ; /* EXPECT endless_wait: deadlock: this thread reads the same place again and again, thread 1 waits at __syncthreads\(\) */
    __syncthreads();
}
KERNEL(endless_wait_for_two, 1, 32) {
    while (threadIdx.x == 0 && (((volatile float *)p)[0] == 7 || ((volatile float *)p)[1] != 7)) ; /* EXPECT endless_wait_for_two: deadlock: this thread reads the same place again and again, thread 1 waits at __syncthreads\(\) */
    __syncthreads();
}
KERNEL(endless_vote, 1, 32) {
    while (__any_sync(0xffffffff, ((volatile float *)p)[threadIdx.x] != 7)) ; /* EXPECT endless_vote: deadlock: this thread reads the same place again and again, and no thread is left to end it */
}
KERNEL(endless_loop, 1, 32) {
    while (threadIdx.x == 9) ; /* EXPECT endless_loop: never ends */
    __syncthreads();
}
KERNEL(endless_calculation, 1, 32) {
    float x = threadIdx.x;
    while (x != 3.5f) x = x * 0.5f + 7; /* EXPECT endless_calculation: never ends */
    p[0] = x;
}
KERNEL(grid_sync_in_plain_launch, 1, 32) {
    cg::this_grid().sync(); /* EXPECT grid_sync_in_plain_launch: use cudaLaunchCooperativeKernel\(\) */
    p[0] = 1;
}

__global__ void grid_sync_in_one(float *p) {
    if (blockIdx.x == 1) return;
    cg::this_grid().sync(); /* EXPECT grid_sync_skipped: deadlock: this thread waits at grid\.sync\(\), and no thread is left to end it */
    p[0] = 1;
}
CASE(grid_sync_skipped) {
    void *arguments[] = {&device};
    cudaLaunchCooperativeKernel(grid_sync_in_one, 2, 32, arguments);
}

__global__ void store(float *p) { p[3] = 1; /* EXPECT host_memory host_array: neither device memory, shared memory nor its own */ /* EXPECT freed_memory: writes 4 bytes of device memory that was freed: byte 12 of an allocation of */ /* EXPECT null_pointer: writes 4 bytes at 0xc: neither device memory, shared memory nor its own */ }
CASE(host_memory) {
    float mine[4];
    store<<<1, 1>>>(mine);
}
CASE(host_array) {
    static float ours[4];
    store<<<1, 1>>>(ours);
}
CASE(null_pointer) { store<<<1, 1>>>(nullptr); }
CASE(freed_memory) {
    float *p = memory(64).p;
    store<<<1, 1>>>(p);
}
CASE(freed_source) {
    float *p = memory(64).p, there[16];
    cudaMemcpy(there, p, sizeof there, cudaMemcpyDeviceToHost); /* EXPECT freed_source: note: .*invalid argument; the source was freed$ */
}
CASE(freed_target) {
    float *p = memory(64).p, there[16] = {};
    cudaMemcpy(p, there, sizeof there, cudaMemcpyHostToDevice); /* EXPECT freed_target: note: .*invalid argument; the target was freed$ */
}
KERNEL(misaligned, 1, 1) { *(float4 *)(p + 1) = make_float4(1, 2, 3, 4); /* EXPECT misaligned: no multiple of 16: misaligned */ }
KERNEL(stack_overflow, 1, 1) {
    volatile char frame[4096];
    frame[n % 4096] = 1; /* EXPECT stack_overflow: needs more than the 64 KiB of local memory */
    if (n > 0) stack_overflow(p, n - 1);
    p[0] = frame[n % 4096];
}
KERNEL(stack_jump, 1, 1) {
    volatile char frame[100 * 1024];
    frame[n % 4096] = 1; /* EXPECT stack_jump: needs more than the 64 KiB of local memory */
    p[0] = frame[n % 4096];
}

/* ---- clusters of 2 blocks of 32 threads ---- */

/* The first block reads what the other holds. */
static __device__ float read_other(unsigned reader, bool first, bool last) {
    __shared__ float tile[32];
    cg::cluster_group cluster = cg::this_cluster();
    tile[threadIdx.x] = 1;
    if (first) cluster.sync();
    float value = 0;
    const float *other = cluster.map_shared_rank(tile, cluster.block_rank() ^ 1);
    if (cluster.block_rank() == reader) value = other[threadIdx.x]; /* EXPECT cluster_ends: reads shared memory of block \(1,0,0\), which may have ended */ /* EXPECT cluster_ended: reads shared memory of block \(0,0,0\), which may have ended */ /* EXPECT cluster_not_begun: reads shared memory of block \(0,0,0\), which may not have begun */
    if (last) cluster.sync();
    return value;
}
KERNEL(cluster_ends, 2, 32, __cluster_dims__(2)) { p[threadIdx.x + 32 * blockIdx.x] = read_other(0, true, false); }
KERNEL(cluster_ended, 2, 32, __cluster_dims__(2)) { p[threadIdx.x + 32 * blockIdx.x] = read_other(1, true, false); }
KERNEL(cluster_unseen, 2, 1, __cluster_dims__(2)) {
    __shared__ int flag;
    cg::cluster_group cluster = cg::this_cluster();
    flag = 0;
    cluster.sync();
    if (cluster.block_rank() == 1) atomicExch(cluster.map_shared_rank(&flag, 0), 7); /* EXPECT cluster_unseen: writes shared memory of block \(0,0,0\), which may have ended */
    else p[threadIdx.x] = 1;
}
KERNEL(cluster_not_begun, 2, 32, __cluster_dims__(2)) { p[threadIdx.x + 32 * blockIdx.x] = read_other(1, false, true); }
KERNEL(cluster_unwritten, 2, 32, __cluster_dims__(2)) {
    extern __shared__ float tile[];
    cg::cluster_group cluster = cg::this_cluster();
    if (cluster.block_rank() == 0) tile[threadIdx.x] = 1;
    cluster.sync();
    if (cluster.block_rank() == 0) p[threadIdx.x] = *cluster.map_shared_rank(&tile[threadIdx.x], 1); /* EXPECT cluster_unwritten: reads shared memory that no thread of the cluster has written */
    cluster.sync();
}
KERNEL(cluster_past_dynamic, 2, 32, __cluster_dims__(2)) {
    extern __shared__ float tile[];
    cg::cluster_group cluster = cg::this_cluster();
    float *other = cluster.map_shared_rank(tile, cluster.block_rank() ^ 1);
    cluster.sync();
    other[64 + threadIdx.x] = 1; /* EXPECT cluster_past_dynamic: writes 4 bytes at byte 256 of dynamic shared memory; the launch gave it 256 */
    cluster.sync();
}
KERNEL(cluster_sync_skipped, 2, 32, __cluster_dims__(2)) {
    if (blockIdx.x == 1 && threadIdx.x == 7) return;
    cg::this_cluster().sync(); /* EXPECT cluster_sync_skipped: waits at a barrier of its cluster, thread 7 of block \(1,0,0\) has returned */
    p[0] = 1;
}
KERNEL(cluster_sync_in_one, 2, 32, __cluster_dims__(2)) {
    if (blockIdx.x == 0) cg::this_cluster().sync(); /* EXPECT cluster_sync_in_one: waits at a barrier of its cluster, thread 0 of block \(1,0,0\) has returned */
    else __syncthreads();
    p[blockIdx.x * 32 + threadIdx.x] = 1;
}
KERNEL(cluster_arrives_twice, 2, 32, __cluster_dims__(2)) {
    cg::this_cluster().barrier_arrive();
    cg::this_cluster().barrier_arrive(); /* EXPECT cluster_arrives_twice: arrives at a barrier of its cluster again before it waited */
}
KERNEL(cluster_only_waits, 2, 32, __cluster_dims__(2)) { cg::this_cluster().barrier_wait(); /* EXPECT cluster_only_waits: without having arrived there */ }
KERNEL(cluster_no_such_block, 2, 32, __cluster_dims__(2)) {
    __shared__ float tile[32];
    p[0] = *cg::this_cluster().map_shared_rank(tile, 2); /* EXPECT cluster_no_such_block: maps shared memory of block 2 of a cluster that has 2 */
}
KERNEL(cluster_maps_global, 2, 32, __cluster_dims__(2)) { p[0] = *cg::this_cluster().map_shared_rank(p, 1); /* EXPECT cluster_maps_global: maps a pointer that does not lead to shared memory */ }

/* A pointer that one block mapped, in the hands of another: of the one it leads to. */
KERNEL(cluster_pointer_given, 2, 32, __cluster_dims__(2)) {
    __shared__ float *given;
    __shared__ float value;
    cg::cluster_group cluster = cg::this_cluster();
    cluster.sync();
    if (cluster.thread_rank() == 0) *cluster.map_shared_rank(&given, 1) = cluster.map_shared_rank(&value, 1);
    cluster.sync();
    if (cluster.block_rank() == 1) *given = p[0]; /* EXPECT cluster_pointer_given: writes its own shared memory by a pointer that another block mapped */
}
KERNEL(zero_division, 1, 1) { p[0] = (float)(7 / (n - 4096)); /* EXPECT zero_division: divides a whole number by zero */ }
KERNEL(read_only_load, 1, 32) {
    p[threadIdx.x] = 1;
    p[threadIdx.x + 32] = __ldg(&p[threadIdx.x]); /* EXPECT read_only_load: reads by __ldg\(\) what this launch has written */
}

__device__ float on_device;
__constant__ float constant_there[2];
CASE(host_variable) { on_device = 1; /* EXPECT host_variable: host code writes a __device__ or __constant__ variable */ }
CASE(host_constant) { printf("%g\n", constant_there[1]); /* EXPECT host_constant: host code reads a __device__ or __constant__ variable */ }
CASE(host_access) { device[0] = 1; /* EXPECT host_access: host code writes device memory: copy it with cudaMemcpy\(\) */ }
static void end_as_a_crash() {
    int status = 0;
    wait(&status);
    exit(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV ? 1 : 2);
}
CASE(host_null) {
    if (fork() == 0) *(volatile int *)nullptr = 1; /* EXPECT host_null: host code touches memory that is not there */
    end_as_a_crash();
}
CASE(host_barrier) {
    if (fork() == 0) __syncthreads(); /* EXPECT host_barrier: host code calls what only a kernel may */
    end_as_a_crash();
}
