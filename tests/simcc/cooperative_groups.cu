// Cooperative groups: reductions and scans, of a block, of its tiles, and of tiles of several warps.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>

namespace cg_reduce {

namespace cg = cooperative_groups;

// any group, as in the programming guide
__device__ int reduce_sum(cg::thread_group g, int *temp, int val)
{
    int lane = g.thread_rank();
    for (int i = g.size() / 2; i > 0; i /= 2) {
        temp[lane] = val;
        g.sync(); // wait for all threads to store
        if (lane < i) val += temp[lane + i];
        g.sync(); // wait for all threads to load
    }
    return val; // note: only thread 0 will return full sum
}

__global__ void by_group(const int *in, int *block_sums, int *tile_sums)
{
    extern __shared__ int temp[];
    cg::thread_block block = cg::this_thread_block();
    int value = in[block.group_index().x * block.size() + block.thread_rank()];

    int sum = reduce_sum(block, temp, value);
    if (block.thread_rank() == 0)
        block_sums[blockIdx.x] = sum;
    block.sync();

    auto tile = cg::tiled_partition(block, 8);
    sum = reduce_sum(tile, temp + block.thread_rank() / 8 * 8, value);
    if (tile.thread_rank() == 0)
        tile_sums[(blockIdx.x * blockDim.x + threadIdx.x) / 8] = sum;
}

template <typename T, typename TyGroup>
__device__ T sum_of(const TyGroup &group, T v)
{
    return cg::reduce(group, v, cg::plus<T>());
}

struct out_t { int sum, least, most, bits; float fsum; double dsum; int evens, members, labelled; };

__global__ void by_reduce(out_t *out)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    cg::thread_block_tile<4, cg::thread_block_tile<32, cg::thread_block>> four =
        cg::tiled_partition<4>(cg::tiled_partition<32>(block));
    int v = (int)block.thread_rank();

    int s = sum_of(warp, v), lo = cg::reduce(warp, v, cg::less<int>()), hi = cg::reduce(warp, v, cg::greater<int>());
    unsigned bits = cg::reduce(four, 1u << (v % 32), cg::bit_or<unsigned>());
    float f = sum_of(warp, 0.5f * v);
    double d = sum_of(four, 0.25 * v);
    // those who happen to be together: one group of all evens, or several of some
    int group_sum = 0, size = 0;
    bool leads = false;
    if (v % 2 == 0) {
        cg::coalesced_group evens = cg::coalesced_threads();
        group_sum = cg::reduce(evens, v, cg::plus<int>());
        size = evens.size();
        leads = evens.thread_rank() == 0;
    }
    warp.sync();
    int evens_sum = sum_of(warp, leads ? group_sum : 0), members = sum_of(warp, leads ? size : 0);
    cg::coalesced_group same = cg::labeled_partition(warp, v % 3);
    int labelled = cg::reduce(same, 1, cg::plus<int>());
    if (warp.thread_rank() == 0)
        out[warp.meta_group_rank()] = {s, lo, hi, (int)bits, f, d, evens_sum, members, labelled};
    cg::sync(block);
}

#define TEST(x) if (!(x)) { printf("%d: failed: %s\n", __LINE__, #x); ++bad; }

static int test()
{
    int bad = 0;
    int h_in[128], sums[2], tiles[16], *in, *block_sums, *tile_sums;
    for (int i = 0; i < 128; i++) h_in[i] = i * i % 37;
    cudaMalloc(&in, sizeof h_in); cudaMalloc(&block_sums, sizeof sums); cudaMalloc(&tile_sums, sizeof tiles);
    cudaMemcpy(in, h_in, sizeof h_in, cudaMemcpyHostToDevice);
    by_group<<<2, 64, 64 * sizeof(int)>>>(in, block_sums, tile_sums);
    cudaMemcpy(sums, block_sums, sizeof sums, cudaMemcpyDeviceToHost);
    cudaMemcpy(tiles, tile_sums, sizeof tiles, cudaMemcpyDeviceToHost);
    for (int g = 0; g < 18; g++) {
        int size = g < 2 ? 64 : 8, first = g < 2 ? g * 64 : (g - 2) * 8, sum = 0;
        for (int i = 0; i < size; i++) sum += h_in[first + i];
        TEST(sum == (g < 2 ? sums[g] : tiles[g - 2]));
    }

    out_t h[2], *out;
    cudaMalloc(&out, sizeof h);
    by_reduce<<<1, 64>>>(out);
    TEST(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost) == cudaSuccess);
    TEST(h[0].sum == 496 && h[1].sum == 496 + 32 * 32);
    TEST(h[0].least == 0 && h[0].most == 31 && h[1].least == 32 && h[1].most == 63);
    TEST(h[0].bits == 15 && h[1].bits == 15);
    TEST(h[0].fsum == 248.0f && h[1].dsum == 0.25 * (32 + 33 + 34 + 35));
    TEST(h[0].evens == 240 && h[0].members == 16);
    TEST(h[1].evens == 240 + 16 * 32 && h[1].members == 16);
    TEST(h[0].labelled == 11);
    cudaFree(in); cudaFree(block_sums); cudaFree(tile_sums); cudaFree(out);
    if (!bad) puts("reduced");
    return bad;
}

#undef TEST

} // namespace cg_reduce

namespace cg_scan {

namespace cg = cooperative_groups;

struct out_t { int up_to, before, four, most, odd, odd_before;
    unsigned members; };

__global__ void scan(out_t *out)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    auto four = cg::tiled_partition<4>(warp);
    int v = (int)block.thread_rank();
    out_t o = {};

    o.up_to = cg::inclusive_scan(warp, v);
    o.before = cg::exclusive_scan(warp, v, cg::plus<int>());
    o.four = cg::inclusive_scan(four, 1 << v % 4, cg::bit_or<int>());
    o.most = cg::inclusive_scan(warp, v * 7 % 32, cg::greater<int>());
    if (v % 2) {
        cg::coalesced_group odds = cg::coalesced_threads();
        o.odd = cg::inclusive_scan(odds, v, cg::plus<int>());
        o.odd_before = cg::exclusive_scan(odds, v);
        o.members = cg::reduce(odds, 1u << v % 32, cg::bit_or<unsigned>()); // all odd ones, or some of them
    }
    out[v] = o;
}

static int test()
{
    out_t h[64], *out;
    int bad = 0;
    cudaMalloc(&out, sizeof h);
    scan<<<1, 64>>>(out);
    if (cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
    for (int v = 0, sum = 0, most = 0; v < 64; v++) {
        if (v % 32 == 0) sum = most = 0;
        int before = sum, odd_before = 0;
        sum += v;
        for (int u = v / 32 * 32; u < v; u++)
            if (h[v].members >> u % 32 & 1) { // each group for itself, and no lane in two of them
                odd_before += u;
                if (h[u].members != h[v].members) h[v].odd = -1;
            }
        if (v % 2 ? !(h[v].members >> v % 32 & 1) || (h[v].members & 0x55555555) : h[v].members != 0) h[v].odd = -1;
        if (v * 7 % 32 > most) most = v * 7 % 32;
        out_t right = {sum, before, (2 << v % 4) - 1, most, v % 2 ? odd_before + v : 0, v % 2 ? odd_before : 0, 0};
        if (h[v].up_to != right.up_to || h[v].before != right.before || h[v].four != right.four || h[v].most != right.most
            || h[v].odd != right.odd || h[v].odd_before != right.odd_before) {
            printf("thread %d: failed\n", v);
            bad = 1;
        }
    }
    cudaFree(out);
    if (!bad) puts("scanned");
    return bad;
}

} // namespace cg_scan

// Tiles of several warps: barriers, sums, scans and votes of their own; one thread that acts for its group; values of
// several words that go from lane to lane.
namespace large_tiles {

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

static int test()
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

} // namespace large_tiles

int main()
{
    return cg_reduce::test() | cg_scan::test() | large_tiles::test();
}
