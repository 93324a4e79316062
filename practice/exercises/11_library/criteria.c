/* criteria.c: what the exercises of lesson 11 are judged by (practice/practice.h). */
#include "practice.h"

static float sum_of(const float *in, size_t n)
{
    float sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += in[i];
    return sum;
}

static const char *const calls[] = {
    "the sum",
    "the sum of no floats, in = NULL",
    "what refused calls wrote to *out, where -1 was",
    "the status for in = NULL, n = 5",
    "the status without a workspace",
    "the status for in at no multiple of 4",
    "the status for a workspace at no multiple of 4",
    "the status for a workspace one byte too small",
    "the status for in = NULL, n = 0",
    "the status for a workspace just large enough",
    "the status for out = NULL",
    "the status for out at no multiple of 4",
};

static size_t twelve(size_t n, size_t share)
{
    (void)n, (void)share;
    return 12;
}

/* As enum status of the exercise: 1 is NULL_POINTER, 2 MISALIGNED, 3 SMALL_WORKSPACE. */
static void answer_calls(const float *in, size_t n, size_t share, float *out)
{
    static const float right[12] = {0, 0, -1, 1, 1, 2, 2, 3, 0, 0, 1, 2};
    (void)share;
    for (int i = 0; i < 12; i++)
        out[i] = i == 0 ? sum_of(in, n) : right[i];
}

static const char *const planned[] = {"the sum", "the blocks for 2^43 floats and more"};

static size_t two(size_t n, size_t share)
{
    (void)n, (void)share;
    return 2;
}

static void answer_plan(const float *in, size_t n, size_t share, float *out)
{
    (void)share;
    out[0] = sum_of(in, n);
    out[1] = (float)(8 * (4 + n % 5));
}

static size_t three(size_t n, size_t share)
{
    (void)n, (void)share;
    return 3;
}

/* As the exercise cuts them. */
static size_t length(size_t s)
{
    return 37 * s % (s + 2);
}

static size_t segments(size_t n, size_t share)
{
    size_t count = 1, end = 0;
    (void)share;
    while (end < n)
        end += length(count++);
    return count;
}

static void sum_segments(const float *in, size_t n, size_t share, float *out)
{
    for (size_t s = 0, i = 0; s < segments(n, share); s++) {
        out[s] = 0;
        for (size_t end = i + length(s); i < end && i < n; i++)
            out[s] += in[i];
    }
}

static const struct reference contract = {"the sum and what each call returns", twelve,
                                          answer_calls, false};
static const struct reference plan = {"the sum, and the plan for 2^43 floats", two, answer_plan,
                                      false};
static const struct reference depths = {"three depths", three, NULL, false}; /* for a quiz */
static const struct reference segment_sums = {"the sum of each segment", segments, sum_segments,
                                              true};

const struct criteria criteria[] = {
    {
        .file = "1_predict",
        .reference = &depths,
        .sizes = {16384, 65536, 131072},
        .blocks = {64, 128, 256},
        .questions =
            {
                {"the depth in a thread", OUTPUT + 0,
                 .traps = {{OUTPUT + 1, 1, .says = "that is the block's"}}},
                {"the depth in a block", OUTPUT + 1,
                 .traps = {{OUTPUT + 0, 1, .says = "that is one thread's"}}},
                {"the depth of the sum", OUTPUT + 2,
                 .traps = {{OUTPUT + 1, 1, .says = "that is one block's"}}},
            },
    },
    {
        .file = "2_refuse_first",
        .kernel_words = 1,
        .reference = &contract,
        .called = calls,
        .blocks = {64, 256, 32, 1024},
        .limits = {{LAUNCHES, AT_MOST, 4, .n = 1000, .block = 64,
                    .says = "two for each of the two sums that are in order; a call that is "
                            "refused queues nothing"}},
    },
    {
        .file = "3_plan",
        .kernel_words = 1,
        .reference = &plan,
        .called = planned,
        .blocks = {256, 64, 1024},
        .sizes = {40000},
        .limits = {{LAUNCHES, AT_MOST, 1, .n = 4096, .block = 256,
                    .says = "4096 floats are for one block, which writes the sum itself"},
                   {LAUNCHES, AT_MOST, 2, .n = 4097, .block = 256,
                    .says = "the blocks, and one that adds up their sums"},
                   {BLOCKS, AT_MOST, 5, .n = 4097, .block = 256, .also = {8, 8192, 256},
                    .says = "4097 floats are four times 1024, and one more"},
                   {BLOCKS, AT_LEAST, 5, .n = 4097, .block = 256,
                    .says = "4097 floats are four times 1024, and one more"},
                   {BLOCKS, AT_MOST, 32, .n = 100000, .block = 256,
                    .says = "8 on each of 4 SMs are enough: the loop takes what is left"},
                   {BLOCKS, AT_LEAST, 32, .n = 100000, .block = 256,
                    .says = "100,000 floats are for 8 blocks on each of 4 SMs"}},
        .against = "sum_f32",
    },
    {
        .file = "4_segments",
        .reference = &segment_sums,
        .blocks = {64, 256, 32, 96, 1024},
        .limits = {{LOAD_SECTORS, AT_MOST, 983 + 200, .n = 4096, .block = 256,
                    .also = {1183, 4096, 64},
                    /* a compiler may read begin[] anew in each round: 200 more */
                    .says = "a segment of 80 elements lies in 10 to 13 sectors, if the lanes of a "
                            "warp read side by side"},
                   {MORE_SECTORS, AT_LEAST, 494, .n = 4096, .block = 256, .also = {494, 4096, 64},
                    .says = "all 32 lanes read at once, and so a request brings four sectors or "
                            "five"},
                   {BARRIERS, AT_MOST, 0, .n = 4096, .block = 256,
                    .says = "the lanes of a warp wait for each other in the shuffle"},
                   {SHARED_FLOATS, AT_MOST, 0, .n = 4096, .block = 256,
                    .says = "no shared memory here"},
                   {ATOMICS, AT_MOST, 0, .n = 4096, .block = 256,
                    .says = "a segment is one warp's, and so is its place in out[]"}},
    },
    {0},
};
