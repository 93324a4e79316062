/*
 * simt.h: what the simulator tells the driver, beyond the CUDA API itself.
 * Only programs built for the simulator see it (SIMT_SIMULATOR is defined there).
 */
#ifndef SIMT_H
#define SIMT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What one launch did. The first group is always counted; the second, which
   groups the accesses of a warp's lanes into requests as the hardware does,
   only after simt_count_requests(true). */
struct simt_counts {
    const char *kernel; /* its name, demangled */
    unsigned grid, block;
    uint64_t global_load_bytes, global_store_bytes; /* as the threads asked for them */
    uint64_t shared_load_bytes, shared_store_bytes;
    uint64_t atomics;  /* atomic operations of single threads */
    uint64_t barriers; /* __syncthreads() and its kin, once for each block */
    uint64_t shuffles; /* shuffles, votes and matches, once for each warp */

    uint64_t gld_requests, gld_sectors; /* global loads: requests, 32-byte sectors */
    uint64_t gst_requests, gst_sectors;
    uint64_t shared_ld_wavefronts, shared_st_wavefronts;
    double simt_efficiency; /* active lanes per executed warp step, 0 to 1 */
};

/* Turns the second group on or off, from the next launch on. */
void simt_count_requests(bool on);

/* The launches since the last simt_launches_clear(), in order. The pointer
   stays good until that call. i < simt_launch_count(). */
size_t simt_launch_count(void);
const struct simt_counts *simt_launch(size_t i);
void simt_launches_clear(void);

/* The order in which warps and lanes run: 0 is the natural order, any other
   seed a shuffled one. A correct kernel gives a correct result under each. 0 gives way
   to the environment's SIMT_SCHEDULE=SEED, if that is set. */
void simt_schedule(uint64_t seed);

#ifdef __cplusplus
}
#endif
#endif
