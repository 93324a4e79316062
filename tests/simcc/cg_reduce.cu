#include <cstdio>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

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

int main()
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
