/* report_counters.h: the table of --counters. */
#ifndef REPORT_COUNTERS_H
#define REPORT_COUNTERS_H

#include "result.h"

#include <stdio.h>

/* One row for each launch that the result counted; the titles first, if asked. */
void report_counters(FILE *out, int name_width, const struct result *result, bool with_titles);

#endif
