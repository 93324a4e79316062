/* litmus.cu: litmus tests of the memory model, by the names of Alglave et al., "GPU Concurrency:
 * Weak Behaviours and Programming Assumptions" (ASPLOS 2015). The threads are in blocks of their
 * own, or in warps of one block. Each test runs under 200 schedules; an outcome that the model of
 * PTX (Lustig et al., ASPLOS 2019) allows must appear, one that it forbids must not.
 * run: SIMT_STRICT=1 KERNEL
 * tier: more
 */
#include "kernels.h"
#include <cuda/atomic>

enum fence { NONE, BLOCK, DEVICE, FIRST, SECOND, ORDERED, CONSISTENT };
static const char *const fences[] = { "without fences", "__threadfence_block()", "__threadfence()", "the first fence only", "the second fence only",
                                     "release and acquire", "sequentially consistent"};
enum shape { MP, SB, LB, CORR, IRIW, WRC };
static const int threads[] = {2, 2, 2, 2, 4, 3};

typedef cuda::atomic_ref<int, cuda::thread_scope_device> word;
static __device__ int load(int *p, fence f) {
    return word(*p).load(f == ORDERED ? cuda::memory_order_acquire : f == CONSISTENT ? cuda::memory_order_seq_cst : cuda::memory_order_relaxed);
}
static __device__ void store(int *p, fence f) {
    if (f == NONE) *(volatile int *)p = 1;
    else
        word(*p).store(1, f == ORDERED ? cuda::memory_order_release : f == CONSISTENT ? cuda::memory_order_seq_cst : cuda::memory_order_relaxed);
}
static __device__ void pass(fence f, bool first) {
    if (f == BLOCK) __threadfence_block();
    if (f == DEVICE || (f == FIRST && first) || (f == SECOND && !first)) __threadfence();
}

/* x and y are 0 at first; r: what was read. */
__global__ void litmus(shape s, fence f, int *x, int *y, int *r) {
    if (threadIdx.x % 32 != 0) return;
    unsigned t = blockIdx.x + threadIdx.x / 32;
    if (s == CORR) {
        if (t == 0) store(x, f);
        else r[0] = load(x, f), r[1] = load(x, f);
    } else if (s == IRIW) {
        if (t < 2) store(t == 0 ? x : y, f);
        else {
            r[t * 2 - 4] = load(t == 2 ? x : y, f);
            pass(f, t == 2);
            r[t * 2 - 3] = load(t == 2 ? y : x, f);
        }
    } else if (s == WRC && t == 0) {
        store(x, f);
    } else if (s == WRC) {
        r[t - 1] = load(t == 1 ? x : y, f);
        pass(f, t == 1);
        if (t == 1) store(y, f);
        else r[2] = load(x, f);
    } else {
        bool reader = s == MP && t == 1;
        int *first = t == 0 ? x : y, *then = t == 0 ? y : x;
        if (s == LB || reader) r[s == LB ? t : 0] = load(first, f);
        else store(first, f);
        pass(f, t == 0);
        if (s == SB || reader) r[s == SB ? t : 1] = load(then, f);
        else store(then, f);
    }
}

static bool is_weak(shape s, const int *r) {
    return s == SB     ? r[0] == 0 && r[1] == 0
           : s == LB   ? r[0] == 1 && r[1] == 1
           : s == IRIW ? r[0] == 1 && r[1] == 0 && r[2] == 1 && r[3] == 0
           : s == WRC  ? r[0] == 1 && r[1] == 1 && r[2] == 0
                       : r[0] == 1 && r[1] == 0;
}

static void expect(shape s, fence f, bool one_block, bool allowed) {
    int r[4], seen = 0;
    for (int seed = 1; seed <= 200; seed++) {
        simt_schedule((unsigned)seed);
        cudaMemset(device, 0, sizeof host);
        litmus<<<one_block ? 1 : threads[s], one_block ? 32 * threads[s] : 32>>>(s, f, device, device + 64, device + 128);
        cudaMemcpy(r, device + 128, sizeof r, cudaMemcpyDeviceToHost);
        seen += is_weak(s, r);
    }
    if (allowed ? seen == 0 : seen > 0)
        failed = 1, printf("%s, in %s: %d of 200, and %s is right\n", fences[f], one_block ? "one block" : "blocks", seen, allowed ? "some" : "none");
}

static void all(shape s) {
    for (int f = NONE; f <= CONSISTENT; f++)
        for (int one_block = 0; one_block < (f == NONE ? 1 : 2); one_block++) {
            bool acquires = s == MP || s == WRC || s == LB || s == CORR;
            bool allowed = s != CORR && (f == NONE || f == FIRST || f == SECOND || (f == BLOCK && !one_block) || (f == ORDERED && !acquires));
            if (s != LB || !allowed) expect(s, (fence)f, one_block, allowed); /* docs/simulator.md: stores run in order */
        }
}
CASE(mp) { all(MP); }
CASE(sb) { all(SB); }
CASE(lb) { all(LB); }
CASE(corr) { all(CORR); }
CASE(iriw) { all(IRIW); }
CASE(wrc) { all(WRC); }
