/* help.h: what --help and --list print. */
#ifndef HELP_H
#define HELP_H

#include "lesson.h"

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
