// The inline PTX that tutorials use: special registers, loads and stores that name a cache, fences,
// atomics, bits, fast functions, registers and predicates of its own, asynchronous copies into shared memory and its 32-bit addresses.
// run: SIMT_SCHEDULE=0..3
// tier: more
#include "check.cuh"

__device__ __forceinline__ unsigned lane_id() {
    unsigned id;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(id));
    return id;
}

__device__ inline unsigned lanes_below() {
    unsigned mask;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
    return mask;
}

static __device__ float load_streaming(const float *p) {
    float x;
    asm volatile("ld.global.cs.f32 %0, [%1];" : "=f"(x) : "l"(p));
    return x;
}

static __device__ float4 load_four(const float4 *p) {
    float4 v;
    asm volatile("ld.global.nc.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(p));
    return v;
}

static __device__ void store_two(int2 *p, int x, int y) { asm volatile("st.global.wt.v2.s32 [%0], {%1, %2};" ::"l"(p), "r"(x), "r"(y) : "memory"); }

__global__ void kernel(const float *in, int *out, unsigned *counter) {
    unsigned t = threadIdx.x, old, bits, packed, signs, high;
    float x = load_streaming(in + t), y, e;
    float4 v = load_four((const float4 *)in + t / 4);
    float mine = t % 4 == 0 ? v.x : t % 4 == 1 ? v.y : t % 4 == 2 ? v.z : v.w;
    if (t == 0) asm volatile("st.global.u32 [%0+4], %1;" ::"l"(counter), "r"(7));
    asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(counter), "r"(2u) : "memory");
    asm volatile("red.global.max.u32 [%0], %1;" ::"l"(counter + 2), "r"(t));
    asm volatile("membar.gl;\n\tbar.sync 0;" ::: "memory");
    asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(y) : "f"(x), "f"(2.0f), "f"(1.0f));
    asm("mov.b32 %0, %1;" : "=r"(bits) : "f"(1.0f));
    asm("prmt.b32 %0, %1, %2, 0x5410;" : "=r"(packed) : "r"(t), "r"(t + 1));
    asm("prmt.b32 %0, %1, %2, 0x8080;" : "=r"(signs) : "r"(0xf0), "r"(0));
    asm("bfind.u32 %0, %1;" : "=r"(high) : "r"(t + 1));
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(e) : "f"(3.0f));
    float across;
    unsigned below;
    asm volatile("shfl.sync.bfly.b32 %0, %1, 16, 0x1f, 0xffffffff;" : "=f"(across) : "f"(x));
    asm volatile("shfl.sync.up.b32 %0, %1, 1, 0x1800, 0xffffffff;" : "=r"(below) : "r"(t)); // within eight lanes
    bool right = across == (float)(t ^ 16) && below == (t % 8 ? t - 1 : t) && lane_id() == t % 32 && __popc(lanes_below()) == (int)(t % 32) && mine == x && y == 2 * x + 1 &&
                 bits == 0x3f800000u && packed == ((t + 1) << 16 | t) && signs == 0xfff0fff0u && fabsf(e - 8) < 1e-3f &&
                 (1u << high) <= t + 1 && old % 2 == 0;
    store_two((int2 *)out + t, right, (int)t);
}

// A prefix sum of a warp: a lane that has none so far below adds nothing.
static __device__ int scan(int x) {
    for (int distance = 1; distance < 32; distance *= 2)
        asm volatile("{\n\t"
                     "  .reg .s32 other;\n\t"
                     "  .reg .pred is_there;\n\t"
                     "  shfl.sync.up.b32 other|is_there, %0, %1, 0x0, 0xffffffff;\n\t"
                     "  @is_there add.s32 other, other, %0;\n\t"
                     "  mov.s32 %0, other;\n\t"
                     "}"
                     : "+r"(x)
                     : "r"(distance));
    return x;
}

__global__ void registers(const int *in, int *out) {
    const int t = threadIdx.x, x = in[t];
    int limited, big;
    unsigned low, high, fields, logic;
    unsigned long long wide, packed;
    asm("{ .reg .pred p, q; setp.gt.s32 p, %2, 10; selp.s32 %0, 10, %2, p; setp.ge.u32 q, %2, 50; @!q mov.u32 %1, 0; @q mov.u32 %1, 1; }"
        : "=r"(limited), "=r"(big)
        : "r"(x));
    asm("cvt.u64.u32 %0, %1;" : "=l"(wide) : "r"(0x80000000u));
    asm("mov.b64 %0, {%1, %2};" : "=l"(packed) : "r"(t), "r"(x));
    asm("mov.b64 {%0, %1}, %2;" : "=r"(low), "=r"(high) : "l"(packed));
    asm("bfe.u32 %0, %1, 4, 8;" : "=r"(fields) : "r"(0xabcdu));
    asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(logic) : "r"(t), "r"(x), "r"(77)); // three times xor
    const bool right = limited == (x > 10 ? 10 : x) && big == (x >= 50) && wide == 0x80000000ull && (int)low == t && (int)high == x &&
                       fields == 0xbc && logic == (unsigned)(t ^ x ^ 77);
    out[t] = scan(x);
    out[64 + t] = right;
}

static __device__ __forceinline__ void copy_async(void *shared, const void *global, unsigned bytes) {
    unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(shared));
    asm volatile("cp.async.ca.shared.global.L2::128B [%0], [%1], %2, %3;\n" ::"r"(to), "l"(global), "n"(16), "r"(bytes));
}
template <int N> static __device__ __forceinline__ void wait_for_all_but() { asm volatile("cp.async.wait_group %0;\n" ::"n"(N)); }

// Sums of the columns of a matrix with 64 floats a row: row after row through three buffers, two of them under way.
__global__ void columns(const float *in, float *out, int rows) {
    __shared__ alignas(16) float buffer[3][64];
    extern __shared__ float totals[];
    const int t = threadIdx.x;
    float sum = 0, x;
    for (int next = 0, row = 0; row < rows; row++) {
        for (; next < row + 3; next++) {
            if (next < rows && t < 16) copy_async(&buffer[next % 3][4 * t], in + next * 64 + 4 * t, 16);
            asm volatile("cp.async.commit_group;\n" ::: "memory");
        }
        wait_for_all_but<2>();
        __syncthreads();
        asm volatile("ld.shared.f32 %0, [%1];" : "=f"(x) : "r"((unsigned)__cvta_generic_to_shared(&buffer[row % 3][0]) + 4 * t));
        sum += x;
        __syncthreads();
    }
    unsigned mine = (unsigned)__cvta_generic_to_shared(totals) + 4 * (t ^ 1), shared64;
    unsigned long long wide;
    asm volatile("cvta.to.shared.u64 %0, %1;" : "=l"(wide) : "l"(totals + t));
    shared64 = (unsigned)wide;
    asm volatile("st.shared.f32 [%0], %1;" ::"r"(mine), "f"(sum) : "memory");
    __syncthreads();
    asm volatile("ld.shared.f32 %0, [%1+0];" : "=f"(x) : "r"(shared64));
    out[t ^ 1] = x;
    if (t < 16) { // the last 12 bytes of each 16 are 0
        copy_async(&buffer[0][4 * t], in + 4 * t, 4);
        asm volatile("cp.async.wait_all;\n" ::: "memory");
        out[64 + t] = buffer[0][4 * t] + buffer[0][4 * t + 1] + buffer[0][4 * t + 2] + buffer[0][4 * t + 3];
    }
}

int main() {
    const int n = 64, rows = 7;
    float *in = managed<float>(n, [](int i) { return i; }), *matrix = managed<float>(rows * n, [](int i) { return i * i % 101; }), *sums = managed<float>(80);
    int *out = managed<int>(2 * n), *numbers = managed<int>(n, [](int i) { return i * 29 % 67; }), *scanned = managed<int>(2 * n), sum = 0;
    unsigned *counter = managed<unsigned>(4);
    kernel<<<1, n>>>(in, out, counter);
    registers<<<1, n>>>(numbers, scanned);
    columns<<<1, n, n * sizeof(float)>>>(matrix, sums, rows);
    LEFT(counter[0] == 2 * n && counter[1] == 7 && counter[2] == n - 1);
    for (int i = 0; i < n; i++) {
        EXPECT(out[2 * i] == 1 && out[2 * i + 1] == i);
        sum = i % 32 ? sum + numbers[i] : numbers[i];
        EXPECT(scanned[i] == sum && scanned[n + i]);
        float column = 0;
        for (int r = 0; r < rows; r++) column += matrix[r * n + i];
        EXPECT(sums[i] == column);
    }
    EACH(t, 16, sums[n + t] == matrix[4 * t]);
    return verdict();
}
