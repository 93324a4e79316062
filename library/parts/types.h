/*
 * types.h: the functions of steps 05, 08 and 09 for elements of any type, and what differs from
 * type to type: wide(). For floats C++ prefers the functions of those steps, which have the same
 * names.
 */
#ifndef TYPES_H
#define TYPES_H

#include "slots.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

/* What an element becomes before it is added; its type is that of the sum. Nothing is rounded. */
static inline __device__ float wide(__half x)
{
    return __half2float(x);
}
static inline __device__ float wide(__nv_bfloat16 x)
{
    return __bfloat162float(x);
}
static inline __device__ float wide(float x)
{
    return x;
}
static inline __device__ double wide(double x)
{
    return x;
}
static inline __device__ long long wide(int x)
{
    return x;
}

template <typename T> using sum_of = decltype(wide(T())); /* the type of a sum of T */

/* Elements in 16 bytes. */
template <typename T> struct sixteen_bytes {
    enum { MEMBERS = 16 / sizeof(T) };
};

/* ---- a thread's share: tile.h ---- */

template <typename T> static inline __device__ struct parts parts_of(const T *in, size_t n)
{
    const size_t members = sixteen_bytes<T>::MEMBERS;
    struct parts p;
    size_t to_boundary = (16 - (uintptr_t)in % 16) % 16 / sizeof(T);
    p.head = to_boundary < n ? to_boundary : n;
    p.vectors = (n - p.head) / members;
    p.tail = (n - p.head) % members;
    return p;
}

/* Head and tail: up to 7 halves each, one for each of the first 16 threads. As it was read: to
   widen it here would be to wait for it. */
template <typename T> static inline __device__ T head_or_tail(const T *in, size_t n, struct parts p)
{
    const unsigned both = 2 * sixteen_bytes<T>::MEMBERS;
    unsigned i = threadIdx.x;
    bool in_head = i < p.head, in_tail = i < both && i >= both - p.tail;
    return blockIdx.x == 0 && (in_head || in_tail) ? in[in_head ? i : n - both + i] : T();
}

/* LOADS loads of 16 bytes, whatever is in them: bytes in flight are what counts. Each of the 2, 4
   or 8 members has a sum of its own, and at the end these are added in pairs. */
template <int LOADS, typename T>
static inline __device__ sum_of<T> thread_sum(const T *in, size_t n)
{
    const int members = sixteen_bytes<T>::MEMBERS;
    struct parts p = parts_of(in, n);
    const uint4 *body = (const uint4 *)(in + p.head);
    unsigned tile = LOADS * blockDim.x;
    const uint4 zero = {0, 0, 0, 0}; /* 0 in every type */
    sum_of<T> sum[members] = {};
    T rest = head_or_tail(in, n, p);

    for (size_t first = (size_t)blockIdx.x * tile; first < p.vectors;
         first += (size_t)gridDim.x * tile) {
        const uint4 *mine = body + first + threadIdx.x;
        size_t left = p.vectors - first;
        uint4 v[LOADS];
        if (left >= tile) {
#pragma unroll
            for (int k = 0; k < LOADS; k++)
                v[k] = mine[k * blockDim.x];
        } else {
#pragma unroll
            for (int k = 0; k < LOADS; k++)
                v[k] = threadIdx.x + k * blockDim.x < left ? mine[k * blockDim.x] : zero;
        }
#pragma unroll
        for (int k = 0; k < LOADS; k++) {
            const T *member = (const T *)&v[k];
#pragma unroll
            for (int m = 0; m < members; m++)
                sum[m] += wide(member[m]);
        }
    }
#pragma unroll
    for (int half = members / 2; half > 0; half /= 2)
#pragma unroll
        for (int m = 0; m < half; m++)
            sum[m] += sum[m + half];
    return sum[0] + wide(rest);
}

/* As tile_depth() of tile.h: a member of 16 bytes is one of 2, 4 or 8. */
static inline size_t types_depth(size_t tiles, size_t loads, size_t element_bytes)
{
    return tile_depth(tiles, loads) - 2 + ceil_log2(16 / element_bytes);
}

/* ---- warp and block: warp_sum.h ---- */

template <typename SUM> static inline __device__ SUM warp_sum(SUM value)
{
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2)
        value += __shfl_down_sync(0xffffffff, value, offset);
    return value;
}

template <typename SUM> static inline __device__ SUM block_sum(SUM value)
{
    __shared__ SUM smem[32];
    unsigned tid = threadIdx.x;

    value = warp_sum(value);
    if (tid % 32 == 0)
        smem[tid / 32] = value;
    __syncthreads();
    if (tid < 32) {
        value = tid < (blockDim.x + 31) / 32 ? smem[tid] : 0;
        value = warp_sum(value);
    }
    return value;
}

/* ---- the grid: slots.h ---- */

/* A slot is one word for a float. A sum of 64 bits has no room beside the epoch: it travels in two
   words, each with one half of it and the epoch, and the reader waits for both. */
template <typename SUM> union halves {
    SUM sum;
    unsigned half[sizeof(SUM) / 4];
};

#define SLOT_WORDS(SUM) (sizeof(SUM) / 4)

template <typename SUM>
static inline __device__ void finish_in_slots(SUM sum, unsigned mine, unsigned count,
                                              struct slots slots, unsigned epoch, SUM *out)
{
    const unsigned words = SLOT_WORDS(SUM);
    if (threadIdx.x == 0) {
        union halves<SUM> whole;
        whole.sum = sum;
        for (unsigned w = 0; w < words; w++)
            *(volatile word *)&slots.slot[mine * words + w] = (word)epoch << 32 | whole.half[w];
    }
    if (mine > 0)
        return;
    __syncthreads(); /* block_sum() uses its shared memory again */
    sum = 0;
    for (unsigned first = 0; first < count; first += blockDim.x) {
        unsigned i = first + threadIdx.x;
        union halves<SUM> whole;
        for (unsigned w = 0; w < words; w++)
            whole.half[w] =
                __float_as_uint(await_slots(&slots.slot[i * words + w], i < count, epoch));
        sum += whole.sum;
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        *out = sum;
    end_epoch(slots, epoch);
}

/* A block for each tile, as long as there are slots for so many; sets s->grid and s->depth. */
template <typename T, typename SUM>
static inline void plan_types(struct sum *s, struct slots slots, size_t loads)
{
    size_t tile = s->block * loads * 16 / sizeof(T), most = slots.room / SLOT_WORDS(SUM);
    size_t tiles = s->n == 0 ? 1 : (s->n - 1) / tile + 1;
    s->grid = waiting_grid((unsigned)(tiles < most ? tiles : most), s->sms);
    s->depth = types_depth((tiles + s->grid - 1) / s->grid, loads, sizeof(T)) +
               blocks_for(s->grid, s->block) + 5 + 5;
}

#endif
