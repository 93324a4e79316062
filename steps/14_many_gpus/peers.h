/*
 * peers.h: the host's part of peer_slots.h: GPUs of one process are made known to each other.
 */
#ifndef PEERS_H
#define PEERS_H

#include "library/parts/peer_slots.h"

/* GPU `device` may read and write the memory of GPU `other` from now on. */
static inline void reach(int device, int other)
{
    CUDA_CHECK(cudaSetDevice(device));
    cudaError_t error = cudaDeviceEnablePeerAccess(other, 0);
    if (error == cudaErrorPeerAccessAlreadyEnabled)
        cudaGetLastError(); /* which says so once more, else */
    else
        CUDA_CHECK(error);
}

/* Fills in peers[] for these GPUs: zeroed memory on each, and who reaches whom. `milliseconds`:
   how long a kernel waits for another GPU. Ends the program, by CUDA_CHECK, if CUDA refuses. */
static inline void make_peers(const int *devices, unsigned count, unsigned milliseconds,
                              struct peers *peers)
{
    word *memory[MOST_GPUS];
    for (unsigned g = 0; g < count; g++) {
        for (unsigned other = 0; other < count; other++)
            if (other != g)
                reach(devices[g], devices[other]);
        CUDA_CHECK(cudaSetDevice(devices[g]));
        CUDA_CHECK(cudaMalloc(&memory[g], PEER_WORDS * sizeof(word)));
        CUDA_CHECK(cudaMemset(memory[g], 0, PEER_WORDS * sizeof(word)));
        CUDA_CHECK(cudaDeviceSynchronize()); /* before another GPU writes there */
    }
    for (unsigned g = 0; g < count; g++) {
        peers[g] = (struct peers){.count = count, .rank = g};
        for (unsigned other = 0; other < count; other++)
            peers[g].slots[other] = memory[other];
        peers[g].epoch = memory[g] + 2 * MOST_GPUS;
        peers[g].lost = memory[g] + 2 * MOST_GPUS + 1;
        peers[g].timeout = 1000000LL * milliseconds;
    }
}

/* The number of the GPU that did not answer this one, or -1. */
static inline int lost_peer(struct peers peers)
{
    word lost;
    CUDA_CHECK(cudaMemcpy(&lost, peers.lost, sizeof lost, cudaMemcpyDeviceToHost));
    return (int)lost - 1;
}

#endif
