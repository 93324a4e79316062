/* The elements that are made from floats, and sums of them. */
#include "element.h"
#include "../tap.h"
#include "check.h"
#include "data.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { N = 3000 };
static float x[N];

static void values(void)
{
    ok(element_value(ELEMENT_HALF, 2049) == 2048 && element_value(ELEMENT_HALF, 2051) == 2052,
       "half: ties go to the even one");
    ok(element_value(ELEMENT_HALF, 65519) == 65504 &&
           element_value(ELEMENT_HALF, 65520) == INFINITY,
       "half: the largest, and infinity");
    ok(element_value(ELEMENT_HALF, 0x1p-24f) == 0x1p-24f &&
           element_value(ELEMENT_HALF, 0x1p-25f) == 0,
       "half: the smallest, and 0");
    ok(element_value(ELEMENT_BFLOAT16, 257) == 256 && element_value(ELEMENT_BFLOAT16, 259) == 260,
       "bfloat16: ties go to the even one");
    ok(element_value(ELEMENT_BFLOAT16, FLT_MAX) == INFINITY &&
           element_value(ELEMENT_BFLOAT16, -FLT_MAX / 2) == -0x1p127f,
       "bfloat16: infinity, and half of it");
    ok(isnan(element_value(ELEMENT_BFLOAT16, NAN)) && isnan(element_value(ELEMENT_HALF, NAN)),
       "a NaN stays one");
    ok(element_value(ELEMENT_INT32, -5) == -5 * 0x1p24f &&
           element_value(ELEMENT_INT32, 0x1p-24f) == 1,
       "int32: times 2^24");
    ok(element_value(ELEMENT_INT32, 1e9f) == 0x7fffff80 &&
           element_value(ELEMENT_INT32, -INFINITY) == -0x7fffff80,
       "int32: what is too large becomes what fits");
    ok(element_value(ELEMENT_INT32, 0x1.8p-24f) == 2 &&
           element_value(ELEMENT_INT32, 0x2.8p-24f) == 2 &&
           element_value(ELEMENT_INT32, -0x1.8p-24f) == -2,
       "int32: ties go to the even one");
    ok(element_value(ELEMENT_INT32, NAN) == 0, "int32: a NaN becomes 0");
    ok(element_value(ELEMENT_DOUBLE, 0.1f) == 0.1f && element_value(ELEMENT_FLOAT, 0.1f) == 0.1f,
       "double and float: as it is");
}

/* What make_elements() writes are the values, in the type's own bits. */
static void bits(void)
{
    uint16_t two[N];
    double eight[N];
    int32_t four[N];
    bool right = true;
    fill_data(x, N, PATTERN_UNIFORM, 1);
    make_elements(ELEMENT_HALF, (const float[]){1, -2, 65504}, 3, two);
    ok(two[0] == 0x3c00 && two[1] == 0xc000 && two[2] == 0x7bff, "the bits of halves");
    make_elements(ELEMENT_BFLOAT16, (const float[]){1, -2}, 2, two);
    ok(two[0] == 0x3f80 && two[1] == 0xc000, "the bits of bfloat16");
    make_elements(ELEMENT_DOUBLE, x, N, eight);
    make_elements(ELEMENT_INT32, x, N, four);
    for (int i = 0; i < N; i++)
        right &= eight[i] == (double)x[i] && (float)four[i] == element_value(ELEMENT_INT32, x[i]);
    ok(right, "doubles and integers");
}

/* Floats of all exponents, ties among them, against the compiler's conversion. */
static void halves(void)
{
    enum { SOME = 1 << 16 };
    static float some[SOME], all_values[SOME];
    static _Float16 made[SOME];
    bool values_right = true, bits_right = true;
    for (uint32_t i = 0; i < SOME; i++) {
        uint32_t bits = i << 16 | (i % 3 == 0 ? 0x1000 : i * 40503 % 65536);
        memcpy(&some[i], &bits, sizeof bits);
    }
    const float *all = element_values(ELEMENT_HALF, some, SOME, all_values);
    make_elements(ELEMENT_HALF, some, SOME, made);
    for (int i = 0; i < SOME; i++) {
        _Float16 half = (_Float16)some[i];
        float value = (float)half;
        if (isnan(some[i])) {
            values_right &= isnan(all[i]) != 0;
            bits_right &= isnan((float)made[i]) != 0;
            continue;
        }
        values_right &= memcmp(&all[i], &value, sizeof value) == 0;
        bits_right &= memcmp(&made[i], &half, sizeof half) == 0;
    }
    ok(values_right, "%d halves, as the compiler converts them", SOME);
    ok(bits_right, "and their bits");
    ok(element_values(ELEMENT_DOUBLE, some, SOME, all_values) == some, "doubles: the floats");
}

static void sums(void)
{
    struct exact_sum exact;
    double wide;
    int64_t whole = 0;
    float narrow;
    fill_data(x, N, PATTERN_POSITIVE, 2);

    exact = sum_elements_exactly(ELEMENT_DOUBLE, x, N);
    wide = exact.sum;
    ok(check_element_sum(ELEMENT_DOUBLE, &wide, &exact, 10).ok, "double: the exact sum");
    wide = exact.sum + 10 * 0x1p-53 * exact.sum_abs + 4 * 0x1p-52 * exact.sum;
    ok(!check_element_sum(ELEMENT_DOUBLE, &wide, &exact, 10).ok, "double: off by more than 2^-53");
    wide = (double)(float)exact.sum;
    ok(!check_element_sum(ELEMENT_DOUBLE, &wide, &exact, 10).ok, "double: one rounded to a float");
    memset(&wide, POISON_BYTE, sizeof wide);
    ok(strstr(check_element_sum(ELEMENT_DOUBLE, &wide, &exact, 10).reason, "nothing was written"),
       "double: not written");

    exact = sum_elements_exactly(ELEMENT_INT32, x, N);
    for (int i = 0; i < N; i++)
        whole += (int64_t)element_value(ELEMENT_INT32, x[i]);
    ok(whole == exact.whole && whole > INT32_MAX, "int32: a sum above 2^31");
    ok(check_element_sum(ELEMENT_INT32, &whole, &exact, 10).ok, "int32: right");
    whole++;
    ok(!check_element_sum(ELEMENT_INT32, &whole, &exact, 1000000).ok, "int32: one too many");
    whole = -1;
    ok(strstr(check_element_sum(ELEMENT_INT32, &whole, &exact, 10).reason, "nothing was written"),
       "int32: not written");
    exact = sum_elements_exactly(ELEMENT_INT32, (const float[]){-0x1p-24f}, 1);
    ok(check_element_sum(ELEMENT_INT32, &whole, &exact, 10).ok, "int32: but -1 may be right");

    exact = sum_elements_exactly(ELEMENT_HALF, x, N);
    narrow = (float)exact.sum;
    ok(check_element_sum(ELEMENT_HALF, &narrow, &exact, 10).ok, "half: the sum of what they are");
    narrow = (float)sum_exactly(x, N).sum;
    ok(!check_element_sum(ELEMENT_HALF, &narrow, &exact, 10).ok, "half: not of what they were");
    narrow = element_value(ELEMENT_HALF, (float)exact.sum);
    ok(!check_element_sum(ELEMENT_HALF, &narrow, &exact, 10).ok, "half: one rounded to a half");
}

int main(void)
{
    values();
    bits();
    halves();
    sums();
    return done_testing();
}
