/*
 * reduce.h: one kernel for every operator that is associative and commutative. It reads as step 08
 * does and ends as step 09's ticket does; what it knows of the elements is not a float but a state.
 * An operator is a struct of:
 *
 *   state            what is known of some elements: up to 16 bytes, a multiple of 4
 *   none()           the state of no elements, the identity: merge(none(), s) is s (of zeros, up to
 *                    the sign)
 *   add(s, x, i)     s, and the element x with the number i
 *   merge(a, b)      what both know together
 *   answer(s, out)   writes what was asked for
 *   of_batch(x)      if there is one: the state of BATCH elements, for whom it is quicker so
 *
 * merge() must be associative and commutative, but for rounding: a thread's elements are far apart,
 * so two states are seldom of neighbours.
 */
#ifndef REDUCE_H
#define REDUCE_H

#include "library/parts/tile.h"        /* struct parts */
#include "library/parts/zeroed_word.h" /* tickets */
#include "operators.h"

#define LOADS            4 /* float4 of a thread that are in flight at once */
#define BATCH            (4 * LOADS)
#define BLOCKS_PER_SM    8 /* scratch has 64 words an SM, and a state has 4 at most */
#define MOST_STATE_WORDS 4

/* A shuffle moves 32 bits, so a state goes word by word. Lane i gets the state of lane i + offset.
 */
template <class STATE> static inline __device__ STATE shuffle_down(STATE s, unsigned offset)
{
    static_assert(sizeof s % 4 == 0 && sizeof s <= 4 * MOST_STATE_WORDS, "whole words");
    unsigned words[sizeof s / 4];
    memcpy(words, &s, sizeof s);
#pragma unroll
    for (unsigned i = 0; i < sizeof s / 4; i++)
        words[i] = __shfl_down_sync(0xffffffff, words[i], offset);
    memcpy(&s, words, sizeof s);
    return s;
}

template <class OP>
static inline __device__ typename OP::state warp_merge(OP op, typename OP::state s)
{
#pragma unroll
    for (unsigned offset = 16; offset > 0; offset /= 2)
        s = op.merge(s, shuffle_down(s, offset));
    return s;
}

/* Thread 0 gets the state of the block. Two calls need a barrier between them. */
template <class OP>
static inline __device__ typename OP::state block_merge(OP op, typename OP::state s)
{
    __shared__ __align__(16) typename OP::state of_warp[32]; /* moved 16 bytes at a time */
    unsigned tid = threadIdx.x;

    s = warp_merge(op, s);
    if (tid % 32 == 0)
        of_warp[tid / 32] = s;
    __syncthreads();
    if (tid < 32)
        s = warp_merge(op, tid < (blockDim.x + 31) / 32 ? of_warp[tid] : op.none());
    return s;
}

/* Which thread this is, of those that share n elements: number `thread` of the `threads` of a team,
   and the team's number. Here a team is a block; in step 16 it may be a warp. */
struct place {
    unsigned thread, threads, team, teams;
};

/* What the thread at this place knows of its tiles; see thread_sum() in step 08. A float4 beyond
   the end is not added: not every operator has an element that changes nothing. BY_BATCH: of a
   whole tile all elements of the thread at once, by op.of_batch(), and one merge. */
template <bool BY_BATCH, class OP>
static inline __device__ typename OP::state thread_state(OP op, const float *in, size_t n,
                                                         struct place at)
{
    struct parts p = parts_of(in, n);
    const float4 *body = (const float4 *)(in + p.head);
    unsigned tile = LOADS * at.threads;
    typename OP::state s = op.none();

    for (size_t first = (size_t)at.team * tile; first < p.vectors;
         first += (size_t)at.teams * tile) {
        const float4 zero = {0.0f, 0.0f, 0.0f, 0.0f};
        size_t mine = first + at.thread;
        float4 v[LOADS];
#pragma unroll
        for (int k = 0; k < LOADS; k++)
            v[k] = mine + k * at.threads < p.vectors ? body[mine + k * at.threads] : zero;
        if constexpr (BY_BATCH) {
            if (p.vectors - first >= tile) {
                s = op.merge(s, op.of_batch((const float *)v));
                continue;
            }
        }
#pragma unroll
        for (int k = 0; k < LOADS; k++) {
            size_t i = p.head + 4 * (mine + k * at.threads);
            if (mine + k * at.threads < p.vectors) {
                s = op.add(s, v[k].x, i);
                s = op.add(s, v[k].y, i + 1);
                s = op.add(s, v[k].z, i + 2);
                s = op.add(s, v[k].w, i + 3);
            }
        }
    }
    unsigned i = at.thread; /* head and tail: up to 3 floats each, in the first team */
    if (at.team == 0 && i < p.head)
        s = op.merge(op.add(op.none(), in[i], i), s);
    if (at.team == 0 && i < p.tail)
        s = op.add(s, in[n - p.tail + i], n - p.tail + i);
    return s;
}

/* True in all threads of the block that comes here last, when what the others wrote before may be
   read: the ticket of step 09. */
static inline __device__ bool is_last_block(unsigned *tickets)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicInc(tickets, gridDim.x - 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    return last;
}

template <bool BY_BATCH, class OP>
static __global__ void reduce(OP op, const float *in, size_t n, typename OP::state *partial,
                              unsigned *tickets, float *out)
{
    struct place at = {threadIdx.x, blockDim.x, blockIdx.x, gridDim.x};
    typename OP::state s = block_merge(op, thread_state<BY_BATCH>(op, in, n, at));

    if (threadIdx.x == 0)
        partial[blockIdx.x] = s;
    if (!is_last_block(tickets))
        return;
    s = op.none();
    for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x)
        s = op.merge(s, partial[i]); /* in the order of the blocks, whichever came last */
    s = block_merge(op, s);
    if (threadIdx.x == 0)
        op.answer(s, out);
}

/* Sets s->grid and s->depth for n elements: the elements of a thread, one for head or tail, and the
   merges. */
static inline void plan_reduce(struct sum *s, size_t n)
{
    size_t tile = (size_t)s->block * LOADS * 4, most = (size_t)BLOCKS_PER_SM * s->sms;
    unsigned tiles = blocks_for(n, tile);
    s->grid = tiles < most ? tiles : (unsigned)most;
    s->depth =
        blocks_for(n, tile * s->grid) * LOADS * 4 + 1 + 2 * (5 + 5) + blocks_for(s->grid, s->block);
}

template <bool BY_BATCH = false, class OP> static void launch_reduce(struct sum *s, OP op, size_t n)
{
    plan_reduce(s, n);
    reduce<BY_BATCH><<<s->grid, s->block, 0, s->stream>>>(
        op, s->in, n, (typename OP::state *)s->scratch, (unsigned *)zeroed_word(), s->out);
    CUDA_CHECK(cudaGetLastError());
}

#endif
