/*
 * cub_copied: cub, of an array that is still in the host's memory: each sum copies it to the GPU.
 *
 * New:     against cub.cu: the copies are timed, too. Pieces of 64 MB, so that any array fits.
 * Why:     a GPU is worth it if the array is there already. The bus to it is much slower than its
 *          memory, and the copy reads the host's memory, as a sum on the CPU does.
 * Look at: ./step00 -v cpu_threads,cub,cub_copied -n 1M,256M
 */
#include "cub_depth.h"

#ifndef SIMT_SIMULATOR /* only nvcc can compile it */
#include <cub/device/device_reduce.cuh>

#define PIECE ((size_t)16 << 20) /* floats */

static void launch(struct sum *s)
{
    static float *piece, *scratch; /* scratch: the piece's sum, and what CUB needs */
    size_t room = scratch_floats(PIECE, 256, 0, s->sms) * sizeof(float), pieces = 0;
    float sum = 0.0f, part;

    if (piece == NULL) {
        CUDA_CHECK(cudaMalloc(&piece, PIECE * sizeof *piece));
        CUDA_CHECK(cudaMalloc(&scratch, 256 + room));
    }
    for (size_t i = 0; i < s->n; i += PIECE, pieces++) {
        size_t n = s->n - i < PIECE ? s->n - i : PIECE;
        CUDA_CHECK(cudaMemcpyAsync(piece, s->in + i, n * sizeof *piece, cudaMemcpyHostToDevice,
                                   s->stream));
        CUDA_CHECK(cub::DeviceReduce::Sum(scratch + 64, room, piece, scratch, n, s->stream));
        CUDA_CHECK(cudaMemcpyAsync(&part, scratch, sizeof part, cudaMemcpyDeviceToHost, s->stream));
        CUDA_CHECK(cudaStreamSynchronize(s->stream));
        sum += part;
    }
    *s->out = sum;
    s->depth = cub_depth(PIECE, s->sms) + pieces;
}
#endif

extern const struct variant variant_cub_copied = {
    .name = "cub_copied",
    .what = "CUB, and before each sum the copy from the host's memory to the GPU",
    .launch = NVCC_ONLY(launch),
    .flags = ON_CPU, /* its array is in host memory, and its time is the host's */
    .why_not = "CUB needs nvcc and a GPU",
};
