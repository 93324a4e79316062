/*
 * demo: what a kernel does if a GPU that it waits for never answers. ./step14 --demo
 *
 * Two GPUs are to bring their sums together, but the second one is given nothing to do, as if its
 * process had been killed. The first waits until its timeout, and says for which.
 */
#include "peers.h"
#include <math.h>
#include <stdio.h>

#define PATIENCE 100 /* milliseconds */

static __global__ void sum_with_peers(float mine, float *out,
                                      const __grid_constant__ struct peers peers)
{
    unsigned epoch = threadIdx.x == 0 ? next_epoch_of_peers(&peers) : 0;
    float sum = sum_of_peers(mine, &peers, epoch);
    if (threadIdx.x == 0)
        *out = sum;
}

/* Sums 1 + 2 on the GPUs whose number is below `launched`, and prints what the first one gets. */
static void meet(const int *devices, struct peers *peers, unsigned launched, float *out)
{
    float sum;
    for (unsigned g = 0; g < launched; g++) {
        CUDA_CHECK(cudaSetDevice(devices[g]));
        sum_with_peers<<<1, 32>>>((float)(g + 1), out + g, peers[g]);
        CUDA_CHECK(cudaGetLastError());
    }
    for (unsigned g = 0; g < launched; g++) {
        CUDA_CHECK(cudaSetDevice(devices[g]));
        CUDA_CHECK(cudaDeviceSynchronize());
    }
    CUDA_CHECK(cudaSetDevice(devices[0]));
    CUDA_CHECK(cudaMemcpy(&sum, out, sizeof sum, cudaMemcpyDeviceToHost));
    printf("%u of 2 GPUs launch: ", launched);
    if (isnan(sum))
        printf("NaN; GPU 0 waited %d ms, and GPU %d did not answer\n", PATIENCE,
               lost_peer(peers[0]));
    else
        printf("1 + 2 = %g\n", (double)sum);
}

extern "C" int demo(void)
{
    const int devices[2] = {0, 1};
    struct peers peers[2];
    float *out;
    int count, reaches = 0;

    CUDA_CHECK(cudaGetDeviceCount(&count));
    if (count > 1)
        CUDA_CHECK(cudaDeviceCanAccessPeer(&reaches, 0, 1));
    if (!reaches) {
        fprintf(stderr, "the demonstration needs two GPUs that reach each other's memory; the "
                        "simulator has them: make BACKEND=sim step14\n");
        return 77;
    }
    make_peers(devices, 2, PATIENCE, peers);
    CUDA_CHECK(cudaSetDevice(0));
    CUDA_CHECK(cudaMalloc(&out, 2 * sizeof *out));
    meet(devices, peers, 2, out);
    meet(devices, peers, 1, out);
    return 0;
}
