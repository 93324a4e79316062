/* Sizes and numbers as typed on the command line. */
#include "numbers.h"
#include "check.h"
#include "data.h"
#include "element.h"
#include "unit.h"

static void bad_size(const char *text, const char *because) {
    size_t size = 12345;
    const char *wrong = parse_size(text, &size);
    ok(wrong != NULL && strstr(wrong, because) != NULL && size == 12345, "\"%s\": %s", text, because);
}

TEST(sizes) {
    char good[] = "0=0 1=1 1000=1000 0001000=1000 64K=65536 64k=65536 16M=16777216 1G=1073741824 1<<20=1048576 3<<4=48 "
                  "0<<99=0 4294967297=4294967297 1<<59=576460752303423488 1152921504606846975=1152921504606846975";
    char large[] = "1152921504606846976 1<<60 1<<64 1<<99999999999999999999 18446744073709551616 "
                   "99999999999999999999999999 17179869184G";
    static const char *const none[] = {"",    " ",    "x",     "0x",      "0x10",  "-5",    "+5", " 5",
                                       "5 ",  "1e99", "1.5",   "K",       "1KB",   "1KK",   "1<", "1<20",
                                       "1<<", "1<<x", "1<<-1", "1<<2<<3", "1<<2K", "1K<<2", "12Q"};
    EACH_WORD (word, good) {
        size_t size = 12345, right = strtoul(strchr(word, '=') + 1, NULL, 10);
        *strchr(word, '=') = '\0';
        ok(parse_size(word, &size) == NULL && size == right, "%s is %zu", word, right);
    }
    EACH_WORD (word, large) bad_size(word, "too large");
    for (size_t i = 0; i < COUNT(none); i++) bad_size(none[i], "write 1000, 64K");
}

TEST(numbers) {
    uint64_t number = 7;
    IS(parse_number("0", 0, 5, &number) && number == 0 && parse_number("5", 0, 5, &number) && number == 5);
    IS(!parse_number("6", 0, 5, &number) && number == 5);
    IS(!parse_number("0", 1, 5, &number));
    IS(parse_number("18446744073709551615", 0, UINT64_MAX, &number) && number == UINT64_MAX);
    IS(!parse_number("18446744073709551616", 0, UINT64_MAX, &number));
    static const char *const none[] = {"", "-1", "+1", " 1", "1 ", "1K", "0x1", "1e3", "a"};
    for (size_t i = 0; i < COUNT(none); i++)
        ok(!parse_number(none[i], 0, 5000, &number), "\"%s\" is no number", none[i]);
}

TEST(formats) {
    char examples[] = "0=0 1=1 1000=1000 1023=1023 1024=1K 1025=1025 65536=64K 1048576=1M 1536=1536 1572864=1536K "
                      "1073741824=1G 1099511627776=1024G 1152921504606846975=1152921504606846975";
    EACH_WORD (word, examples) {
        char text[SIZE_TEXT];
        size_t back, n = strtoul(word, NULL, 10);
        format_size(n, text);
        ok(strcmp(text, strchr(word, '=') + 1) == 0, "written: %s", word);
        ok(parse_size(text, &back) == NULL && back == n, "and %s read back", text);
    }
}

/* The elements that are made from floats, and sums of them. */
enum { N = 3000 };
static float x[N];

TEST(values) {
    /* Ties go to the even one; the largest, and infinity; the smallest, and 0; integers are times 2^24, and what is too
       large becomes what fits; a NaN stays one, or becomes 0. */
    char table[] =
        "h2049=2048 h2051=2052 h65519=65504 h65520=inf h0x1p-24=0x1p-24 h0x1p-25=0 hnan=nan b257=256 b259=260 "
        "b0x1.fffffep127=inf b-0x1.fffffep126=-0x1p127 bnan=nan i-5=-0x5p24 i0x1p-24=1 i1e9=0x7fffff80 "
        "i-inf=-0x7fffff80 i0x1.8p-24=2 i0x2.8p-24=2 i-0x1.8p-24=-2 inan=0 d0.1=0.1 f0.1=0.1";
    EACH_WORD (word, table) {
        enum element element = word[0] == 'h'   ? ELEMENT_HALF
                               : word[0] == 'b' ? ELEMENT_BFLOAT16
                               : word[0] == 'i' ? ELEMENT_INT32
                               : word[0] == 'd' ? ELEMENT_DOUBLE
                                                : ELEMENT_FLOAT;
        float value = element_value(element, strtof(word + 1, NULL)), right = strtof(strchr(word, '=') + 1, NULL);
        ok(isnan(right) ? isnan(value) : value == right, "%s", word);
    }
}

/* What make_elements() writes are the values, in the type's own bits. */
TEST(bits) {
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
TEST(halves) {
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
        values_right &= isnan(some[i]) ? isnan(all[i]) : memcmp(&all[i], &value, sizeof value) == 0;
        bits_right &= isnan(some[i]) ? isnan((float)made[i]) : memcmp(&made[i], &half, sizeof half) == 0;
    }
    ok(values_right, "%d halves, as the compiler converts them", SOME);
    ok(bits_right, "and their bits");
    ok(element_values(ELEMENT_DOUBLE, some, SOME, all_values) == some, "doubles: the floats");
}

#define JUDGED(ELEMENT, TYPE, SUM, DEPTH) check_element_sum(ELEMENT, &(TYPE){SUM}, &exact, DEPTH)
#define RIGHT(...)                        JUDGED(__VA_ARGS__).ok
#define UNWRITTEN(ELEMENT)                strstr(JUDGED(ELEMENT, int64_t, -1, 10).reason, "nothing was written")

TEST(sums) {
    int64_t whole = 0;
    fill_data(x, N, PATTERN_POSITIVE, 2);
    struct exact_sum exact = sum_elements_exactly(ELEMENT_DOUBLE, x, N);
    const double beyond = 10 * 0x1p-53 * exact.sum_abs + 4 * 0x1p-52 * exact.sum;
    ok(RIGHT(ELEMENT_DOUBLE, double, exact.sum, 10), "double: the exact sum");
    ok(!RIGHT(ELEMENT_DOUBLE, double, exact.sum + beyond, 10), "double: off by more than 2^-53");
    ok(!RIGHT(ELEMENT_DOUBLE, double, (double)(float)exact.sum, 10), "double: one rounded to a float");
    ok(UNWRITTEN(ELEMENT_DOUBLE), "double: not written");

    exact = sum_elements_exactly(ELEMENT_INT32, x, N);
    for (int i = 0; i < N; i++) whole += (int64_t)element_value(ELEMENT_INT32, x[i]);
    ok(whole == exact.whole && whole > INT32_MAX, "int32: a sum above 2^31");
    ok(RIGHT(ELEMENT_INT32, int64_t, whole, 10), "int32: right");
    ok(!RIGHT(ELEMENT_INT32, int64_t, whole + 1, 1000000), "int32: one too many");
    ok(UNWRITTEN(ELEMENT_INT32), "int32: not written");
    exact = sum_elements_exactly(ELEMENT_INT32, (const float[]){-0x1p-24f}, 1);
    ok(RIGHT(ELEMENT_INT32, int64_t, -1, 10), "int32: but -1 may be right");

    exact = sum_elements_exactly(ELEMENT_HALF, x, N);
    ok(RIGHT(ELEMENT_HALF, float, (float)exact.sum, 10), "half: the sum of what they are");
    ok(!RIGHT(ELEMENT_HALF, float, (float)sum_exactly(x, N).sum, 10), "half: not of what they were");
    ok(!RIGHT(ELEMENT_HALF, float, element_value(ELEMENT_HALF, (float)exact.sum), 10), "half: one rounded to a half");
}
