/* Judging the words of an answer: what is right, what is wrong, and what is kept of it. */
#include "task.h"
#include "unit.h"
#include "variant_limits.h"

static struct verdict judged;

/* Judges one word anew. */
static bool word_ok(uint32_t got, uint32_t right) {
    float out;
    memcpy(&out, &got, sizeof out);
    judged = (struct verdict){.ok = true};
    expect_word(&judged, &out, 0, right);
    return judged.ok;
}

/* allowed: NAN for a float that is exact */
static bool near_ok(float got, double right, double allowed) {
    judged = (struct verdict){.ok = true};
    if (isnan(allowed))
        expect_float(&judged, &got, 0, (float)right);
    else
        expect_near(&judged, &got, 0, right, allowed);
    return judged.ok;
}
#define float_ok(GOT, RIGHT) near_ok(GOT, RIGHT, NAN)

static bool says(const char *words) { return strstr(judged.reason, words) != NULL; }

TEST(words) {
    const float out[] = {1.0f, 2.0f};
    ok(word_at(out, 0) == 0x3f800000 && word_at(out, 1) == 0x40000000, "the bytes of a word");
    ok(word_ok(7, 7) && judged.wrong == 0 && judged.reason[0] == '\0', "the right word");
    ok(!word_ok(7, 8) && judged.wrong == 1 && isinf(judged.rel_err), "another word");
    ok(says("out[0] is 0x00000007 instead of 0x00000008"), "and which: %s", judged.reason);
    ok(word_ok(0x7fc00001, 0x7fc00001) && !word_ok(0x7fc00001, 0x7fc00000), "a NaN, bit for bit");
    ok(!word_ok(0x80000000, 0), "-0 is another word than 0");
    ok(!word_ok(0xffffffff, 0x7fc00000), "poison");
}

TEST(floats) {
    ok(float_ok(1.5f, 1.5f) && float_ok(INFINITY, INFINITY), "the right float");
    ok(!float_ok(nextafterf(1.5f, 2), 1.5f), "the next float is wrong");
    ok(says("out[0] is 1.50000012 instead of 1.5") && !says("+-"), "and which: %s", judged.reason);
    ok(!float_ok(-0.0f, 0.0f), "-0 is another float than 0");
    ok(float_ok(NAN, -NAN), "any NaN for a NaN");
    ok(!float_ok(unwritten(), NAN) && !near_ok(unwritten(), NAN, 1), "but what was not written");
    ok(!float_ok(1, NAN) && says("instead of nan"), "a number for a NaN");
    ok(!float_ok(NAN, 1) && !float_ok(-INFINITY, INFINITY), "a NaN for a number, another infinity");
}

TEST(near) {
    ok(near_ok(1, 1, 0) && judged.rel_err == 0, "exact, with nothing allowed");
    ok(near_ok(1.5f, 1, 0.5) && judged.rel_err == 0.5 && judged.err_bound == 0.5, "just allowed");
    ok(!near_ok(1.5f, 1, 0.25) && isinf(judged.rel_err), "more than is allowed");
    ok(says("out[0] is 1.5 instead of 1 +- 0.25"), "and how much: %s", judged.reason);
    ok(near_ok(NAN, NAN, 0) && near_ok(INFINITY, INFINITY, 0), "a NaN, an infinity");
    ok(!near_ok(NAN, 1, 9) && !near_ok(1, NAN, 9), "a NaN for a number, and a number for one");
    IS(!near_ok(-INFINITY, INFINITY, 9) && !near_ok(INFINITY, 1, INFINITY) && !near_ok(1, INFINITY, INFINITY));
    ok(near_ok(0.25f, 0, 0.5) && judged.rel_err == 0.5 && judged.err_bound == 1,
       "over what is allowed, where 0 is right");
}

/* Of several words the one is kept whose error took the largest part of what was allowed. */
TEST(several) {
    const float out[] = {1.25f, 4.5f, 2.25f, 1};
    judged = (struct verdict){.ok = true};
    expect_near(&judged, out, 0, 1, 0.5); /* half of it */
    ok(judged.rel_err == 0.25 && judged.err_bound == 0.5, "the first word");
    expect_near(&judged, out, 1, 4, 4); /* an eighth */
    ok(judged.rel_err == 0.25 && judged.err_bound == 0.5, "one that is off by more, but allowed");
    expect_near(&judged, out, 2, 2, 0.25); /* all of it */
    ok(judged.rel_err == 0.125 && judged.err_bound == 0.125, "one that takes a larger part");
    expect_near(&judged, out, 3, 1, 0);
    ok(judged.ok && judged.rel_err == 0.125 && judged.err_bound == 0.125, "an exact one");

    for (size_t i = 0; i < 4; i++) expect_word(&judged, out, i, 0);
    ok(!judged.ok && judged.wrong == 4, "all wrong words are counted");
    ok(says("out[0] is "), "the first is described");
    expect_near(&judged, out, 2, 2, 1);
    ok(isinf(judged.rel_err), "a right word does not hide them");
}

/* Which blocks, n, rows and numbers a variant takes, and how that is said. */
static const struct task any_n = {.unit = 0}, tiles = {.unit = 1024}, few = {.max_n = 4096},
                         rows = {.min_row = 32, .max_row = 2048, .row_unit = 32};
static const struct task any_row = {.max_row = ANY_ROW, .row_unit = 1, .each = EACH_ROW},
                         ragged = {.max_row = ANY_ROW, .row_unit = 1, .each = EACH_ROW, .ragged = true},
                         not_0 = {.min_row = 1, .max_row = ANY_ROW, .row_unit = 1};
static const struct variant matrix = {.name = "matrix", .task = &any_row},
                            of_ragged = {.name = "of_ragged", .task = &ragged},
                            of_some = {.name = "of_some", .task = &not_0};
static const struct variant sum = {.name = "sum"}, any = {.name = "any", .task = &any_n},
                            tiled = {.name = "tiled", .task = &tiles}, small = {.name = "small", .task = &few},
                            of_rows = {.name = "of_rows", .task = &rows};
static char text[LIMITS_TEXT];

static void says_of(const char *got, const char *right) { same_text(got, right, right); }

TEST(shapes) {
    ok(!has_rows(&sum) && !has_rows(&any) && !has_rows(&tiled) && has_rows(&of_rows), "rows");
    ok(takes_row(&sum, 7) && takes_row(&tiled, 0), "any row, where there are none");
    IS(takes_row(&of_rows, 32) && takes_row(&of_rows, 2048) && takes_row(&of_rows, 96));
    IS(!takes_row(&of_rows, 0) && !takes_row(&of_rows, 16) && !takes_row(&of_rows, 2080) && !takes_row(&of_rows, 100));
    IS(takes_row(&matrix, 0) && takes_row(&matrix, 1000003) && !takes_row(&of_some, 0));
    IS(takes_gap(&matrix) && !takes_gap(&of_ragged) && !takes_gap(&of_rows) && !takes_gap(&sum));
    ok(has_ragged_rows(&of_ragged) && !has_ragged_rows(&matrix) && !has_ragged_rows(&sum), "ragged rows");
    ok(takes_n(&sum, 7, 1024) && takes_n(&any, 0, 1024) && takes_n(&any, 7, 1024), "any n");
    ok(takes_n(&tiled, 0, 7) && takes_n(&tiled, 2048, 7) && !takes_n(&tiled, 1000, 7), "whole tiles, and none");
    ok(takes_n(&of_rows, 0, 96) && takes_n(&of_rows, 960, 96) && !takes_n(&of_rows, 1024, 96), "whole rows, and none");
    ok(takes_n(&small, 4096, 7) && !takes_n(&small, 4097, 7), "the largest n, and one more");
    says_of(describe_rows(&of_rows, text), "rows of 32 to 2048 floats in multiples of 32");
    says_of(describe_rows(&matrix, text), "rows of any length");
    says_of(describe_rows(&of_some, text), "rows of any length but 0");
    says_of(describe_n(&small, 7, text), "an n of at most 4096");
    says_of(describe_n(&tiled, 7, text), "an n that is a multiple of 1024");
    says_of(describe_n(&of_rows, 96, text), "an n that is a multiple of 96");
}

/* The variant takes these, does not take those (each list ends with 0), and says so. */
static void takes(const struct variant *variant, const unsigned *these, const unsigned *those, const char *words) {
    bool right = true;
    while (*these != 0) right &= takes_block(variant, *these++);
    while (*those != 0) right &= !takes_block(variant, *those++);
    ok(right, "%s: which", variant->name);
    says_of(describe_blocks(variant, text), words);
}

#define LIST(...)                                                                                                      \
    (const unsigned[]) { __VA_ARGS__, 0 }

TEST(blocks) {
    const struct variant warps = {.name = "warps", .block_rule = BLOCK_WHOLE_WARPS},
                         some = {.name = "some", .block_rule = BLOCK_WHOLE_WARPS, .min_block = 40, .max_block = 384},
                         tree = {.name = "tree", .block_rule = BLOCK_POWER_OF_TWO},
                         late = {.name = "late", .block_rule = BLOCK_POWER_OF_TWO, .min_block = 64, .max_block = 512},
                         one = {.name = "one", .min_block = 256, .max_block = 256},
                         cpu = {.name = "cpu", .flags = ON_CPU, .block_rule = BLOCK_POWER_OF_TWO, .min_block = 64};
    takes(&sum, LIST(1, 33, 1024), LIST(1025), "blocks of 1 to 1024 threads");
    takes(&warps, LIST(32, 96, 1024), LIST(1, 33, 1056), "blocks of 32 to 1024 threads in whole warps of 32");
    takes(&some, LIST(64, 384), LIST(32, 48, 416), "blocks of 64 to 384 threads in whole warps of 32");
    takes(&tree, LIST(1, 2, 64, 1024), LIST(3, 96, 2048),
          "blocks of 1, 2, 4, 8, 16, 32, 64, 128, 256, 512 or 1024 threads");
    takes(&late, LIST(64, 512), LIST(32, 96, 1024), "blocks of 64, 128, 256 or 512 threads");
    takes(&one, LIST(256), LIST(255, 257), "blocks of 256 to 256 threads");
    takes(&cpu, LIST(1, 33, 1024), LIST(0), "no blocks: runs on the CPU");
    ok(!takes_block(&sum, 0), "a block of no threads is none");
    ok(least_block(&sum) == 1 && most_block(&sum) == MAX_BLOCK, "from 1 to 1024 if nothing is said");
    ok(least_block(&late) == 64 && most_block(&late) == 512, "else as it is said");
}

TEST(patterns) {
    const struct variant unit = {.name = "unit", .flags = UNIT_INPUT};
    for (int p = 0; p < PATTERN_COUNT; p++) {
        const char *name = pattern_name((enum pattern)p);
        ok(takes_pattern(&sum, (enum pattern)p), "a sum takes %s", name);
        ok(takes_pattern(&unit, (enum pattern)p) == (strstr(UNIT_PATTERNS, name) != NULL),
           "one of small numbers as it says: %s", name);
    }
}
