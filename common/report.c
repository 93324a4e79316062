/* report.c: see report.h. */
#include "report.h"

#include "measure.h"
#include "message.h"
#include "numbers.h"
#include "simt.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { WIDE = 10, ERROR = 9, MEDIUM = 8, NARROW = 6, ROW = 5 };

/* One cell, right-aligned, after a space. */
__attribute__((format(printf, 3, 4))) static void cell(FILE *out, int width, const char *format,
                                                       ...)
{
    char text[64];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(out, " %*s", width, text);
}

static void count_cell(FILE *out, int width, uint64_t value)
{
    if (value == 0)
        cell(out, width, "-");
    else
        cell(out, width, "%llu", (unsigned long long)value);
}

/* Microseconds, to a hundredth or to five digits. */
static void time_cell(FILE *out, int width, const struct stats *time)
{
    if (time->runs == 0)
        cell(out, width, "-");
    else
        cell(out, width,
             time->median < 1000  ? "%.2f"
             : time->median < 1e5 ? "%.1f"
                                  : "%.0f",
             time->median);
}

static void error_cell(FILE *out, int width, const struct result *result)
{
    const struct verdict *verdict = &result->plain.verdict;
    if (!result->checked)
        cell(out, width, "-");
    else if (verdict->err_bound == 0)
        cell(out, width, verdict->rel_err == 0 ? "exact" : "inf");
    else
        cell(out, width, "%.2g", verdict->rel_err / verdict->err_bound);
}

/* Whether all that is left out is left out in part, for the same reason. */
static bool one_reason(const struct plan *plan)
{
    for (size_t i = 0; i < plan->skip_count; i++)
        if (!plan->skips[i].in_part || strcmp(plan->skips[i].why, plan->skips[0].why) != 0)
            return false;
    return plan->skip_count > 1;
}

static void report_skips(FILE *out, const struct plan *plan)
{
    if (one_reason(plan)) {
        fprintf(out, "%zu variants skipped in part: each %s\n", plan->skip_count,
                plan->skips[0].why);
        return;
    }
    for (size_t i = 0; i < plan->skip_count; i++) {
        const struct skip *skip = &plan->skips[i];
        fprintf(out, "%-*s skipped%s: %s\n", plan->name_width, skip->variant->name,
                skip->in_part ? " in part" : "", skip->why);
    }
}

void report_begin(struct report *report, FILE *out, const struct plan *plan,
                  const struct machine *machine)
{
    const struct options *options = plan->options;
    bool simulator = strcmp(machine->backend, "sim") == 0;
    *report = (struct report){.out = out,
                              .name_width = plan->name_width,
                              .matrix = plan->rows,
                              .noun = plan->sums_only ? "sum" : "answer"};
    report->kind = simulator ? REPORT_COUNTS : options->check ? REPORT_CHECKS : REPORT_TIMES;
    report->keep = simulator && options->counters;
    for (size_t i = 0; i < options->size_count; i++)
        report->graphs |= report->kind == REPORT_TIMES && options->sizes[i] <= LARGEST_IN_GRAPH;

    fprintf(out, "%s: %s\n", plan->lesson->name, idea_of(plan->lesson));
    if (machine->gpus > 1)
        fprintf(out, "%u x ", machine->gpus);
    fprintf(out, "%s, %u SMs", machine->gpu, machine->sms);
    if (simulator)
        fprintf(out, "; it counts what a GPU would do (times: --model h200)");
    else
        fprintf(out, ", %.0f GB/s in theory", machine->theoretical_gbps);
    if (report->kind == REPORT_TIMES)
        fprintf(out, "; L2 %s before each run", options->warm ? "warm" : "cold");
    fprintf(out, "\npattern %s, seed %llu", pattern_name(options->pattern),
            (unsigned long long)options->seed);
    if (options->offset > 0)
        fprintf(out, ", %u element%s past an aligned address", options->offset,
                options->offset == 1 ? "" : "s");
    fputc('\n', out);
    report_skips(out, plan);
}

/* n, the row of a matrix and the block. To keep the table within 100 columns, long names take room
   from n, and with a row there is no block, which the command line tells. */
static void size_and_block(const struct report *report, const char *n, const char *row,
                           const char *block)
{
    cell(report->out, report->name_width > 18 ? MEDIUM : WIDE, "%s", n);
    if (report->matrix)
        cell(report->out, ROW, "%s", row);
    else
        cell(report->out, NARROW, "%s", block);
}

static void titles(const struct report *report)
{
    FILE *out = report->out;
    fprintf(out, "\n%-*s", report->name_width, "variant");
    size_and_block(report, "n", "row", "block");
    cell(out, MEDIUM, "grid");
    if (report->kind == REPORT_TIMES) {
        cell(out, WIDE, "time us");
        cell(out, NARROW, "GB/s");
        cell(out, NARROW, "%% roof");
        if (report->graphs)
            cell(out, WIDE, "graph us");
    } else if (report->kind == REPORT_COUNTS) {
        cell(out, WIDE, "bytes/elem");
        cell(out, MEDIUM, "barriers");
        cell(out, MEDIUM, "atomics");
        cell(out, MEDIUM, "shuffles");
    }
    cell(out, ERROR, "err/bound");
    fprintf(out, "  check\n");
}

/* A name, an n, and a row and a block unless they are 0; a blank line where n changes, the titles
   before the first. */
static void begin_row(struct report *report, const char *name, size_t n, size_t row, unsigned block)
{
    char size[SIZE_TEXT], length[SIZE_TEXT] = "-", threads[SIZE_TEXT] = "-";
    if (row > 0)
        format_size(row, length);
    if (block > 0)
        snprintf(threads, sizeof threads, "%u", block);
    if (report->rows == 0)
        titles(report);
    else if (n != report->last_n)
        fputc('\n', report->out);
    report->rows++;
    report->last_n = n;
    fprintf(report->out, "%-*s", report->name_width, name);
    size_and_block(report, format_size(n, size), length, threads);
}

static void speed_cells(FILE *out, double gbps, double percent)
{
    cell(out, NARROW, gbps < 100 ? "%.2f" : "%.0f", gbps);
    if (percent > 0)
        cell(out, NARROW, "%.1f", percent);
    else
        cell(out, NARROW, "-");
}

void report_roof(struct report *report, const char *name, const struct result *roof)
{
    FILE *out = report->out;
    begin_row(report, name, roof->n, 0, 0);
    cell(out, MEDIUM, "-");
    time_cell(out, WIDE, &roof->plain.time);
    speed_cells(out, gbps(roof, &roof->plain), 100);
    if (report->graphs)
        time_cell(out, WIDE, &roof->graph.time);
    cell(out, ERROR, "-");
    fprintf(out, "  roof\n");
    fflush(out);
}

static void time_cells(const struct report *report, const struct result *result)
{
    const struct measurement *plain = &result->plain;
    time_cell(report->out, WIDE, &plain->time);
    if (plain->time.runs > 0) {
        speed_cells(report->out, gbps(result, plain), percent_of_roof(plain));
    } else {
        cell(report->out, NARROW, "-");
        cell(report->out, NARROW, "-");
    }
    if (report->graphs)
        time_cell(report->out, WIDE, &result->graph.time);
}

static void count_cells(const struct report *report, const struct result *result)
{
    const struct simt_counts *total = &result->counters.total;
    if (result->counters.launches == 0 || result->n == 0)
        cell(report->out, WIDE, "-");
    else
        cell(report->out, WIDE, "%.2f", (double)global_bytes(total) / (double)result->n);
    count_cell(report->out, MEDIUM, total->barriers);
    count_cell(report->out, MEDIUM, total->atomics);
    count_cell(report->out, MEDIUM, total->shuffles);
}

/* What went wrong, below the row, and how a sum that is wrong on purpose came out. */
static void remarks(const struct report *report, const struct result *result)
{
    bool plain_ok = result->plain.verdict.ok, ok = result_ok(result);
    const char *reason = plain_ok ? result->graph.verdict.reason : result->plain.verdict.reason;
    const char *where = plain_ok ? "in a graph: " : "";
    char others[40] = "";
    if (!result->checked)
        return;
    if (result->plain.verdict.wrong > 1)
        snprintf(others, sizeof others, "; %zu others, too", result->plain.verdict.wrong - 1);
    if ((result->variant->flags & KNOWN_WRONG) && ok)
        fprintf(report->out, "    wrong on purpose, but right this time, by luck\n");
    else if (result->variant->flags & KNOWN_WRONG)
        fprintf(report->out, "    wrong on purpose, and wrong as expected: %s%s%s\n", where, reason,
                others);
    else if (!ok)
        fprintf(report->out, "    %s%s%s\n", where, reason, others);
}

static void keep_for_counters(struct report *report, const struct result *result)
{
    struct result *more = realloc(report->kept, (report->kept_count + 1) * sizeof *report->kept);
    if (more == NULL)
        abort(); /* a few kilobytes */
    report->kept = more;
    report->kept[report->kept_count++] = *result;
}

void report_result(struct report *report, const struct result *result)
{
    FILE *out = report->out;
    begin_row(report, result->variant->name, result->n, result->row, result->block);
    count_cell(out, MEDIUM, result->grid);
    if (report->kind == REPORT_TIMES)
        time_cells(report, result);
    else if (report->kind == REPORT_COUNTS)
        count_cells(report, result);
    error_cell(out, ERROR, result);
    const char *wrong = (result->variant->flags & KNOWN_WRONG) ? "wrong" : "WRONG";
    fprintf(out, "  %s\n", !result->checked ? "-" : result_ok(result) ? "ok" : wrong);
    remarks(report, result);
    fflush(out);

    if (result->checked && (result->variant->flags & KNOWN_WRONG)) {
        report->known_wrong_seen += !result_ok(result);
    } else if (result->checked) {
        report->answers++;
        report->wrong += !result_ok(result);
    }
    if (report->keep && result->counters.requests)
        keep_for_counters(report, result);
}

/* ---- --counters ---- */

enum { SECTOR_BYTES = 32 };

/* The cells of one launch, after the variant, n and the pass. */
typedef void cells_fn(FILE *out, const struct simt_counts *pass, size_t n);

static double ratio(uint64_t a, uint64_t b)
{
    return b > 0 ? (double)a / (double)b : 0;
}

static void global_titles(FILE *out, int width)
{
    fputs("\nGlobal memory: requests of warps and the 32-byte sectors they touch. Bytes for each "
          "element\nof the array: those that the threads asked for, and those in the sectors.\n",
          out);
    fprintf(out, "%-*s %7s %4s %8s %8s %5s %8s %8s %5s %7s %6s\n", width, "", "", "", "loads:", "",
            "", "stores:", "", "", "bytes:", "");
    fprintf(out, "%-*s %7s %4s %8s %8s %5s %8s %8s %5s %7s %6s\n", width, "variant", "n", "pass",
            "reqs", "sectors", "s/req", "reqs", "sectors", "s/req", "asked", "moved");
}

static void global_cells(FILE *out, const struct simt_counts *c, size_t n)
{
    uint64_t moved = SECTOR_BYTES * (c->gld_sectors + c->gst_sectors);
    fprintf(out, " %8llu %8llu %5.2f %8llu %8llu %5.2f %7.2f %6.2f\n",
            (unsigned long long)c->gld_requests, (unsigned long long)c->gld_sectors,
            ratio(c->gld_sectors, c->gld_requests), (unsigned long long)c->gst_requests,
            (unsigned long long)c->gst_sectors, ratio(c->gst_sectors, c->gst_requests),
            ratio(global_bytes(c), n), ratio(moved, n));
}

static void other_titles(FILE *out, int width)
{
    fputs(
        "\nShared memory: wavefronts, and those of the worst request. Barriers of blocks, shuffles"
        "\nand votes of warps, atomics of threads. SIMT efficiency: the share of lanes at work.\n",
        out);
    fprintf(out, "%-*s %7s %4s %8s %8s %5s %9s %9s %9s %7s\n", width, "", "", "", "shared:", "", "",
            "", "shuffles", "", "SIMT");
    fprintf(out, "%-*s %7s %4s %8s %8s %5s %9s %9s %9s %7s\n", width, "variant", "n", "pass",
            "loads", "stores", "worst", "barriers", "+ votes", "atomics", "eff %");
}

static void other_cells(FILE *out, const struct simt_counts *c, size_t n)
{
    (void)n;
    fprintf(out, " %8llu %8llu %5llu %9llu %9llu %9llu %7.1f\n",
            (unsigned long long)c->shared_ld_wavefronts,
            (unsigned long long)c->shared_st_wavefronts, (unsigned long long)c->worst_conflict,
            (unsigned long long)c->barriers, (unsigned long long)c->shuffles,
            (unsigned long long)c->atomics, 100 * c->simt_efficiency);
}

static void rows(FILE *out, int width, const struct result *result, cells_fn *cells)
{
    const struct counters *counters = &result->counters;
    char size[SIZE_TEXT];
    format_size(result->n, size);
    for (size_t i = 0; i < counters->launches && i < MAX_PASSES; i++) {
        fprintf(out, "%-*s %7s %4zu", width, result->variant->name, size, i + 1);
        cells(out, &counters->passes[i], result->n);
    }
    if (counters->launches > MAX_PASSES)
        fprintf(out, "%-*s and %zu launches more\n", width, result->variant->name,
                counters->launches - MAX_PASSES);
}

/* Two tables with one row for each launch that the results counted: global memory, then shared
   memory and what threads do together. Nothing if there are no results. */
static void counters_table(FILE *out, int name_width, const struct result *results, size_t count)
{
    if (count == 0)
        return;
    global_titles(out, name_width);
    for (size_t i = 0; i < count; i++)
        rows(out, name_width, &results[i], global_cells);
    other_titles(out, name_width);
    for (size_t i = 0; i < count; i++)
        rows(out, name_width, &results[i], other_cells);
}

static const char columns_in_chinese[] =
    "各列的含义（详见 docs/counters.md）：\n"
    "  variant 变体；n 元素个数；block 每块的线程数；grid 线程块数；check 检查：ok 正确，wrong "
    "错误\n"
    "  SIMT simulator 模拟器（--model h200 预测用时）；pattern 用什么数；seed 随机数种子\n"
    "  within bounds 在误差界之内；wrong on purpose 故意写错；as expected 果然算错；by luck "
    "侥幸算对\n"
    "  time us 用时（µs）；GB/s 带宽；% roof 占上限的百分比；graph us 在 CUDA 图中的用时（µs）\n"
    "  bytes/elem 每个元素请求的字节数；barriers 屏障；atomics 原子操作；shuffles 洗牌\n"
    "  err/bound 误差与误差界之比；pass 第几遍；loads 加载；stores 存储；shared 共享内存的波前\n"
    "  reqs 请求数；sectors 扇区数；s/req 每次请求的扇区数；asked、moved "
    "每个元素请求、搬运的字节数\n"
    "  worst 最坏的一次请求要几个波前；shuffles + votes 洗牌与投票；eff % 线程束执行效率\n";

int report_end(struct report *report)
{
    counters_table(report->out, report->name_width, report->kept, report->kept_count);
    free(report->kept);
    fputc('\n', report->out);
    if (report->wrong > 0)
        fprintf(report->out, "%zu of %zu %ss wrong\n", report->wrong, report->answers,
                report->noun);
    else if (report->answers == 1)
        fprintf(report->out, "the %s is within its bound\n", report->noun);
    else if (report->answers > 1)
        fprintf(report->out, "all %zu %ss within their bounds\n", report->answers, report->noun);
    else if (report->known_wrong_seen == 0)
        fprintf(report->out, "no %ss to check\n", report->noun);
    if (report->known_wrong_seen > 0)
        fprintf(report->out, "%zu wrong on purpose: exit status %d\n", report->known_wrong_seen,
                STATUS_WRONG);
    if (report->rows > 0)
        fputs(simt_wants_chinese() ? columns_in_chinese
                                   : "what the columns mean: docs/counters.md\n",
              report->out);
    fflush(report->out);
    return report->wrong + report->known_wrong_seen > 0 ? STATUS_WRONG : STATUS_OK;
}
