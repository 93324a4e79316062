/*
 * lesson.h: all that a variant's file shares with the driver.
 *
 * A lesson is a list of variants. Each has a file of its own: a kernel, its launcher, and a struct
 * variant that describes it. All answer the same question: what is the sum of these n floats? The
 * driver (driver.c) reads the command line, makes the data, calls the launcher, checks the sum
 * against an exact one, takes the time and prints the table.
 */
#ifndef LESSON_H
#define LESSON_H

#include "cuda_errors.h" /* CUDA_CHECK */

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is summed: floats, unless a variant of step 12 says otherwise. */
enum element { ELEMENT_FLOAT, ELEMENT_HALF, ELEMENT_BFLOAT16, ELEMENT_DOUBLE, ELEMENT_INT32 };

/* What one of several GPUs has of the array (step 14): its share, in its own memory. */
struct share {
    int device;
    float *in;           /* n elements, aligned to one and no better */
    size_t n;            /* from 0; the shares of all GPUs, one after the other, are the array */
    float *out;          /* one float: the sum of the whole array belongs here, too */
    cudaStream_t stream; /* launch here what this GPU does */
};

/* One sum. The driver fills in the upper half, the launcher the lower. */
struct sum {
    float *in;            /* device memory, n elements, aligned to one and no better */
    size_t n;             /* elements: from 0 to more than 2^32 */
    float *out;           /* device memory, one float: the sum belongs here; of doubles a double, of
                             integers one of 64 bits */
    float *scratch;       /* device memory for partial sums, see scratch_floats() */
    unsigned block;       /* threads per block; the variant admits it */
    unsigned sms;         /* streaming multiprocessors (SMs) of this device */
    enum element element; /* the variant's */
    cudaStream_t stream;  /* launch everything here */
    const struct share *shares; /* for a variant with MANY_GPUS: what each GPU has; it may ... */
    unsigned gpus;              /* ... leave any of these GPUs the current one */

    unsigned grid; /* blocks of the first launch */
    size_t depth;  /* additions that round, on the longest way from an element to the sum:
                      the error is at most depth * 2^-24 * sum of |x|. 0: nothing rounds but
                      the last result, which must be the nearest float */
};

enum block_rule {
    BLOCK_ANY,          /* any number of threads from min_block to max_block */
    BLOCK_WHOLE_WARPS,  /* multiples of 32 */
    BLOCK_POWER_OF_TWO, /* powers of two */
};

enum variant_flags {
    OVERWRITES_INPUT = 1, /* overwrites in[]: the driver restores it, outside the timed region */
    KNOWN_WRONG = 2,      /* wrong on purpose: runs only when named, or with --known-wrong */
    ON_CPU = 4,           /* runs on the host: in and out are host memory, no grid, no block */
    ROOF = 8,             /* moves the bytes and sums nothing: timed, never checked */
    NOT_IN_GRAPH = 16,    /* waits for the device or allocates: a graph cannot capture it */
    UNIT_INPUT = 32,      /* right only if every element lies between -1 and 1 */
    COPIES = 64,          /* a roof that writes n floats: out has room for them */
    MANY_GPUS = 128,      /* sums the shares of several GPUs, and every one of them gets the sum */
    NEEDS_PEERS = 256,    /* these must reach each other's memory */
};

/* Named fields, in this order; what is left out is 0, and 0 is the usual case. */
struct variant {
    const char *name;              /* as typed after -v */
    const char *what;              /* one line for --list */
    void (*launch)(struct sum *s); /* queues one sum on s->stream; it may be called again with what
                                      it left in *s. NULL: cannot run on this backend */
    unsigned per_thread;           /* elements a thread of the first launch sums;
                                      0: any number (a grid-stride loop) */
    unsigned flags;                /* enum variant_flags, or-ed */
    enum block_rule block_rule;    /* which block sizes it admits, ... */
    unsigned min_block;            /* ... from this, or 1, ... */
    unsigned max_block;            /* ... to this, or 1024 */
    unsigned capability;           /* compute capability that it needs, 90 for 9.0 */
    const char *why_not;           /* where launch is NULL: why, one line */
    const struct task *task;       /* what it answers, if not the sum (task.h) */
    enum element element;          /* what it sums; in and out are cast to that */
    const char *(*no_room)(unsigned block); /* for what not every GPU of that capability has: why
                                               this one has no room for it in such blocks, one
                                               line, or NULL. May be NULL itself */
    const char *(*why_wrong)(const struct sum *s); /* after a wrong sum: what the variant knows of
                                                      it, one line, or NULL. May be NULL itself */
};

/* What only nvcc can compile (NVIDIA's libraries) has no launcher on the simulator:
   .launch = NVCC_ONLY(launch). */
#ifdef SIMT_SIMULATOR
#define NVCC_ONLY(launch) NULL
#else
#define NVCC_ONLY(launch) launch
#endif

struct lesson {
    const char *name;                      /* folder name: "05_warp_shuffle" */
    const char *idea;                      /* one line */
    const char *in_chinese;                /* the title of its Chinese page; or NULL */
    const struct variant *const *variants; /* in the order of the table; NULL ends the list */
    int (*demo)(void);                     /* what --demo runs, returns the exit status; or NULL */
};

/* Each program has one, in a file of its own; main() (driver.c) runs it. */
extern const struct lesson lesson;

/* Blocks that cover n elements, per_block each; at least 1, so that n = 0 still
   writes its sum. The driver refuses an n whose grid would pass 2^31 - 1 blocks. */
static inline unsigned blocks_for(size_t n, size_t per_block)
{
    return n == 0 ? 1 : (unsigned)((n - 1) / per_block + 1);
}

/* Room in s->scratch, in floats: two partial sums for every block of the first
   launch when each thread has per_thread elements, else for every block that
   64 blocks on each SM make. */
static inline size_t scratch_floats(size_t n, unsigned block, unsigned per_thread, unsigned sms)
{
    return per_thread > 0 ? 2 * (size_t)blocks_for(n, (size_t)block * per_thread)
                          : (size_t)sms * 64;
}

/* Smallest k with 2^k >= x: the depth of a tree over x values. */
static inline size_t ceil_log2(size_t x)
{
    size_t k = 0;
    while (((size_t)1 << k) < x)
        k++;
    return k;
}

#ifdef __cplusplus
}
#endif
#endif
