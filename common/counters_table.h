/* report_counters.h: the tables of --counters. */
#ifndef REPORT_COUNTERS_H
#define REPORT_COUNTERS_H

#include "result.h"

#include <stdio.h>

/* Two tables with one row for each launch that the results counted: global memory,
   then shared memory and what threads do together. Nothing if there are no results. */
void report_counters(FILE *out, int name_width, const struct result *results, size_t count);

#endif
