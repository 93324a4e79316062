// A Julia set in complex numbers, and how fast Newton's method finds the roots of z^3 = 1.
// run: SIMT_SCHEDULE=0..3
// tier: more
#include "check.cuh"
#include <cuComplex.h>
#include <math_constants.h>

__global__ void julia(unsigned char *steps, int width, int height, cuFloatComplex c)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    cuFloatComplex z = make_cuFloatComplex(3.0f * x / width - 1.5f, 3.0f * y / height - 1.5f);
    int k = 0;
    while (k < 200 && cuCrealf(cuCmulf(z, cuConjf(z))) < 4)
        z = cuCaddf(cuCmulf(z, z), c), k++;
    steps[y * width + x] = (unsigned char)k;
}

__global__ void newton(cuDoubleComplex *z, double *distance, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const cuDoubleComplex one = make_cuDoubleComplex(1, 0), three = make_cuDoubleComplex(3, 0);
    cuDoubleComplex w = z[i];
    for (int k = 0; k < 60; k++) { // w - (w^3 - 1) / (3 w^2)
        cuDoubleComplex square = cuCmul(w, w);
        w = cuCsub(w, cuCdiv(cuCsub(cuCmul(square, w), one), cuCmul(three, square)));
    }
    z[i] = w;
    const bool constants = CUDART_INF_F > CUDART_MAX_NORMAL_F && CUDART_NAN != CUDART_NAN && CUDART_SQRT_TWO * CUDART_SQRT_HALF < 1.01;
    distance[i] = !constants ? CUDART_INF : cuCabs(cuCsub(cuCfma(cuCmul(w, w), w, make_cuDoubleComplex(0, 0)), one));
}

int main()
{
    const int width = 50, height = 40, n = 100;
    unsigned char *steps = managed<unsigned char>(width * height);
    double *distance = managed<double>(n);
    cuDoubleComplex *z = managed<cuDoubleComplex>(n, [](int i) {
        return cuComplexFloatToDouble(make_cuFloatComplex(cosf(2 * CUDART_PI_F * (i + 0.3f) / n), sinf(2 * CUDART_PI_F * (i + 0.3f) / n)));
    });
    julia<<<dim3(4, 3), dim3(16, 16)>>>(steps, width, height, make_cuComplex(0, 0)); // the disc |z| < 1
    newton<<<2, 64>>>(z, distance, n);
    CHECK(cudaDeviceSynchronize());
    int of_root[3] = {};
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            float a = 3.0f * x / width - 1.5f, b = 3.0f * y / height - 1.5f, r = a * a + b * b;
            EXPECT(std::fabs(r - 1) <= 0.05f || (steps[y * width + x] == 200) == (r < 1));
        }
    for (int i = 0; i < n; i++) {
        EXPECT(distance[i] < 1e-12);
        for (int k = 0; k < 3; k++)
            of_root[k] += std::hypot(cuCreal(z[i]) - std::cos(2 * CUDART_PI * k / 3), cuCimag(z[i]) - std::sin(2 * CUDART_PI * k / 3)) < 1e-9;
    }
    EXPECT(of_root[0] + of_root[1] + of_root[2] == n && of_root[0] >= 20 && of_root[1] >= 20);
    return verdict();
}
