// Cooperative groups: reductions and scans, of a block, of its tiles, and of tiles of several warps.
// run: SIMT_SCHEDULE=0..3
#include "check.cuh"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

// any group, as in the programming guide
__device__ int reduce_sum(cg::thread_group g, int *temp, int val) {
    int lane = g.thread_rank();
    for (int i = g.size() / 2; i > 0; i /= 2) {
        temp[lane] = val;
        g.sync(); // wait for all threads to store
        if (lane < i) val += temp[lane + i];
        g.sync(); // wait for all threads to load
    }
    return val; // note: only thread 0 will return full sum
}

__global__ void by_group(const int *in, int *block_sums, int *tile_sums) {
    extern __shared__ int temp[];
    cg::thread_block block = cg::this_thread_block();
    int value = in[block.group_index().x * block.size() + block.thread_rank()];

    int sum = reduce_sum(block, temp, value);
    if (block.thread_rank() == 0) block_sums[blockIdx.x] = sum;
    block.sync();

    auto tile = cg::tiled_partition(block, 8);
    sum = reduce_sum(tile, temp + block.thread_rank() / 8 * 8, value);
    if (tile.thread_rank() == 0) tile_sums[(blockIdx.x * blockDim.x + threadIdx.x) / 8] = sum;
}

template <typename T, typename TyGroup>
__device__ T sum_of(const TyGroup &group, T v) { return cg::reduce(group, v, cg::plus<T>()); }

struct out_t { int sum, least, most, bits; float fsum; double dsum; int evens, members, labelled; };

__global__ void by_reduce(out_t *out) {
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    cg::thread_block_tile<4, cg::thread_block_tile<32, cg::thread_block>> four = cg::tiled_partition<4>(cg::tiled_partition<32>(block));
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
    if (warp.thread_rank() == 0) out[warp.meta_group_rank()] = {s, lo, hi, (int)bits, f, d, evens_sum, members, labelled};
    cg::sync(block);
}

static void cg_reduce() {
    int *in = managed<int>(128, [](int i) { return i * i % 37; }), *block_sums = managed<int>(2), *tile_sums = managed<int>(16);
    out_t *h = managed<out_t>(2);
    by_group<<<2, 64, 64 * sizeof(int)>>>(in, block_sums, tile_sums);
    by_reduce<<<1, 64>>>(h);
    CHECK(cudaDeviceSynchronize());
    for (int g = 0; g < 18; g++) {
        int size = g < 2 ? 64 : 8, first = g < 2 ? g * 64 : (g - 2) * 8, sum = 0;
        for (int i = 0; i < size; i++) sum += in[first + i];
        EXPECT(sum == (g < 2 ? block_sums[g] : tile_sums[g - 2]));
    }
    EXPECT(h[0].sum == 496 && h[1].sum == 496 + 32 * 32);
    EXPECT(h[0].least == 0 && h[0].most == 31 && h[1].least == 32 && h[1].most == 63);
    EXPECT(h[0].bits == 15 && h[1].bits == 15);
    EXPECT(h[0].fsum == 248.0f && h[1].dsum == 0.25 * (32 + 33 + 34 + 35));
    EXPECT(h[0].evens == 240 && h[0].members == 16 && h[1].evens == 240 + 16 * 32 && h[1].members == 16 && h[0].labelled == 11);
}

struct scan_t { int up_to, before, four, most, odd, odd_before;
    unsigned members; };

__global__ void scan(scan_t *out) {
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    auto four = cg::tiled_partition<4>(warp);
    int v = (int)block.thread_rank();
    scan_t o = {};

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

static void cg_scan() {
    scan_t *h = managed<scan_t>(64);
    scan<<<1, 64>>>(h);
    CHECK(cudaDeviceSynchronize());
    for (int v = 0, sum = 0, most = 0; v < 64; v++) {
        if (v % 32 == 0) sum = most = 0;
        int before = sum, odd_before = 0;
        sum += v;
        for (int u = v / 32 * 32; u < v; u++) // each group for itself, and no lane in two of them
            if (h[v].members >> u % 32 & 1) {
                odd_before += u;
                EXPECT(h[u].members == h[v].members);
            }
        EXPECT(v % 2 ? (h[v].members >> v % 32 & 1) && !(h[v].members & 0x55555555) : h[v].members == 0);
        if (v * 7 % 32 > most) most = v * 7 % 32;
        EXPECT(h[v].up_to == sum && h[v].before == before && h[v].four == (2 << v % 4) - 1 && h[v].most == most);
        EXPECT(h[v].odd == (v % 2 ? odd_before + v : 0) && h[v].odd_before == (v % 2 ? odd_before : 0));
    }
}

// Tiles of several warps: barriers, sums, scans and votes of their own; one thread that acts for its group; values of several words that go from lane to lane.
struct tile_t { int sum, most, up_to, before, other, votes; };

template <unsigned SIZE> __global__ void tiles(const int *in, tile_t *out) {
    __shared__ cg::block_tile_memory<512> memory;
    __shared__ int values[512];
    auto block = cg::this_thread_block(memory);
    auto tile = cg::tiled_partition<SIZE>(block);
    const int i = threadIdx.x;
    tile_t o = {cg::reduce(tile, in[i], cg::plus<int>()), cg::reduce(tile, in[i], cg::greater<int>()), cg::inclusive_scan(tile, in[i], cg::plus<int>()),
                cg::exclusive_scan(tile, in[i], cg::plus<int>())};
    for (int round = 0; round < 2 + (int)tile.meta_group_rank(); round++) { // each tile as often as it likes
        values[i] = in[i] + round;
        tile.sync();
        o.other = values[tile.meta_group_rank() * SIZE + (tile.thread_rank() + 33) % SIZE];
        tile.sync();
    }
    if (tile.shfl(in[i], SIZE - 31) != in[tile.meta_group_rank() * SIZE + SIZE - 31]) __trap();
    o.votes = tile.any(in[i] == 7) * 2 + tile.all(in[i] >= 0);
    out[i] = o;
}

__global__ void one_for_all(int *out) {
    auto warp = cg::tiled_partition<16>(cg::this_thread_block());
    cg::invoke_one(warp, [&] { atomicAdd(&out[0], 1); });
    const int first = cg::invoke_one_broadcast(warp, [&](int step) { return atomicAdd(&out[1], step); }, 16);
    out[2 + first + warp.thread_rank()] = first;
}

__device__ bool is_tile(cg::thread_block_tile<4> any, unsigned rank, unsigned tiles) {
    return any.meta_group_rank() == rank && any.meta_group_size() == tiles;
}
// Tiles count from the group that they were cut from, also where a function takes any.
__global__ void tiles_of_tiles() {
    const auto large = cg::tiled_partition<128>(cg::this_thread_block()), other = large;
    const auto warp = cg::tiled_partition<32>(cg::tiled_partition<64>(other));
    const auto four = cg::tiled_partition<4>(warp);
    const auto first = cg::tiled_partition<4>(cg::this_thread_block());
    const unsigned i = threadIdx.x;
    atomicAdd(&failures, large.meta_group_rank() != i / 128 || warp.meta_group_rank() != i / 32 % 2 || warp.meta_group_size() != 2 ||
                             !is_tile(four, i / 4 % 8, 8) || !is_tile(first, i / 4, 64) || cg::this_thread().meta_group_size() != 1);
}

struct extreme { // 12 bytes
    float value;
    int where;
    short tag[2];
};

// Where the largest value of a warp is: its place travels with it. Then 16, 24 and 32 bytes at once.
__global__ void structures(const int *in, extreme *largest) {
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const int lane = (int)warp.thread_rank(), next = (lane + 1) % 32;
    extreme mine = {(float)in[threadIdx.x], (int)threadIdx.x, {(short)lane, (short)-lane}};
    for (int distance = 16; distance > 0; distance /= 2) {
        const extreme other = warp.shfl_down(mine, distance);
        if (other.value > mine.value || (other.value == mine.value && other.where < mine.where)) mine = other;
    }
    mine = warp.shfl(mine, 0);
    if (lane == 0) largest[warp.meta_group_rank()] = mine;
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
    atomicAdd(&failures, bad);
}

template <unsigned SIZE> static void check(int *in) {
    tile_t *out = managed<tile_t>(512);
    tiles<SIZE><<<1, 512>>>(in, out);
    CHECK(cudaDeviceSynchronize());
    for (unsigned t = 0; t < 512 / SIZE; t++) {
        int sum = 0, most = in[t * SIZE];
        bool seven = false;
        for (unsigned i = t * SIZE; i < (t + 1) * SIZE; i++) {
            EXPECT(out[i].before == sum && out[i].up_to == sum + in[i]);
            sum += in[i];
            most = in[i] > most ? in[i] : most;
            seven |= in[i] == 7;
        }
        for (unsigned r = 0; r < SIZE; r++) {
            const unsigned i = t * SIZE + r;
            EXPECT(out[i].sum == sum && out[i].most == most && out[i].votes == seven * 2 + 1);
            EXPECT(out[i].other == in[t * SIZE + (r + 33) % SIZE] + 1 + (int)t);
        }
    }
}

static void large_tiles() {
    int *in = managed<int>(512, [](int i) { return i * 37 % 211; }), *out = managed<int>(2 + 256);
    check<64>(in), check<128>(in), check<256>(in), check<512>(in);
    extreme *largest = managed<extreme>(4);
    one_for_all<<<2, 128>>>(out);
    structures<<<1, 128>>>(in, largest);
    tiles_of_tiles<<<1, 256>>>();
    LEFT(out[0] == 16 && out[1] == 256);
    EACH(i, 256, out[2 + i] == i / 16 * 16);
    for (int w = 0; w < 4; w++) {
        int best = 32 * w;
        for (int i = best; i < 32 * w + 32; i++) best = in[i] > in[best] ? i : best;
        EXPECT(largest[w].value == (float)in[best] && largest[w].where == best && largest[w].tag[1] == -(best % 32));
    }
}

int main() {
    cg_reduce(), cg_scan(), large_tiles();
    return verdict();
}
