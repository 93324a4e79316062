/*
 * Step 09: 16-byte loads, many of them in flight: to the memory roof.
 *
 * New:     a thread asks for LOADS float4 (16 bytes each) before it needs the first; a block sums
 *          one tile of the array, and there are as many blocks as tiles.
 * Why:     by Little's law bandwidth is bytes in flight / latency. Step 06 has one load of 4 bytes
 *          for each thread in flight, 8 KB an SM; the memory of an H200 needs more than three
 *          times that. Fewer, wider loads also cost fewer instructions and requests.
 * Look at: where it stops to pay: ./step09 -n 256M, and every size of tile: ./step09 --demo
 *          diff steps/06_two_pass/reduce.cu steps/09_vectorized/reduce.cu
 */
#include "lesson.h"
#include "sweep.h"
#include <stdint.h>

/* Lane 0 gets the sum of its warp, the others something of no use. The mask names all 32 lanes,
   and a lane that is named must be there: so blocks are whole warps. */
static __device__ float warp_sum(float value)
{
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2)
        value += __shfl_down_sync(0xffffffff, value, offset);
    return value;
}

/* Thread 0 gets the sum of its block. 1024 threads are at most 32 warps, so one more warp_sum()
   adds up what the warps found. Two calls need a barrier between them: smem is used again. */
static __device__ float block_sum(float value)
{
    __shared__ float smem[32];
    unsigned tid = threadIdx.x;

    value = warp_sum(value);
    if (tid % 32 == 0)
        smem[tid / 32] = value;
    __syncthreads();
    if (tid < 32) {
        value = tid < (blockDim.x + 31) / 32 ? smem[tid] : 0.0f;
        value = warp_sum(value);
    }
    return value;
}

/* A 16-byte load needs an address that is a multiple of 16. So the array has a head of up to 3
   floats before the first such address, a body of whole float4, and a tail of up to 3 floats. */
struct parts {
    size_t head, vectors, tail; /* floats, float4, floats */
};

static __device__ struct parts parts_of(const float *in, size_t n)
{
    struct parts p;
    size_t to_boundary = (16 - (uintptr_t)in % 16) % 16 / sizeof(float);
    p.head = to_boundary < n ? to_boundary : n;
    p.vectors = (n - p.head) / 4;
    p.tail = (n - p.head) % 4;
    return p;
}

/* Head and tail, at most 6 floats: one for each of the first threads of the grid. */
static __device__ float edge_sum(const float *in, size_t n, struct parts p)
{
    size_t i = blockIdx.x == 0 ? threadIdx.x : n;
    float sum = i < p.head ? in[i] : 0.0f;
    return i < p.tail ? sum + in[n - p.tail + i] : sum;
}

/* The tiles of this block: LOADS float4 for each thread, one blockDim.x after the other. All
   LOADS questions are asked before the first answer is needed, since nothing between depends on
   one; a float4 beyond the end is zero. The four sums of the float4's members are independent. */
template <int LOADS> static __device__ float thread_sum(const float *in, size_t n)
{
    struct parts p = parts_of(in, n);
    const float4 *body = (const float4 *)(in + p.head);
    unsigned tile = LOADS * blockDim.x;
    float4 sum = {0.0f, 0.0f, 0.0f, 0.0f};

    for (size_t first = (size_t)blockIdx.x * tile; first < p.vectors;
         first += (size_t)gridDim.x * tile) {
        unsigned count = p.vectors - first < tile ? (unsigned)(p.vectors - first) : tile;
        float4 v[LOADS];
#pragma unroll
        for (int k = 0; k < LOADS; k++) {
            unsigned i = threadIdx.x + k * blockDim.x;
            v[k] = i < count ? body[first + i] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        }
#pragma unroll
        for (int k = 0; k < LOADS; k++) {
            sum.x += v[k].x;
            sum.y += v[k].y;
            sum.z += v[k].z;
            sum.w += v[k].w;
        }
    }
    return (sum.x + sum.y) + (sum.z + sum.w) + edge_sum(in, n, p);
}

template <int LOADS> static __global__ void sum_blocks(const float *in, float *partial, size_t n)
{
    float sum = block_sum(thread_sum<LOADS>(in, n));
    if (threadIdx.x == 0)
        partial[blockIdx.x] = sum;
}

/* A block for each tile, then one block over their sums, with the widest tile there is. */
template <int LOADS> static void launch_vectors(struct sum *s)
{
    const size_t last_tile = 1024 * 8 * 4; /* floats */
    s->grid = blocks_for(s->n, (size_t)s->block * LOADS * 4);
    sum_blocks<LOADS><<<s->grid, s->block, 0, s->stream>>>(s->in, s->scratch, s->n);
    CUDA_CHECK(cudaGetLastError());
    sum_blocks<8><<<1, 1024, 0, s->stream>>>(s->scratch, s->out, s->grid);
    CUDA_CHECK(cudaGetLastError());
    /* Each time: LOADS or 8 a tile, two for the members and the edges, two for the head and the
       tail, five a warp, five for the warps. */
    s->depth = LOADS + 4 + 5 + 5 + 8 * blocks_for(s->grid, last_tile) + 4 + 5 + 5;
}

/* name, what, launcher, elements a thread sums, flags, blocks it admits, smallest block */
static const struct variant variants[] = {
    {"vector_x1", "1 float4 in flight for each thread", launch_vectors<1>, 4, 0, BLOCK_WHOLE_WARPS,
     32},
    {"vector_x2", "2 float4 in flight", launch_vectors<2>, 8, 0, BLOCK_WHOLE_WARPS, 32},
    {"vector_x4", "4 float4 in flight", launch_vectors<4>, 16, 0, BLOCK_WHOLE_WARPS, 32},
    {"vector_x8", "8 float4 in flight", launch_vectors<8>, 32, 0, BLOCK_WHOLE_WARPS, 32},
    {"vector_x16", "16 float4 in flight", launch_vectors<16>, 64, 0, BLOCK_WHOLE_WARPS, 32},
};

int main(int argc, char **argv)
{
    const struct lesson lesson = {.name = "09_vectorized",
                                  .idea = "16-byte loads, many in flight: to the memory roof",
                                  .variants = variants,
                                  .variant_count = sizeof variants / sizeof variants[0],
                                  .demo = sweep};
    return run_lesson(argc, argv, &lesson);
}
