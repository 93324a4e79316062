/*
 * levels.h: the kernels of levels.cu: a walk from load to load, and reading as much as possible.
 */
#ifndef LEVELS_H
#define LEVELS_H

#include <cuda_runtime.h>

enum { LINE = 32, SMALL = 4096, THREADS = 1024 }; /* words of 4 bytes: 128 bytes, 16 KiB */

/* What a launch leaves: the SM's clock before the walk, before its timed part and after it; where
   the walk ended; threads that read something else than they should. */
struct outcome {
    long long clocks[3];
    unsigned reached, wrong;
};

/* All lines come, once each, before the first comes again. */
static __host__ __device__ unsigned next_line(unsigned line, unsigned lines)
{
    return (line * 1664525u + 1013904223u) % lines;
}

static __global__ void make_ring(unsigned *ring, unsigned lines)
{
    unsigned line = blockIdx.x * blockDim.x + threadIdx.x;
    if (line < lines)
        ring[(size_t)line * LINE] = next_line(line, lines) * LINE;
}

template <bool SHARED>
static __global__ void walk(const unsigned *ring, unsigned untimed, unsigned steps,
                            struct outcome *outcome)
{
    __shared__ unsigned copy[SMALL];
    for (unsigned i = 0; SHARED && i < SMALL; i += LINE)
        copy[i] = ring[i];
    const unsigned *from = SHARED ? copy : ring;
    unsigned at = 0;

    outcome->clocks[0] = clock64();
    for (unsigned i = 0; i < untimed; i++)
        at = from[at];
    outcome->clocks[1] = clock64();
    for (unsigned i = 0; i < steps; i++)
        at = from[at];
    outcome->clocks[2] = clock64();
    outcome->reached = at;
}

/* All bytes are 1, so that each thread can tell whether it has read all that it should. */
template <bool SHARED>
static __global__ void read_often(const uint4 *in, unsigned quads, bool for_each_sm,
                                  unsigned rounds, struct outcome *outcome)
{
    __shared__ uint4 copy[SHARED ? SMALL / 4 : 1];
    unsigned tid = threadIdx.x, step = for_each_sm ? blockDim.x : gridDim.x * blockDim.x, read = 0;
    unsigned first = for_each_sm ? tid : blockIdx.x * blockDim.x + tid;
    const uint4 *from = for_each_sm ? in + (size_t)blockIdx.x * quads : in;
    unsigned sum = 0;

    for (unsigned i = tid; SHARED && i < SMALL / 4; i += blockDim.x)
        copy[i] = from[i];
    __syncthreads();
    for (unsigned round = 0; round < rounds; round++) {
        /* What all share: each time another SM's part, or L1 has it from the round before. */
        unsigned shift = for_each_sm ? 0 : round * blockDim.x % quads;
#pragma unroll 4
        for (unsigned i = first; i < quads; i += step) {
            /* Another element in each round, or the compiler reads it once and for all. */
            unsigned at = i + shift < quads ? i + shift : i + shift - quads;
            uint4 value = SHARED ? copy[(i + 32 * round) % (SMALL / 4)] : from[at];
            sum += (value.x + value.y) + (value.z + value.w);
            read++;
        }
    }
    if (sum != 4 * 0x01010101u * read)
        atomicAdd(&outcome->wrong, 1);
}

#endif
