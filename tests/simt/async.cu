/* async.cu: cuda::barrier, asynchronous copies and atomics with an order, each wrong in one place,
 * or right where that looks alike.
 * run: SIMT_STRICT=1 SIMT_SCHEDULE=0..2 KERNEL
 * tier: more
 */
#include "kernels.h"
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/ptx>
namespace cg = cooperative_groups;

enum { N = 64 };
using block_barrier = cuda::barrier<cuda::thread_scope_block>;
static __device__ void make(block_barrier &b, int count) {
    if (threadIdx.x == 0) init(&b, count);
    __syncthreads();
}
KERNEL(too_early, 1, N) {
    __shared__ alignas(16) int tile[N];
    __shared__ block_barrier ready;
    auto block = cg::this_thread_block();
    make(ready, N);
    cuda::memcpy_async(block, tile, data, sizeof tile, ready);
    auto token = ready.arrive();
    more[threadIdx.x] = tile[threadIdx.x]; /* EXPECT too_early: reads shared memory that (no thread|an asynchronous copy is to fill) */
    ready.wait(std::move(token));
}
KERNEL(written_under_way, 1, N) {
    __shared__ alignas(16) int tile[N];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, tile, data, sizeof tile); /* MAY written_under_way: race */
    tile[threadIdx.x] = 0; /* EXPECT written_under_way: writes shared memory that an asynchronous copy is to fill */
    cg::wait(block);
    more[threadIdx.x] = tile[threadIdx.x];
}
KERNEL(one_batch_too_few, 1, N) {
    __shared__ alignas(16) int tile[2][N];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, tile[0], data, sizeof tile[0]);
    cg::memcpy_async(block, tile[1], data, sizeof tile[1]);
    cg::wait_prior<1>(block);
    more[threadIdx.x] = tile[0][threadIdx.x] + tile[1][threadIdx.x]; /* EXPECT one_batch_too_few: reads shared memory that an asynchronous copy is to fill */
    cg::wait(block);
}

/* Each thread has waited for its own copy, and not for its neighbour's. */
static __device__ void copy_and_read(const int *in, int *out, bool wait) {
    __shared__ int tile[N];
    auto pipe = cuda::make_pipeline();
    pipe.producer_acquire();
    cuda::memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(int), pipe); /* MAY others_copy: . */
    pipe.producer_commit();
    pipe.consumer_wait();
    if (wait) __syncthreads();
    out[threadIdx.x] = tile[(threadIdx.x + 1) % N]; /* EXPECT others_copy: (read-write race|reads shared memory that (no thread|an asynchronous)) */
    pipe.consumer_release();
}
KERNEL(others_copy, 1, N) { copy_and_read(data, more, false); }
KERNEL(others_copy_right, 1, N) { copy_and_read(data, more, true); }
KERNEL(no_count, 1, N) {
    __shared__ block_barrier b;
    make(b, 0);
    b.arrive_and_wait(); /* EXPECT no_count: uses a cuda::barrier that has no count */
    more[threadIdx.x] = 1;
}
KERNEL(never_made, 1, N) {
    __shared__ block_barrier b;
    b.arrive_and_wait(); /* EXPECT never_made: reads shared memory that no thread of its block has written */
    more[threadIdx.x] = 1;
}
KERNEL(made_too_late, 1, N) {
    __shared__ block_barrier b;
    if (threadIdx.x == 0) init(&b, 32); /* MAY made_too_late: race */
    __syncwarp(); /* of the wrong warp */
    if (threadIdx.x >= 32) b.arrive_and_wait(); /* EXPECT made_too_late: (read-write race|write-write race|shared memory that no thread) */
    more[threadIdx.x] = 1;
}
KERNEL(one_too_few, 1, N) {
    __shared__ block_barrier b;
    make(b, N + 1);
    b.arrive_and_wait(); /* EXPECT one_too_few: deadlock: this thread waits at a cuda::barrier */
    more[threadIdx.x] = 1;
}
KERNEL(too_many, 1, N) {
    __shared__ block_barrier b;
    make(b, 8);
    if (threadIdx.x == 0) (void)b.arrive(9); /* EXPECT too_many: arrives 9 times at a cuda::barrier whose phase lacks 8 of 8 */
    more[threadIdx.x] = 1;
}

/* No thread waits: arriving alone orders nothing. */
KERNEL(not_waited, 1, N) {
    __shared__ int tile[N];
    __shared__ block_barrier b;
    make(b, N);
    tile[threadIdx.x] = data[threadIdx.x]; /* MAY not_waited: read-write race */
    auto token = b.arrive();
    more[threadIdx.x] = tile[threadIdx.x ^ 32]; /* MAY not_waited: (read-write race|reads shared memory that no thread) */
    b.wait(std::move(token));
}

/* What is written between arriving and waiting the others do not know. */
KERNEL(after_arrival, 1, N) {
    __shared__ int tile[N];
    __shared__ block_barrier b;
    if (threadIdx.x == 0) init(&b, N);
    tile[threadIdx.x] = 0;
    __syncthreads();
    auto token = b.arrive();
    tile[threadIdx.x] = data[threadIdx.x]; /* MAY after_arrival: read-write race */
    b.wait(std::move(token));
    more[threadIdx.x] = tile[threadIdx.x ^ 32]; /* MAY after_arrival: read-write race */
}
KERNEL(after_arrival_right, 1, N) {
    __shared__ int tile[N];
    __shared__ block_barrier b;
    if (threadIdx.x == 0) init(&b, N);
    tile[threadIdx.x] = 0;
    __syncthreads();
    tile[threadIdx.x] = data[threadIdx.x];
    auto token = b.arrive();
    more[threadIdx.x] = 1;
    b.wait(std::move(token));
    more[threadIdx.x] = tile[threadIdx.x ^ 32];
}

/* The next copy goes into a stage that others still read. */
KERNEL(stage_not_empty, 1, N) {
    __shared__ alignas(16) int tile[N];
    __shared__ block_barrier b;
    auto block = cg::this_thread_block();
    make(b, N);
    int sum = 0;
    for (int round = 0; round < 2; round++) {
        cuda::memcpy_async(block, tile, data, sizeof tile, b); /* MAY stage_not_empty: read-write race */
        b.arrive_and_wait();
        sum += tile[threadIdx.x]; /* MAY stage_not_empty: (read-write race|reads shared memory that an asynchronous) */
    }
    more[threadIdx.x] = sum;
}

/* One thread has the copy engine bring the tile; the phase is over when all its bytes are there. */
__device__ void bulk(int *tile, const int *in, block_barrier &full, int bytes, int told, bool tell_first) {
    auto tell = [&] { (void)cuda::device::barrier_arrive_tx(full, 1, told); };
    if (tell_first) tell();
    cuda::device::memcpy_async_tx(tile, in, cuda::aligned_size_t<16>(bytes), full); /* MAY bulk_stage_not_empty: read-write race */
    if (!tell_first) tell();
}
KERNEL(bulk_right, 1, N) {
    __shared__ alignas(128) int tile[2][N];
    __shared__ block_barrier full[2];
    if (threadIdx.x == 0)
        for (int k = 0; k < 2; k++) {
            init(&full[k], 1);
            cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);
            bulk(tile[k], data, full[k], sizeof tile[k], sizeof tile[k], k == 1);
        }
    __syncthreads();
    for (int round = 0; round < 4; round++) {
        full[round % 2].wait_parity(round / 2);
        more[threadIdx.x] += tile[round % 2][N - 1 - threadIdx.x];
        __syncthreads();
        if (threadIdx.x == 0 && round < 2)
            bulk(tile[round], data, full[round], sizeof tile[0], sizeof tile[0], round == 0);
    }
}
KERNEL(bulk_too_early, 1, N) {
    __shared__ alignas(128) int tile[N];
    __shared__ block_barrier full;
    if (threadIdx.x == 0) {
        init(&full, 1);
        bulk(tile, data, full, sizeof tile, sizeof tile, false);
    }
    __syncthreads();
    more[threadIdx.x] = tile[threadIdx.x]; /* EXPECT bulk_too_early: reads shared memory that an asynchronous copy is to fill */
}
KERNEL(bulk_stage_not_empty, 1, N) {
    __shared__ alignas(128) int tile[N];
    __shared__ block_barrier full;
    make(full, 1);
    for (int round = 0; round < 2; round++) {
        if (threadIdx.x == 0) bulk(tile, data, full, sizeof tile, sizeof tile, false);
        full.wait_parity(round); /* MAY bulk_stage_not_empty: deadlock */
        more[threadIdx.x] += tile[threadIdx.x]; /* MAY bulk_stage_not_empty: (read-write race|reads shared memory that an asynchronous) */
    }
}
KERNEL(bulk_too_few_bytes, 1, N) {
    __shared__ alignas(128) int tile[N];
    __shared__ block_barrier full;
    if (threadIdx.x == 0) {
        init(&full, 1);
        bulk(tile, data, full, sizeof tile, sizeof tile + 16, false);
    }
    __syncthreads();
    full.wait_parity(0); /* EXPECT bulk_too_few_bytes: deadlock: this thread waits at a cuda::barrier */
    more[threadIdx.x] = tile[threadIdx.x];
}
KERNEL(bulk_misaligned, 1, N) {
    __shared__ alignas(128) int tile[N];
    __shared__ block_barrier full;
    if (threadIdx.x == 0) {
        init(&full, 1);
        cuda::device::memcpy_async_tx(tile, data + 1, cuda::aligned_size_t<16>(16), full); /* EXPECT bulk_misaligned: multiples of 16 bytes */
    }
}
KERNEL(bulk_out_too_early, 1, N) {
    __shared__ alignas(128) int tile[N];
    tile[threadIdx.x] = (int)threadIdx.x; /* MAY bulk_out_too_early: race */
    if (threadIdx.x == 0) cuda::ptx::cp_async_bulk(cuda::ptx::space_global, cuda::ptx::space_shared, more, tile, sizeof tile); /* EXPECT bulk_out_too_early: (race|no thread of its block has written) */
}
KERNEL(bulk_out_of_elsewhere, 1, N) {
    if (threadIdx.x == 0) cuda::ptx::cp_async_bulk(cuda::ptx::space_global, cuda::ptx::space_shared, more, data, 16); /* EXPECT bulk_out_of_elsewhere: goes out of the block's own shared memory */
}

/* All fence, all meet, one raises the flag: as with __syncthreads(). */
KERNEL(fences_right, 2, N) {
    __shared__ block_barrier b;
    __shared__ unsigned last;
    make(b, N);
    more[blockIdx.x * N + threadIdx.x] = 1;
    __threadfence();
    b.arrive_and_wait();
    if (threadIdx.x == 0) last = atomicAdd((unsigned *)&more[4 * N], 1u) == gridDim.x - 1;
    b.arrive_and_wait();
    if (last) {
        __threadfence();
        more[4 * N + 1 + threadIdx.x] = more[threadIdx.x] + more[N + threadIdx.x];
    }
}

static __device__ void hand_over(int *out, cuda::memory_order store, cuda::memory_order load) {
    cuda::atomic_ref<int, cuda::thread_scope_device> flag(out[N]);
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        out[0] = 5; /* MAY relaxed_store: read-write race in global memory */ /* MAY relaxed_load: race */
        flag.store(1, store);
    }
    if (blockIdx.x == 1 && threadIdx.x == 0) {
        while (flag.load(load) == 0) ;
        out[1] = out[0]; /* MAY relaxed_store: read-write race in global memory */ /* EXPECT relaxed_load: read-write race in global memory */
    }
}
KERNEL(handed_over_right, 2, N) { hand_over(more, cuda::memory_order_release, cuda::memory_order_acquire); }
KERNEL(relaxed_store, 2, N) { hand_over(more, cuda::memory_order_relaxed, cuda::memory_order_acquire); }
KERNEL(relaxed_load, 2, N) { hand_over(more, cuda::memory_order_release, cuda::memory_order_relaxed); }
KERNEL(block_scope, 2, N) { cuda::atomic_ref<int, cuda::thread_scope_block>(more[N]).fetch_add(1); /* EXPECT block_scope: write-write race in global memory */ }
