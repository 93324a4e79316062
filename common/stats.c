#include "stats.h"

#include <math.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double middle(const double *sorted, size_t count)
{
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
}

struct stats summarize(double *values, size_t count)
{
    qsort(values, count, sizeof *values, by_value);
    return (struct stats){
        .median = middle(values, count),
        .min = values[0],
        .p90 = values[(count * 9 + 9) / 10 - 1],
        .runs = count,
    };
}

/* The interval from rank r to rank count-1-r misses the median if at most r
   values lie on one side of it: probability 2 * P(binomial(count, 1/2) <= r).
   Takes the largest r that keeps this within 5 %. */
bool median_interval(size_t count, size_t *low, size_t *high)
{
    double term = ldexp(1, -(int)count), tail = term; /* P(= 0), P(<= 0) */
    if (2 * tail > 0.05)
        return false;
    size_t r = 0;
    for (;;) {
        term *= (double)(count - r) / (double)(r + 1);
        if (2 * (tail + term) > 0.05)
            break;
        tail += term;
        r++;
    }
    *low = r;
    *high = count - 1 - r;
    return true;
}

bool median_settled(double *values, size_t count, double tolerance)
{
    size_t low, high;
    if (!median_interval(count, &low, &high))
        return false;
    qsort(values, count, sizeof *values, by_value);
    double median = middle(values, count), room = tolerance * median;
    return median - values[low] <= room && values[high] - median <= room;
}
