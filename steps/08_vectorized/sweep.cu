/*
 * How many bytes must be in flight, and how large a tile should be: ./step08 --demo
 *
 * Little's law: to get B bytes a second at a latency of T seconds, B * T bytes must be on their
 * way at every moment. The chase measures T with nothing else going on; 4.7 TB/s * 0.7 us are
 * some 3.3 MB, or 25 KB for each of 132 SMs. Below that, bandwidth should grow with the bytes in
 * flight; above, it should not. Written before the first run.
 */
#include "cuda_errors.h"
#include "timing.h"
#include <math.h>
#include <stdio.h>

#ifdef SIMT_SIMULATOR

extern "C" int sweep(void)
{
    fprintf(stderr, "step08: --demo takes times, and the simulator has none: it needs a GPU\n");
    return 77;
}

#else

#define MIB     (1024 * 1024)
#define VECTORS (64 * (size_t)MIB) /* float4: 1 GiB, so that the L2 cache holds little of it */
#define HOPS    4096
#define REPEATS 9

struct reading {
    const float4 *in;
    float *out;
    unsigned threads, loads, blocks_per_sm, grid; /* blocks_per_sm 0: a block for each tile */
    size_t shared_bytes;
    void (*kernel)(const float4 *in, size_t vectors, float never, float *out);
    cudaStream_t stream;
};

/* Bits that differ: memory full of zeros can be faster than data. */
static __global__ void fill(float4 *in)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    unsigned h = (unsigned)i * 2654435761u;
    in[i] = make_float4(h * 0x1p-32f, (h ^ h >> 7) * 0x1p-32f, (h ^ h >> 13) * 0x1p-32f, 1.0f);
}

/* As in tile.h: the branch keeps all LOADS answers apart, so that the compiler cannot save
   registers by adding up the first before it asks for the last. */
template <int LOADS>
static __global__ void read_tiles(const float4 *in, size_t vectors, float never, float *out)
{
    const float4 zero = {0.0f, 0.0f, 0.0f, 0.0f};
    unsigned tile = LOADS * blockDim.x;
    float sum = 0.0f;
    for (size_t first = (size_t)blockIdx.x * tile; first < vectors;
         first += (size_t)gridDim.x * tile) {
        const float4 *mine = in + first + threadIdx.x;
        size_t left = vectors - first;
        float4 v[LOADS];
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
        for (int k = 0; k < LOADS; k++)
            sum += (v[k].x + v[k].y) + (v[k].z + v[k].w);
    }
    if (sum == never) /* a NaN: it never is, but the compiler cannot know */
        *out = sum;
}

/* One thread, each load's address known only when the one before has come. */
static __global__ void chase(const unsigned *in, unsigned never, float *out)
{
    size_t at = 0;
    for (int hop = 0; hop < HOPS; hop++)
        at = (at + 1048583 * (size_t)32 + (in[at] & never)) % (VECTORS * 4);
    if (at == 1)
        *out = 0;
}

static void nothing(void *context)
{
    (void)context;
}

static void launch_reading(void *context)
{
    const struct reading *r = (const struct reading *)context;
    r->kernel<<<r->grid, r->threads, r->shared_bytes, r->stream>>>(r->in, VECTORS, NAN, r->out);
    CUDA_CHECK(cudaGetLastError());
}

static void launch_chase(void *context)
{
    const struct reading *r = (const struct reading *)context;
    chase<<<1, 1, 0, r->stream>>>((const unsigned *)r->in, 0, r->out);
    CUDA_CHECK(cudaGetLastError());
}

static int attribute(cudaDeviceAttr which)
{
    int device, value;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&value, which, device));
    return value;
}

/* Shared memory that is not used, so that no more than this many blocks fit on an SM. */
static size_t limit_blocks(struct reading *r)
{
    int most = attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
    int block = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
    int bytes = most / (int)r->blocks_per_sm - 1024 - 512; /* 1 KB of each block is the system's */
    bytes = bytes < block ? bytes : block;
    CUDA_CHECK(cudaFuncSetAttribute((const void *)r->kernel,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    return (size_t)bytes;
}

static void measure(struct reading *r, const char *question)
{
    int resident;
    size_t per_block = (size_t)r->threads * r->loads * sizeof(float4);
    r->shared_bytes = r->blocks_per_sm > 0 ? limit_blocks(r) : 0;
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, r->kernel, (int)r->threads,
                                                             r->shared_bytes));
    if (r->blocks_per_sm > 0 && resident != (int)r->blocks_per_sm)
        return; /* registers or threads allow fewer, or shared memory more */
    r->grid = r->blocks_per_sm > 0
                  ? r->blocks_per_sm * (unsigned)attribute(cudaDevAttrMultiProcessorCount)
                  : (unsigned)(VECTORS * sizeof(float4) / per_block);
    const struct job job = {nothing, launch_reading, r};
    struct stats time = time_on_gpu(&job, r->stream, false, REPEATS);
    printf("%s,%u,%u,%d,%zu,%zu,%.2f,%.1f\n", question, r->threads, r->loads, resident,
           resident * per_block, per_block, time.median, VECTORS * 16 / time.median * 1e-3);
}

static void measure_loads(struct reading *r, const char *question)
{
    void (*const kernels[])(const float4 *, size_t, float, float *) = {
        read_tiles<1>, read_tiles<2>, read_tiles<4>, read_tiles<8>, read_tiles<16>};
    for (unsigned k = 0; k < 5; k++) {
        r->loads = 1 << k;
        r->kernel = kernels[k];
        if (r->loads * r->threads <= 1024 * 8)
            measure(r, question);
    }
}

extern "C" int sweep(void)
{
    struct reading r = {};
    float4 *in;
    CUDA_CHECK(cudaMalloc(&in, VECTORS * sizeof(float4)));
    CUDA_CHECK(cudaMalloc(&r.out, sizeof(float)));
    CUDA_CHECK(cudaStreamCreate(&r.stream));
    fill<<<VECTORS / 256, 256, 0, r.stream>>>(in);
    r.in = in;

    const struct job job = {nothing, launch_chase, &r};
    struct stats time = time_on_gpu(&job, r.stream, true, REPEATS); /* each line from memory */
    printf("question,threads,loads,blocks_per_sm,bytes_in_flight,bytes_per_block,us,gbps\n");
    printf("latency,1,1,,16,,%.4f,\n", time.median / HOPS);
    for (r.threads = 128; r.threads <= 1024; r.threads *= 2)
        for (r.blocks_per_sm = 1; r.blocks_per_sm <= 8; r.blocks_per_sm *= 2)
            measure_loads(&r, "in_flight");
    r.blocks_per_sm = 0;
    for (r.threads = 64; r.threads <= 1024; r.threads *= 2)
        measure_loads(&r, "tile");

    CUDA_CHECK(cudaStreamDestroy(r.stream));
    CUDA_CHECK(cudaFree(in));
    CUDA_CHECK(cudaFree(r.out));
    return 0;
}

#endif
