/* The table: what it says, and that it stays within 100 columns. */
#include "report.h"
#include "../tap.h"
#include "message.h"
#include "task.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

static const struct variant sum = {.name = "atomic_per_block"},
                            broken = {.name = "cooperative_source",
                                      .flags = KNOWN_WRONG}, /* the longest name there is */
    readonly = {.name = "read", .flags = ROOF}, cpu = {.name = "cpu_pairwise", .flags = ON_CPU};
static const struct lesson tested = {.name = "99_test", .idea = "an idea"};
static const struct machine gpu = {.backend = "cuda",
                                   .gpu = "NVIDIA H200",
                                   .sms = 132,
                                   .theoretical_gbps = 4917},
                            simulator = {.backend = "sim", .gpu = "SIMT simulator", .sms = 4};
static const struct options all = {
    .sizes = {1000, (size_t)1 << 33}, .size_count = 2, .counters = true};
static struct skip skipped[] = {
    {.variant = &sum, .why = "takes blocks of 64, not 33"},
    {.variant = &cpu, .in_part = true, .why = "takes rows of 32 to 64, not 7"},
};

static struct report report;
static char *text;
static size_t size;

static void begin(const struct machine *machine, const struct options *options)
{
    const struct plan plan = {.lesson = &tested,
                              .options = options,
                              .skips = skipped,
                              .skip_count = sizeof skipped / sizeof skipped[0],
                              .name_width = (int)strlen(broken.name),
                              .sums_only = true};
    free(text);
    report_begin(&report, open_memstream(&text, &size), &plan, machine);
}

static int end(void)
{
    int status = report_end(&report);
    fclose(report.out);
    return status;
}

static bool says(const char *words)
{
    return strstr(text, words) != NULL;
}

static size_t longest_line(void)
{
    size_t longest = 0;
    for (const char *line = text; *line != '\0'; line += strcspn(line, "\n") + 1) {
        size_t length = strcspn(line, "\n");
        longest = length > longest ? length : longest;
    }
    return longest;
}

/* A result with the widest numbers that are to be expected. */
static struct result wide_result(const struct variant *variant, bool right)
{
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
    r.counters.total = (struct simt_counts){.barriers = 12345678,
                                            .atomics = 12345678,
                                            .shuffles = 12345678,
                                            .global_load_bytes = 1 << 30};
    for (int i = 0; i < 3; i++)
        r.counters.passes[i] = (struct simt_counts){.gld_requests = 12345678,
                                                    .gld_sectors = 12345678,
                                                    .gst_requests = 1234567,
                                                    .gst_sectors = 1234567,
                                                    .shared_ld_wavefronts = 1234567,
                                                    .shared_st_wavefronts = 1234567,
                                                    .worst_conflict = 32,
                                                    .barriers = 1234567,
                                                    .atomics = 1234567,
                                                    .shuffles = 1234567,
                                                    .global_load_bytes = 1 << 30,
                                                    .simt_efficiency = 1};
    return r;
}

static void add(const struct variant *variant, bool right)
{
    struct result r = wide_result(variant, right);
    report_result(&report, &r);
}

static void times(void)
{
    begin(&gpu, &all);
    const struct result roof = {
        .variant = &readonly, .n = 1000, .plain.time = {2, 2, 2, 15}, .graph.time = {1, 1, 1, 15}};
    report_roof(&report, "plain read", &roof);
    add(&sum, true);
    add(&readonly, true);
    add(&broken, true);
    ok(end() == STATUS_OK, "all right: status 0, where a known wrong one is right by luck, too");
    ok(longest_line() <= 100, "the longest line has %zu columns", longest_line());
    ok(says("NVIDIA H200, 132 SMs, 4917 GB/s in theory; L2 cold"), "the header names the device");
    ok(says("\natomic_per_block   skipped: takes blocks of 64, not 33\n") &&
           says("\ncpu_pairwise       skipped in part: takes rows of 32 to 64, not 7\n"),
       "what was skipped, and why");
    ok(says("time us") && says("% roof") && says("graph us"), "the columns of times");
    ok(says("\nplain read               1000      -        -       2.00   2.00  100.0"),
       "the row of the roof");
    ok(says("right this time, by luck"), "what became of the known wrong one");
    ok(says("\nthe sum is within its bound\n"), "the last line, for one sum");
}

static void wrong_sums(void)
{
    begin(&gpu, &all);
    add(&sum, true);
    add(&sum, false);
    add(&cpu, true);
    ok(end() == STATUS_WRONG, "a wrong sum: status 1");
    ok(says("WRONG\n    -1.23456789e-30 instead of"), "its row says so, and how");
    ok(says("\n1 of 3 sums wrong\n"), "and the last line");

    begin(&gpu, &all);
    struct result r = wide_result(&sum, true);
    r.graph.verdict = (struct verdict){.ok = false, .reason = "nothing was written"};
    report_result(&report, &r);
    ok(end() == STATUS_WRONG && says("    in a graph: nothing was written\n"),
       "right alone but wrong in a graph is wrong");
    begin(&gpu, &all);
    add(&sum, true);
    add(&broken, false);
    ok(end() == STATUS_WRONG && says("wrong on purpose, and wrong as expected: -1.23") &&
           says("\nthe sum is within its bound\n"),
       "a sum that is wrong on purpose: status 1, and no sum is called wrong");
    begin(&gpu, &all);
    add(&readonly, true);
    ok(end() == STATUS_OK && says("no sums to check"), "a roof alone");
}

static void checks(void)
{
    struct options check = all;
    check.check = true;
    begin(&gpu, &check);
    add(&sum, true);
    add(&cpu, true);
    ok(end() == STATUS_OK && !says("time") && !says("GB/s %"), "--check: no columns of times");
    ok(says("  0.0012  ok\n"), "error over bound");
    ok(says("all 2 sums within their bounds"), "two sums");
}

static void counts(void)
{
    begin(&simulator, &all);
    struct result r = wide_result(&sum, true);
    r.n = 1 << 28;
    report_result(&report, &r);
    struct result wrong = wide_result(&broken, true);
    wrong.n = (1 << 23) + 1; /* about as long a number as the simulator sees */
    report_result(&report, &wrong);
    ok(end() == STATUS_OK && longest_line() <= 100, "simulator: the longest line has %zu columns",
       longest_line());
    ok(!says("time us") && !says("GB/s"), "simulator: no times");
    ok(says("bytes/elem") && says("   4.00 12345678 12345678 12345678"), "simulator: the counts");
    ok(says("pass     reqs  sectors s/req") && says(" 3 12345678 12345678  1.00  1234567"),
       "--counters: a row for each launch");
    ok(says("worst  barriers") && says(" 3  1234567  1234567    32   1234567   1234567   1234567"),
       "--counters: and one in the second table");
    struct options fewer = all;
    fewer.counters = false;
    begin(&simulator, &fewer);
    report_result(&report, &r);
    ok(end() == STATUS_OK && !says("sectors"), "no second table without --counters");
}

/* Another question than a sum, on the rows of a matrix. */
static void answers(void)
{
    const struct variant tool = {.name = "scan_block_exclusive"};
    const struct lesson tools = {.name = "scan", .idea = "an idea"};
    struct plan plan = {.lesson = &tools, .options = &all, .name_width = (int)strlen(tool.name)};
    for (int k = 0; k < 4; k++) {
        plan.rows = k < 2;
        free(text);
        report_begin(&report, open_memstream(&text, &size), &plan, k % 2 ? &simulator : &gpu);
        struct result r = wide_result(&sum, true);
        r.variant = &tool;
        r.block = 256;
        r.n = k % 2 ? (1 << 23) + 16384 : ((size_t)1 << 32) - 16384;
        r.row = 16384;
        report_result(&report, &r);
        r.plain.verdict = (struct verdict){.reason = "out[17] is 0 instead of 1", .wrong = 3};
        report_result(&report, &r);
        ok(end() == STATUS_WRONG && longest_line() <= 100, "rows: the longest line has %zu columns",
           longest_line());
        ok(says(" row ") == (k < 2) && says("   16K ") == (k < 2) && says("  block") == (k >= 2),
           "rows: a column, and none for the block");
        ok(says("    out[17] is 0 instead of 1; 2 others, too\n"),
           "wrong words: the first, how many");
        ok(says("\n1 of 2 answers wrong\n") && !says("sum"), "they are answers, not sums");
    }
    free(text);
    report_begin(&report, open_memstream(&text, &size), &plan, &gpu);
    end();
    ok(says("no answers to check"), "no answers");
}

int main(void)
{
    times();
    wrong_sums();
    checks();
    counts();
    answers();
    free(text);
    return done_testing();
}
