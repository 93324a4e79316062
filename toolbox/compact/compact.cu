/*
 * Stream compaction: keep the elements > 0, and say how many they are. Each element must learn how
 * many before it are kept: within a warp that is a ballot and the number of bits below its own.
 *
 * Look at: ./toolbox08 -v 'compact*' -n 64K     how many atomics each way takes
 */
#include "compact.h"
#include "run.h"
#include "toolbox.h"

/* What a block keeps, and 4224 bytes of counts, must fit into 48 KB of shared memory. */
#define MOST_THREADS ((48 * 1024 - 4224) / (LOADS * 16) / 32 * 32)

/* How many of the lanes below keep theirs, of these 128 elements. */
static __device__ unsigned below_by_ballot(float4 v)
{
    unsigned lower = (1u << threadIdx.x % 32) - 1;
    return __popc(__ballot_sync(0xffffffff, v.x > 0) & lower) +
           __popc(__ballot_sync(0xffffffff, v.y > 0) & lower) +
           __popc(__ballot_sync(0xffffffff, v.z > 0) & lower) +
           __popc(__ballot_sync(0xffffffff, v.w > 0) & lower);
}

/* The same by shared memory: five rounds, in which each lane adds what lies 1, 2, 4, ... below. */
static __device__ unsigned below_by_shared(float4 v)
{
    __shared__ unsigned counts[1024];
    unsigned *mine = &counts[threadIdx.x / 32 * 32], lane = threadIdx.x % 32;
    unsigned kept = (v.x > 0) + (v.y > 0) + (v.z > 0) + (v.w > 0), upto = kept;
#pragma unroll
    for (unsigned m = 1; m < 32; m *= 2) {
        mine[lane] = upto;
        __syncwarp();
        upto += lane >= m ? mine[lane - m] : 0;
        __syncwarp();
    }
    return upto - kept;
}

/* A place in out[] for what this warp keeps. Warp 0 adds up the counts of all warps, so its last
   lane knows their total. That lane is elected: it asks for room for the whole block, and tells the
   others where it begins. */
static __device__ unsigned place_of_warp(unsigned count, unsigned *number)
{
    __shared__ unsigned places[32];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;

    if (lane == 0)
        places[warp] = count;
    __syncthreads();
    if (warp == 0) {
        unsigned own = lane < warps ? places[lane] : 0, upto = own, base = 0;
#pragma unroll
        for (unsigned m = 1; m < 32; m *= 2) {
            unsigned lower = __shfl_up_sync(0xffffffff, upto, m);
            upto += lane >= m ? lower : 0;
        }
        if (lane == 31)
            base = atomicAdd(number, upto);
        base = __shfl_sync(0xffffffff, base, 31);
        if (lane < warps)
            places[lane] = base + upto - own;
    }
    __syncthreads();
    return places[warp];
}

template <unsigned BELOW(float4)>
static __global__ void compact_tiles(const float *in, size_t n, float *out, unsigned *number)
{
    extern __shared__ float runs[]; /* a run for each warp: what it keeps, side by side */
    float *run = runs + threadIdx.x / 32 * RUN;
    size_t warp = (size_t)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    unsigned count = 0;
    float4 v[LOADS];

    load(v, in, n, warp * RUN);
#pragma unroll
    for (int k = 0; k < LOADS; k++) {
        float *next = run + count + BELOW(v[k]);
        if (v[k].x > 0)
            *next++ = v[k].x;
        if (v[k].y > 0)
            *next++ = v[k].y;
        if (v[k].z > 0)
            *next++ = v[k].z;
        if (v[k].w > 0)
            *next++ = v[k].w;
        count = __shfl_sync(0xffffffff, (unsigned)(next - run), 31); /* the last lane's end */
    }
    unsigned place = place_of_warp(count, number); /* its barriers are for run[], too */
    store_run(out + place, run, count);
}

unsigned *zeroed_number(const struct sum *s)
{
    unsigned *number = (unsigned *)s->out + s->n;
    CUDA_CHECK(cudaMemsetAsync(number, 0, sizeof *number, s->stream));
    return number;
}

template <unsigned BELOW(float4)> static void launch_tiles(struct sum *s)
{
    unsigned *number = zeroed_number(s);
    size_t tile = s->block * (LOADS * 4);
    s->grid = blocks_for(s->n, tile);
    compact_tiles<BELOW>
        <<<s->grid, s->block, tile * sizeof(float), s->stream>>>(s->in, s->n, s->out, number);
    CUDA_CHECK(cudaGetLastError());
}

static void check_tiles(const struct answer *answer, struct verdict *verdict)
{
    check_compaction(answer, verdict, RUN);
}

static const struct task task = {.words = compact_words,
                                 .check = check_tiles,
                                 .written = compact_written,
                                 .max_n = UINT32_MAX}; /* counted in 32 bits */

#define TILES(NAME, WHAT, BELOW)                                                                   \
    {                                                                                              \
        NAME, WHAT, launch_tiles<BELOW>, LOADS * 4, 0, BLOCK_WHOLE_WARPS, 32, NULL, MOST_THREADS,  \
            &task                                                                                  \
    }

static const struct variant variants[] = {
    TILES("compact", "ranks by ballot, an atomic for each tile of 16 floats a thread",
          below_by_ballot),
    TILES("compact_shared", "the same, ranks by shared memory", below_by_shared),
};

const struct topic compact_topic = TOPIC(variants);
