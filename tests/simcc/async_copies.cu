// Asynchronous copies into shared memory: by a barrier, by batches, by cooperative groups, and by pipelines of a
// thread and of a block, with one role and with two; barriers with a function at the end of each phase.
// run: SIMT_SCHEDULE=0..3
// tier: more
#include "check.cuh"
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>

namespace cg = cooperative_groups;

constexpr int TILE = 128;

// Each block turns its tile around.
__global__ void with_barrier(const float *in, float *out) {
    __shared__ alignas(16) float tile[TILE];
    __shared__ cuda::barrier<cuda::thread_scope_block> ready;
    auto block = cg::this_thread_block();
    if (block.thread_rank() == 0) init(&ready, block.size());
    block.sync();
    cuda::memcpy_async(block, tile, in + blockIdx.x * TILE, cuda::aligned_size_t<16>(sizeof tile), ready);
    ready.arrive_and_wait();
    out[blockIdx.x * TILE + threadIdx.x] = tile[TILE - 1 - threadIdx.x];
}

__global__ void with_group(const float *in, float *out) {
    __shared__ alignas(16) float tile[2][TILE];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, tile[0], in + blockIdx.x * TILE, sizeof tile[0]);
    cg::memcpy_async(block, tile[1], in, sizeof(float) * TILE);
    cg::wait_prior<1>(block);
    float mine = tile[0][TILE - 1 - threadIdx.x];
    cg::wait(block);
    out[blockIdx.x * TILE + threadIdx.x] = mine + tile[1][0] - tile[1][0];
}

__global__ void with_primitives(const float *in, float *out) {
    __shared__ alignas(16) float tile[2][TILE];
    const float *from = in + blockIdx.x * TILE;
    __pipeline_memcpy_async(&tile[0][threadIdx.x], &from[threadIdx.x], sizeof(float));
    __pipeline_commit();
    if (threadIdx.x < TILE / 4) __pipeline_memcpy_async(&tile[1][4 * threadIdx.x], &from[4 * threadIdx.x], 16);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    float mine = tile[0][threadIdx.x];
    __pipeline_wait_prior(0);
    __syncthreads();
    out[blockIdx.x * TILE + TILE - 1 - threadIdx.x] = mine + tile[1][TILE - 1 - threadIdx.x] - tile[0][TILE - 1 - threadIdx.x];
}

// The sum of all tiles, element by element: the next ones come while one is added.
__global__ void of_thread(const float *in, float *out, int tiles) {
    constexpr int STAGES = 3;
    __shared__ float stage[STAGES][TILE];
    auto pipe = cuda::make_pipeline();
    float sum = 0;
    for (int next = 0, t = 0; t < tiles; t++) {
        for (; next < tiles && next < t + STAGES; next++) {
            pipe.producer_acquire();
            cuda::memcpy_async(&stage[next % STAGES][threadIdx.x], &in[next * TILE + threadIdx.x], sizeof(float), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += stage[t % STAGES][threadIdx.x];
        pipe.consumer_release();
    }
    out[threadIdx.x] = sum;
}

__global__ void of_block(const float *in, float *out, int tiles) {
    constexpr int STAGES = 2;
    extern __shared__ float stages[];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    float sum = 0;
    for (int next = 0, t = 0; t < tiles; t++) {
        for (; next < tiles && next < t + STAGES; next++) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, stages + next % STAGES * TILE, in + next * TILE, sizeof(float) * TILE, pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += stages[t % STAGES * TILE + TILE - 1 - threadIdx.x];
        pipe.consumer_release();
    }
    out[TILE - 1 - threadIdx.x] = sum;
}

// Warp 0 fetches, the others add.
__global__ void two_roles(const float *in, float *out, int tiles) {
    constexpr int STAGES = 2;
    __shared__ float stage[STAGES][TILE];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;
    auto block = cg::this_thread_block();
    const auto role = threadIdx.x < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
    auto pipe = cuda::make_pipeline(block, &state, role);
    if (role == cuda::pipeline_role::producer) {
        auto warp = cg::tiled_partition<32>(block);
        for (int t = 0; t < tiles; t++) {
            pipe.producer_acquire();
            cuda::memcpy_async(warp, stage[t % STAGES], in + t * TILE, sizeof stage[0], pipe);
            pipe.producer_commit();
        }
    } else {
        float sum = 0;
        for (int t = 0; t < tiles; t++) {
            pipe.consumer_wait();
            sum += stage[t % STAGES][threadIdx.x - 32];
            pipe.consumer_release();
        }
        out[threadIdx.x - 32] = sum;
    }
}

// One half of the block hands its values to the other, with work between arriving and waiting.
__global__ void split_arrival(const float *in, float *out) {
    __shared__ float value[TILE / 2];
    __shared__ cuda::barrier<cuda::thread_scope_block> full, empty;
    if (threadIdx.x == 0) {
        init(&full, TILE);
        init(&empty, TILE);
    }
    __syncthreads();
    const int i = threadIdx.x % (TILE / 2), round_size = TILE / 2;
    for (int round = 0; round < 2; round++) {
        if (threadIdx.x < TILE / 2) {
            empty.arrive_and_wait();
            value[i] = in[blockIdx.x * TILE + round * round_size + i];
            (void)full.arrive();
        } else {
            (void)empty.arrive();
            auto token = full.arrive();
            float weight = 2.0f;
            full.wait(std::move(token));
            out[blockIdx.x * TILE + round * round_size + i] = weight * value[(i + 1) % round_size];
        }
    }
}

// The sum of a tile, and of the tiles before it: the last thread to arrive adds up, no thread goes on before.
__global__ void add_at_the_end(const float *in, float *out, int tiles) {
    __shared__ float values[TILE], total;
    auto add = [&total = total, &values = values] {
        for (int i = 0; i < TILE; i++) total += values[i];
    };
    using Barrier = cuda::barrier<cuda::thread_scope_block, decltype(add)>;
    __shared__ alignas(Barrier) char storage[sizeof(Barrier)];
    Barrier *barrier = reinterpret_cast<Barrier *>(storage);
    if (threadIdx.x == 0) {
        total = 0;
        init(barrier, blockDim.x, add);
    }
    __syncthreads();
    for (int t = 0; t < tiles; t++) {
        values[threadIdx.x] = in[t * TILE + threadIdx.x];
        auto token = barrier->arrive();
        barrier->wait(std::move(token));
        out[t * TILE + TILE - 1 - threadIdx.x] = total;
        __syncthreads(); // else the next tile's sum may come before all have read this one
    }
}

static const int tiles = 5, n = tiles * TILE;
static float *in, *out;

// The kernel has left what expected(i) says.
template <class F> static void compare(int count, F expected) {
    EACH_LEFT(i, count, out[i] == expected(i));
    memset(out, 0, n * sizeof *out);
}

int main() {
    in = managed<float>(n, [](int i) { return i % 97 - 30; }), out = managed<float>(n);
    auto turned = [](int i) { return in[i / TILE * TILE + TILE - 1 - i % TILE]; };
    for (auto kernel : {with_barrier, with_group, with_primitives}) {
        kernel<<<tiles, TILE>>>(in, out);
        compare(n, turned);
    }
    auto sum = [](int i) {
        float sum = 0;
        for (int t = 0; t < tiles; t++) sum += in[t * TILE + i];
        return sum;
    };
    for (auto kernel : {of_thread, of_block, two_roles}) {
        kernel<<<1, kernel == two_roles ? TILE + 32 : TILE, 2 * TILE * sizeof(float)>>>(in, out, tiles);
        compare(TILE, sum);
    }
    split_arrival<<<tiles, TILE>>>(in, out);
    compare(n, [](int i) { return 2 * in[i / 64 * 64 + (i + 1) % 64]; });
    add_at_the_end<<<1, TILE>>>(in, out, tiles);
    compare(n, [](int i) {
        float total = 0;
        for (int k = 0; k < i / TILE * TILE + TILE; k++) total += in[k];
        return total;
    });
    return verdict();
}
