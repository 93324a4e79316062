/* report.h: the table that people read, at most 100 columns wide. */
#ifndef REPORT_H
#define REPORT_H

#include "machine.h"
#include "plan.h"
#include "result.h"

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

#endif
