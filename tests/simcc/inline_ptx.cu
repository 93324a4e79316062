// The inline PTX that tutorials use: special registers, loads and stores that name a cache, fences,
// atomics, bits, fast functions.
#include <cmath>
#include <cstdio>

__device__ __forceinline__ unsigned lane_id()
{
    unsigned id;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(id));
    return id;
}

__device__ inline unsigned lanes_below()
{
    unsigned mask;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
    return mask;
}

static __device__ float load_streaming(const float *p)
{
    float x;
    asm volatile("ld.global.cs.f32 %0, [%1];" : "=f"(x) : "l"(p));
    return x;
}

static __device__ float4 load_four(const float4 *p)
{
    float4 v;
    asm volatile("ld.global.nc.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                 : "l"(p));
    return v;
}

static __device__ void store_two(int2 *p, int x, int y) { asm volatile("st.global.wt.v2.s32 [%0], {%1, %2};" ::"l"(p), "r"(x), "r"(y) : "memory"); }

__global__ void kernel(const float *in, int *out, unsigned *counter)
{
    unsigned t = threadIdx.x, old, bits, packed, signs, high;
    float x = load_streaming(in + t), y, e;
    float4 v = load_four((const float4 *)in + t / 4);
    float mine = t % 4 == 0 ? v.x : t % 4 == 1 ? v.y : t % 4 == 2 ? v.z : v.w;
    if (t == 0)
        asm volatile("st.global.u32 [%0+4], %1;" ::"l"(counter), "r"(7));
    asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(counter), "r"(2u) : "memory");
    asm volatile("red.global.max.u32 [%0], %1;" ::"l"(counter + 2), "r"(t));
    asm volatile("membar.gl;\n\tbar.sync 0;" ::: "memory");
    asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(y) : "f"(x), "f"(2.0f), "f"(1.0f));
    asm("mov.b32 %0, %1;" : "=r"(bits) : "f"(1.0f));
    asm("prmt.b32 %0, %1, %2, 0x5410;" : "=r"(packed) : "r"(t), "r"(t + 1));
    asm("prmt.b32 %0, %1, %2, 0x8080;" : "=r"(signs) : "r"(0xf0), "r"(0));
    asm("bfind.u32 %0, %1;" : "=r"(high) : "r"(t + 1));
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(e) : "f"(3.0f));
    bool right = lane_id() == t % 32 && __popc(lanes_below()) == (int)(t % 32) && mine == x && y == 2 * x + 1 &&
                 bits == 0x3f800000u && packed == ((t + 1) << 16 | t) && signs == 0xfff0fff0u && fabsf(e - 8) < 1e-3f &&
                 (1u << high) <= t + 1 && old % 2 == 0;
    store_two((int2 *)out + t, right, (int)t);
}

int main()
{
    const int n = 64;
    float *in;
    int *out, bad = 0;
    unsigned *counter;
    cudaMallocManaged(&in, n * sizeof *in);
    cudaMallocManaged(&out, 2 * n * sizeof *out);
    cudaMallocManaged(&counter, 4 * sizeof *counter);
    for (int i = 0; i < n; i++) in[i] = (float)i;
    for (int i = 0; i < 4; i++) counter[i] = 0;
    kernel<<<1, n>>>(in, out, counter);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++) bad += out[2 * i] != 1 || out[2 * i + 1] != i;
    bad += counter[0] != 2 * n || counter[1] != 7 || counter[2] != n - 1;
    printf("inline PTX: %d wrong\n", bad);
    return bad != 0;
}
