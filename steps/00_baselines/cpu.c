/*
 * Three ways to add up floats on one CPU core, see cpu.h. Compile without -ffast-math: it lets the
 * compiler reorder additions, and it removes Kahan's correction, which is 0 in exact arithmetic.
 */
#include "cpu.h"

#include "lesson.h"

#define PAIRWISE_LEAF 32 /* below this a plain loop: calls cost more than they gain */

float serial_sum(const float *x, size_t n)
{
    float sum = 0.0f;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return sum;
}

size_t serial_depth(size_t n)
{
    return n > 1 ? n - 1 : 0; /* the first addition is 0 + x[0], which is exact */
}

float pairwise_sum(const float *x, size_t n)
{
    if (n <= PAIRWISE_LEAF)
        return serial_sum(x, n);
    size_t half = n / 2;
    return pairwise_sum(x, half) + pairwise_sum(x + half, n - half);
}

size_t pairwise_depth(size_t n)
{
    if (n <= PAIRWISE_LEAF)
        return serial_depth(n);
    /* As many halvings as bring n down to a leaf, and the loop over the leaf. */
    return tree_depth(blocks_for(n, PAIRWISE_LEAF)) + serial_depth(PAIRWISE_LEAF);
}

float kahan_sum(const float *x, size_t n)
{
    float sum = 0.0f, lost = 0.0f; /* lost: what the last addition added too much */
    for (size_t i = 0; i < n; i++) {
        float term = x[i] - lost;
        float next = sum + term;
        lost = (next - sum) - term;
        sum = next;
    }
    return sum;
}

size_t kahan_depth(size_t n)
{
    /* 2u + 4n u^2 in units of u, rounded up: 4 u is 2^-22. */
    return n > 1 ? 3 + n / ((size_t)1 << 22) : 0;
}
