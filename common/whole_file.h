/* whole_file.h: a file that is written whole, at the end, or not at all. */
#ifndef WHOLE_FILE_H
#define WHOLE_FILE_H

#include <stdbool.h>
#include <stdio.h>

struct whole_file {
    const char *what; /* "the CSV file": for messages */
    const char *path; /* "-" for standard output, NULL for no file */
    FILE *lines;      /* all that will be written, in memory; NULL for no file */
    char *text;
    size_t size;
};

/* Finds out whether the path can be written, and leaves nothing there. Returns 0,
   or 2 after one line that says why not. */
int whole_file_open(struct whole_file *file, const char *what, const char *path);

/* Whether both paths, of which "-" is standard output, lead to one file, written differently or by
   a link; two that are written to /dev/null do not meet. */
bool same_file(const char *a, const char *b);

/* Writes all lines to a file beside the path and renames it, so that a reader sees
   the old file or the new one, with the old one's rights. A path that is no ordinary file (a pipe,
   a device, a symbolic link) is written to directly. Returns 0, or 1 after one line. */
int whole_file_close(struct whole_file *file);

#endif
