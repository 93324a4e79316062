/* trace_file.h: the file of --trace: every access of a few blocks. On a GPU the command
   line refuses it, and these functions do nothing. */
#ifndef TRACE_FILE_H
#define TRACE_FILE_H

#include "measure.h"
#include "whole_file.h"

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

#endif
