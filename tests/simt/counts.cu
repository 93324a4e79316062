/* counts.cu: access patterns whose requests, sectors and wavefronts follow from the rules, worked
 * out by hand beside each.
 * run: SIMT_STRICT=1
 */
#include "../../simulator/simt.h"
#include <cmath>
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <stdio.h>

static int wrong;
/* What was counted of the last launch. */
#define IS(COUNT, EXPECTED) is(simt_launch(simt_launch_count() - 1)->COUNT, EXPECTED, #COUNT, __LINE__)
static void is(double got, double expected, const char *what, int line) {
    if (std::round(got) != expected)
        wrong = 1, printf("line %d: %s: %g, and %g is right\n", line, what, got, expected);
}

__global__ void strided(const float *in, float *out, int stride) { out[blockIdx.x * blockDim.x + threadIdx.x] = in[threadIdx.x * stride]; }
__global__ void wide(const float4 *in, float4 *out) { out[threadIdx.x] = in[threadIdx.x]; }
__global__ void same_word(const float *in, float *out) { if (threadIdx.x % 2) out[threadIdx.x] = in[7]; }

__device__ alignas(32) float table[64];
__constant__ float factor[2];
__global__ void from_variables(float *out) {
    out[threadIdx.x] = table[threadIdx.x] * factor[0];
    if (threadIdx.x == 0) table[0] = 1;
}

__global__ void bank(float *out, int stride) {
    __shared__ float tile[32 * 32];
    tile[threadIdx.x * stride] = 1;
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x * stride];
}

/* 8 bytes for each lane, or 16: STRIDE 1, each its own; 0, all the same. */
template <class T> __global__ void bank_of(T *out, unsigned stride) {
    __shared__ T tile[32];
    tile[threadIdx.x] = T{};
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x * stride];
}

__global__ void looped(const float *in, float *out, int rounds) {
    float sum = 0;
    for (int i = 0; i < rounds; i++) sum += in[i * 32 + threadIdx.x];
    out[threadIdx.x] = sum;
}

__global__ void half_active(float *out) {
    if (threadIdx.x < 16)
        for (int i = 0; i < 1000; i++) out[threadIdx.x] = (float)i;
}

/* Lanes that have nothing to do in a round wait for the others before the next. */
__global__ void skipping(const volatile float *in, volatile float *out) {
    unsigned tid = threadIdx.x;
    for (unsigned stride = 16; stride > 0; stride /= 2)
        if (tid + stride < 32) out[tid] = in[tid] + in[tid + stride];
}

__global__ void two_ways(const float *in, float *out) {
    unsigned tid = threadIdx.x;
    float value;
    if (tid % 2) value = in[tid];
    else value = in[tid + 64] * in[tid + 128];
    out[tid] = value;
}

__global__ void taking_turns(const float *in, float *out, unsigned rounds) {
    float sum = 0;
    for (unsigned i = 0; i < rounds; i++)
        if ((i + threadIdx.x) % 2) sum += in[8 * i];
    out[threadIdx.x] = sum;
}

/* g++ puts what || and && decide out of the way, at the end of the function. */
__global__ void out_of_the_way(const float *in, float *out) {
    unsigned tid = threadIdx.x;
    bool ended = tid % 7 == 0;
    float sum = 0;
    for (unsigned offset = 1; offset < 32; offset *= 2) {
        float x = in[32 * offset + tid];
        if (tid >= offset && !ended) sum += x;
        ended |= tid >= offset && x <= tid;
    }
    out[tid] = sum;
}

__global__ void shuffles_then_load(const float *in, float *out) {
    float value = 0;
    if (threadIdx.x < 16) value = __shfl_xor_sync(0xffff, 1.0f, 1);
    out[threadIdx.x] = value + in[threadIdx.x];
}

/* Each tile of 8 lanes has a mask of its own, and ends before the next begins. */
__global__ void tiles_shuffle(const float *in, float *out) {
    unsigned mask = 0xffu << threadIdx.x / 8 * 8;
    float value = in[threadIdx.x];
    for (unsigned m = 4; m > 0; m /= 2) value += __shfl_xor_sync(mask, value, m, 8);
    out[threadIdx.x] = value;
}

/* Four words at a time, through any load that names a cache. */
__global__ void wide_streaming(const float4 *in, float *out) {
    float4 a = __ldcs(&in[threadIdx.x]), b = __ldcg(in + 32 + threadIdx.x);
    out[threadIdx.x] = a.x + a.y + a.z + a.w + b.x + b.y + b.z + b.w;
}

/* Structures: in parts as large as the alignment allows, as in nvcc's code. */
#define STRUCTURE(WORDS, ALIGN) struct alignas(ALIGN) words_##WORDS##_##ALIGN { float word[WORDS]; }
STRUCTURE(2, 4); STRUCTURE(2, 8); STRUCTURE(3, 4); STRUCTURE(4, 4); STRUCTURE(4, 8); STRUCTURE(4, 16);
STRUCTURE(6, 4); STRUCTURE(6, 8); STRUCTURE(12, 4); STRUCTURE(12, 8); STRUCTURE(12, 16);
union with_vector { float4 v; float word[4]; };
template <class T> __device__ __noinline__ float first_of(T all) { return all.word[0]; }
template <class T> __device__ __noinline__ T full_of(float x) {
    T all;
    for (float &word : all.word) word = x;
    return all;
}
template <class T> __global__ void structures(const T *in, T *out) {
    __shared__ T tile[32];
    tile[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x ^ 1];
    out[32 + threadIdx.x] = full_of<T>(first_of(in[threadIdx.x]));
}
template <class T> static void structures_are(unsigned parts, const void *in, void *out) {
    structures<<<1, 32>>>((const T *)in, (T *)out), IS(gld_requests, 2 * parts), IS(gst_requests, 2 * parts);
}

/* A word of each of the other block's lanes, then one of all. */
__global__ void __cluster_dims__(2) remote(float *out) {
    __shared__ float tile[32];
    auto cluster = cooperative_groups::this_cluster();
    float *other = cluster.map_shared_rank(tile, cluster.block_rank() ^ 1);
    cluster.sync();
    other[threadIdx.x] = 1;
    cluster.sync();
    out[blockIdx.x * 32 + threadIdx.x] = other[threadIdx.x] + other[0] + tile[threadIdx.x];
    cluster.sync();
}

int main(void) {
    float *in, *out;
    simt_count_requests(true);
    cudaMalloc(&in, 1 << 20);
    cudaMalloc(&out, 1 << 20);
    cudaMemset(in, 0, 1 << 20);
    /* Each launch, and what is counted of it. */
    strided<<<1, 64>>>(in, out, 1); /* two warps of 128 bytes */
    IS(gld_requests, 2), IS(gld_sectors, 8), IS(gst_requests, 2), IS(gst_sectors, 8), IS(global_load_bytes, 256);
    strided<<<1, 32>>>(in, out, 2), IS(gld_sectors, 8); /* 256 bytes, every second word */
    strided<<<1, 32>>>(in, out, 8), IS(gld_sectors, 32); /* a sector for each lane */
    strided<<<1, 32>>>(in + 1, out, 1), IS(gld_sectors, 5); /* 128 bytes that begin 4 bytes into a sector */
    wide<<<1, 32>>>((float4 *)in, (float4 *)out), IS(gld_requests, 1), IS(gld_sectors, 16), IS(gst_sectors, 16); /* 512 bytes */
    wide_streaming<<<1, 64>>>((float4 *)in, out), IS(gld_requests, 4), IS(gld_sectors, 64);
    same_word<<<1, 32>>>(in, out), IS(gld_requests, 1), IS(gld_sectors, 1);
    from_variables<<<1, 64>>>(out), IS(gld_requests, 2), IS(gld_sectors, 8), IS(global_load_bytes, 256), IS(gst_requests, 3);
    bank<<<1, 32>>>(out, 1), IS(shared_ld_wavefronts, 1), IS(barriers, 1);
    bank<<<1, 32>>>(out, 2), IS(shared_ld_wavefronts, 2), IS(shared_st_wavefronts, 2), IS(worst_conflict, 2); /* banks 0, 2, …: two words in each */
    bank<<<1, 32>>>(out, 32), IS(shared_ld_wavefronts, 32), IS(worst_conflict, 32); /* all in bank 0 */
    bank<<<1, 32>>>(out, 31), IS(shared_ld_wavefronts, 1); /* odd: no two in one bank */
    bank_of<<<1, 32>>>((double *)out, 1), IS(shared_ld_wavefronts, 2);
    bank_of<<<1, 32>>>((double *)out, 0), IS(shared_ld_wavefronts, 1); /* as the toolbox's ticket, on the GPU too */
    bank_of<<<1, 32>>>((float4 *)out, 0), IS(shared_st_wavefronts, 4), IS(shared_ld_wavefronts, 2);
    looped<<<1, 32>>>(in, out, 100), IS(gld_requests, 100), IS(gld_sectors, 400);
    half_active<<<1, 32>>>(out), IS(simt_efficiency * 100, 50);
    strided<<<3, 40>>>(in, out, 1), IS(gld_requests, 6), IS(gld_sectors, 15); /* in each block: a whole warp, and eight lanes: 1 sector */
    skipping<<<1, 32>>>(in, out); /* 16, 24, 28, 30, 31 lanes, whose partners begin at 16, 8, 4, 2, 1 */
    IS(gld_requests, 10), IS(gld_sectors, 2 + 2 + 3 + 3 + 4 + 4 + 4 + 4 + 4 + 4), IS(gst_sectors, 2 + 3 + 4 + 4 + 4);
    two_ways<<<1, 32>>>(in, out), IS(gld_requests, 3), IS(gst_requests, 1);
    out_of_the_way<<<1, 32>>>(in, out), IS(gld_requests, 5), IS(gst_requests, 1);
    taking_turns<<<1, 32>>>(in, out, 5000), IS(gld_requests, 5000), IS(gld_sectors, 5000); /* more than is kept at a time */
    shuffles_then_load<<<1, 32>>>(in, out), IS(gld_requests, 1);
    tiles_shuffle<<<1, 32>>>(in, out), IS(gld_requests, 1), IS(gst_requests, 1), IS(shuffles, 3);
    structures_are<words_2_4>(2, in, out); structures_are<words_2_8>(1, in, out); structures_are<words_3_4>(3, in, out);
    structures_are<words_4_4>(4, in, out); structures_are<words_4_8>(2, in, out); structures_are<words_4_16>(1, in, out);
    structures_are<with_vector>(1, in, out); structures_are<words_6_4>(6, in, out); structures_are<words_6_8>(3, in, out);
    structures_are<words_12_4>(12, in, out); structures_are<words_12_8>(6, in, out); structures_are<words_12_16>(3, in, out);
    remote<<<4, 32>>>(out), IS(remote_st_requests, 4), IS(remote_ld_requests, 8), IS(remote_load_bytes, 1024), IS(shared_ld_wavefronts, 4);
    IS(shared_st_wavefronts, 0), IS(cluster_barriers, 12), IS(barriers, 0);
    simt_count_requests(false);
    strided<<<1, 32>>>(in, out, 1), IS(gld_requests, 0);
    return wrong;
}
