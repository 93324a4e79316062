/* operations.h: what a warp of a record does, as the replay needs it. */
#pragma once

#include "time/record.h"

enum op_kind {
    OP_INSTRUCTIONS, /* amount: how many */
    OP_LOAD,         /* of global memory */
    OP_POLL,         /* a load that is repeated until another block has written */
    OP_STORE,
    OP_SHARED_LOAD,  /* amount: wavefronts */
    OP_SHARED_STORE, /* amount: wavefronts */
    OP_WAIT,         /* for all loads in flight: one is used now */
    OP_SHUFFLE,
    OP_FENCE, /* amount: the enum simt_scope */
    OP_VOTE,  /* amount: 2 for a ballot, else 1 */
    OP_MATCH, /* amount: different values */
    OP_REDUCE,
    OP_BARRIER, /* of the block or of the cluster */
    OP_GRID_BARRIER,
    OP_REMOTE,        /* another SM's shared memory */
    OP_ATOMIC,        /* used: its result is waited for */
    OP_SHARED_ATOMIC, /* amount: lanes at the busiest word */
};

struct op {
    unsigned char kind;
    bool used, cluster;
    unsigned char lines;                    /* of 128 bytes that a load or store touches */
    unsigned char sectors;                  /* of 32 bytes, at most 4 * 32 */
    unsigned char known;                    /* of these, those that the block has touched before */
    unsigned char lanes, words, in_sectors; /* of an atomic: words that it changes */
    bool real, compares;                    /* of an atomic: a sum of floats; a compare-and-swap */
    float amount;
    float stall;                      /* cycles more */
    float integer, special, products; /* of so many instructions, those of these units (price.h) */
    uintptr_t word;                   /* the first word of an atomic */
};

struct warp_ops {
    struct op *at;
    size_t count;
    double instructions; /* all that it issues */
};
struct block_ops {
    struct warp_ops *warp;
    unsigned warps;
    const char *unknown;    /* a call without a price, or NULL */
    bool in_doubt, divides; /* LOADS_ONE_BY_ONE, SLOW_DIVISIONS make a difference */
    double doubtful;        /* instructions that nvcc may do without (price.h), of all warps */
    unsigned full, empty;   /* loads under a condition that most lanes take part in, and others */
    unsigned in_flight;     /* words of a thread that are loaded at once, at most */
};

/* What nvcc makes of the source is not known in all. LOADS_ONE_BY_ONE: those of an unrolled loop
   under a condition, where the next loop uses them under the same. Two kernels with that source
   differ: reduce of step 15 has four in flight, row_warp of step 16 one or two. SLOW_DIVISIONS:
   operands that the quick way does not take, as 0. */
enum assumption { LIKELY, LOADS_ONE_BY_ONE, SLOW_DIVISIONS };

/* Before: reads the code of all that was recorded. Returns NULL, or why that cannot be. */
const char *operations_look_up(const struct launch_record *launch);
/* Of one recorded block, 0 to 2, which was run. */
struct block_ops operations_of(const struct launch_record *launch, int block,
                               enum assumption assumption);
void operations_free(struct block_ops *block);
