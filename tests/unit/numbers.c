/* Sizes and numbers as typed on the command line. */
#include "numbers.h"
#include "../tap.h"

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

int main(void)
{
    sizes();
    numbers();
    formats();
    return done_testing();
}
