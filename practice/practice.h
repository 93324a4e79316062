/*
 * practice.h: what an exercise is judged by.
 *
 * An exercise is one file that defines launch(), below. What it must do stands in a table,
 * criteria.c of the folder of exercises, one struct criteria for each file: which answer is right,
 * which block sizes it takes, and how much of what the hardware counts it may use. main.c runs the
 * file against its row, and prints a line for each criterion.
 */
#ifndef PRACTICE_H
#define PRACTICE_H

#include "lesson.h" /* struct share */

#include <stdint.h>

/* What every exercise defines: answers the question for the n floats of in[], with blocks of so
   many threads. in and out are device memory; in is aligned to a float and no better; out has as
   many words as the reference says, poisoned: with what bytes nobody has to know. */
void launch(const float *in, float *out, size_t n, unsigned block);

/* What it defines in place of that, if its criteria have .gpus. Each GPU has a share, in its own
   memory: of n floats GPU g has about g + 1 parts, and may have none. Each gets the same answer,
   in its own out. They reach each other's memory. launch() may leave any GPU current, and need not
   wait for them. */
typedef void launch_on_gpus(const struct share *shares, unsigned gpus, unsigned block);

/* A quiz defines these, too: its numbers are drawn from the seed; -1 is no answer yet. */
extern unsigned seed __attribute__((weak));
extern double answers[] __attribute__((weak));

/* ---- what is right ---- */

/* The right answer, from n floats in host memory. share: elements of a block, block * per_thread.
   Data are small whole numbers, so that no order of additions rounds. A NaN in the answer: what is
   in this word does not matter. A criteria.c may have references of its own, too. */
struct reference {
    const char *name; /* "the sum of each block": after "right:" */
    size_t (*words)(size_t n, size_t share);
    void (*answer)(const float *in, size_t n, size_t share, float *out);
    bool linear; /* each word is a sum of elements: then the check finds out which are missing */
};

extern const struct reference the_sum;         /* 1 word: the sum of all n */
extern const struct reference block_sums;      /* a word a block, at least 1: its share's sum */
extern const struct reference block_alternate; /* the same, every second element subtracted */
extern const struct reference warp_sums;       /* n words: the sum of the 32 elements around */
extern const struct reference the_scan;        /* n words: out[i] = in[0] + ... + in[i] */
extern const struct reference the_reverse;     /* n words: out[i] = in[n - 1 - i] */

/* For references of a criteria.c: n words. */
size_t one_word_each(size_t n, size_t share);

/* ---- what is counted ---- */

/* Counts of the simulator (simt.h), over all launches of one call of launch(). */
enum count {
    LAUNCHES,
    BLOCKS, /* of the first launch */
    LOAD_REQUESTS,
    LOAD_SECTORS,
    LOADED_FLOATS, /* global load bytes / 4, as the threads asked for them */
    STORE_REQUESTS,
    STORE_SECTORS,
    STORED_FLOATS,
    SHARED_FLOATS, /* loads and stores of shared memory, bytes / 4 */
    SHARED_LOAD_WAVEFRONTS,
    SHARED_STORE_WAVEFRONTS,
    WORST_CONFLICT, /* wavefronts of the shared request that took most */
    BARRIERS,       /* __syncthreads() and its kin, once for each block */
    SHUFFLES,       /* shuffles, votes and matches, once for each warp */
    ATOMICS,        /* of single threads */
    REMOTE_FLOATS,  /* shared memory of other blocks of a cluster */
    CLUSTER_BARRIERS,
    PEER_LOADED_BYTES, /* global memory of other GPUs */
    PEER_STORED_BYTES,
    BUSIEST_PEER_BYTES, /* stored by the GPU that stores most there */
    COUNTS,
    OUTPUT = 1000 /* OUTPUT + k: the word out[k]; in a quiz only */
};

enum bound { AT_MOST, AT_LEAST };

/* A limit on a count, at this n and block. At most 0 forbids. */
struct limit {
    enum count what;
    enum bound bound;
    uint64_t limit;
    size_t n; /* 0 ends the list */
    unsigned block;
    unsigned offset;  /* in[] begins so many floats behind an aligned place */
    unsigned gpus;    /* where the criteria have .gpus */
    const char *says; /* when it is broken: what that means, a few words */
};

/* A question of a quiz: how much of this is counted, or what is in out[k], when launch() runs
   on in[i] = i + 1. A trap is a number that people take for it: times that count. */
struct question {
    const char *asks; /* NULL ends the list */
    enum count what;
    bool per_block;   /* divided by the blocks of the first launch */
    bool less_blocks; /* one for each block is taken off, first */
    struct trap {
        enum count what;
        double times;
        bool per_block;
        const char *says; /* NULL ends the list */
    } traps[3];
};

enum { MOST_BLOCKS = 8, MOST_SIZES = 8, MOST_LIMITS = 8, MOST_QUESTIONS = 4 };
enum { MOST_GPUS = 8 };

struct criteria {
    const char *file; /* without .cu: "2_any_block"; NULL ends the table */
    const struct reference *reference;
    unsigned per_thread;          /* elements of a thread in the reference's share; 0 is 1 */
    unsigned blocks[MOST_BLOCKS]; /* block sizes that it must take, the first at every size */
    size_t sizes[MOST_SIZES];     /* beyond the standard ones, in a quiz: one of them is drawn */
    size_t unit;                  /* n is a multiple of this; 0: any n */
    unsigned gpus[MOST_GPUS];     /* on how many it runs, the first at every size; in a quiz: one is
                                     drawn. Then the reference's share is how many there are */
    bool vectors;    /* of several GPUs each has n floats, and GPU g those of in[], times g + 1 */
    bool eats_input; /* it may overwrite in[] */
    const char *const *called; /* what is said in place of out[0], out[1] ...; or NULL */
    struct limit limits[MOST_LIMITS];
    struct question questions[MOST_QUESTIONS]; /* a quiz has these, and nothing else is judged */
    size_t timed;                              /* n of its time on a GPU; 0: 16M */
    const char *against; /* the variant of the lesson whose time a GPU shows beside */
};

/* Each folder of exercises has one. */
extern const struct criteria criteria[];

/* ---- what the files of practice/ share ---- */

/* One run: n floats that begin `offset` floats after an aligned place. */
struct run {
    const struct criteria *criteria;
    size_t n;
    unsigned block, offset;
    unsigned gpus;     /* 0: one, and nothing is said of it */
    uint64_t schedule; /* 0: the natural order */
};

/* What is found out in a child process and told to its parent: memory of both. */
struct finding {
    struct run now; /* the run under way, or the one that failed */
    bool done;      /* the work came to its end */
    bool failed;    /* and text says how */
    char text[512]; /* one line */
    size_t runs;    /* that were right */
    double value[MOST_LIMITS + MOST_QUESTIONS];
    double trapped[MOST_QUESTIONS][3];
};

/* run.c: runs launch() on these numbers in host memory, n of them, and copies its words to out,
   those of GPU 0 first. Returns NULL, or says in one line what CUDA, or the input left changed, has
   to complain of. */
const char *run_launch(const struct run *run, const float *in, float *out);
size_t words_of(const struct run *run); /* of one GPU */
size_t all_words_of(const struct run *run);
size_t share_of(const struct run *run);
/* Fills x with whole numbers from -8 to 8, not 0, drawn from the seed. */
void draw_data(float *x, size_t n, uint64_t seed);
uint64_t draw(uint64_t *state);

/* several.c: the same for several GPUs. */
const char *run_on_gpus(const struct run *run, const float *in, float *out);
/* How many GPUs there are that reach each other's memory, the first of them: 8 on the simulator. */
unsigned gpus_there(void);

/* right.c: runs and compares. Sets f->failed and f->text, and returns false, where out is wrong. */
bool is_right(const struct run *run, uint64_t seed, struct finding *f);

/* count.c: the counts of the last call of launch(); false where this backend has none. */
bool can_count(void);
void count_from_here(bool requests);
double counted(enum count what);
const char *count_name(enum count what);
void use_schedule(uint64_t schedule);

/* apart.c: calls work(criteria, f) in a process of its own, which may fail in any way, or take
   longer than the seconds left. Returns true if it came to its end; else *how says in one line
   why not, and it is a fault of the kernel if the simulator said so. */
bool apart(void (*work)(const struct criteria *, struct finding *), const struct criteria *c,
           struct finding *f, char how[1024]);
struct finding *new_finding(void);
/* In such a process: whether the simulator has found a fault; a race does not end the run. */
bool fault_was_said(void);

#endif
