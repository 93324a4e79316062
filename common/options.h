/* options.h: the command line, the same for every step. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "data.h"
#include "lesson.h"
#include "ragged.h"

#include <stdint.h>

enum {
    MAX_SIZES = 64,
    MAX_VARIANTS = 64,
    MAX_ROWS = 16,
    MAX_OFFSET = 31,
    MAX_GAP = 4096,
    MAX_TRACE_BLOCKS = 16
};
enum { MAX_GPUS = 8 };
enum { DEFAULT_BLOCK = 256, DEFAULT_SMS = 4, DEFAULT_ROW = 1024 };

/* What parse_options() returns when there is work to do. */
enum { OPTIONS_GO_ON = -1 };

struct options {
    size_t sizes[MAX_SIZES], size_count; /* in elements, in the order typed */
    size_t rows[MAX_ROWS], row_count;    /* floats of a row, for tasks that have rows */
    size_t gap;                          /* floats from the end of a row to the next */
    enum lengths lengths;                /* of ragged rows */
    const char *by_operator;             /* what is asked of each row or column; NULL: its sum */
    bool selected[MAX_VARIANTS];         /* for each variant of the lesson: shall it run? */
    bool required[MAX_VARIANTS];         /* it was named, not only matched: it must run */
    bool named, sized;                   /* -v was given, -n was given */
    unsigned block;                      /* threads per block */
    size_t repeat;                       /* runs of each measurement; 0: until it settles */
    enum pattern pattern;
    uint64_t seed;
    unsigned offset; /* floats between an aligned address and the first element */
    const char *csv; /* a path, "-" for standard output, or NULL */
    bool check, warm, counters, known_wrong, demo, list;
    uint64_t schedule; /* order of warps on the simulator */
    unsigned sms;      /* that it has */
    const char *trace; /* where to write every access of ... */
    unsigned trace_blocks[MAX_TRACE_BLOCKS], trace_block_count; /* ... these; or NULL */
    const char *model; /* a GPU whose time is predicted, or NULL */
    int device;
    unsigned gpus; /* this one and those after it; 0: all there are, up to MAX_GPUS */
    unsigned shares[MAX_GPUS], share_count; /* how the array is dealt out among them, in proportion;
                                               0: evenly */
};

/* Whether some variant of the lesson sums on several GPUs. */
bool about_many_gpus(const struct lesson *lesson);

/* Reads the command line. Returns OPTIONS_GO_ON, or the exit status: 0 after
   --help (printed on standard output), 2 after one line on standard error.
   simulator: which backend this program was built for; it sets the default
   sizes and whether --counters and the like are taken. Whether the variants take
   what was asked for is the plan's to say (plan.h). */
int parse_options(int argc, char **argv, const struct lesson *lesson, bool simulator,
                  struct options *options);

#endif
