#include "csv.h"

#include "message.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char header[] =
    "step,variant,backend,device,n,block,grid,pattern,cache,launch,median_us,min_us,p90_us,runs,"
    "gbps,pct_roof,rel_err,err_bound,ok,gld_requests,gld_sectors,gst_requests,gst_sectors,"
    "shared_ld_wavefronts,shared_st_wavefronts,atomics,barriers,shuffles,simt_efficiency\n";

static bool is_stdout(const struct csv *csv)
{
    return strcmp(csv->path, "-") == 0;
}

/* A new file is renamed over an ordinary one, or to a name not yet taken. */
static bool can_replace(const char *path)
{
    struct stat status;
    return lstat(path, &status) != 0 || S_ISREG(status.st_mode);
}

/* Opens FILE.tmp-PID, and writes its name to name. NULL on failure, with errno. */
static FILE *open_beside(const char *path, char **name)
{
    if (asprintf(name, "%s.tmp-%ld", path, (long)getpid()) < 0)
        abort(); /* out of memory for a few bytes */
    return fopen(*name, "w");
}

/* Returns 0 or the errno that writing to the path would meet. */
static int try_path(const char *path)
{
    char *temporary;
    struct stat status;
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        return EISDIR;
    if (access(path, F_OK) == 0 && access(path, W_OK) != 0)
        return errno;
    if (!can_replace(path))
        return access(path, F_OK) == 0 ? 0 : errno;
    FILE *file = open_beside(path, &temporary);
    int error = file == NULL ? errno : 0;
    if (file != NULL) {
        fclose(file);
        remove(temporary);
    }
    free(temporary);
    return error;
}

int csv_open(struct csv *csv, const char *path)
{
    *csv = (struct csv){.path = path};
    if (path == NULL)
        return STATUS_OK;
    int error = path[0] == '\0' ? ENOENT : is_stdout(csv) ? 0 : try_path(path);
    if (error != 0)
        return complain(STATUS_USAGE,
                        "cannot write the CSV file \"%s\" (%s): name a file in a folder that "
                        "you can write to, or - for standard output",
                        path, strerror(error));
    csv->lines = open_memstream(&csv->text, &csv->size);
    if (csv->lines == NULL)
        abort();
    fputs(header, csv->lines);
    return STATUS_OK;
}

/* A field of text; no name that we print needs its commas. */
static void put_text(FILE *out, const char *text)
{
    for (; *text != '\0'; text++)
        fputc(strchr(",\"\n\r", *text) != NULL ? ' ' : *text, out);
    fputc(',', out);
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

static void put_counts(FILE *out, const struct counts *counts)
{
    const struct simt_counts *total = &counts->total;
    put_count(out, counts->requests, total->gld_requests);
    put_count(out, counts->requests, total->gld_sectors);
    put_count(out, counts->requests, total->gst_requests);
    put_count(out, counts->requests, total->gst_sectors);
    put_count(out, counts->requests, total->shared_ld_wavefronts);
    put_count(out, counts->requests, total->shared_st_wavefronts);
    put_count(out, counts->counted, total->atomics);
    put_count(out, counts->counted, total->barriers);
    put_count(out, counts->counted, total->shuffles);
    if (counts->requests)
        fprintf(out, "%.4f", total->simt_efficiency);
    fputc('\n', out);
}

static void put_line(FILE *out, const struct setting *setting, const struct result *result,
                     const struct measurement *m, bool graph)
{
    bool cpu = result->variant->flags & ON_CPU, timed = m->time.runs > 0;
    put_text(out, setting->step);
    put_text(out, result->variant->name);
    put_text(out, cpu ? "cpu" : setting->backend);
    put_text(out, cpu ? setting->cpu : setting->gpu);
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
    put_counts(out, &result->counts);
}

void csv_add(struct csv *csv, const struct setting *setting, const struct result *result)
{
    if (csv->path == NULL)
        return;
    put_line(csv->lines, setting, result, &result->plain, false);
    if (result->graph.time.runs > 0)
        put_line(csv->lines, setting, result, &result->graph, true);
}

static bool write_all(FILE *file, const struct csv *csv)
{
    bool written = fwrite(csv->text, 1, csv->size, file) == csv->size;
    return fflush(file) == 0 && written;
}

/* Returns whether the path now holds the new lines; errno says why not. */
static bool replace(const struct csv *csv)
{
    char *temporary;
    FILE *file = open_beside(csv->path, &temporary);
    bool done = file != NULL && write_all(file, csv);
    if (file != NULL)
        done = fclose(file) == 0 && done;
    done = done && rename(temporary, csv->path) == 0;
    int error = errno;
    if (!done)
        remove(temporary);
    errno = error;
    free(temporary);
    return done;
}

static bool write_directly(const struct csv *csv)
{
    FILE *file = is_stdout(csv) ? stdout : fopen(csv->path, "w");
    bool done = file != NULL && write_all(file, csv);
    if (file != NULL && file != stdout)
        done = fclose(file) == 0 && done;
    return done;
}

int csv_close(struct csv *csv)
{
    if (csv->path == NULL)
        return STATUS_OK;
    fclose(csv->lines);
    bool done = is_stdout(csv) || !can_replace(csv->path) ? write_directly(csv) : replace(csv);
    int status = done ? STATUS_OK
                      : complain(STATUS_WRONG, "cannot write the CSV file \"%s\" (%s)", csv->path,
                                 strerror(errno));
    free(csv->text);
    return status;
}
