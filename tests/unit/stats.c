/* Median, percentile, and the confidence interval that says when to stop. */
#include "stats.h"
#include "../tap.h"

#include <stdlib.h>

static void summaries(void)
{
    struct stats one = summarize((double[]){5}, 1);
    ok(one.median == 5 && one.min == 5 && one.p90 == 5 && one.runs == 1, "one value");
    struct stats odd = summarize((double[]){9, 1, 5}, 3);
    ok(odd.median == 5 && odd.min == 1 && odd.p90 == 9, "three values, unsorted");
    struct stats even = summarize((double[]){4, 1, 2, 8}, 4);
    ok(even.median == 3, "four: the mean of the middle two");
    double ten[10], eleven[11];
    for (int i = 0; i < 11; i++) {
        eleven[i] = 11 - i;
        if (i < 10)
            ten[i] = 10 - i;
    }
    ok(summarize(ten, 10).p90 == 9, "p90 of 1 to 10 is 9");
    ok(summarize(eleven, 11).p90 == 10, "p90 of 1 to 11 is 10");
}

/* Ranks from the tables of the textbooks, which count from 1. */
static void intervals(void)
{
    static const struct {
        size_t count, low, high;
    } table[] = {{6, 1, 6},   {8, 1, 8},    {9, 2, 8},    {10, 2, 9},   {15, 4, 12},  {20, 6, 15},
                 {25, 8, 18}, {30, 10, 21}, {50, 18, 33}, {70, 27, 44}, {100, 40, 61}};
    size_t low, high;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        ok(median_interval(table[i].count, &low, &high) && low + 1 == table[i].low &&
               high + 1 == table[i].high,
           "%zu values: ranks %zu and %zu", table[i].count, table[i].low, table[i].high);
    for (size_t count = 1; count < 6; count++)
        ok(!median_interval(count, &low, &high), "%zu values are too few", count);
    ok(median_interval(1000, &low, &high) && low + high == 999 && low > 460 && low < 475,
       "1000 values: no underflow");
}

/* Draw from a skewed distribution with a known median, and see how often it is covered. */
static void coverage(void)
{
    enum { TRIALS = 4000, COUNT = 30 };
    size_t low, high, covered = 0;
    median_interval(COUNT, &low, &high);
    srand(1);
    for (int t = 0; t < TRIALS; t++) {
        double values[COUNT];
        for (int i = 0; i < COUNT; i++) {
            double u = (rand() + 0.5) / (RAND_MAX + 1.0);
            values[i] = u * u * u; /* median 1/8 */
        }
        summarize(values, COUNT);
        covered += values[low] <= 0.125 && values[high] >= 0.125;
    }
    ok(covered > 0.945 * TRIALS, "covers the median in %zu of %d draws", covered, TRIALS);
    ok(covered < TRIALS, "but not always, or it would be too wide");
}

static void settling(void)
{
    double values[100];
    for (int i = 0; i < 100; i++)
        values[i] = 50;
    ok(median_settled(values, 6, 0.005), "six equal values have settled");
    ok(!median_settled(values, 5, 0.005), "five cannot tell");
    for (int i = 0; i < 100; i++)
        values[i] = 100 + (i * 37 % 100 - 50) * 0.01; /* within 0.5 % */
    ok(median_settled(values, 100, 0.005), "a spread of 0.5 percent has settled");
    for (int i = 0; i < 100; i++)
        values[i] = 100 + (i * 37 % 100 - 50) * 0.2; /* within 10 % */
    ok(!median_settled(values, 100, 0.005), "a spread of 10 percent has not");
    ok(median_settled(values, 100, 0.03), "but to within 3 percent it has");
    for (int i = 0; i < 100; i++)
        values[i] = i % 5 == 0 ? 1000 : 100;
    ok(median_settled(values, 100, 0.005), "outliers do not move the median");
    for (int i = 0; i < 100; i++)
        values[i] = i < 55 ? 100 : 110;
    ok(!median_settled(values, 100, 0.005), "settled below the median, but not above");
    for (int i = 0; i < 100; i++)
        values[i] = i < 55 ? 100 : 90;
    ok(!median_settled(values, 100, 0.005), "settled above the median, but not below");
    for (int i = 0; i < 100; i++)
        values[i] = i % 2 == 0 ? 100 : 110;
    ok(!median_settled(values, 100, 0.005), "two values in turn leave it open");
}

int main(void)
{
    summaries();
    intervals();
    coverage();
    settling();
    return done_testing();
}
