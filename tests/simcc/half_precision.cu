#include <cuda_fp16.h>
#include <cstdio>
#include <cmath>

__global__ void haxpy(int n, half a, const half *x, half *y)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) y[i] = __hfma(a, x[i], y[i]);
}

__global__ void haxpy2(int n, half a, const half2 *x, half2 *y)
{
    int start = threadIdx.x + blockDim.x * blockIdx.x, stride = blockDim.x * gridDim.x;
    half2 aa = __half2half2(a);
    for (int i = start; i < n / 2; i += stride)
        y[i] = __hfma2(aa, x[i], y[i]);
}

// sums in half and in float
__global__ void sums(const __half *x, int n, __half *in_half, float *in_float)
{
    __shared__ float partial[32];
    __shared__ __half partial_h[32];
    __half h = __float2half(0.0f);
    float f = 0;
    for (int i = threadIdx.x; i < n; i += 32) {
        h = h + x[i];
        f += __half2float(x[i]);
    }
    for (int d = 16; d > 0; d /= 2) {
        h += __shfl_down_sync(0xffffffffu, h, d);
        f += __shfl_down_sync(0xffffffffu, f, d);
    }
    partial[threadIdx.x] = f;
    partial_h[threadIdx.x] = h;
    __syncwarp();
    if (threadIdx.x == 0) {
        *in_half = partial_h[0];
        *in_float = partial[0];
    }
}

__global__ void operators(float *out)
{
    __half a = 1.5f, b = __float2half_rn(2.25f);
    out[0] = a + b;
    out[1] = __half2float(a * b);
    out[2] = __half2float(__hsub(a, b));
    out[3] = __half2float(a / b);
    out[4] = a < b && __hgt(b, a) && !__heq(a, b);
    out[5] = __half2float(-a);
    out[6] = __half2int_rn(b);
    out[7] = __half2float(hsqrt(b));
    __half2 v = __floats2half2_rn(1.0f, 2048.0f), w = make_half2(a, 1.0f);
    v = v + w;
    out[8] = __low2float(v);
    out[9] = __high2float(v);   // 2049 does not exist: it rounds to even
    float2 f = __half22float2(__hmul2(w, w));
    out[10] = f.x + f.y;
    out[11] = __half_as_ushort(__half(1.0f));
    out[12] = __half2float(__float2half(65520.0f));
}

int main()
{
    const int n = 300;
    half *x, *y;
    cudaMallocManaged(&x, n * sizeof(half));
    cudaMallocManaged(&y, n * sizeof(half));
    for (int i = 0; i < n; i++) { x[i] = __float2half(1.0f); y[i] = __float2half((float)i); }
    haxpy<<<(n + 127) / 128, 128>>>(n, __float2half(2.0f), x, y);
    haxpy2<<<1, 64>>>(n, __float2half(0.5f), (half2 *)x, (half2 *)y);
    cudaDeviceSynchronize();
    int bad = 0;
    for (int i = 0; i < n; i++) bad += __half2float(y[i]) != i + 2.5f;

    float *out;
    cudaMallocManaged(&out, 16 * sizeof(float));
    sums<<<1, 32>>>(x, n, y, out);
    cudaDeviceSynchronize();
    bad += __half2float(y[0]) != 300.0f || out[0] != 300.0f;

    operators<<<1, 1>>>(out);
    cudaDeviceSynchronize();
    const float expected[] = {3.75f, 3.375f, -0.75f, 0.66650390625f, 1, -1.5f, 2, 1.5f, 2.5f, 2048, 3.25f, 0x3c00, INFINITY};
    for (int i = 0; i < 13; i++)
        if (out[i] != expected[i]) { printf("operator %d: %g, not %g\n", i, out[i], expected[i]); bad++; }
    printf("half precision: %d wrong\n", bad);
    return bad ? 1 : 0;
}
