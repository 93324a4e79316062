// Products of matrices by a warp: tensor cores, by wmma and in PTX.
// run: SIMT_SCHEDULE=0..3
// tier: nightly
#include "check.cuh"
#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

// Tensor cores by wmma: three shapes, two layouts, half with float and with half, bfloat16, tf32, bytes, double; a tiled
// product whose accumulators are scaled, through shared memory.
using namespace nvcuda;

// One product d = a b + c, each matrix as its layout says.
template <class T, class M, class ACC, int m, int n, int k, class A, class B>
__global__ void one(const M *a, const M *b, const ACC *c, ACC *d, wmma::layout_t layout) {
    wmma::fragment<wmma::matrix_a, m, n, k, T, A> of_a;
    wmma::fragment<wmma::matrix_b, m, n, k, T, B> of_b;
    wmma::fragment<wmma::accumulator, m, n, k, ACC> sum;
    wmma::load_matrix_sync(of_a, a, std::is_same<A, wmma::row_major>::value ? k : m);
    wmma::load_matrix_sync(of_b, b, std::is_same<B, wmma::row_major>::value ? n : k);
    wmma::load_matrix_sync(sum, c, layout == wmma::mem_row_major ? n : m, layout);
    wmma::mma_sync(sum, of_a, of_b, sum);
    wmma::store_matrix_sync(d, sum, layout == wmma::mem_row_major ? n : m, layout);
}

template <class T> static double value(T x) { return x; }
static double value(__half x) { return __half2float(x); }
static double value(__nv_bfloat16 x) { return __bfloat162float(x); }

// The first product of a row and a column: each as far from one number to the next as its layout says.
template <class A, class B> static double product(const A *a, int step_a, const B *b, int step_b, int k) {
    double sum = 0;
    for (int l = 0; l < k; l++) sum += value(a[l * step_a]) * value(b[l * step_b]);
    return sum;
}

template <class T, class M, class ACC, int m, int n, int k, class A, class B> static void check(wmma::layout_t layout, double error) {
    M *a = managed<M>(m * k, [](int i) { return (float)(i * 37 % 41 - 20); }), *b = managed<M>(k * n, [](int i) { return (float)(i * 53 % 29 - 14); });
    ACC *c = managed<ACC>(m * n, [](int i) { return (float)(i % 9); }), *d = managed<ACC>(m * n);
    one<T, M, ACC, m, n, k, A, B><<<1, 32>>>(a, b, c, d, layout);
    CHECK(cudaDeviceSynchronize());
    const bool a_rows = std::is_same<A, wmma::row_major>::value, b_rows = std::is_same<B, wmma::row_major>::value;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            const int at = layout == wmma::mem_row_major ? i * n + j : j * m + i;
            const double sum = value(c[at]) + product(a + (a_rows ? i * k : i), a_rows ? 1 : m, b + (b_rows ? j : j * k), b_rows ? n : 1, k);
            EXPECT(std::fabs(value(d[at]) - sum) <= error * (1 + std::fabs(sum)));
        }
}

// d = alpha a b + beta c for matrices of N x N, a tile of 16 x 16 a warp; the result goes through shared memory, in float.
constexpr int N = 64, WARPS = 4;
__global__ void gemm(const __half *a, const __half *b, const float *c, float *d, float alpha, float beta) {
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

static void large() {
    __half *a = managed<__half>(N * N, [](int i) { return (i * 7 % 23 - 11) / 16.0f; }), *b = managed<__half>(N * N, [](int i) { return (i * 11 % 19 - 9) / 8.0f; });
    float *c = managed<float>(N * N, [](int i) { return i % 5; }), *d = managed<float>(N * N);
    gemm<<<dim3(N / 16 / WARPS, N / 16), 32 * WARPS>>>(a, b, c, d, 2, 0.5f);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < N; i++) EACH(j, N, std::fabs(d[i * N + j] - (2 * product(a + i * N, 1, b + j, N, N) + 0.5 * c[i * N + j])) <= 1e-3);
}

static void fragments() {
    using wmma::col_major;
    using wmma::row_major;
    const auto rows = wmma::mem_row_major, columns = wmma::mem_col_major;
    check<__half, __half, float, 16, 16, 16, row_major, col_major>(rows, 1e-5);
    check<__half, __half, float, 32, 8, 16, col_major, row_major>(columns, 1e-5);
    check<__half, __half, __half, 8, 32, 16, row_major, row_major>(rows, 2e-3);
    check<__nv_bfloat16, __nv_bfloat16, float, 16, 16, 16, col_major, col_major>(columns, 1e-5);
    check<wmma::precision::tf32, float, float, 16, 16, 8, row_major, col_major>(rows, 1e-5);
    check<signed char, signed char, int, 16, 16, 16, row_major, col_major>(rows, 0);
    check<double, double, double, 8, 8, 4, row_major, col_major>(columns, 0);
    large();
}

// Products by a warp in PTX: ldmatrix, also transposed, and mma.sync of half, bfloat16, bytes and double, against plain loops.
__device__ unsigned shared_address(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

__global__ void halves(const half *a, const half *b, float *c, half *c_half) {
    __shared__ __align__(16) half of_a[16 * 16], of_b[16 * 8];
    const int lane = threadIdx.x, row = lane / 4, column = lane % 4 * 2;
    for (int i = lane; i < 16 * 16; i += 32) of_a[i] = a[i];
    for (int i = lane; i < 16 * 8; i += 32) of_b[i] = b[i];
    __syncthreads();
    unsigned x[4], y[2];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                 : "r"(shared_address(&of_a[lane % 16 * 16 + lane / 16 * 8])));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];" : "=r"(y[0]), "=r"(y[1])
                 : "r"(shared_address(&of_b[lane % 16 * 8])));
    float d[4] = {1, 1, 1, 1};
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
    unsigned e[2], zero = 0;
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%8, %9};" : "=r"(e[0]), "=r"(e[1])
                 : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]), "r"(zero), "r"(zero));
    for (int i = 0; i < 4; i++) {
        const int at = (row + i / 2 * 8) * 8 + column + i % 2;
        c[at] = d[i];
        c_half[at] = __ushort_as_half((unsigned short)(e[i / 2] >> i % 2 * 16));
    }
}

template <class T> __device__ unsigned packed(const T *p) {
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
__global__ void bytes(const int8_t *a, const int8_t *b, int *c) {
    const int lane = threadIdx.x, row = lane / 4, k = lane % 4 * 4;
    int d[4] = {0, 0, 0, 0};
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
                 : "r"(packed(a + row * 32 + k)), "r"(packed(a + (row + 8) * 32 + k)), "r"(packed(a + row * 32 + k + 16)),
                   "r"(packed(a + (row + 8) * 32 + k + 16)), "r"(packed(b + row * 32 + k)), "r"(packed(b + row * 32 + k + 16)));
    for (int i = 0; i < 4; i++) c[(row + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2] = d[i];
}

__global__ void bfloats(const __nv_bfloat16 *a, const __nv_bfloat16 *b, float *c) {
    const int lane = threadIdx.x, row = lane / 4, k = lane % 4 * 2;
    float d[4];
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %7, %7, %7};"
                 : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
                 : "r"(packed(a + row * 8 + k)), "r"(packed(a + (row + 8) * 8 + k)), "r"(packed(b + row * 8 + k)), "f"(0.0f));
    for (int i = 0; i < 4; i++) c[(row + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2] = d[i];
}

__global__ void doubles(const double *a, const double *b, double *c) {
    const int lane = threadIdx.x;
    double d[2];
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %4};" : "=d"(d[0]), "=d"(d[1])
                 : "d"(a[lane]), "d"(b[lane]), "d"(0.5));
    c[lane / 4 * 8 + lane % 4 * 2] = d[0];
    c[lane / 4 * 8 + lane % 4 * 2 + 1] = d[1];
}

// c, with 8 columns, is what a b is: of K products each, to begin with some number; b by rows, or by columns.
template <int K, class T, class R> static void compare(const T *a, const T *b, const R *c, int count, double first, bool by_rows) {
    EACH(i, count, (double)c[i] == first + product(a + i / 8 * K, 1, b + i % 8 * (by_rows ? 1 : K), by_rows ? 8 : 1, K));
}

static void matrix_ptx() {
    half *a = managed<half>(256, [](int i) { return (float)(i % 7 - 3); }), *b = managed<half>(128, [](int i) { return (float)(i % 5); }), *c_half = managed<half>(128);
    int8_t *p = managed<int8_t>(16 * 32, [](int i) { return i * 37; }), *q = managed<int8_t>(8 * 32, [](int i) { return i * 11; });
    __nv_bfloat16 *u = managed<__nv_bfloat16>(128, [](int i) { return (float)(i % 9 - 4); }), *v = managed<__nv_bfloat16>(64, [](int i) { return (float)(i % 6); });
    double *x = managed<double>(32, [](int i) { return i + 0.25; }), *y = managed<double>(32, [](int i) { return 32 - i; }), *z = managed<double>(64);
    float *c = managed<float>(128), *w = managed<float>(128);
    int *r = managed<int>(128);
    halves<<<1, 32>>>(a, b, c, c_half);
    bytes<<<1, 32>>>(p, q, r);
    bfloats<<<1, 32>>>(u, v, w);
    doubles<<<1, 32>>>(x, y, z);
    CHECK(cudaDeviceSynchronize());
    compare<16>(a, b, c, 128, 1, true);
    EACH(i, 128, __half2float(c_half[i]) == c[i] - 1);
    compare<32>(p, q, r, 128, 0, false);
    compare<8>(u, v, w, 128, 0, false);
    compare<4>(x, y, z, 64, 0.5, false);
}

int main() {
    fragments(), matrix_ptx();
    return verdict();
}
