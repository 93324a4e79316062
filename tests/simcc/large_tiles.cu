// Tiles of several warps: barriers, sums, scans and votes of their own; one thread that acts for its group; values of
// several words that go from lane to lane.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>

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
    if (tile.shfl(in[i], SIZE - 31) != in[tile.meta_group_rank() * SIZE + SIZE - 31])
        __trap();
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

struct extreme { // 12 bytes
    float value;
    int where;
    short tag[2];
};

// Where the largest value of a warp is: its place travels with it. Then 16, 24 and 32 bytes at once.
__global__ void structures(const int *in, extreme *largest, int *wrong)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const int lane = (int)warp.thread_rank(), next = (lane + 1) % 32;
    extreme mine = {(float)in[threadIdx.x], (int)threadIdx.x, {(short)lane, (short)-lane}};
    for (int distance = 16; distance > 0; distance /= 2) {
        const extreme other = warp.shfl_down(mine, distance);
        if (other.value > mine.value || (other.value == mine.value && other.where < mine.where))
            mine = other;
    }
    mine = warp.shfl(mine, 0);
    if (lane == 0)
        largest[warp.meta_group_rank()] = mine;
    const float4 four = warp.shfl(make_float4(lane, 2 * lane, 3 * lane, 4 * lane), next);
    const double2 flipped = cg::tiled_partition<8>(warp).shfl_xor(make_double2(lane, -lane), 3);
    struct { long long a[4]; } above = {{lane, 1, 2, -lane}}, below = warp.shfl_up(above, 1);
    int bad = four.x != next || four.w != 4 * next || flipped.x != (lane ^ 3) || flipped.y != -(lane ^ 3);
    bad += below.a[0] != (lane == 0 ? 0 : lane - 1) || below.a[3] != -below.a[0] || below.a[2] != 2;
    if (lane % 2 == 1) {
        const cg::coalesced_group odd = cg::coalesced_threads();
        const extreme first = odd.shfl(extreme{0.5f, lane, {1, 2}}, 0);
        bad += first.value != 0.5f || first.where % 2 != 1 || first.where > lane || first.tag[1] != 2;
    }
    if (bad)
        atomicAdd(wrong, bad);
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

    extreme *largest;
    if (cudaMallocManaged(&largest, 4 * sizeof *largest) != cudaSuccess)
        return 1;
    out[0] = 0;
    structures<<<1, 128>>>(in, largest, out);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    for (int w = 0; w < 4; w++) {
        int best = 32 * w;
        for (int i = best; i < 32 * w + 32; i++)
            best = in[i] > in[best] ? i : best;
        wrong += largest[w].value != (float)in[best] || largest[w].where != best || largest[w].tag[1] != -(best % 32);
    }
    wrong += out[0];
    std::printf("in all %d wrong\n", wrong);
    return wrong != 0;
}
