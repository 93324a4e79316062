/* sum_all_comm.h: what a struct sum_f32_all holds; inside the library, and for its tests. */
#ifndef SUM_ALL_COMM_H
#define SUM_ALL_COMM_H

#include "sum_all.h"
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The memory of a GPU that the others write to, in words of 8 bytes: first the slots of
   peer_slots.h for even and odd epochs. It has all of the 2 MB that CUDA hands out at once, so that
   another process gets to see nothing else. */
enum { MOST_PEERS = 8, SHARED_BYTES = 2 << 20 };
enum { EPOCH = 2 * MOST_PEERS, LOST, BEGUN, ENDED, OWN_SUM, RESULT };

struct sum_all_gpu {
    int device;
    unsigned rank, ranks;
    unsigned sms;
    bool hopper;
    long long timeout;   /* nanoseconds to wait for another GPU */
    ncclComm_t nccl;     /* our own, a split of the caller's */
    cudaStream_t stream; /* our own; sums run in those of the caller */
    cudaEvent_t passed;  /* by NCCL: what the stream has come by, of late */
    struct sum_f32_workspace workspace;
    uint64_t *slots[MOST_PEERS];  /* where a rank's memory is for us; [rank] is ours */
    void *opened[MOST_PEERS];     /* those that are another process's */
    uint64_t *memory;             /* ours, whichever way: SHARED_BYTES */
    volatile uint64_t *host_lost; /* host memory, written by kernels: a rank is lost, if not 0 */
    uint64_t *seen;               /* host memory: BEGUN and ENDED when last asked */
};

struct sum_f32_all {
    unsigned count; /* GPUs of this process */
    enum sum_f32_way way;
    double seconds;
    enum sum_f32_status dead; /* what all calls return from now on, if not SUM_F32_OK */
    uint64_t queued;          /* by NCCL: sums, but for those in graphs */
    uint64_t waiting_in;      /* by NCCL: the sum that was seen to wait, ... */
    double waiting_since;     /* ... and since when; 0: none */
    struct sum_all_gpu gpu[];
};

/* Asks for the code of every kernel that may be launched on the current device. CUDA would load it
   at its first launch, and might wait for other kernels then: those that wait for this one. */
cudaError_t sum_all_load(void);

/* By NCCL, before a sum is queued: waits, no longer than the time limit, until the sums of long
   before have ended. A kernel of NCCL's may never end, and a thread that launches after it until
   CUDA's queue is full is blocked in CUDA, and cannot stop it. Not for sums that are captured. */
enum sum_f32_status sum_all_keep_up(struct sum_f32_all *all, const struct sum_f32_share shares[]);

/* Queues a sum on gpu->stream, by slots, to which each rank gives 1 + its number. Its result goes
   to word RESULT. */
enum sum_f32_status sum_all_handshake(const struct sum_all_gpu *gpu);

#ifdef __cplusplus
}
#endif

#endif
