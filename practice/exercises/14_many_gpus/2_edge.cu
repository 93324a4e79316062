/*
 * 14-2, repair: a fence that ends at the edge of its GPU.
 *
 * The ticket of lesson 09, between GPUs: each stores its sum into GPU 0's memory and draws a number
 * there; the one with the last number adds up, and stores the total into every GPU's memory. On one
 * GPU, with a block in place of each GPU, all of this would be in order. Between GPUs it is not:
 * three of these calls reach no further than their own GPU. Which, and what reaches further?
 *
 * Allowed: other calls in place of these. Forbidden: to store more than this into other GPUs'
 * memory. launch() stays as it is. A block on each GPU, of whole warps.
 */
#include "lesson.h"
#include "library/parts/warp_sum.h"

enum { MOST = 8 };

/* In GPU 0's memory, but for out. */
struct meeting {
    float *sums;      /* one of each GPU */
    unsigned *ticket; /* 0 at first; atomicInc() comes back to it */
    float *out[MOST]; /* of each GPU */
};

__global__ void sum_with_ticket(const float *in, size_t n, struct meeting meeting, unsigned rank,
                                unsigned gpus)
{
    float sum = 0.0f;
    for (size_t i = threadIdx.x; i < n; i += blockDim.x)
        sum += in[i];
    sum = block_sum(sum);
    if (threadIdx.x > 0)
        return;

    meeting.sums[rank] = sum;
    __threadfence(); /* a GPU that sees my draw sees my sum */
    unsigned drawn = atomicInc(meeting.ticket, gpus - 1);
    __threadfence(); /* what is read from here on is not older than my draw */
    if (drawn < gpus - 1)
        return;
    float total = 0.0f;
    for (unsigned g = 0; g < gpus; g++)
        total += meeting.sums[g];
    for (unsigned g = 0; g < gpus; g++)
        *meeting.out[g] = total;
}

extern "C" void launch(const struct share *shares, unsigned gpus, unsigned block)
{
    static struct meeting meeting;
    if (meeting.sums == NULL) {
        cudaSetDevice(shares[0].device);
        cudaMalloc((void **)&meeting.sums, MOST * sizeof *meeting.sums);
        cudaMalloc((void **)&meeting.ticket, sizeof *meeting.ticket);
        cudaMemset(meeting.ticket, 0, sizeof *meeting.ticket);
        cudaDeviceSynchronize();
    }
    for (unsigned g = 0; g < gpus; g++)
        meeting.out[g] = shares[g].out;
    for (unsigned g = 0; g < gpus; g++) {
        cudaSetDevice(shares[g].device);
        sum_with_ticket<<<1, block, 0, shares[g].stream>>>(shares[g].in, shares[g].n, meeting, g,
                                                           gpus);
    }
}
