/* Sizes and numbers as typed on the command line. */
#include "numbers.h"
#include "../tap.h"
#include "check.h"
#include "data.h"
#include "element.h"

#include <float.h>
#include <math.h>
#include <string.h>

static void good_size(const char *text, size_t expected)
{
    size_t size = 12345;
    const char *wrong = parse_size(text, &size);
    ok(wrong == NULL && size == expected, "%s is %zu", text, expected);
}

static void bad_size(const char *text, const char *because)
{
    size_t size = 12345;
    const char *wrong = parse_size(text, &size);
    ok(wrong != NULL && strstr(wrong, because) != NULL && size == 12345, "\"%s\": %s", text,
       because);
}

static void sizes(void)
{
    good_size("0", 0);
    good_size("1", 1);
    good_size("1000", 1000);
    good_size("0001000", 1000);
    good_size("64K", 65536);
    good_size("64k", 65536);
    good_size("16M", 16777216);
    good_size("1G", 1073741824);
    good_size("1<<20", 1048576);
    good_size("3<<4", 48);
    good_size("0<<99", 0);
    good_size("4294967297", 4294967297);
    good_size("1<<59", (size_t)1 << 59);
    good_size("1152921504606846975", MAX_ELEMENTS);

    const char *const no_sizes[] = {"",      " ",       "x",     "0x",    "0x10", "-5",
                                    "+5",    " 5",      "5 ",    "1e99",  "1.5",  "K",
                                    "1KB",   "1KK",     "1<",    "1<20",  "1<<",  "1<<x",
                                    "1<<-1", "1<<2<<3", "1<<2K", "1K<<2", "12Q"};
    for (size_t i = 0; i < sizeof no_sizes / sizeof *no_sizes; i++)
        bad_size(no_sizes[i], "write 1000, 64K");
    bad_size("1152921504606846976", "too large");
    bad_size("1<<60", "too large");
    bad_size("1<<64", "too large");
    bad_size("1<<99999999999999999999", "too large");
    bad_size("18446744073709551616", "too large");
    bad_size("99999999999999999999999999", "too large");
    bad_size("17179869184G", "too large");
}

static void numbers(void)
{
    uint64_t number = 7;
    ok(parse_number("0", 0, 5, &number) && number == 0, "0 is from 0 to 5");
    ok(parse_number("5", 0, 5, &number) && number == 5, "5 is from 0 to 5");
    ok(!parse_number("6", 0, 5, &number) && number == 5, "6 is not");
    ok(!parse_number("0", 1, 5, &number), "0 is not from 1 to 5");
    ok(parse_number("18446744073709551615", 0, UINT64_MAX, &number) && number == UINT64_MAX,
       "the largest of 64 bits");
    ok(!parse_number("18446744073709551616", 0, UINT64_MAX, &number), "one more overflows");
    const char *const none[] = {"", "-1", "+1", " 1", "1 ", "1K", "0x1", "1e3", "a"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        ok(!parse_number(none[i], 0, 5000, &number), "\"%s\" is no number", none[i]);
}

static void formats(void)
{
    static const struct {
        size_t n;
        const char *text;
    } examples[] = {{0, "0"},
                    {1, "1"},
                    {1000, "1000"},
                    {1023, "1023"},
                    {1024, "1K"},
                    {1025, "1025"},
                    {65536, "64K"},
                    {1 << 20, "1M"},
                    {1536, "1536"},
                    {1536 << 10, "1536K"},
                    {1 << 30, "1G"},
                    {(size_t)1 << 40, "1024G"},
                    {MAX_ELEMENTS, "1152921504606846975"}};
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        char text[SIZE_TEXT];
        size_t back;
        format_size(examples[i].n, text);
        ok(strcmp(text, examples[i].text) == 0, "%zu is written %s", examples[i].n,
           examples[i].text);
        ok(parse_size(text, &back) == NULL && back == examples[i].n, "and %s read back", text);
    }
}

/* The elements that are made from floats, and sums of them. */
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

static void test_elements(void)
{
    values();
    bits();
    halves();
    sums();
}

int main(void)
{
    sizes();
    numbers();
    formats();
    test_elements();
    return done_testing();
}
