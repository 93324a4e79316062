/*
 * ring.h: a sum by bulk copies into a ring of stages in shared memory.
 *
 * Bulk asynchronous copies (the Tensor Memory Accelerator, one dimension): one thread asks for
 * whole kilobytes, hardware brings them into shared memory, and a barrier in shared memory counts
 * the bytes that have come.
 *
 * Prediction, written before the first run: nothing to gain for a sum. The memory is the limit, and
 * plain loads already keep enough bytes in flight; what a bulk copy saves is registers and
 * instructions, of which there are plenty. Small stages will lose: a ring turns once a latency.
 */
#ifndef RING_H
#define RING_H

#include "library/parts/cluster.h" /* HOPPER_CODE */
#include "library/parts/slots.h"

#ifdef HOPPER_CODE
#include <cuda/barrier>

typedef cuda::barrier<cuda::thread_scope_block> barrier_t;
#pragma nv_diag_suppress static_var_with_dynamic_init /* a barrier_t in shared memory: init() */

/* Thread 0 asks for the vectors from first on, as many as are left of a stage. */
static __device__ void ask(float4 *stage, const float4 *body, size_t first, size_t vectors,
                           unsigned room, barrier_t *barrier)
{
    size_t left = vectors - first;
    unsigned bytes = (unsigned)(left < room ? left : room) * sizeof(float4);
    cuda::device::memcpy_async_tx(stage, body + first, cuda::aligned_size_t<16>(bytes), *barrier);
    (void)cuda::device::barrier_arrive_tx(*barrier, 1, bytes);
}

/* STAGES copies of `room` vectors are under way at any time. Stage k of round r is complete when
   its barrier has ended phase r; the phases' parity tells one from the next. */
template <int STAGES>
static __global__ void ring_sum(const float *in, struct slots slots, float *out, size_t n,
                                unsigned room)
{
    extern __shared__ __align__(128) float4 ring[];
    __shared__ barrier_t full[STAGES];
    struct parts p = parts_of(in, n);
    const float4 *body = (const float4 *)(in + p.head);
    size_t step = (size_t)gridDim.x * room, first = (size_t)blockIdx.x * room;
    unsigned epoch = next_epoch(slots);
    float sum = head_or_tail(in, n, p);

    if (threadIdx.x == 0) {
        for (int k = 0; k < STAGES; k++)
            init(&full[k], 1); /* one arrival ends a phase, once all its bytes are there */
        /* The copy engine sees them so. */
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        for (int k = 0; k < STAGES; k++)
            if (first + k * step < p.vectors)
                ask(ring + k * room, body, first + k * step, p.vectors, room, &full[k]);
    }
    __syncthreads();
    for (unsigned round = 0; first < p.vectors; round++, first += step) {
        unsigned k = round % STAGES;
        size_t left = p.vectors - first;
        unsigned count = left < room ? (unsigned)left : room;
        full[k].wait_parity(round / STAGES % 2);
        for (unsigned i = threadIdx.x; i < count; i += blockDim.x) {
            float4 v = ring[k * room + i];
            sum += (v.x + v.y) + (v.z + v.w);
        }
        __syncthreads(); /* all have read the stage: it may be filled again */
        if (threadIdx.x == 0 && first + STAGES * step < p.vectors)
            ask(ring + k * room, body, first + STAGES * step, p.vectors, room, &full[k]);
    }
    finish_in_slots(block_sum(sum), blockIdx.x, gridDim.x, slots, epoch, out);
}
#else /* code for an older GPU, where it is never launched */
template <int STAGES>
static __global__ void ring_sum(const float *in, struct slots slots, float *out, size_t n,
                                unsigned room)
{
}
#endif

/* For a variant's no_room: why a block cannot have such a ring, or NULL. A GPU of compute
   capability 9.0 gives a block 227 KB of shared memory, one of 12.0 has 99. */
template <int STAGES> static const char *no_room_for_ring(unsigned stage_bytes)
{
    static char why[96];
    int device, most;
    cudaFuncAttributes kernel;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    CUDA_CHECK(cudaFuncGetAttributes(&kernel, ring_sum<STAGES>));
    if (STAGES * stage_bytes + kernel.sharedSizeBytes <= (size_t)most)
        return NULL;
    snprintf(why, sizeof why, "needs more than %u KB of shared memory in a block, this GPU has %d",
             STAGES * stage_bytes / 1024, most / 1024);
    return why;
}

/* As many blocks as the GPU holds at once: each has a ring, and goes round it. */
template <int STAGES> static void launch_ring(struct sum *s, unsigned stage_bytes)
{
    int per_sm;
    unsigned room = stage_bytes / sizeof(float4), wanted = blocks_for(s->n, (size_t)room * 4);
    int bytes = STAGES * (int)stage_bytes;
    struct slots slots = lesson_slots(s);

    CUDA_CHECK(
        cudaFuncSetAttribute(ring_sum<STAGES>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, ring_sum<STAGES>,
                                                             (int)s->block, bytes));
    s->grid = waiting_grid(wanted < per_sm * s->sms ? wanted : per_sm * s->sms, s->sms);
    ring_sum<STAGES><<<s->grid, s->block, bytes, s->stream>>>(s->in, slots, s->out, s->n, room);
    CUDA_CHECK(cudaGetLastError());
    size_t rounds = (s->n / 4) / ((size_t)room * s->grid) + 1;
    s->depth = tile_depth(rounds, blocks_for(room, s->block)) + blocks_for(s->grid, s->block) + 10;
}

#endif
