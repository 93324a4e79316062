// Products by a warp in PTX: ldmatrix, also transposed, and mma.sync of half, bfloat16, bytes and double, against plain
// loops.
#include <cstdint>
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

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

int main()
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
