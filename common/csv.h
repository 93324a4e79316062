/* csv.h: the results as a CSV file, whole or not at all. */
#ifndef CSV_H
#define CSV_H

#include "result.h"

#include <stdio.h>

struct csv {
    const char *path; /* "-" for standard output, NULL for no CSV */
    FILE *lines;      /* all that will be written, in memory */
    char *text;
    size_t size;
};

/* Finds out whether the path can be written, and leaves nothing there. Returns 0,
   or 2 after one line that says why not. */
int csv_open(struct csv *csv, const char *path);

/* Adds the line of the plain launches, and that of the graph if there was one. */
void csv_add(struct csv *csv, const struct setting *setting, const struct result *result);

/* Writes all lines to a file beside the path and renames it, so that a reader sees
   the old file or the new one. A path that is no ordinary file (a pipe, a device, a
   symbolic link) is written to directly. Returns 0, or 1 after one line. */
int csv_close(struct csv *csv);

#endif
