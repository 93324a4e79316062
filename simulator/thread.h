/* thread.h: what a thread, a block and a launch are. A thread is a fibre that runs until it waits
   or ends. Only the file that a comment names looks into structs that are not defined here. */
#pragma once

#include "fibre.h"
#include "sizes.h"
#include <cuda_runtime.h>
#include <simt_kernels.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wunused-parameter" /* CUDA's functions have some */

enum thread_state {
    READY,
    AT_BARRIER,
    AT_WARP_OP,
    AT_ACTIVE_MASK,
    AT_GRID_BARRIER,
    AT_CLUSTER_BARRIER,
    AT_BARRIER_OBJECT, /* a cuda::barrier */
    SPINNING,
    DONE
};

struct thread {
    struct fibre fibre;
    struct block *block;
    uint3 index;
    unsigned rank, lane; /* in its block, in its warp */
    enum thread_state state;
    void *site;           /* where it waits: a return address in the kernel */
    uint64_t writes_seen; /* while SPINNING: simt_writes when it began (scheduler.c) */

    bool arrived;           /* at a barrier of its cluster, and has not waited yet (cluster.c) */
    unsigned cluster_waits; /* barriers of its cluster that it has waited for (cluster.c) */

    struct hang_watch *watch;    /* hang_detector.c */
    struct records *records;     /* requests.c */
    struct warp_lane *warp;      /* warp.c */
    struct access_state *access; /* access.c */
    struct reads *reads;         /* race.c: of global memory, since it last changed something */
    struct async *async;         /* async.c: its copies, or NULL */
};

struct block {
    uint3 index;
    uint32_t number; /* cluster by cluster; without clusters its place in the grid */
    bool active;
    unsigned live; /* threads that have not ended */
    struct thread *threads;
    struct block *cluster; /* the first block of its cluster: the others follow */
    /* Shared memory while another block runs, static, then dynamic; what is known of each byte. */
    char *shared;
    unsigned char *written;

    struct block_barrier *barrier;       /* barriers.c */
    struct cluster_state *cluster_state; /* cluster.c */
    struct block_clocks *clocks;         /* happens_before.c */
    struct cell *cells;            /* race.c: what happened to each word of its shared memory */
    struct block_records *records; /* requests.c */
    struct block_async *async;     /* async.c */
};

enum { ENTRIES = 8 };
struct launch {
    dim3 grid_size, block_size, cluster_size;
    unsigned cluster_blocks; /* blocks of one cluster, 1 without clusters */
    bool again;              /* the kernel asks for clusters, so the launch starts again */
    unsigned long long blocks, started, finished;
    unsigned threads, warps; /* of one block */
    size_t dynamic_bytes;
    bool cooperative;
    void (*call)(const void *);
    const void *closure;
    size_t closure_bytes;
    const void *kernel;          /* NULL if the launch does not name it */
    unsigned slot_count, open;   /* resident blocks: at most, so far */
    unsigned long long left_out; /* blocks of a sampled launch that do not run (time/record.h) */
    bool filled;                 /* what those would have written */
    unsigned long long at_grid;  /* threads at the barrier of the grid (barriers.c) */
    void *entered[ENTRIES];      /* the first places it passed: one of them names the kernel */
    unsigned entered_count;
    struct simt_counts counts;
};

extern struct thread *simt_self; /* the running thread; NULL on the host */
extern struct launch simt_now;   /* the running launch */
extern struct block *simt_slots; /* its blocks, simt_now.open of them */

/* Is the caller that thread? Another thread of the host is not: it has another stack. */
static inline bool simt_running(void)
{
    const struct thread *t = simt_self;
    /* Below a full stack, above the closed pages, there may be a little room. */
    return t && (uintptr_t)__builtin_frame_address(0) - (uintptr_t)t->fibre.stack + GUARD_BYTES <
                    GUARD_BYTES + STACK_BYTES;
}

/* The number of devices, each with its launch and blocks; the one that the above belongs to. */
extern unsigned simt_devices, simt_at;
void thread_enter(unsigned device);
const struct launch *launch_of(unsigned device);
const struct block *blocks_of(unsigned device);

/* The place in the grid of the block with this number; the number without its device. */
uint3 block_index(unsigned long long number);
uint3 block_index_in(const struct launch *launch, unsigned long long number);
uint32_t block_in_grid_number(uint32_t number);
