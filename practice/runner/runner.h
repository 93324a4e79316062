/* runner.h: what is linked with an exercise, calls its function when the judge asks
 * (practice/judge/program.py), and counts. */
#ifndef RUNNER_H
#define RUNNER_H

#include "lesson.h" /* struct share */

#include <cuda_runtime_api.h> /* SIMT_SIMULATOR */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CHANNEL = 3, MOST_GPUS = 8 }; /* the descriptor of the judge's socket */

/* Made from an exercise's call = "..." (program.py): calls that function. values[i]
   points to argument i, or is the array; the last is where the function's own value goes. */
void course_call(void **values);

/* What an exercise without call = "..." defines: answers the question for n floats, with blocks of
   so many threads. in and out are device memory; in is aligned to a float and no better. With .gpus
   each GPU has a share in its own memory. */
void launch(const float *in, float *out, size_t n, unsigned block) __attribute__((weak));
typedef void launch_on_gpus(const struct share *shares, unsigned gpus, unsigned block);

/* A quiz defines these. */
extern unsigned seed __attribute__((weak));
extern double answers[] __attribute__((weak));

/* As program.py packs them. The nonce comes back: who writes to the channel without having read it
 * is no runner. */
struct call {
    uint64_t nonce, schedule;
    uint32_t arguments, how; /* bits of enum how */
    uint32_t sms, gpus;      /* of the simulated machine; 0: as it is, and one */
    uint32_t offset;         /* on several GPUs in[] begins so many floats after an aligned place */
    uint32_t kernel_words;   /* so many words of out[] a kernel has to have written */
};
enum how {
    COUNT_REQUESTS = 1,
    NO_KERNELS = 2,
    LAST_BLOCK_FIRST = 4,
    KEEP = 8,        /* arrays stay where they are for the next call, if that has the same sizes */
    VECTORS = 16,    /* each GPU has in[], times its number from 1 */
    STRICT = 32,     /* a barrier that a thread has left is a fault */
    ALL_GPUS = 64,   /* before the first call */
    TIME = 128,      /* argument 4 is the name of the lesson's variant */
    ANSWERS = 256,   /* no call: how many GPUs; is it a quiz, its seed, its answers */
    OVERWRITES = 512 /* the input may be overwritten */
};
enum kind { SCALAR, IN, OUT, RESULT };
struct argument {
    uint32_t kind, on_host;
    uint64_t bytes, offset; /* an array begins so many bytes after an aligned place */
    uint64_t hole;          /* element hole - 1 of 4 bytes is never written; 0: all are */
};

/* Counts of the simulator (simt.h), over all launches of one call; count.c has their names. */
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
    WORST_CONFLICT,  /* wavefronts of the shared request that took most */
    BARRIERS,        /* __syncthreads() and the like, once for each block */
    SHUFFLES,        /* shuffles, votes and matches, once for each warp */
    ATOMICS,         /* of single threads */
    BUSIEST_LOADS,   /* plain loads of the thread that has most, global and shared: bytes / 4 */
    LOADING_THREADS, /* that load at all, in the launch that loads most from global memory */
    REMOTE_FLOATS,   /* shared memory of other blocks of a cluster */
    GLOBAL_ATOMICS,
    CLUSTER_BARRIERS,
    PEER_LOADED_BYTES, /* global memory of other GPUs */
    PEER_STORED_BYTES,
    BUSIEST_PEER_BYTES, /* stored by the GPU that stores most there */
    HOST_WORDS,         /* words of out[] that hold what the host has copied there, and are not 0 */
    MOVED_BYTES,        /* copied from one place of the device to another */
    HOST_BYTES,         /* copied to the host's memory */
    UNFAIR_LOADS, /* of the busiest thread, in the launch where that is most beyond its share ... */
    FAIR_LOADS,   /* ... and its share: n divided among the threads, a tree, and some for blocks */
    THREADS,      /* of the launch that loads most from global memory */
    LONE_LOADS,   /* a thousand floats and more, in a launch where fewer than 16 threads load */
    MORE_SECTORS, /* of load requests, beyond the first of each */
    BUSIEST_ACCESSES, /* loads, stores and atomics of the thread that makes most, in a launch */
    ALLOCATIONS,      /* made and not freed */
    COUNTS
};

struct answer {
    uint64_t nonce;
    double copied_to_host, counts[COUNTS];
    char problem[256], place[256]; /* what CUDA refuses, or what is wrong with the arrays; FILE:LINE
                                      of a refused call */
};

/* copies.c counts what a submission lets its host see of the device's memory: bytes copied there,
   or of memory that it sees, too. */
extern double copied_to_host;

/* runner.c: memory that is zero, or the end of the program. A checksum (FNV-1a). */
void *room(size_t bytes);
uint64_t sum_of_bytes(const void *from, size_t bytes);

/* gpus.c: calls launch() for several GPUs with n floats, and copies words of each GPU to out.
 * Returns NULL, or a line. */
const char *run_on_gpus(const struct call *call, float *in, size_t n, unsigned block, float *out,
                        size_t words);
/* How many GPUs there are that reach each other's memory, the first of them: 8 on the simulator. */
unsigned gpus_there(void);

/* count.c: counts from here on; what the host copies from here on; what is in the first words of
   out, as many as kernels have to write, now; bytes that kernels stored where the host reads; all
   counts, n elements being the work. Zeros where there is no simulator. */
extern const char *const count_names[COUNTS];
#ifdef SIMT_SIMULATOR
void count_from_here(const struct call *call);
void watch_host(void);
void see_out(const struct call *call, const float *out, size_t words);
double stored_for_host(void);
void counted(size_t n, double counts[COUNTS]);
#else
#define count_from_here(call)     ((void)(call))
#define watch_host()              ((void)0)
#define see_out(call, out, words) ((void)(call), (void)(out), (void)(words))
#define stored_for_host()         0.0
#define counted(n, counts)        ((void)(n), (void)(counts))
#endif

/* wrapped.c: allocations made and not freed; where the first call was that CUDA refused since, as
 * FILE:LINE, or "". */
/* limit_call(): a call may compute PRACTICE_SECONDS; then a line says where it is, and the program
 * ends. */
#ifdef SIMT_SIMULATOR
long live_allocations(void);
void limit_call(void);
void forget_refused(void);
const char *refused_at(void);
#else
#define live_allocations() 0L
#define limit_call()       ((void)0)
#define forget_refused()   ((void)0)
#define refused_at()       ""
#endif

/* timed.c: on a GPU, the time in us of launch() on these n floats of host memory, and of the
 * lesson's variant of this name. */
void take_times(const float *in, size_t n, unsigned block, size_t words, const char *against,
                double us[2]);

#endif
