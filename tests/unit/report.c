/* The table: which rows and columns it has, what it says of wrong sums, and the status in the end. */
#include "report.h"
#include "message.h"
#include "stats.h"
#include "task.h"
#include "unit.h"

static const struct variant sum = {.name = "atomic_per_block"}, readonly = {.name = "read", .flags = ROOF},
                            cpu = {.name = "cpu_pairwise", .flags = ON_CPU},
                            broken = {.name = "cooperative_source", .flags = KNOWN_WRONG}; /* the longest name */
static const struct lesson tested = {.name = "99_test", .idea = "an idea"};
static const struct machine gpu = {.backend = "cuda", .gpu = "NVIDIA H200", .sms = 132, .theoretical_gbps = 4917},
                            simulator = {.backend = "sim", .gpu = "SIMT simulator", .sms = 4};
static const struct options all = {.sizes = {1000, (size_t)1 << 33}, .size_count = 2, .counters = true};
static struct skip skipped[] = {
    {.variant = &sum, .why = "takes blocks of 64, not 33"},
    {.variant = &cpu, .in_part = true, .why = "takes rows of 32 to 64, not 7"},
};

static struct report report;
static char *text;
static size_t size;

static void begin(const struct machine *machine, const struct options *options) {
    const struct plan plan = {.lesson = &tested,
                              .options = options,
                              .skips = skipped,
                              .skip_count = COUNT(skipped),
                              .name_width = (int)strlen(broken.name),
                              .sums_only = true};
    free(text);
    report_begin(&report, open_memstream(&text, &size), &plan, machine);
}

static int end(void) {
    int status = report_end(&report);
    fclose(report.out);
    return status;
}

static bool says(const char *words) { return strstr(text, words) != NULL; }

static struct result wide_result(const struct variant *variant, bool right) {
    struct result r = {.variant = variant,
                       .n = ((size_t)1 << 32) + 1,
                       .block = 1024,
                       .grid = 16777217,
                       .checked = variant != &readonly};
    r.plain = (struct measurement){{1234567, 1234567, 1234567, 15}, 1234567, {.ok = true}};
    r.plain.verdict.err_bound = 1e-6;
    r.plain.verdict.rel_err = 1.23456e-9;
    r.graph = r.plain;
    if (!right) {
        r.plain.verdict.ok = false;
        snprintf(r.plain.verdict.reason, sizeof r.plain.verdict.reason, "%s",
                 "-1.23456789e-30 instead of -1.23456789e-30 +- 1.23e-30");
    }
    r.counters = (struct counters){.counted = true, .requests = true, .launches = 3};
    r.counters.total.barriers = 7654321;
    for (int i = 0; i < 3; i++)
        r.counters.passes[i] = (struct simt_counts){.gld_sectors = 12345678, .worst_conflict = 32};
    return r;
}

/* The status of a report on a roof and these variants, of which the last one is wrong, or right. */
#define REPORTED(OPTIONS, RIGHT, ...) reported(OPTIONS, RIGHT, (const struct variant *const[]){__VA_ARGS__, NULL})
static int reported(const struct options *options, bool right, const struct variant *const *variants) {
    const struct result roof = {
        .variant = &readonly, .n = 1000, .plain.time = {2, 2, 2, 15}, .graph.time = {1, 1, 1, 15}};
    begin(&gpu, options);
    if (!options->check) report_roof(&report, "plain read", &roof);
    for (; *variants != NULL; variants++) {
        struct result r = wide_result(*variants, right || variants[1] != NULL);
        report_result(&report, &r);
    }
    return end();
}

TEST(times) {
    ok(REPORTED(&all, true, &sum, &readonly, &broken) == STATUS_OK,
       "all right: status 0, where a known wrong one is right by luck, too");
    ok(says("NVIDIA H200, 132 SMs, 4917 GB/s in theory; L2 cold"), "the header names the device");
    IS(says("\natomic_per_block   skipped: takes blocks of 64, not 33\n") &&
       says("\ncpu_pairwise       skipped in part: takes rows of 32 to 64, not 7\n"));
    ok(says("time us") && says("% roof") && says("graph us"), "the columns of times");
    ok(says("\nplain read "), "the row of the roof");
    ok(says("right this time, by luck"), "what became of the known wrong one");
    ok(says("\nthe sum is within its bound\n"), "the last line, for one sum");
}

TEST(wrong_sums) {
    ok(REPORTED(&all, false, &sum, &cpu, &sum) == STATUS_WRONG, "a wrong sum: status 1");
    ok(says("WRONG\n    -1.23456789e-30 instead of"), "its row says so, and how");
    ok(says("\n1 of 3 sums wrong\n"), "and the last line");

    begin(&gpu, &all);
    struct result r = wide_result(&sum, true);
    r.graph.verdict = (struct verdict){.ok = false, .reason = "nothing was written"};
    report_result(&report, &r);
    ok(end() == STATUS_WRONG && says("    in a graph: nothing was written\n"),
       "right alone but wrong in a graph is wrong");
    ok(REPORTED(&all, false, &sum, &broken) == STATUS_WRONG && says("wrong on purpose, and wrong as expected: -1.23") &&
           says("\nthe sum is within its bound\n1 wrong on purpose: exit status 1\n"),
       "a sum that is wrong on purpose: status 1, and no sum is called wrong");
    IS(REPORTED(&all, false, &broken) == STATUS_WRONG && says("\n1 wrong on purpose: exit status 1\n") &&
       !says("no sums"));
    ok(REPORTED(&all, true, &readonly) == STATUS_OK && says("no sums to check"), "a roof alone");
}

TEST(checks) {
    struct options check = all;
    check.check = true;
    IS(REPORTED(&check, true, &sum, &cpu) == STATUS_OK && !says("time") && !says("GB/s %"));
    ok(says("  0.0012  ok\n"), "error over bound");
    ok(says("all 2 sums within their bounds"), "two sums");
}

TEST(counts) {
    struct result r = wide_result(&sum, true);
    for (int counters = 0; counters < 2; counters++) {
        struct options options = all;
        options.counters = counters;
        begin(&simulator, &options);
        report_result(&report, &r);
        IS(end() == STATUS_OK && !says("time us") && !says("GB/s") && says("bytes/elem") && says(" 7654321"));
        ok(says("sectors s/req") == counters && says(" 12345678 ") == counters && says("worst  barriers") == counters,
           "two more tables with --counters, and none without");
    }
}

/* Another question than a sum, on the rows of a matrix. */
TEST(answers) {
    const struct variant tool = {.name = "scan_block_exclusive"};
    const struct lesson tools = {.name = "scan", .idea = "an idea"};
    struct plan plan = {.lesson = &tools, .options = &all, .name_width = (int)strlen(tool.name)};
    for (int k = 0; k < 2; k++) {
        plan.rows = k == 0;
        free(text);
        report_begin(&report, open_memstream(&text, &size), &plan, &gpu);
        struct result r = wide_result(&sum, true);
        r.variant = &tool;
        r.row = 16384;
        report_result(&report, &r);
        r.plain.verdict = (struct verdict){.reason = "out[17] is 0 instead of 1", .wrong = 3};
        report_result(&report, &r);
        IS(end() == STATUS_WRONG && says(" row ") == plan.rows && says("   16K ") == plan.rows);
        ok(says("    out[17] is 0 instead of 1; 2 others, too\n"), "wrong words: the first, how many");
        ok(says("\n1 of 2 answers wrong\n") && !says("sum"), "they are answers, not sums");
    }
}

/* Median, percentile, and the confidence interval that says when to stop. */
TEST(summaries) {
    struct stats one = summarize((double[]){5}, 1), odd = summarize((double[]){9, 1, 5}, 3);
    IS(one.median == 5 && one.min == 5 && one.p90 == 5 && one.runs == 1);
    IS(odd.median == 5 && odd.min == 1 && odd.p90 == 9);
    ok(summarize((double[]){4, 1, 2, 8}, 4).median == 3, "four: the mean of the middle two");
    ok(summarize((double[]){10, 9, 8, 7, 6, 5, 4, 3, 2, 1}, 10).p90 == 9, "p90 of 1 to 10 is 9");
    ok(summarize((double[]){11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1}, 11).p90 == 10, "p90 of 1 to 11 is 10");
}

/* Ranks from the tables of the textbooks, which count from 1. */
TEST(intervals) {
    char table[] = "6:1-6 8:1-8 9:2-8 10:2-9 15:4-12 20:6-15 25:8-18 30:10-21 50:18-33 70:27-44 100:40-61";
    size_t low, high, count, from, to;
    EACH_WORD (row, table)
        ok(sscanf(row, "%zu:%zu-%zu", &count, &from, &to) == 3 && median_interval(count, &low, &high) &&
               low + 1 == from && high + 1 == to,
           "values, ranks: %s", row);
    for (count = 1; count < 6; count++) ok(!median_interval(count, &low, &high), "%zu values are too few", count);
    ok(median_interval(1000, &low, &high) && low + high == 999 && low > 460 && low < 475, "1000 values: no underflow");
}

/* Draw from a skewed distribution with a known median, and see how often it is covered. */
TEST(coverage) {
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

TEST(settling) {
    double values[100], equal[] = {50, 50, 50, 50, 50, 50};
#define SETTLED(WITHIN, VALUE) /* 100 values, each by its number i */                                                  \
    __extension__({                                                                                                    \
        for (int i = 0; i < 100; i++) values[i] = VALUE;                                                               \
        median_settled(values, 100, WITHIN);                                                                           \
    })
    ok(median_settled(equal, 6, 0.005), "six equal values have settled");
    ok(!median_settled(equal, 5, 0.005), "five cannot tell");
    ok(SETTLED(0.005, 100 + (i * 37 % 100 - 50) * 0.01), "a spread of 0.5 percent has settled");
    ok(!SETTLED(0.005, 100 + (i * 37 % 100 - 50) * 0.2), "a spread of 10 percent has not");
    ok(median_settled(values, 100, 0.03), "but to within 3 percent it has");
    ok(SETTLED(0.005, i % 5 == 0 ? 1000 : 100), "outliers do not move the median");
    ok(!SETTLED(0.005, i < 55 ? 100 : 110), "settled below the median, but not above");
    ok(!SETTLED(0.005, i < 55 ? 100 : 90), "settled above the median, but not below");
    ok(!SETTLED(0.005, i % 2 == 0 ? 100 : 110), "two values in turn leave it open");
}
