/*
 * plan.h: what will run, decided once, when the command line has been read and the device is
 * known: which variant, on which n and row; what is left out, and why; how much memory it takes.
 * No other code asks whether a variant runs.
 */
#ifndef PLAN_H
#define PLAN_H

#include "buffers.h"
#include "machine.h"
#include "options.h"

/* One run: a variant on the n of its size_plan. */
struct cell {
    const struct variant *variant;
    size_t row; /* floats of a row, 0 where its task has none */
};

struct size_plan {
    size_t n;
    struct cell *cells; /* in the order of the lesson, then of the rows */
    size_t cell_count;
    struct needs needs;
};

/* A variant that was selected and does not run, or not on all that was asked for. */
struct skip {
    const struct variant *variant;
    bool in_part, absent; /* absent: it cannot run here, whatever is asked for */
    char why[160];
};

struct plan {
    const struct lesson *lesson;
    const struct options *options;
    struct size_plan *sizes; /* options->size_count of them, in the order typed */
    struct skip *skips;
    size_t skip_count;
    int name_width; /* the longest name of a variant that was selected */
    bool rows;      /* some run has a row */
    bool sums_only; /* no variant of the lesson answers another question */
};

/* Makes the plan. Returns 0; or, after one line, 2 if a variant that was named does not take what
   was asked for, if nothing that was selected takes it, if a grid would be too large or memory is
   too small; 77 if nothing of it can run here. Then there is nothing to free. */
int make_plan(struct plan *plan, const struct lesson *lesson, const struct options *options,
              const struct machine *machine);
void free_plan(struct plan *plan);

#endif
