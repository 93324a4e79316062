/* demo: four floats whose sum float, double and Kahan's method all miss. ./step13 --demo */
#include "11_library/lesson_workspace.h"
#include "library/sum_exact.h"

static float in_floats(const float *x, size_t n)
{
    float sum = 0.0f;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return sum;
}

static double in_doubles(const float *x, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += (double)x[i];
    return sum;
}

/* As in steps/00_baselines/cpu_kahan.c: what each addition loses is given to the next. Volatile: no
   compiler may tidy it away. */
static float by_kahan(const float *x, size_t n)
{
    volatile float sum = 0.0f, lost = 0.0f;
    for (size_t i = 0; i < n; i++) {
        volatile float y = x[i] - lost, t = sum + y;
        lost = (t - sum) - y;
        sum = t;
    }
    return sum;
}

extern "C" int demo(void)
{
    static const float x[] = {1.0f, 0x1p80f, 0x1p-40f, -0x1p80f};
    const size_t n = sizeof x / sizeof x[0];
    float *in, *out, sum;
    CUDA_CHECK(cudaMalloc(&in, sizeof x));
    CUDA_CHECK(cudaMalloc(&out, sizeof sum));
    CUDA_CHECK(cudaMemcpy(in, x, sizeof x, cudaMemcpyHostToDevice));
    must(sum_f32_exact(in, n, out, workspace(), NULL));
    CUDA_CHECK(cudaMemcpy(&sum, out, sizeof sum, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(out));
    CUDA_CHECK(cudaFree(in));
    printf("1 + 2^80 + 2^-40 - 2^80, one after another\n"
           "float   %g\n"
           "double  %g\n"
           "Kahan   %g\n"
           "exact   %g\n",
           (double)in_floats(x, n), in_doubles(x, n), (double)by_kahan(x, n), (double)sum);
    return 0;
}
