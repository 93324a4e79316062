/* Judging the words of an answer: what is right, what is wrong, and what is kept of it. */
#include "task.h"
#include "../tap.h"

#include <math.h>

static struct verdict judged;

/* Judges one word anew. */
static bool word_ok(uint32_t got, uint32_t right)
{
    float out;
    memcpy(&out, &got, sizeof out);
    judged = (struct verdict){.ok = true};
    expect_word(&judged, &out, 0, right);
    return judged.ok;
}

static bool float_ok(float got, float right)
{
    judged = (struct verdict){.ok = true};
    expect_float(&judged, &got, 0, right);
    return judged.ok;
}

static bool near_ok(float got, double right, double allowed)
{
    judged = (struct verdict){.ok = true};
    expect_near(&judged, &got, 0, right, allowed);
    return judged.ok;
}

static bool says(const char *words)
{
    return strstr(judged.reason, words) != NULL;
}

static void words(void)
{
    const float out[] = {1.0f, 2.0f};
    ok(word_at(out, 0) == 0x3f800000 && word_at(out, 1) == 0x40000000, "the bytes of a word");
    ok(word_ok(7, 7) && judged.wrong == 0 && judged.reason[0] == '\0', "the right word");
    ok(!word_ok(7, 8) && judged.wrong == 1 && isinf(judged.rel_err), "another word");
    ok(says("out[0] is 0x00000007 instead of 0x00000008"), "and which: %s", judged.reason);
    ok(word_ok(0x7fc00001, 0x7fc00001) && !word_ok(0x7fc00001, 0x7fc00000), "a NaN, bit for bit");
    ok(!word_ok(0x80000000, 0), "-0 is another word than 0");
    ok(!word_ok(0xffffffff, 0x7fc00000), "poison");
}

static void floats(void)
{
    ok(float_ok(1.5f, 1.5f) && float_ok(INFINITY, INFINITY), "the right float");
    ok(!float_ok(nextafterf(1.5f, 2), 1.5f), "the next float is wrong");
    ok(says("out[0] is 1.50000012 instead of 1.5") && !says("+-"), "and which: %s", judged.reason);
    ok(!float_ok(-0.0f, 0.0f), "-0 is another float than 0");
    ok(float_ok(NAN, -NAN), "any NaN for a NaN");
    const uint32_t poison = 0xffffffff;
    float unwritten;
    memcpy(&unwritten, &poison, sizeof unwritten);
    ok(!float_ok(unwritten, NAN) && !near_ok(unwritten, NAN, 1), "but what was not written");
    ok(!float_ok(1, NAN) && says("instead of nan"), "a number for a NaN");
    ok(!float_ok(NAN, 1) && !float_ok(-INFINITY, INFINITY), "a NaN for a number, another infinity");
}

static void near(void)
{
    ok(near_ok(1, 1, 0) && judged.rel_err == 0, "exact, with nothing allowed");
    ok(near_ok(1.5f, 1, 0.5) && judged.rel_err == 0.5 && judged.err_bound == 0.5, "just allowed");
    ok(!near_ok(1.5f, 1, 0.25) && isinf(judged.rel_err), "more than is allowed");
    ok(says("out[0] is 1.5 instead of 1 +- 0.25"), "and how much: %s", judged.reason);
    ok(near_ok(NAN, NAN, 0) && near_ok(INFINITY, INFINITY, 0), "a NaN, an infinity");
    ok(!near_ok(NAN, 1, 9) && !near_ok(1, NAN, 9), "a NaN for a number, and a number for one");
    ok(!near_ok(-INFINITY, INFINITY, 9) && !near_ok(INFINITY, 1, INFINITY) &&
           !near_ok(1, INFINITY, INFINITY),
       "another infinity, or one of the two");
    ok(near_ok(0.25f, 0, 0.5) && judged.rel_err == 0.5 && judged.err_bound == 1,
       "over what is allowed, where 0 is right");
}

/* Of several words the one is kept whose error took the largest part of what was allowed. */
static void several(void)
{
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

    for (size_t i = 0; i < 4; i++)
        expect_word(&judged, out, i, 0);
    ok(!judged.ok && judged.wrong == 4, "all wrong words are counted");
    ok(says("out[0] is "), "the first is described");
    expect_near(&judged, out, 2, 2, 1);
    ok(isinf(judged.rel_err), "a right word does not hide them");
}

int main(void)
{
    words();
    floats();
    near();
    several();
    return done_testing();
}
