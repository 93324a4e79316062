/*
 * 11-2, repair: refuse first, then begin.
 *
 * sum() is meant for a library. Its contract:
 *
 *   Queues *out = in[0] + ... + in[n - 1], and returns OK. in may begin anywhere that is a multiple
 * of 4; n may be 0, and then in may be NULL: the sum is 0. The workspace is device memory, a
 * multiple of 4, with 4 bytes for each block. Else it returns what is wrong, and nothing was queued
 * and nothing is written:
 *     NULL_POINTER: in (with n > 0), out or the workspace is NULL;
 *     MISALIGNED: in, out or the workspace is no multiple of 4;
 *     SMALL_WORKSPACE: it has fewer bytes than are needed.
 *
 * Repair it. The kernel and launch(), which plays a user of the library, stay as they are.
 */
#include "library/parts/warp_sum.h"
#include <stdint.h>

enum status { OK, NULL_POINTER, MISALIGNED, SMALL_WORKSPACE };

__global__ void sum_blocks(const float *in, float *out, size_t n)
{
    float sum = 0.0f;
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += in[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

enum status sum(const float *in, size_t n, float *out, float *workspace, size_t bytes,
                unsigned block)
{
    size_t grid = n == 0 ? 1 : (n - 1) / block + 1;

    if ((in == NULL && n > 0) || out == NULL || workspace == NULL)
        return NULL_POINTER;
    if ((uintptr_t)in % 4 || (uintptr_t)out % 4 || (uintptr_t)workspace % 4)
        return MISALIGNED;
    if (bytes < grid * sizeof(float))
        return SMALL_WORKSPACE;
    sum_blocks<<<grid, block>>>(in, workspace, n);
    sum_blocks<<<1, block>>>(workspace, out, grid);
    return OK;
}

/* A user of the library: tries it, and keeps what it says. */
extern "C" void launch(const float *in, float *out, size_t n, unsigned block)
{
    static float *memory;
    if (memory == NULL)
        cudaMalloc((void **)&memory, 1 << 20);
    size_t bytes = (n == 0 ? 1 : (n - 1) / block + 1) * sizeof(float);
    const float *crooked = (const float *)((const char *)in + 2);
    float said[9], minus_1 = -1.0f, *refused = out + 2;
    cudaMemcpy(refused, &minus_1, sizeof(float), cudaMemcpyHostToDevice);

    said[0] = sum(NULL, 5, refused, memory, bytes, block);
    said[1] = sum(in, n, refused, NULL, bytes, block);
    said[7] = sum(in, n, NULL, memory, bytes, block);
    said[8] = sum(in, n, (float *)((char *)refused + 2), memory, bytes, block);
    said[2] = sum(crooked, 1, refused, memory, bytes, block);
    said[3] = sum(in, n, refused, (float *)((char *)memory + 2), bytes, block);
    said[4] = sum(in, n, refused, memory, bytes - 1, block);
    said[5] = sum(NULL, 0, out + 1, memory, sizeof(float), block);
    said[6] = sum(in, n, out, memory, bytes, block);
    cudaMemcpy(out + 3, said, sizeof said, cudaMemcpyHostToDevice);
}
