#include <cstdio>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

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

int main()
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
