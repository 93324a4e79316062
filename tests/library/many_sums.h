/* many_sums.h: sums of several GPUs back to back, each of other numbers than the one before: whole ones, so that every
   sum is exact. */
#ifndef MANY_SUMS_H
#define MANY_SUMS_H

#include "contract.h"
#include "library/sum_all_comm.h"
#include <time.h>

enum { MOST_RANKS = 8 };

struct sizes {
    size_t n[MOST_RANKS];
};
static const struct sizes of_many = {{300, 20000, 1, 70000, 0, 5, 16385, 2}};

/* The numbers of a rank for sum number `step`. */
static __device__ float value(unsigned step, int rank) { return (float)((step * 5 + 3 * rank) % 11) - 4; }

static __global__ void change(float *x, size_t n, const unsigned *step, int rank) {
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        x[i] = value(*step, rank);
}

/* step[0]: how many sums were compared; step[1]: how many of them are wrong. */
static __global__ void compare(const float *sum, struct sizes sizes, int ranks, unsigned *step) {
    float expected = 0;
    for (int r = 0; r < ranks; r++) expected += value(*step, r) * sizes.n[r];
    step[1] += *sum != expected;
    step[0]++;
}

static inline double seconds_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static const enum sum_f32_way ways[] = {SUM_F32_BY_SLOTS, SUM_F32_BY_NCCL};

static inline const char *name_of(enum sum_f32_way way) { return way == SUM_F32_BY_SLOTS ? "by slots" : "by NCCL"; }

/* The exact sum of several arrays, of one more. */
static inline void add(struct exact_sum *all, const struct exact_sum &one) {
    all->sum += one.sum;
    all->sum_abs += one.sum_abs;
}

#endif
