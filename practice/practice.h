/*
 * practice.h: what an exercise is judged by.
 *
 * An exercise is one file that defines launch(), below. What it must do stands in a table,
 * criteria.c of the folder of exercises, one struct criteria for each file: which answer is right,
 * which block sizes it takes, and how much of what the hardware counts it may use.
 *
 * How a verdict is made. There are two programs. The judge (practice/judge and criteria.c) draws
 * the data, compares the answers, and decides: its exit status is the verdict. No line of the
 * exercise runs in it. The exercise, the simulator and practice/runner are the other program. The
 * judge starts it as a process that answers over a socket. That process can write to no file and
 * signal no other process (judge/confine.c). So a main() or a printf() of its own decides nothing,
 * nor does a file that ends its process early. Limits are on work, not on seconds, so that a slow
 * or busy machine gives the same verdict (judge/sandbox.c).
 *
 * What every exercise is judged by, beside its row: the answer at printed sizes, and at sizes,
 * block sizes and kinds of data that the seed draws, a large size and a GPU with more SMs among
 * them; five schedules; no launch() that finds the answer on the host, or copies it from there; no
 * thread that does the work of all (judge/check_answer.c). An upper limit holds at some blocks
 * fewer, too, and what is forbidden is so in all runs. practice/check_includes says what a file may
 * include, practice/localize_symbols what it may call, practice/check_stays what of it stays as it
 * is.
 *
 * What this does not stop: the counts come from the other program, and the exercise shares its
 * memory with the simulator there. It is not linked if it names what the simulator keeps to itself.
 * One that computes where the counts lie, and overwrites them, is believed. A process is not
 * confined on a GPU, under a kernel without seccomp, and on machines that are neither x86-64 nor
 * ARM64: there it can write a false verdict into build/.
 */
#ifndef PRACTICE_H
#define PRACTICE_H

#include "lesson.h" /* struct share */

#include <stdint.h>

/* What every exercise defines: answers the question for the n floats of in[], with blocks of so
   many threads. in and out are device memory; in is aligned to a float and no better; out has as
   many words as the reference says, poisoned: it does not matter with what bytes. */
void launch(const float *in, float *out, size_t n, unsigned block);

/* What it defines in place of that, if its criteria have .gpus. Each GPU has a share, in its own
   memory: of n floats GPU g has about g + 1 parts, and may have none. Each gets the same answer,
   in its own out. They reach each other's memory. launch() may leave any GPU current, and need not
   wait for them. */
typedef void launch_on_gpus(const struct share *shares, unsigned gpus, unsigned block);

/* A quiz defines these, too: its numbers are drawn from the seed; -1 is no answer yet. All else of
   its file stays as it is (practice/run compares it with the solution). */
extern unsigned seed __attribute__((weak));
extern double answers[] __attribute__((weak));

/* ---- what is right ---- */

/* The right answer, from n floats in host memory. share: elements of a block, block * per_thread.
   Data are small multiples of 1/4, so that no order of additions rounds. A NaN in the answer: what
   is in this word does not matter. A criteria.c may have references of its own, too. */
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
    BARRIERS,       /* __syncthreads() and the like, once for each block */
    SHUFFLES,       /* shuffles, votes and matches, once for each warp */
    ATOMICS,        /* of single threads */
    BUSIEST_LOADS,  /* plain loads of one thread, that with most of them, global and shared: bytes/4
                     */
    LOADING_THREADS, /* that load at all, in the launch that loads most from global memory */
    REMOTE_FLOATS,   /* shared memory of other blocks of a cluster */
    GLOBAL_ATOMICS,  /* those in global memory */
    CLUSTER_BARRIERS,
    PEER_LOADED_BYTES, /* global memory of other GPUs */
    PEER_STORED_BYTES,
    BUSIEST_PEER_BYTES, /* stored by the GPU that stores most there */
    /* What check_answer.c looks at after every run. */
    HOST_WORDS,   /* words of out[] that hold what the host has copied there, and are not 0 */
    MOVED_BYTES,  /* that launch() has copied from one place of the device to another */
    HOST_BYTES,   /* that launch() has copied to the host's memory */
    UNFAIR_LOADS, /* of the busiest thread, in the launch where that is most beyond its share ... */
    FAIR_LOADS,   /* ... and its share: n divided among the threads, a tree, and some for blocks */
    THREADS,      /* of the launch that loads most from global memory */
    LONE_LOADS,   /* a thousand floats and more, in a launch where fewer than 16 threads load */
    MORE_SECTORS, /* of load requests, beyond the first of each */
    BUSIEST_ACCESSES, /* loads, stores and atomics of the thread that makes most, in a launch */
    COUNTS,
    OUTPUT = 1000 /* OUTPUT + k: the word out[k]; in a quiz only */
};

enum bound { AT_MOST, AT_LEAST };

/* A limit on a count, at this n and block. At most 0 forbids, and in all runs. .also: the same at
   another n or block, so that it is kept not for one block size alone. */
struct limit {
    enum count what;
    enum bound bound;
    uint64_t limit;
    size_t n; /* 0 ends the list */
    unsigned block;
    unsigned offset; /* in[] begins so many floats after an aligned place */
    unsigned gpus;   /* where the criteria have .gpus */
    unsigned sms;    /* of the simulated GPU; 0: 4 */
    struct {
        uint64_t limit;
        size_t n; /* 0: there is none */
        unsigned block;
    } also;
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

enum { MOST_BLOCKS = 8, MOST_SIZES = 8, MOST_LIMITS = 12, MOST_QUESTIONS = 4 };
enum { MOST_GPUS = 8 };

struct criteria {
    const char *file; /* without .cu: "2_any_block"; NULL ends the table */
    const struct reference *reference;
    unsigned per_thread; /* elements of a thread in the reference's share; 0 is 1 */
    /* Block sizes that it must take, the first at every size. Others are drawn between the smallest
       and the largest: any, or whole warps, or powers of two, if all of these are. */
    unsigned blocks[MOST_BLOCKS];
    size_t sizes[MOST_SIZES]; /* beyond the standard ones, in a quiz: one of them is drawn */
    size_t unit;              /* n is a multiple of this; 0: any n */
    unsigned gpus[MOST_GPUS]; /* on how many it runs, the first at every size; in a quiz: one is
                                 drawn. Then the reference's share is how many there are */
    bool vectors; /* of several GPUs each has n floats, and GPU g those of in[], times g + 1 */
    bool overwrites_input; /* it may overwrite in[] */
    bool all_read;         /* the answer does not show it: is every element read? */
    bool whole;            /* all data are whole numbers; else some runs have quarters, too */
    bool no_zeros;         /* none of them is 0 */
    unsigned most;         /* the data are from -most to most; 0: 8 ... */
    unsigned shift;        /* ... and in some runs all of them up to so much more, or less */
    size_t most_n;         /* no larger n; 0: 20000 */
    /* Where a kernel may round in another way than the reference, as by a product in place of a
       quotient, a word may be off by so many times 2^-24 of its size, or of .scale, if that is
       more.
     */
    float roundings, scale;
    size_t kernel_words; /* so many of out[] a kernel has to write, the host may the rest; 0: all */
    bool host_reads;     /* launch() may copy to the host's memory */
    double most_unfair;  /* a thread may load so many times its share (FAIR_LOADS); 0: 6 */
    const char *of_faults;     /* what else to say of a fault: where to look; or NULL */
    const char *const *called; /* what is said in place of out[0], out[1] ...; or NULL */
    struct limit limits[MOST_LIMITS];
    struct question questions[MOST_QUESTIONS]; /* a quiz has these, and nothing else is judged */
    size_t timed;                              /* n of its time on a GPU; 0: 16M */
    const char *against; /* the variant of the lesson whose time a GPU shows beside */
};

/* Each folder of exercises has one. */
extern const struct criteria criteria[];

#endif
