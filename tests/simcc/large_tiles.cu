// Tiles of several warps: barriers, sums, scans and votes of their own; one thread that acts for its group.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

template <unsigned SIZE>
__global__ void tiles(const int *in, int *out, int *ballots)
{
    __shared__ cg::block_tile_memory<512> memory;
    __shared__ int values[512];
    auto block = cg::this_thread_block(memory);
    auto tile = cg::tiled_partition<SIZE>(block);
    const int i = threadIdx.x;
    const int sum = cg::reduce(tile, in[i], cg::plus<int>());
    const int most = cg::reduce(tile, in[i], cg::greater<int>());
    const int scan = cg::inclusive_scan(tile, in[i], cg::plus<int>());
    const int below = cg::exclusive_scan(tile, in[i], cg::plus<int>());
    for (int round = 0; round < 2 + (int)tile.meta_group_rank(); round++) { // each tile as often as it likes
        values[i] = in[i] + round;
        tile.sync();
        out[4 * 512 + i] = values[tile.meta_group_rank() * SIZE + (tile.thread_rank() + 33) % SIZE];
        tile.sync();
    }
    ballots[i] = tile.any(in[i] == 7) * 2 + tile.all(in[i] >= 0);
    out[i] = sum;
    out[512 + i] = most;
    out[2 * 512 + i] = scan;
    out[3 * 512 + i] = below;
}

__global__ void one_for_all(int *out)
{
    auto warp = cg::tiled_partition<16>(cg::this_thread_block());
    cg::invoke_one(warp, [&] { atomicAdd(&out[0], 1); });
    const int first = cg::invoke_one_broadcast(warp, [&](int step) { return atomicAdd(&out[1], step); }, 16);
    out[2 + first + warp.thread_rank()] = first;
}

template <unsigned SIZE>
static int check(int *in, int *out, int *ballots)
{
    tiles<SIZE><<<1, 512>>>(in, out, ballots);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    int wrong = 0;
    for (unsigned t = 0; t < 512 / SIZE; t++) {
        int sum = 0, most = in[t * SIZE];
        bool seven = false;
        for (unsigned r = 0; r < SIZE; r++) {
            const unsigned i = t * SIZE + r;
            wrong += out[3 * 512 + i] != sum;
            sum += in[i];
            wrong += out[2 * 512 + i] != sum;
            most = in[i] > most ? in[i] : most;
            seven |= in[i] == 7;
        }
        for (unsigned r = 0; r < SIZE; r++) {
            const unsigned i = t * SIZE + r;
            wrong += out[i] != sum || out[512 + i] != most || ballots[i] != seven * 2 + 1;
            wrong += out[4 * 512 + i] != in[t * SIZE + (r + 33) % SIZE] + 1 + (int)t;
        }
    }
    std::printf("tiles of %u: %d wrong\n", SIZE, wrong);
    return wrong;
}

int main()
{
    int *in, *out, *ballots;
    if (cudaMallocManaged(&in, 512 * sizeof(int)) != cudaSuccess || cudaMallocManaged(&out, 5 * 512 * sizeof(int)) != cudaSuccess
        || cudaMallocManaged(&ballots, 512 * sizeof(int)) != cudaSuccess)
        return 1;
    for (int i = 0; i < 512; i++)
        in[i] = i * 37 % 211;
    int wrong = check<64>(in, out, ballots) + check<128>(in, out, ballots) + check<256>(in, out, ballots) + check<512>(in, out, ballots);
    for (int i = 0; i < 2 + 256; i++)
        out[i] = 0;
    one_for_all<<<2, 128>>>(out);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    wrong += out[0] != 16 || out[1] != 256;
    for (int i = 0; i < 256; i++)
        wrong += out[2 + i] != i / 16 * 16;
    return wrong != 0;
}
