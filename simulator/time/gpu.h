/* gpu.h: what the model of time knows of a GPU: figures from a file, each with its source there. */
#pragma once

#include <stddef.h>
#include <stdio.h>

struct gpu {
    char name[64];
    /* size */
    double sms, mhz, issue;    /* instructions a cycle of one SM */
    double product;            /* instructions of a product of whole numbers */
    double integers, specials; /* operations a cycle of one SM: on whole numbers; reciprocals and
                                  conversions */
    double warps, blocks, registers;      /* of one SM */
    double sm_shared_kb, block_shared_kb; /* shared memory of one SM, of one block */
    /* latencies, cycles */
    double special; /* a reciprocal or a conversion */
    double alu, l1, l2, dram, shared, shuffle, vote;
    double match, match_value, reduce; /* __match_any_sync() of one value, more for each other; sums
                                          of whole numbers and the like */
    double barrier, barrier_warp;      /* a barrier, and more for each warp of the block */
    double cluster;                    /* a word from another SM's shared memory */
    double cluster_start;              /* between the starts of two clusters, on the whole GPU */
    double fence;                      /* __threadfence() beyond that what was written came to L2 */
    double block_start;                /* from a block's end to its successor's first instruction */
    /* memory */
    double gbps, bank_ns;    /* DRAM's peak; a bank is busy so long for a line of 128 bytes */
    double write_cost;       /* a written byte costs as many read ones */
    double l2_gbps, l2_sm;   /* of all SMs; bytes a cycle of one */
    double l2_mb, l1_caches; /* l1_caches: does L1 keep global loads? */
    double atomic_ns,
        atomic_integer_ns; /* between two atomics on one word: floats, whole numbers */
    double atomic_lane;    /* of that, for a further lane of the warp */
    double l2_atomics;     /* atomics on different words a ns, of the whole GPU */
    /* launches, microseconds */
    double first_us, next_us, memset_us;
    double sync_us, sync_block_ns; /* grid.sync(), and more for each block */
    double uncertainty;            /* of the file's figures, a share: a range is no narrower */
};

/* Opens a file by the path that the compiler was given, which may be relative: to the current
   folder, else to SIMT_SOURCES, else to a folder above the program. Returns NULL if it is in none.
 */
FILE *source_open(const char *path);

/* name: of a table of gpus.toml, or a path of a file. Returns NULL, or one line that
   says what is wrong with it. */
const char *gpu_read(struct gpu *gpu, const char *name);
