/*
 * sum_all.h: the sum of floats that lie on several GPUs, of one host or of many, and the sum on
 * each of them. The GPUs are the ranks of a communicator of NCCL's (nccl.h): all of one process, or
 * a process for each. Statuses are those of sum_f32.h.
 *
 * Where all GPUs reach each other's memory, each writes its sum straight into the others' memory,
 * and no more than one kernel runs on each. Else NCCL adds the sums of the GPUs.
 */
#ifndef SUM_ALL_H
#define SUM_ALL_H

#include "sum_f32.h"
#include <nccl.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How the GPUs hand over their sums. */
enum sum_f32_way {
    SUM_F32_BY_SLOTS, /* into each other's memory; up to 8 GPUs of one host */
    SUM_F32_BY_NCCL   /* ncclAllReduce(); up to 4096 GPUs */
};

/* The GPUs of this process and what they know of the others. */
struct sum_f32_all;

/*
 * Sets *all to what sum_f32_all() needs. nccl: the communicators of the `count` GPUs that this
 * thread drives, all of one clique: 1 in a process for each GPU, or those of ncclCommInitAll(). All
 * ranks call it, and it waits for them, as ncclCommInitRank() does. It leaves nccl[] as they were:
 * they may be used and destroyed as if it had never been called.
 *
 * way: SUM_F32_BY_SLOTS means slots if all ranks ask for them, cudaDeviceCanAccessPeer() allows
 * them, and a first sum comes out right; else it is NCCL. seconds: how long a GPU waits for another
 * one in a sum, above 0.
 *
 * It allocates a little over 2 MB on each GPU, beside what NCCL does. Returns SUM_F32_OK,
 * SUM_F32_NULL_POINTER, SUM_F32_BAD_ARGUMENT, SUM_F32_NO_DEVICE, SUM_F32_CUDA_FAILED,
 * SUM_F32_NCCL_FAILED or SUM_F32_LOST_PEER; if it is not SUM_F32_OK, *all is NULL.
 */
enum sum_f32_status sum_f32_all_create(struct sum_f32_all **all, const ncclComm_t nccl[],
                                       unsigned count, enum sum_f32_way way, double seconds);

/* What came of it. all is not NULL. */
enum sum_f32_way sum_f32_all_way(const struct sum_f32_all *all);

/* What one GPU has: in, n and out as of sum_f32(), in its own memory; any n, and another on each
   GPU. stream: one of that GPU's. */
struct sum_f32_share {
    const float *in;
    size_t n;
    float *out;
    cudaStream_t stream;
};

/*
 * Queues *out = the sum of all shares of all ranks, on the stream of each share: shares[i] is that
 * of nccl[i]. All ranks call it, one sum after another in the same order: sums of one `all` must
 * not run at the same time. It does not wait and allocates nothing; the streams may be captured
 * in graphs, one for all GPUs or one for each. (By NCCL, not captured, it does wait where dozens of
 * sums are queued already, no longer than the time limit: else CUDA would hold it, and for ever if
 * a peer is gone. So it may return SUM_F32_LOST_PEER.)
 *
 * All ranks get the same bits. By slots the sums of the GPUs are added in the order of the ranks;
 * by NCCL in the order that NCCL chooses. The error is that of sum_f32(), with an addition more for
 * each rank on the way.
 *
 * Returns SUM_F32_OK or what is wrong with a share; then nothing was queued on any GPU here. If it
 * is SUM_F32_LAUNCH_FAILED or SUM_F32_NCCL_FAILED, something may have been, and `all` is of no
 * more use. After a lost peer it only returns SUM_F32_LOST_PEER.
 */
enum sum_f32_status sum_f32_all(struct sum_f32_all *all, const struct sum_f32_share shares[]);

/*
 * Waits for the streams of the shares, but not for ever. If a rank does not come to a sum within
 * the time limit, or its process is gone, the sum is NaN, and this returns SUM_F32_LOST_PEER. (A
 * rank that came may still have the right sum.) By slots the kernel itself gives up;
 * cudaStreamSynchronize() ends then, too. By NCCL only this call ends it, by ncclCommAbort().
 * Where several ranks have lost one, each says so. Then only sum_f32_all_destroy() makes sense, and
 * no graph with such a sum may be launched again. Not while a stream is being captured.
 *
 * Returns SUM_F32_OK, SUM_F32_LOST_PEER, SUM_F32_NULL_POINTER, SUM_F32_NCCL_FAILED or
 * SUM_F32_CUDA_FAILED.
 */
enum sum_f32_status sum_f32_all_wait(struct sum_f32_all *all, const struct sum_f32_share shares[]);

/* Asks whether all is well, and does not wait: for a program that waits in its own way, and asks
   now and then. The same statuses, as far as they are known. */
enum sum_f32_status sum_f32_all_status(struct sum_f32_all *all);

/* Frees everything; NULL is nothing to free. All ranks call it, after their sums have ended and
   their graphs with such sums are destroyed, and it waits for the others, no longer than the time
   limit. After a lost peer it does not wait, and keeps 2 MB on each GPU until the process ends,
   since others might still write there. */
void sum_f32_all_destroy(struct sum_f32_all *all);

#ifdef __cplusplus
}
#endif

#endif
