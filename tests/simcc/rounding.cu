// Arithmetic rounded up, down and towards zero, conversions that saturate, and functions of statistics and Bessel's.
#include <cmath>
#include <cstdio>
#include <curand_kernel.h>

static int wrong;
#define EXPECT(x) (void)((x) || (std::printf("line %d: %s\n", __LINE__, #x), ++wrong))

__global__ void rounds(float *f, double *d, long long *w)
{
    int i = 0;
    f[i++] = __fadd_rd(1, 1e-10f);
    f[i++] = __fadd_ru(1, 1e-10f);
    f[i++] = __fsub_rz(-1, 1e-10f);
    f[i++] = __fmul_ru(1.1f, 1.1f);
    f[i++] = __fmul_rd(1.1f, 1.1f);
    f[i++] = __fdiv_rd(1, 3);
    f[i++] = __fdiv_ru(1, 3);
    f[i++] = __fsqrt_rd(2);
    f[i++] = __fmaf_ru(3, 1, 1e-10f);
    f[i++] = __double2float_rz(1.99999999999);
    f[i++] = __int2float_rd(16777217);
    f[i++] = normcdfinvf(0.975f);
    f[i++] = erfinvf(0.5f);
    f[i++] = cyl_bessel_i0f(1);
    i = 0;
    d[i++] = __dadd_ru(1, 1e-20);
    d[i++] = __dmul_rd(1.1, 1.1);
    d[i++] = __dmul_ru(1.1, 1.1);
    d[i++] = __ddiv_rz(1, -3);
    d[i++] = __dsqrt_ru(2);
    d[i++] = erfcinv(1e-10);
    i = 0;
    w[i++] = __float2int_rz(3e9f);
    w[i++] = __float2uint_ru(2.1f);
    w[i++] = __double2ll_rd(-2.5);
    w[i++] = __double2int_rn(2.5);
    w[i++] = (long long)__double2ull_rz(-1.0);
}

__global__ void poisson(unsigned *sum)
{
    curandStatePhilox4_32_10_t state;
    curand_init(1, threadIdx.x, 0, &state);
    atomicAdd(sum, curand_poisson(&state, 5.0));
}

int main()
{
    float *f, hf[14];
    double *d, hd[6];
    long long *w, hw[5];
    unsigned *sum, h = 0;
    cudaMalloc(&f, sizeof hf);
    cudaMalloc(&d, sizeof hd);
    cudaMalloc(&w, sizeof hw);
    cudaMalloc(&sum, sizeof h);
    cudaMemset(sum, 0, sizeof h);
    rounds<<<1, 1>>>(f, d, w);
    poisson<<<1, 256>>>(sum);
    cudaMemcpy(hf, f, sizeof hf, cudaMemcpyDeviceToHost);
    cudaMemcpy(hd, d, sizeof hd, cudaMemcpyDeviceToHost);
    cudaMemcpy(hw, w, sizeof hw, cudaMemcpyDeviceToHost);
    cudaMemcpy(&h, sum, sizeof h, cudaMemcpyDeviceToHost);
    EXPECT(hf[0] == 1 && hf[1] == std::nextafter(1.0f, 2.0f) && hf[2] == -1);
    EXPECT(hf[3] == std::nextafter(hf[4], 2.0f) && hf[4] <= 1.1f * (double)1.1f && hf[3] > 1.1f * (double)1.1f);
    EXPECT(hf[5] < 1 / 3.0 && hf[6] > 1 / 3.0 && hf[6] == std::nextafter(hf[5], 1.0f));
    EXPECT(hf[7] * (double)hf[7] < 2 && hf[8] == std::nextafter(3.0f, 4.0f) && hf[9] < 2 && hf[10] == 16777216);
    EXPECT(std::fabs(hf[11] - 1.959964f) < 1e-5 && std::fabs(hf[12] - 0.4769363f) < 1e-6 && std::fabs(hf[13] - 1.266066f) < 1e-5);
    EXPECT(hd[0] == std::nextafter(1.0, 2.0) && hd[2] == std::nextafter(hd[1], 2.0) && hd[3] > -1 / 3.0L && hd[4] * (long double)hd[4] > 2);
    EXPECT(std::fabs(hd[5] - 4.572824967389486) < 1e-12);
    EXPECT(hw[0] == 2147483647 && hw[1] == 3 && hw[2] == -3 && hw[3] == 2 && hw[4] == 0);
    EXPECT(h > 1100 && h < 1460); // 1280 and five deviations
    std::printf("%d wrong\n", wrong);
    return wrong != 0;
}
