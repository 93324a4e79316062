/* report.h: what programs write: the table that people read, at most 100 columns wide; CSV, traces,
   what the model of time says, --help and --list. */
#ifndef REPORT_H
#define REPORT_H

#include "lesson.h"
#include "machine.h"
#include "measure.h"
#include "plan.h"
#include "result.h"
#include "whole_file.h"

#include <stdio.h>

struct report {
    FILE *out;
    enum { REPORT_TIMES, REPORT_COUNTS, REPORT_CHECKS } kind;
    bool graphs;      /* a column of times in a graph */
    bool matrix;      /* a column for the length of a row */
    const char *noun; /* what the answers are: "sum" */
    int name_width;
    size_t last_n, rows;
    size_t answers, wrong; /* not of roofs, and not of those wrong on purpose */
    size_t known_wrong_seen;
    struct result *kept; /* for the table of --counters; kept_count of them */
    size_t kept_count;
    bool keep;
};

/* Prints what is run, and where, and which variants are skipped, and why. Afterwards: the results,
   in the order of the plan, then report_end(). */
void report_begin(struct report *report, FILE *out, const struct plan *plan,
                  const struct machine *machine);

/* The plain read or copy of n floats that the others are compared with. */
void report_roof(struct report *report, const char *name, const struct result *roof);

void report_result(struct report *report, const struct result *result);

/* The tables of --counters, if it asked for it, and the last line. Returns the exit
   status: 0, or 1 if a sum was wrong, on purpose, too. */
int report_end(struct report *report);

/* ---- CSV (csv.c) ---- */

/* Puts a blank for whatever a name in results/ may not hold: letters, digits, blanks and _.+@()-
   stay (tools/pages/schema.csv). */
void keep_plain(char *name);

/* Opens the file, as whole_file_open() does, and writes the header. */
int csv_open(struct whole_file *csv, const char *path);

/* Adds the line of the plain launches, and that of the graph if there was one. */
void csv_add(struct whole_file *csv, const struct setting *setting, const struct result *result);

/* ---- the file of --trace: every access of a few blocks; on a GPU the command line refuses it
 * (trace_file.c) ---- */

/* The first line of the file says it: what reads traces can tell an older or newer one. */
#define TRACE_VERSION "2"

struct trace {
    struct whole_file file;
    const struct options *options;
    bool seen[MAX_TRACE_BLOCKS]; /* has a block made an access? */
};

/* Opens the file that the options name, if any, as whole_file_open() does. */
int trace_open(struct trace *trace, const struct options *options);

/* Adds what the variant has just done: the accesses of its first launch. */
void trace_add(struct trace *trace, const struct bench *bench, const struct result *result);

/* Writes the file, as whole_file_close() does; or returns 2 after one line, and writes
   nothing, if a block that was asked for did not exist. */
int trace_close(struct trace *trace);

/* ---- --model GPU: what the simulator's model of time says; docs/time.md (model.c) ---- */

/* The GPU that --model names: returns STATUS_OK, or STATUS_USAGE after one line. Where there is
   one, the simulated device has as many SMs. */
int model_open(const struct options *options);

/* Predicts all that is planned, and prints a table; with --csv FILE as CSV, too. Returns the exit
   status. Launches run only in part: no sum is checked, no time is measured. */
int model_run(const struct plan *plan, const struct options *options, unsigned sms);

/* ---- --help and --list (help.c) ---- */

/* The sizes that run when -n is not given. */
#define GPU_SIZES       "1M,16M,256M"
#define SIMULATOR_SIZES "1000,64K"

/* In Chinese where the environment's language is, and the lesson has it. */
const char *idea_of(const struct lesson *lesson);

void print_help(const struct lesson *lesson, bool simulator);

/* Prints the variants: two lines for each. csv, if not NULL, is a path or "-", and gets a CSV
   instead: a line for each variant, with all that scripts need to know of it. Returns 0, or 1 or 2
   after one line, as whole_file_open(). */
int print_list(const struct lesson *lesson, const char *csv);

#endif
