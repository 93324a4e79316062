/* help.h: what --help and --list print. */
#ifndef HELP_H
#define HELP_H

#include "lesson.h"

/* The sizes that run when -n is not given. */
#define GPU_SIZES       "1M,16M,256M"
#define SIMULATOR_SIZES "1000,64K"

void print_help(const struct lesson *lesson, bool simulator);
void print_list(const struct lesson *lesson);

#endif
