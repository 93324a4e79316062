// Bulk copies into shared memory and out of it, by the names that libcu++ has had for them.
// run: SIMT_SCHEDULE=0..3
// tier: more
#include "check.cuh"
#include <cuda/barrier>
#include <cuda/ptx>

namespace ptx = cuda::ptx;
namespace cde = cuda::device::experimental;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

constexpr int TILE = 1024, TILES = 3;

static __device__ void add_to(int *tile, int what) {
    for (int i = threadIdx.x; i < TILE; i += blockDim.x) tile[i] += what;
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
}

__global__ void by_memcpy_async(int *data) {
    __shared__ alignas(16) int tile[TILE];
    __shared__ block_barrier full;
    int *mine = data + blockIdx.x * TILE;
    if (threadIdx.x == 0) init(&full, blockDim.x), ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) cuda::memcpy_async(tile, mine, cuda::aligned_size_t<16>(sizeof tile), full);
    block_barrier::arrival_token token = full.arrive();
    full.wait(std::move(token));
    add_to(tile, 1);
    if (threadIdx.x > 0) return;
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, mine, tile, sizeof tile);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
}

__global__ void by_words(int *data) {
    __shared__ alignas(16) int tile[TILE];
    __shared__ uint64_t full;
    int *mine = data + blockIdx.x * TILE;
    if (threadIdx.x == 0) ptx::mbarrier_init(&full, blockDim.x), ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    for (uint32_t turn = 0; turn < 4; turn++) {
        uint64_t state;
        if (threadIdx.x == 0) {
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, mine, sizeof tile, &full);
            state = ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full, sizeof tile);
        } else if (turn % 2 == 0) {
            state = ptx::mbarrier_arrive(&full);
        } else {
            state = ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full);
        }
        bool over = false;
        while (!over)
            over = turn == 0   ? ptx::mbarrier_try_wait(&full, state)
                   : turn == 1 ? ptx::mbarrier_try_wait(ptx::sem_acquire, ptx::scope_cta, &full, state)
                   : turn == 2 ? ptx::mbarrier_try_wait_parity(&full, turn % 2)
                               : ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cta, &full, turn % 2);
        add_to(tile, 10);
        if (threadIdx.x == 0) {
            ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, mine, tile, sizeof tile);
            ptx::cp_async_bulk_commit_group();
            ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
        }
    }
}

__global__ void by_older_names(int *data) {
    __shared__ alignas(16) int tile[TILE];
    __shared__ block_barrier full;
    int *mine = data + blockIdx.x * TILE;
    if (threadIdx.x == 0) init(&full, blockDim.x), cde::fence_proxy_async_shared_cta();
    __syncthreads();
    block_barrier::arrival_token token;
    if (threadIdx.x == 0) {
        cde::cp_async_bulk_global_to_shared(tile, mine, sizeof tile, full);
        token = cuda::device::barrier_arrive_tx(full, 1, sizeof tile);
    } else {
        token = full.arrive();
    }
    full.wait(std::move(token));
    add_to(tile, 100);
    if (threadIdx.x > 0) return;
    cde::cp_async_bulk_shared_to_global(mine, tile, sizeof tile);
    cde::cp_async_bulk_commit_group();
    cde::cp_async_bulk_wait_group_read<0>();
}

int main() {
    int *data = managed<int>(TILES * TILE, [](int i) { return 1000 * i; }), more = 0;
    for (auto kernel : {by_memcpy_async, by_words, by_older_names}) {
        kernel<<<TILES, 128>>>(data);
        more += kernel == by_memcpy_async ? 1 : kernel == by_words ? 40 : 100;
        EACH_LEFT(i, TILES * TILE, data[i] == 1000 * i + more);
    }
    return verdict();
}
