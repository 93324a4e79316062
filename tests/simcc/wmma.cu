// Tensor cores by wmma: three shapes, two layouts, half with float and with half, bfloat16, tf32, bytes, double; a tiled
// product whose accumulators are scaled, through shared memory.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <mma.h>

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

int main()
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
