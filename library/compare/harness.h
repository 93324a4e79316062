/*
 * harness.h: what the parts of the comparison share.
 *
 * A subject is what is compared: our function, a list of rivals, the sizes, the check and the
 * columns of the CSV. harness.c goes over the rivals of a subject, rounds.c takes the times of two
 * ways to sum, alternating.
 */
#ifndef HARNESS_H
#define HARNESS_H

#include "data.h"
#include "gpus.h"
#include "reference.h"
#include "whole_file.h"

/* Where the numbers come to be summed. Of one GPU, the graph and the stream are that one's. */
enum launch {
    GRAPH,     /* many sums, one after the other, in a CUDA graph of each GPU: the time of one */
    ONE_GRAPH, /* one sum, in one graph over all GPUs, with the way there and back */
    STREAM,    /* many calls, one after the other, on a stream of each GPU: the time of one */
    SINGLE,    /* one call between two events */
    LAUNCHES
};

/* Cold: no sum finds its numbers in the L2 cache. That is emptied first, and sums that follow one
   another have numbers of their own. Warm: all sum the same. */
enum caches { COLD = 1, WARM = 2, BOTH = COLD | WARM };

/* A row of a subject's table. */
struct rival {
    const struct variant *way;      /* NULL: what it needs was not there when this was linked */
    unsigned char caches[LAUNCHES]; /* how it is launched, and with which caches */
    enum {
        NOTHING,
        FIRST,
        ALL,
        ABOVE
    } shown;       /* in the printed table: the first ratio; all, and
                      those above 1 are counted; or what ours takes
                      longer */
    bool own_type; /* sums elements of way->element alone, to a sum of that type */
};

struct comparison;

struct subject {
    const char *name;               /* as typed */
    const char *what;               /* printed above the table */
    const char *columns;            /* of the CSV, as in harness.c */
    const char *launches[LAUNCHES]; /* as the CSV names them */
    const struct variant *ours;
    const struct rival *rivals;
    size_t rival_count;
    void (*run)(struct comparison *c); /* goes over the sizes: compare_at() */
    void (*check)(struct comparison *c, size_t n, unsigned offset); /* before the times; or NULL */
    double error_unit;   /* of the errors in the CSV, over the sum of |x|; 0: none is measured */
    size_t most_checked; /* up to this n; 0: any n */
    size_t most;         /* elements, unless --most says otherwise */
    size_t room;         /* bytes for each of them */
    bool many_gpus, fails_if_slower;
};

/* All that lives as long as the run. */
struct comparison {
    const struct subject *subject;
    struct options options; /* which GPUs */
    struct machine machine;
    struct gpus gpus;     /* of one GPU, too */
    size_t bytes;         /* of numbers, on each GPU: shares[g].in */
    float *host, *whole;  /* whole: all of host[] on the first GPU, where there are several */
    size_t most;          /* elements, of all GPUs */
    enum element element; /* of the numbers on the GPU */
    const char *label;    /* of the lines of the table: the element, the pattern, the operator */
    /* What is asked of the elements, where that is not their sum: the operator, of what (rows,
       columns, or segments of such lengths), and how many. */
    const char *question, *of;
    size_t columns, segments;
    bool quick;
    cudaEvent_t start, stop;
    struct whole_file csv;
    size_t pairs, slower, wrong; /* wrong: sums */
};

struct setting {
    size_t n; /* in all */
    unsigned offset;
    enum launch launch;
    bool cold;
};

struct outcome {
    double us[2];                        /* medians, microseconds for one sum */
    double ratio, low, high;             /* of us[0] / us[1], pair by pair, and its 95 % interval */
    double above, above_low, above_high; /* the same of us[0] - us[1] */
    size_t rounds;
};

/* A line of the CSV: columns that the subject does not name are left as they are. */
struct row {
    struct setting setting;
    const char *way, *rival;
    struct outcome outcome;
    double errors[2];                       /* NaN: not measured */
    const char *kind;                       /* of a plan ... */
    unsigned loads, threads, blocks, parts; /* ... and its numbers */
    unsigned chosen;                        /* whether the library takes it */
};

/* ---- harness.c ---- */

/* Compares ours with the first `rivals` of them at this n: lines of the CSV, and one of the table.
   Does nothing if n is 0, or more than c->most. */
void compare_at(struct comparison *c, size_t n, unsigned offset, size_t rivals);
void print_head(const struct comparison *c);
void put_row(const struct comparison *c, const struct row *row);

/* The numbers. open_numbers() makes c->most uniform ones; upload() makes the elements on the GPU
   from host[]. Each ends the program, after one line, if there is no memory. */
void open_numbers(struct comparison *c);
void upload(struct comparison *c, enum element element);

/* ---- rounds.c ---- */

/* Queues sum i of those that follow one another, `step` bytes apart. */
void queue_sum(const struct comparison *c, const struct setting *setting, const struct variant *way,
               size_t i, size_t step);

/* Times both ways in rounds, every other round in the other order. Ends the program, by CUDA_CHECK,
   on a CUDA error. */
struct outcome measure_pair(const struct comparison *c, const struct setting *setting,
                            const struct variant *const ways[2]);

/* The median time of one way alone, microseconds for one sum. */
double measure_way(const struct comparison *c, const struct setting *setting,
                   const struct variant *way);

/* ---- what can be compared ---- */

extern const struct subject subject_floats, subject_types, subject_exact, subject_tune,
    subject_rows, subject_segments, subject_row_types, subject_segment_types, subject_tune_rows;

/* Step 14's, which the program is linked with. */
extern const struct subject subject_gpus __attribute__((weak));

#define ROWS(TABLE) .rivals = TABLE, .rival_count = sizeof TABLE / sizeof TABLE[0]

#endif
