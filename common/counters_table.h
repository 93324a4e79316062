/* counters_table.h: the tables of --counters. */
#ifndef COUNTERS_TABLE_H
#define COUNTERS_TABLE_H

#include "result.h"

#include <stdio.h>

/* Two tables with one row for each launch that the results counted: global memory,
   then shared memory and what threads do together. Nothing if there are no results. */
void counters_table(FILE *out, int name_width, const struct result *results, size_t count);

#endif
