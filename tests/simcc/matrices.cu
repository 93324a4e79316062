// Products of matrices by a warp: tensor cores, by wmma and in PTX.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

// Tensor cores by wmma: three shapes, two layouts, half with float and with half, bfloat16, tf32, bytes, double; a tiled
// product whose accumulators are scaled, through shared memory.
namespace fragments {

using namespace nvcuda;

static int wrong;

// One product d = a b + c, each matrix as its layout says.
template <class T, class M, class ACC, int m, int n, int k, class A, class B>
__global__ void one(const M *a, const M *b, const ACC *c, ACC *d, wmma::layout_t layout)
{
    wmma::fragment<wmma::matrix_a, m, n, k, T, A> of_a;
    wmma::fragment<wmma::matrix_b, m, n, k, T, B> of_b;
    wmma::fragment<wmma::accumulator, m, n, k, ACC> sum;
    wmma::load_matrix_sync(of_a, a, std::is_same<A, wmma::row_major>::value ? k : m);
    wmma::load_matrix_sync(of_b, b, std::is_same<B, wmma::row_major>::value ? n : k);
    wmma::load_matrix_sync(sum, c, layout == wmma::mem_row_major ? n : m, layout);
    wmma::mma_sync(sum, of_a, of_b, sum);
    wmma::store_matrix_sync(d, sum, layout == wmma::mem_row_major ? n : m, layout);
}

static double value(double x) { return x; }
static double value(float x) { return x; }
static double value(int x) { return x; }
static double value(signed char x) { return x; }
static double value(__half x) { return __half2float(x); }
static double value(__nv_bfloat16 x) { return __bfloat162float(x); }

template <class T, class M, class ACC, int m, int n, int k, class A, class B> static void check(const char *what, wmma::layout_t layout, double error)
{
    M *a, *b;
    ACC *c, *d;
    if (cudaMallocManaged(&a, m * k * sizeof *a) != cudaSuccess || cudaMallocManaged(&b, k * n * sizeof *b) != cudaSuccess
        || cudaMallocManaged(&c, m * n * sizeof *c) != cudaSuccess || cudaMallocManaged(&d, m * n * sizeof *d) != cudaSuccess)
        std::exit(1);
    for (int i = 0; i < m * k; i++) a[i] = (M)(float)(i * 37 % 41 - 20);
    for (int i = 0; i < k * n; i++) b[i] = (M)(float)(i * 53 % 29 - 14);
    for (int i = 0; i < m * n; i++) c[i] = (ACC)(float)(i % 9);
    one<T, M, ACC, m, n, k, A, B><<<1, 32>>>(a, b, c, d, layout);
    if (cudaDeviceSynchronize() != cudaSuccess) std::exit(1);
    const bool a_rows = std::is_same<A, wmma::row_major>::value, b_rows = std::is_same<B, wmma::row_major>::value;
    int bad = 0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            const int at = layout == wmma::mem_row_major ? i * n + j : j * m + i;
            double sum = value(c[at]);
            for (int l = 0; l < k; l++) sum += value(a[a_rows ? i * k + l : l * m + i]) * value(b[b_rows ? l * n + j : j * k + l]);
            bad += !(std::fabs(value(d[at]) - sum) <= error * (1 + std::fabs(sum)));
        }
    if (bad) std::printf("%s, %dx%dx%d: %d of %d differ\n", what, m, n, k, bad, m * n);
    wrong += bad;
    cudaFree(a), cudaFree(b), cudaFree(c), cudaFree(d);
}

// d = alpha a b + beta c for matrices of N x N, a tile of 16 x 16 a warp; the result goes through shared memory, in float.
constexpr int N = 64, WARPS = 4;
__global__ void gemm(const __half *a, const __half *b, const float *c, float *d, float alpha, float beta)
{
    __shared__ alignas(32) float tiles[WARPS][16 * 16];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, row = blockIdx.y * 16, column = (blockIdx.x * WARPS + warp) * 16;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum, old;
    wmma::fill_fragment(sum, 0.0f);
    for (int k = 0; k < N; k += 16) {
        wmma::load_matrix_sync(fa, a + row * N + k, N);
        wmma::load_matrix_sync(fb, b + k * N + column, N);
        wmma::mma_sync(sum, fa, fb, sum);
    }
    wmma::load_matrix_sync(old, c + row * N + column, N, wmma::mem_row_major);
    for (int i = 0; i < sum.num_elements; i++) sum.x[i] = alpha * sum.x[i] + beta * old.x[i];
    wmma::store_matrix_sync(tiles[warp], sum, 16, wmma::mem_row_major);
    __syncwarp();
    for (int i = lane; i < 16 * 16; i += 32) d[(row + i / 16) * N + column + i % 16] = tiles[warp][i];
}

static void large()
{
    __half *a, *b;
    float *c, *d;
    if (cudaMallocManaged(&a, N * N * sizeof *a) != cudaSuccess || cudaMallocManaged(&b, N * N * sizeof *b) != cudaSuccess
        || cudaMallocManaged(&c, N * N * sizeof *c) != cudaSuccess || cudaMallocManaged(&d, N * N * sizeof *d) != cudaSuccess)
        std::exit(1);
    for (int i = 0; i < N * N; i++) {
        a[i] = __float2half((i * 7 % 23 - 11) / 16.0f);
        b[i] = __float2half((i * 11 % 19 - 9) / 8.0f);
        c[i] = (float)(i % 5);
    }
    gemm<<<dim3(N / 16 / WARPS, N / 16), 32 * WARPS>>>(a, b, c, d, 2, 0.5f);
    if (cudaDeviceSynchronize() != cudaSuccess) std::exit(1);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int k = 0; k < N; k++) sum += value(a[i * N + k]) * value(b[k * N + j]);
            wrong += std::fabs(d[i * N + j] - (2 * sum + 0.5 * c[i * N + j])) > 1e-3;
        }
}

static int test()
{
    using wmma::col_major;
    using wmma::row_major;
    const auto rows = wmma::mem_row_major, columns = wmma::mem_col_major;
    check<__half, __half, float, 16, 16, 16, row_major, col_major>("half to float", rows, 1e-5);
    check<__half, __half, float, 32, 8, 16, col_major, row_major>("half to float", columns, 1e-5);
    check<__half, __half, __half, 8, 32, 16, row_major, row_major>("half to half", rows, 2e-3);
    check<__nv_bfloat16, __nv_bfloat16, float, 16, 16, 16, col_major, col_major>("bfloat16", columns, 1e-5);
    check<wmma::precision::tf32, float, float, 16, 16, 8, row_major, col_major>("tf32", rows, 1e-5);
    check<signed char, signed char, int, 16, 16, 16, row_major, col_major>("bytes", rows, 0);
    check<double, double, double, 8, 8, 4, row_major, col_major>("double", columns, 0);
    large();
    std::printf("tensor cores: %d wrong\n", wrong);
    return wrong != 0;
}

} // namespace fragments

// Products by a warp in PTX: ldmatrix, also transposed, and mma.sync of half, bfloat16, bytes and double, against plain
// loops.
namespace matrix_ptx {

static int wrong;
#define EXPECT(x) (void)((x) || (std::printf("line %d: %s\n", __LINE__, #x), ++wrong))

__device__ unsigned shared_address(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

__global__ void halves(const half *a, const half *b, float *c, half *c_half)
{
    __shared__ __align__(16) half of_a[16 * 16], of_b[16 * 8];
    const int lane = threadIdx.x, row = lane / 4, column = lane % 4 * 2;
    for (int i = lane; i < 16 * 16; i += 32)
        of_a[i] = a[i];
    for (int i = lane; i < 16 * 8; i += 32)
        of_b[i] = b[i];
    __syncthreads();
    unsigned x[4], y[2];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                 : "r"(shared_address(&of_a[lane % 16 * 16 + lane / 16 * 8])));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                 : "=r"(y[0]), "=r"(y[1])
                 : "r"(shared_address(&of_b[lane % 16 * 8])));
    float d[4] = {1, 1, 1, 1};
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
    unsigned e[2], zero = 0;
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%8, %9};"
                 : "=r"(e[0]), "=r"(e[1])
                 : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]), "r"(zero), "r"(zero));
    for (int i = 0; i < 4; i++) {
        const int at = (row + i / 2 * 8) * 8 + column + i % 2;
        c[at] = d[i];
        c_half[at] = __ushort_as_half((unsigned short)(e[i / 2] >> i % 2 * 16));
    }
}

template <class T> __device__ unsigned packed(const T *p)
{
    unsigned word = 0;
    for (unsigned i = 0; i < 4 / sizeof(T); i++) {
        T x = p[i];
        unsigned bits = 0;
        memcpy(&bits, &x, sizeof x);
        word |= bits << 8 * sizeof(T) * i;
    }
    return word;
}

/* b by columns: each is a row in memory */
__global__ void bytes(const int8_t *a, const int8_t *b, int *c)
{
    const int lane = threadIdx.x, row = lane / 4, k = lane % 4 * 4;
    int d[4] = {0, 0, 0, 0};
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
                 : "r"(packed(a + row * 32 + k)), "r"(packed(a + (row + 8) * 32 + k)), "r"(packed(a + row * 32 + k + 16)),
                   "r"(packed(a + (row + 8) * 32 + k + 16)), "r"(packed(b + row * 32 + k)), "r"(packed(b + row * 32 + k + 16)));
    for (int i = 0; i < 4; i++)
        c[(row + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2] = d[i];
}

__global__ void bfloats(const __nv_bfloat16 *a, const __nv_bfloat16 *b, float *c)
{
    const int lane = threadIdx.x, row = lane / 4, k = lane % 4 * 2;
    float d[4];
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %7, %7, %7};"
                 : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
                 : "r"(packed(a + row * 8 + k)), "r"(packed(a + (row + 8) * 8 + k)), "r"(packed(b + row * 8 + k)), "f"(0.0f));
    for (int i = 0; i < 4; i++)
        c[(row + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2] = d[i];
}

__global__ void doubles(const double *a, const double *b, double *c)
{
    const int lane = threadIdx.x;
    double d[2];
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %4};"
                 : "=d"(d[0]), "=d"(d[1])
                 : "d"(a[lane]), "d"(b[lane]), "d"(0.5));
    c[lane / 4 * 8 + lane % 4 * 2] = d[0];
    c[lane / 4 * 8 + lane % 4 * 2 + 1] = d[1];
}

static char *memory; // all of it
template <class T> static T *to_device(const T *h, size_t count)
{
    T *p = (T *)memory;
    memory += (count * sizeof(T) + 255) / 256 * 256;
    cudaMemcpy(p, h, count * sizeof(T), cudaMemcpyHostToDevice);
    return p;
}

static int test()
{
    cudaMalloc(&memory, 65536);
    half a[256], b[128], c_half[128];
    float c[128] = {0};
    for (int i = 0; i < 256; i++)
        a[i] = __float2half((float)(i % 7 - 3));
    for (int i = 0; i < 128; i++)
        b[i] = c_half[i] = __float2half((float)(i % 5));
    float *c_gpu = to_device(c, 128);
    half *c_half_gpu = to_device(c_half, 128);
    halves<<<1, 32>>>(to_device(a, 256), to_device(b, 128), c_gpu, c_half_gpu);
    cudaMemcpy(c, c_gpu, sizeof c, cudaMemcpyDeviceToHost);
    cudaMemcpy(c_half, c_half_gpu, sizeof c_half, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 128; i++) {
        float sum = 0;
        for (int k = 0; k < 16; k++)
            sum += __half2float(a[i / 8 * 16 + k]) * __half2float(b[k * 8 + i % 8]);
        EXPECT(c[i] == sum + 1 && __half2float(c_half[i]) == sum);
    }

    int8_t p[16 * 32], q[8 * 32];
    int r[128] = {0};
    for (int i = 0; i < 16 * 32; i++)
        p[i] = (int8_t)(i * 37);
    for (int i = 0; i < 8 * 32; i++)
        q[i] = (int8_t)(i * 11);
    int *r_gpu = to_device(r, 128);
    bytes<<<1, 32>>>(to_device(p, 16 * 32), to_device(q, 8 * 32), r_gpu);
    cudaMemcpy(r, r_gpu, sizeof r, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 128; i++) {
        int sum = 0;
        for (int k = 0; k < 32; k++)
            sum += p[i / 8 * 32 + k] * q[i % 8 * 32 + k];
        EXPECT(r[i] == sum);
    }

    __nv_bfloat16 u[128], v[64];
    for (int i = 0; i < 128; i++)
        u[i] = __float2bfloat16((float)(i % 9 - 4));
    for (int i = 0; i < 64; i++)
        v[i] = __float2bfloat16((float)(i % 6));
    bfloats<<<1, 32>>>(to_device(u, 128), to_device(v, 64), c_gpu);
    cudaMemcpy(c, c_gpu, sizeof c, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 128; i++) {
        float sum = 0;
        for (int k = 0; k < 8; k++)
            sum += __bfloat162float(u[i / 8 * 8 + k]) * __bfloat162float(v[i % 8 * 8 + k]);
        EXPECT(c[i] == sum);
    }

    double x[32], y[32], z[64] = {0};
    for (int i = 0; i < 32; i++) {
        x[i] = i + 0.25;
        y[i] = 32 - i;
    }
    double *z_gpu = to_device(z, 64);
    doubles<<<1, 32>>>(to_device(x, 32), to_device(y, 32), z_gpu);
    cudaMemcpy(z, z_gpu, sizeof z, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; i++) {
        double sum = 0.5;
        for (int k = 0; k < 4; k++)
            sum += x[i / 8 * 4 + k] * y[i % 8 * 4 + k];
        EXPECT(z[i] == sum);
    }
    std::printf("%d wrong\n", wrong);
    return wrong != 0;
}

#undef EXPECT

} // namespace matrix_ptx

int main()
{
    return fragments::test() | matrix_ptx::test();
}
