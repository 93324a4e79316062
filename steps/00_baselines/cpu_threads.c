/*
 * cpu_threads: all cores of the host, each with vector instructions.
 *
 * What one would do without a GPU. The array is cut into equal shares, which OpenMP deals out to
 * the cores. Within a share 32 sums grow side by side: none waits for another, and the compiler
 * adds several by one instruction. The shares do not depend on the cores: the bits are always the
 * same.
 */
#include "lesson.h"

enum { SHARES = 256, SUMS = 32 };

static float sum_share(const float *x, size_t n)
{
    float sum[SUMS] = {0};
    size_t i = 0;
    for (; n - i >= SUMS; i += SUMS) {
#pragma omp simd
        for (int k = 0; k < SUMS; k++)
            sum[k] += x[i + k];
    }
    for (int k = 0; i + k < n; k++)
        sum[k] += x[i + k];
    for (int k = 1; k < SUMS; k++)
        sum[0] += sum[k];
    return sum[0];
}

static void launch(struct sum *s)
{
    float of_share[SHARES], sum = 0.0f;
    size_t each = s->n / SHARES + 1;
#pragma omp parallel for
    for (int t = 0; t < SHARES; t++) {
        size_t begin = t * each < s->n ? t * each : s->n;
        of_share[t] = sum_share(s->in + begin, s->n - begin < each ? s->n - begin : each);
    }
    for (int t = 0; t < SHARES; t++)
        sum += of_share[t];
    *s->out = sum;
    s->depth = each / SUMS + 1 + SUMS + SHARES;
}

const struct variant variant_cpu_threads = {
    .name = "cpu_threads",
    .what = "all CPU cores, by OpenMP and vector instructions",
    .launch = launch,
    .flags = ON_CPU,
};
