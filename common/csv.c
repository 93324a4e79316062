/* csv.c: see report.h. */
#include "report.h"

#include "task.h"

#include <string.h>

static const char header[] =
    "step,variant,backend,device,n,block,grid,pattern,cache,launch,median_us,min_us,p90_us,runs,"
    "gbps,pct_roof,rel_err,err_bound,ok,gld_requests,gld_sectors,gst_requests,gst_sectors,"
    "shared_ld_wavefronts,shared_st_wavefronts,atomics,barriers,shuffles,simt_efficiency,"
    "worst_conflict,bytes_per_element,row,bytes,task\n";

int csv_open(struct whole_file *csv, const char *path)
{
    int status = whole_file_open(csv, "the CSV file", path);
    if (csv->lines != NULL)
        fputs(header, csv->lines);
    return status;
}

void keep_plain(char *name)
{
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 _.+@()-";
    while (*(name += strspn(name, plain)) != '\0')
        *name = ' ';
}

/* A field of text. */
static void put_text(FILE *out, const char *text)
{
    char name[256];
    snprintf(name, sizeof name, "%s", text);
    keep_plain(name);
    fprintf(out, "%s,", name);
}

/* A field that is empty unless there is something to say. */
static void put_number(FILE *out, bool known, const char *format, double value)
{
    if (known)
        fprintf(out, format, value);
    fputc(',', out);
}

static void put_count(FILE *out, bool known, uint64_t value)
{
    if (known)
        fprintf(out, "%llu", (unsigned long long)value);
    fputc(',', out);
}

static void put_counts(FILE *out, const struct counters *counters, size_t n)
{
    const struct simt_counts *total = &counters->total;
    put_count(out, counters->requests, total->gld_requests);
    put_count(out, counters->requests, total->gld_sectors);
    put_count(out, counters->requests, total->gst_requests);
    put_count(out, counters->requests, total->gst_sectors);
    put_count(out, counters->requests, total->shared_ld_wavefronts);
    put_count(out, counters->requests, total->shared_st_wavefronts);
    put_count(out, counters->counted, total->atomics);
    put_count(out, counters->counted, total->barriers);
    put_count(out, counters->counted, total->shuffles);
    put_number(out, counters->requests, "%.4f", total->simt_efficiency);
    put_count(out, counters->requests, total->worst_conflict);
    put_number(out, counters->counted && n > 0, "%.4f",
               n > 0 ? (double)global_bytes(total) / (double)n : 0);
}

static void put_line(FILE *out, const struct setting *setting, const struct result *result,
                     const struct measurement *m, bool graph)
{
    bool cpu = result->variant->flags & ON_CPU, timed = m->time.runs > 0;
    put_text(out, setting->step);
    put_text(out, result->variant->name);
    put_text(out, cpu ? "cpu" : setting->backend);
    put_text(out, cpu                                  ? setting->cpu
                  : result->variant->flags & MANY_GPUS ? setting->gpus
                                                       : setting->gpu);
    put_count(out, true, result->n);
    put_count(out, result->block > 0, result->block);
    put_count(out, result->grid > 0, result->grid);
    put_text(out, setting->pattern);
    put_text(out, cpu || !timed ? "" : setting->cold && !graph ? "cold" : "warm");
    put_text(out, cpu || !timed ? "" : graph ? "graph" : "plain");
    put_number(out, timed, "%.4f", m->time.median);
    put_number(out, timed, "%.4f", m->time.min);
    put_number(out, timed, "%.4f", m->time.p90);
    put_count(out, timed, m->time.runs);
    put_number(out, timed, "%.3f", timed ? gbps(result, m) : 0);
    put_number(out, timed && m->roof > 0, "%.2f", timed ? percent_of_roof(m) : 0);
    put_number(out, result->checked, "%.4g", m->verdict.rel_err);
    put_number(out, result->checked, "%.9g", m->verdict.err_bound);
    put_count(out, result->checked, m->verdict.ok);
    put_counts(out, &result->counters, result->n);
    put_count(out, result->row > 0, result->row);
    fprintf(out, "%.0f,%s\n", bytes_needed(result), task_name(result->variant));
}

void csv_add(struct whole_file *csv, const struct setting *setting, const struct result *result)
{
    if (csv->lines == NULL)
        return;
    put_line(csv->lines, setting, result, &result->plain, false);
    if (result->graph.time.runs > 0)
        put_line(csv->lines, setting, result, &result->graph, true);
}
