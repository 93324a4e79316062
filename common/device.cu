/*
 * device.cu: what the driver itself runs on the GPU: a plain read, which is the
 * roof that every sum is compared with, and two helpers of the timing.
 */
#include "device.h"

#include "element.h"

#include <cuda_runtime.h>
#include <stdint.h>

/* One block reads one tile of 64 KB: 512 threads with 8 loads of 16 bytes each,
   all issued before the first is used, so that 64 KB are in flight per block. */
#define THREADS 512
#define LOADS   8
#define TILE    (THREADS * LOADS) /* in float4 */

static __device__ unsigned bits4(float4 v)
{
    return __float_as_uint(v.x) ^ __float_as_uint(v.y) ^ __float_as_uint(v.z) ^
           __float_as_uint(v.w);
}

/* Reads head words up to the first 16-byte boundary, then whole float4, then the rest. A word is
   the largest of which whole ones make up all elements: unsigned, or unsigned short for elements of
   2 bytes. The compiler must keep the loads, for their bits might equal `never`. */
template <typename WORD>
static __global__ void read_kernel(const WORD *in, size_t n, size_t head, unsigned never,
                                   float *out)
{
    const size_t each = sizeof(float4) / sizeof(WORD);
    const float4 *body = (const float4 *)(in + head);
    size_t vectors = (n - head) / each, tail = head + each * vectors;
    size_t first = (size_t)blockIdx.x * TILE + threadIdx.x;
    float4 v[LOADS] = {};

    if ((size_t)(blockIdx.x + 1) * TILE <= vectors) {
#pragma unroll
        for (int k = 0; k < LOADS; k++)
            v[k] = body[first + k * THREADS];
    } else {
#pragma unroll
        for (int k = 0; k < LOADS; k++) {
            if (first + k * THREADS < vectors)
                v[k] = body[first + k * THREADS];
        }
    }

    unsigned bits = 0;
#pragma unroll
    for (int k = 0; k < LOADS; k++)
        bits ^= bits4(v[k]);
    if (blockIdx.x == 0 && threadIdx.x < head)
        bits ^= in[threadIdx.x];
    if (blockIdx.x == 0 && threadIdx.x < n - tail)
        bits ^= in[tail + threadIdx.x];
    if (bits == never)
        *out = 0;
}

template <typename WORD>
static void read_words(const WORD *in, size_t n, float *out, unsigned grid, cudaStream_t stream)
{
    const unsigned never = 0x7fb3c5d9; /* a NaN that no data holds */
    size_t head = (16 - (uintptr_t)in % 16) % 16 / sizeof(WORD);
    if (head > n)
        head = n;
    read_kernel<WORD><<<grid, THREADS, 0, stream>>>(in, n, head, never, out);
    CUDA_CHECK(cudaGetLastError());
}

void launch_read(struct sum *s)
{
    size_t bytes = element_bytes(s->element), words = s->n * bytes / sizeof(unsigned);
    s->block = THREADS;
    s->grid = blocks_for(s->n * bytes / sizeof(float4), TILE);
    s->depth = 0;
    if (bytes == sizeof(unsigned short))
        read_words((const unsigned short *)s->in, s->n, s->out, s->grid, s->stream);
    else
        read_words((const unsigned *)s->in, words, s->out, s->grid, s->stream);
}

/* One load and one store for each thread. Of all that was tried on an H200 this was the fastest,
   and as fast as cudaMemcpyAsync: more loads in flight, streaming hints or a grid that stays on
   the SMs only make it slower (results/trials.md). */
template <typename V> static __global__ void copy_kernel(const V *in, size_t count, V *out)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        out[i] = in[i];
}

template <typename V> static void copy_all(const void *in, size_t count, void *out, struct sum *s)
{
    s->block = 256;
    s->grid = blocks_for(count, s->block);
    copy_kernel<<<s->grid, s->block, 0, s->stream>>>((const V *)in, count, (V *)out);
    CUDA_CHECK(cudaGetLastError());
}

void launch_copy_floats(struct sum *s)
{
    bool by_four = s->n % 4 == 0 && (uintptr_t)s->in % 16 == 0 && (uintptr_t)s->out % 16 == 0;
    s->depth = 0;
    if (by_four)
        copy_all<float4>(s->in, s->n / 4, s->out, s);
    else
        copy_all<float>(s->in, s->n, s->out, s);
}

#ifdef SIMT_SIMULATOR

size_t flush_bytes(void)
{
    return 0;
}

void flush_l2(cudaStream_t stream)
{
    (void)stream;
}

void hold_stream(cudaStream_t stream, unsigned microseconds)
{
    (void)stream;
    (void)microseconds;
}

const char *kernel_compiler(void)
{
    return "g++ or clang++ " __VERSION__;
}

#else

enum { MOST_DEVICES = 1024 }; /* as --device takes */

static int attribute(cudaDeviceAttr which)
{
    int device, value;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&value, which, device));
    return value;
}

size_t flush_bytes(void)
{
    return 2 * (size_t)attribute(cudaDevAttrL2CacheSize);
}

void flush_l2(cudaStream_t stream)
{
    static float *buffers[MOST_DEVICES]; /* the last float takes the write that never comes */
    size_t floats = flush_bytes() / sizeof(float);
    int device;
    CUDA_CHECK(cudaGetDevice(&device));
    float *buffer = buffers[device];
    if (buffer == NULL) {
        CUDA_CHECK(cudaMalloc((void **)&buffer, (floats + 1) * sizeof(float)));
        CUDA_CHECK(cudaMemset(buffer, 0, (floats + 1) * sizeof(float)));
        buffers[device] = buffer;
    }
    read_words((const unsigned *)buffer, floats, buffer + floats, blocks_for(floats / 4, TILE),
               stream);
}

static __global__ void spin_kernel(long long cycles)
{
    long long start = clock64();
    while (clock64() - start < cycles)
        ;
}

void hold_stream(cudaStream_t stream, unsigned microseconds)
{
    static long long kilohertz;
    if (kilohertz == 0)
        kilohertz = attribute(cudaDevAttrClockRate);
    spin_kernel<<<1, 1, 0, stream>>>(kilohertz * microseconds / 1000);
    CUDA_CHECK(cudaGetLastError());
}

#define TEXT(x)  #x
#define VALUE(x) TEXT(x)

const char *kernel_compiler(void)
{
    return "nvcc " VALUE(__CUDACC_VER_MAJOR__) "." VALUE(__CUDACC_VER_MINOR__) "." VALUE(
        __CUDACC_VER_BUILD__);
}

#endif
