/* simt.h: what a program can ask of the simulator, beyond the CUDA API itself. Only programs built
   for the simulator see it (SIMT_SIMULATOR is defined there). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a launch did. The second group is counted only after simt_count_requests(true). */
struct simt_counts {
    unsigned grid, block;
    unsigned device;                                /* see simt_gpus() */
    uint64_t global_load_bytes, global_store_bytes; /* as the threads asked for them */
    uint64_t peer_load_bytes, peer_store_bytes;     /* of those, in other devices' memory */
    uint64_t host_store_bytes; /* to variables that the host sees, too, and registered memory */
    uint64_t shared_load_bytes, shared_store_bytes;
    uint64_t remote_load_bytes, remote_store_bytes; /* shared memory of other blocks */
    uint64_t atomics, global_atomics; /* atomic operations of single threads; in global memory */
    uint64_t busiest_accesses; /* loads, stores and atomics of the thread that made most of them */
    uint64_t barriers;         /* __syncthreads() and its kin, once for each block */
    uint64_t cluster_barriers; /* once for each block */
    uint64_t shuffles;         /* shuffles, votes and matches, once for each warp */
    /* Plain loads of shared and global memory: the most bytes of a thread, how many load. */
    uint64_t busiest_load_bytes, loading_threads;

    uint64_t gld_requests, gld_sectors; /* global loads: requests, 32-byte sectors */
    uint64_t gst_requests, gst_sectors;
    uint64_t shared_ld_wavefronts, shared_st_wavefronts;
    uint64_t remote_ld_requests, remote_st_requests;
    uint64_t worst_conflict; /* wavefronts of the shared request that took most */
    double simt_efficiency;  /* active lanes per executed warp step, 0 to 1 */
};

/* Turns the second group on or off, from the next launch on. */
void simt_count_requests(bool on);

/* The launches since the last simt_launches_clear(), in order. The pointer
   stays good until that call. i < simt_launch_count(). */
size_t simt_launch_count(void);
const struct simt_counts *simt_launch(size_t i);
void simt_launches_clear(void);

enum simt_barrier { SIMT_OF_BLOCK, SIMT_OF_CLUSTER, SIMT_OF_GRID, SIMT_BARRIERS };
enum simt_access_kind { SIMT_LOAD, SIMT_STORE, SIMT_ATOMIC, SIMT_SHUFFLE };

/* One access of one thread. */
struct simt_access {
    const char *line;       /* FILE:LINE */
    unsigned block, thread; /* the block's number in its grid, the thread's in its block */
    unsigned step;          /* from 1: what the threads of a block do in one step, they do
                               together; a warp's share of it is one request */
    unsigned epoch;         /* how many barriers, shuffles and votes came before */
    unsigned barriers[SIMT_BARRIERS]; /* how many of each kind came before */
    enum simt_access_kind kind;
    bool in_shared, remote; /* remote: in that of another block of the cluster */
    uintptr_t address;      /* in shared memory: from the lowest byte in the trace; of a shuffle:
                               the lane whose register is read */
    unsigned bytes;
};

/* Traces these blocks, in the first launch after each simt_launches_clear(). Works only
   with simt_count_requests(true). The array must stay. */
void simt_trace(const unsigned *blocks, size_t count);

/* How many accesses were traced since; ask once. simt_access(0) is the first: those of a
   block are in the order of its steps and threads. Good until the next clear. */
size_t simt_traced(void);
const struct simt_access *simt_access(size_t i);

/* A traced block's share in the counts of that launch (not of simt_efficiency, worst_conflict and
   cluster_barriers), or NULL if it did not run in it. Good until the next clear. */
const struct simt_counts *simt_block_counts(unsigned block);

/* A race that was reported in that launch: [0] came first, [1] met it. */
struct simt_race {
    const char *text;    /* the simulator's line, without "simulator: " */
    const char *line[2]; /* FILE:LINE */
    unsigned block[2], thread[2];
    bool wrote[2], in_shared;
    uintptr_t address; /* of the word where they meet, as in a simt_access */
};

/* Those races: i < simt_races(). Ask simt_traced() before. Good until the next clear. */
size_t simt_races(void);
const struct simt_race *simt_race(size_t i);

/* The simulated device has this many SMs, 1 to SIMT_MAX_SMS (4 by default), from the
   next call of the CUDA API on; with SIMT_MODEL=GPU it has that GPU's, and this does nothing. A
   grid that is sized by the device depends on it. */
enum { SIMT_MAX_SMS = 256 };
void simt_device(unsigned sms);

/* So many devices, 1 to SIMT_MAX_GPUS, from now on: before the first stream, event or memory of
   another than device 0. Without this SIMT_GPUS says how many (docs/simulator.md). */
enum { SIMT_MAX_GPUS = 8 };
void simt_gpus(unsigned count);

/* The order of warps and lanes: 0 is the natural one, or the environment's SIMT_SCHEDULE=SEED; any
   other seed a shuffled one. A correct kernel gives a correct result under each. */
void simt_schedule(uint64_t seed);

/* From the next launch on the last block of a grid starts first. Not where there are clusters. */
void simt_last_block_first(bool on);

/* Off: from the next launch on kernels are launched, and do nothing. A program whose results are
   right all the same has found them on the host. */
void simt_run_kernels(bool on);

/* Before the first launch: what is wrong by the memory model alone counts as wrong, as with
   SIMT_STRICT=1. In the environment, SIMT_STRICT=0 makes notes of it again. */
void simt_be_strict(void);

/* From the next launch on a barrier, shuffle or vote is a fault, too, if one that it names has
   returned or does not exist. CUDA allows both; exercises do not. */
void simt_want_all(void);

/* From here on copies are watched. How many bytes came to the host; does this memory still hold
   what a copy has brought from the host, perhaps through other memory; how many moved on the
   device. */
void simt_watch_host(void);
size_t simt_host_took(void);
size_t simt_device_moved(void);
bool simt_host_wrote(const void *p, size_t bytes);

/* FILE:LINE of this address of the program's code, or "?"; good until the next call. */
const char *simt_place(void *pc);

/* From the next launch on there is a note if some threads of the block skipped a barrier, since
   they have returned. CUDA allows that; where it was not meant, it is a barrier in a branch. */
void simt_want_barriers(void);

/* ---- the model of time (simulator/time, docs/time.md) ---- */

enum simt_limit {
    SIMT_LIMIT_LAUNCHES,     /* launches, and blocks that begin */
    SIMT_LIMIT_BYTES,        /* of DRAM and L2 */
    SIMT_LIMIT_INSTRUCTIONS, /* their issue, and that one waits for the one before */
    SIMT_LIMIT_LATENCY,      /* of memory, shared memory, shuffles */
    SIMT_LIMIT_BARRIERS,
    SIMT_LIMIT_ATOMICS,
    SIMT_LIMITS
};
const char *simt_limit_name(enum simt_limit limit);

/* A predicted time, in microseconds: of launches one after another, from event to event. */
struct simt_time {
    double low, high, middle;
    double share[SIMT_LIMITS]; /* of the middle: their sum is 1 */
    enum simt_limit limit;     /* the largest of them */
    double instructions;       /* of a warp of the first launch, as a GPU would have them */
    const char *refused;       /* why nothing is predicted, one line, or NULL */
};

/* The GPU that is asked about: a name from simulator/time/gpus.toml, or a path. The simulated
   device has as many SMs from now on. Returns NULL, or one line that says what is wrong. */
const char *simt_model_gpu(const char *name);
const char *simt_model_gpu_name(void); /* "NVIDIA H200" */

/* From now on launches are recorded. sample: each runs its first two blocks and its last one alone,
   or clusters of these, and what a kernel leaves is not to be used. Checks are off meanwhile. */
void simt_model_start(bool sample);
/* The time of the launches and memsets since. cold: the first finds nothing in L2. */
struct simt_time simt_model_end(bool cold);

/* Device memory from p on holds these bytes again and again, without taking room for each copy:
   at least one page of pattern, a multiple of a page; p at a page. Returns whether it could be. */
bool simt_model_repeat(void *p, size_t bytes, const void *pattern, size_t pattern_bytes);

/* Whether the environment's language is Chinese, as gettext decides it. */
static inline bool simt_wants_chinese(void)
{
    static const char *const names[] = {"LC_ALL", "LC_MESSAGES", "LANG"};
    const char *locale = NULL, *language = getenv("LANGUAGE");
    for (int i = 0; i < 3 && (!locale || !*locale); i++)
        locale = getenv(names[i]);
    if (!locale || !*locale || !strcmp(locale, "C") || !strncmp(locale, "C.", 2) ||
        !strcmp(locale, "POSIX"))
        return false;
    const char *charset = strchr(locale, '.');
    if (charset && (charset[1] | 32) != 'u') /* not UTF-8 */
        return false;
    return strncmp(language && *language ? language : locale, "zh", 2) == 0;
}

#ifdef __cplusplus
}
#endif
