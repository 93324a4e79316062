/*
 * What a load can say about caches: one kernel (step 09's flagged_slots), several instructions.
 *
 * Prediction, written before the first run: a sum reads every byte once, so no cache can help and
 * no hint can gain more than noise, but one that makes the L2 cache fetch more than is asked for
 * may cost: 256 bytes for each 128 are read only a little later, by another SM.
 */
#include "09_single_pass/slots.h"
#include "cluster.h"
#include "hopper.h"

#define LOADS 8

enum hint { PLAIN, STREAMING, NO_L1, EVICT_FIRST, FETCH_256 };

#ifdef SIMT_SIMULATOR
#define ptx_load(hint, p) (*(p)) /* the simulator takes no PTX, and the driver never comes here */
#else
#define LOAD_AS(instruction, ...)                                                                  \
    asm volatile(instruction : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(p), ##__VA_ARGS__)

static __device__ float4 ptx_load(enum hint hint, const float4 *p)
{
    float4 v = {};
#ifdef HOPPER_CODE
    unsigned long long policy;
    asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
    if (hint == NO_L1)
        LOAD_AS("ld.global.nc.L1::no_allocate.v4.f32 {%0, %1, %2, %3}, [%4];");
    else if (hint == EVICT_FIRST)
        LOAD_AS("ld.global.nc.L2::cache_hint.v4.f32 {%0, %1, %2, %3}, [%4], %5;", "l"(policy));
    else
        LOAD_AS("ld.global.nc.L2::256B.v4.f32 {%0, %1, %2, %3}, [%4];");
#endif
    return v;
}
#endif

/* hint is a constant wherever this is used, so that one of them is left. */
static __device__ float4 load(enum hint hint, const float4 *p)
{
    if (hint == PLAIN)
        return *p;
    return hint == STREAMING ? __ldcs(p) : ptx_load(hint, p);
}

/* As thread_sum() in tile.h, but for the load. */
template <enum hint HINT> static __device__ float hinted_sum(const float *in, size_t n)
{
    struct parts p = parts_of(in, n);
    const float4 *body = (const float4 *)(in + p.head);
    unsigned tile = LOADS * blockDim.x;
    float sum = edge(in, n, p);

    for (size_t first = (size_t)blockIdx.x * tile; first < p.vectors;
         first += (size_t)gridDim.x * tile) {
        const float4 *mine = body + first + threadIdx.x;
        size_t left = p.vectors - first;
        float4 v[LOADS] = {};
        if (left >= tile) {
#pragma unroll
            for (int k = 0; k < LOADS; k++)
                v[k] = load(HINT, mine + k * blockDim.x);
        } else {
#pragma unroll
            for (int k = 0; k < LOADS; k++)
                if (threadIdx.x + k * blockDim.x < left)
                    v[k] = load(HINT, mine + k * blockDim.x);
        }
#pragma unroll
        for (int k = 0; k < LOADS; k++)
            sum += (v[k].x + v[k].y) + (v[k].z + v[k].w);
    }
    return sum;
}

template <enum hint HINT>
static __global__ void hinted(const float *in, struct slots slots, float *out, size_t n)
{
    unsigned epoch = next_epoch(slots);
    float sum = block_sum(hinted_sum<HINT>(in, n));
    finish_in_slots(sum, blockIdx.x, gridDim.x, slots, epoch, out);
}

template <enum hint HINT> static void launch_hinted(struct sum *s)
{
    if (HINT != PLAIN && HINT != STREAMING)
        need_hopper();
    s->grid = tile_grid(s, LOADS);
    struct slots slots = lesson_slots(s);
    hinted<HINT><<<s->grid, s->block, 0, s->stream>>>(s->in, slots, s->out, s->n);
    CUDA_CHECK(cudaGetLastError());
    s->depth = tile_depth(tiles_each(s, LOADS), LOADS) + blocks_for(s->grid, s->block) + 5 + 5;
}

#define LAUNCHER(name, hint)                                                                       \
    void name(struct sum *s)                                                                       \
    {                                                                                              \
        launch_hinted<hint>(s);                                                                    \
    }
LAUNCHER(launch_load, PLAIN)
LAUNCHER(launch_load_cs, STREAMING)
LAUNCHER(launch_load_no_l1, NO_L1)
LAUNCHER(launch_load_evict_first, EVICT_FIRST)
LAUNCHER(launch_load_256b, FETCH_256)
