/*
 * sum_f32.h: the sum of n floats on the GPU, as a function to ship.
 *
 * It only queues one kernel: no allocation, no waiting, nothing left to free. It may be captured
 * in a CUDA graph, and run in several streams at once with a workspace for each: in fewer streams
 * than the GPU has SMs, since one block of a sum waits on the GPU for the others. The same array
 * on the same kind of GPU, as far from a multiple of 16 bytes, gives the same bits every time.
 */
#ifndef SUM_F32_H
#define SUM_F32_H

#include <cuda_runtime_api.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum sum_f32_status {
    SUM_F32_OK,
    SUM_F32_NULL_POINTER,    /* in (with n > 0), out, the workspace or its memory is NULL */
    SUM_F32_MISALIGNED,      /* in or out is no multiple of 4, the workspace's memory none of 8 */
    SUM_F32_SMALL_WORKSPACE, /* it has fewer bytes than this sum needs */
    SUM_F32_NO_DEVICE,       /* no GPU that CUDA can use, or no code for it in the library */
    SUM_F32_LAUNCH_FAILED,   /* CUDA refused the launch; cudaPeekAtLastError() says why */
    SUM_F32_BAD_ARGUMENT,    /* no GPUs, no such way, or a time limit that is not above 0
                                (sum_all.h); more floats than sum_f32_exact() takes */
    /* of sums over several GPUs alone */
    SUM_F32_CUDA_FAILED, /* no memory, or another refusal of CUDA's */
    SUM_F32_NCCL_FAILED, /* NCCL refused, or failed; ncclGetLastError(NULL) says why */
    SUM_F32_LOST_PEER    /* another GPU, or its process, did not come within the time limit */
};

/* Device memory of the caller's. Zero all of it once, with cudaMemset(), before its first use;
   every sum leaves it ready for the next one in the same stream. Sums that may run at the same
   time need one each. A sum that was cut off by an error leaves it in need of zeroing again. */
struct sum_f32_workspace {
    void *memory;
    size_t bytes;
};

/* Sets *bytes to what is enough for any sum of any n on the current device: 64 words of 8 bytes for
   each SM, and one more for all: 67,592 bytes with 132 SMs, 2,056 with 4. Up to 4096 floats 8 bytes
   are enough. Returns SUM_F32_OK, SUM_F32_NULL_POINTER or SUM_F32_NO_DEVICE. */
enum sum_f32_status sum_f32_workspace_bytes(size_t *bytes);

/*
 * Queues *out = in[0] + ... + in[n - 1] on the stream of the current device. in: device memory, n
 * floats, any n from 0 (the sum is 0), aligned to a float and no better; that it really holds n is
 * the caller's duty. out: device memory, one float, not part of in. The rounding error is at most
 * depth * 2^-24 * (|in[0]| + ... + |in[n - 1]|). The depth is that of the plan, and so of the GPU:
 * with 132 SMs at most 32 up to 2^20 floats and 312 up to 2^31, with 40 SMs 56 and 865. NaN and
 * infinities come through as in any sum.
 *
 * Work that comes after it in the stream sees *out, as after any kernel. If the caller launches
 * its own next kernel with the attribute for programmatic dependent launch, that kernel must call
 * cudaGridDependencySynchronize() before it reads *out.
 *
 * Returns SUM_F32_OK, or what is wrong; then nothing was queued and nothing is written.
 */
enum sum_f32_status sum_f32(const float *in, size_t n, float *out,
                            const struct sum_f32_workspace *workspace, cudaStream_t stream);

/* What a status means, in one line: a constant string, never NULL. */
const char *sum_f32_message(enum sum_f32_status status);

#ifdef __cplusplus
}
#endif

#endif
