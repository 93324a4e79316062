/*
 * record.h: what chosen blocks of each launch do, warp by warp and in order: what the model of time
 * replays. Of a launch these are its first two blocks and its last one; of clusters, their first
 * blocks. A sampled launch runs no others: those that it leaves out are taken to do what its second
 * block does.
 */
#pragma once

#include "thread.h"

/* What a thread did at one place. A STEP is the beginning of a basic block. */
enum access_kind {
    GLOBAL_LOAD,
    GLOBAL_STORE,
    SHARED_LOAD,
    SHARED_STORE,
    REMOTE_LOAD, /* the shared memory of another block of the cluster */
    REMOTE_STORE,
    ATOMIC_OPERATION,
    LANE_READ, /* a shuffle */
    FENCE,     /* bytes: the enum simt_scope */
    STEP,
    NOT_COUNTED
};

/* What else the model of time must know of an access. */
enum request_mark {
    MARK_POLLS = 1,   /* a volatile or an atomic load */
    MARK_STORES = 2,  /* an atomic store, or an exchange */
    MARK_FLOAT = 4,   /* an atomic sum of floats */
    MARK_COMPARES = 8 /* a compare-and-swap */
};

enum record_kind { /* further kinds of an access_kind */
                   RECORD_BARRIER =
                       NOT_COUNTED + 1, /* bytes: the enum thread_state of those that waited */
                   RECORD_VOTE,         /* bytes: the enum simt_op */
};

/* One instruction of a warp, or the beginning of a basic block. */
struct recorded {
    void *pc;
    unsigned epoch;             /* grows with each barrier */
    unsigned char kind, bytes;  /* enum access_kind or record_kind; bytes of one lane */
    unsigned char lanes, marks; /* marks: enum request_mark */
    unsigned char same;         /* of an atomic: lanes at the word that most of them change */
    unsigned first, count; /* of global memory: sectors, of an atomic: words, in record.touched */
    unsigned wavefronts;   /* of shared memory; of an atomic its sectors */
    uintptr_t address;     /* of the first lane ... */
    int apart;             /* ... and how much further each next one is; 0 if that differs */
};

struct recorded_warp {
    struct recorded *at;
    size_t count;
};

enum { RECORDED_BLOCKS = 3 };

/* One launch, or a memset (grid is 0: bytes). */
struct launch_record {
    unsigned long long grid;
    unsigned threads, warps, cluster_blocks;
    size_t shared_bytes; /* of a block, static and dynamic */
    size_t bytes;
    bool cooperative;
    char kernel[80];                             /* its name, "" if unknown */
    const char *refused;                         /* why the model cannot know its time, or NULL */
    struct recorded_warp *warp[RECORDED_BLOCKS]; /* NULL: not run. Of block 0, 1 and the last */
    uintptr_t *touched;                          /* addresses / 32 of sectors, / 4 of words */
    size_t touched_count;
};

extern bool record_on;       /* launches are recorded */
extern bool record_sampling; /* and run only the blocks that are */
/* Called while record_on by each kernel, with the first places that it came to. */
extern void (*record_entered)(void *const entered[ENTRIES]);

/* Are the running block's accesses recorded? */
int record_place(const struct block *b); /* 0, 1, 2, or -1: no */
void record_begin_launch(void);
void record_end_launch(void);
void record_memset(size_t bytes);

/* A request; touched: count sectors or words. */
void record_add(const struct thread *t, const struct recorded *r, const uintptr_t *touched);
void record_barrier(const struct block *b, enum thread_state state, unsigned epoch);
void record_refuse(const char *why); /* the launch under way: a string that stays */

/* Of a sampled launch that has begun so many blocks: how many to leave out now. */
unsigned long long record_left_out(void);

/* An atomic operation of the running thread has changed a word: the blocks left out do the same. */
void record_atomic(void *p, size_t bytes, uint64_t before);

/* What the blocks left out would have written: stores of the second and the last block at places
   that move evenly from one to the other. Returns whether anything was written. */
bool record_fill(void);

const struct launch_record *record_launches(size_t *count);
void record_clear(void);
size_t
record_bytes(const struct launch_record *l); /* of global memory, that its blocks touch: about */
