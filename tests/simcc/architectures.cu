// Code that asks which pass of the compiler it is in: bodies for one architecture, fall-backs for
// old ones, functions of both kinds that differ, macros that differ.
#include <cstdio>
#include <cstdlib>

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 600
__device__ double atomicAdd(double *address, double value);   // hardware has none
#error "too old"
#endif
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
#define HAS_DOUBLE_ADD 1
#endif

#ifdef __CUDA_ARCH__
#define WHERE 2
#define NAME(x) device_##x
#else
#define WHERE 1
#define NAME(x) host_##x
#endif

__global__ void guarded(int *out)
{
#if __CUDA_ARCH__ >= 700
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = i + 1;
#endif
}

__global__ void chosen(int *out)
{
#if __CUDA_ARCH__ >= 900
    const int factor = 9;
#elif __CUDA_ARCH__ >= 800
    const int factor = 8;
#else
    const int factor = 1;
#endif
    out[threadIdx.x] = factor * WHERE;
}

__host__ __device__ int where()
{
#ifdef __CUDA_ARCH__
    return 10 * threadIdx.x + WHERE;
#else
    return WHERE;
#endif
}

struct counter {
    int n;
    __host__ __device__ void add(int by)
    {
        int before = by;
#ifdef __CUDA_ARCH__
        if (before >= 0) {
            atomicAdd(&n, by);
#else
        if (before >= 0 && n >= 0) {
            n += by;
#endif
        }
    }
    __host__ __device__ constexpr static int lanes()
    {
#if defined(__CUDA_ARCH__)
        return 32;
#else
        return 1;
#endif
    }
};

static __device__ int device_value() { return 5; }
static int host_value() { return 7; }
template <typename T> __host__ __device__ T value(T x)
{
    return x + NAME(value)();
}

__global__ void mixed(int *out, counter *c)
{
    out[threadIdx.x] = where() + 1000 * value(1) + 100000 * counter::lanes();
    c->add(1);
#ifndef __CUDA_ARCH__
    out[threadIdx.x] = -1;
#endif
}

#define CHECK(right) do { if (!(right)) { printf("line %d: not %s\n", __LINE__, #right); bad++; } } while (0)

int main()
{
    int bad = 0, *out;
    counter *c, here = {0};
    cudaMallocManaged(&out, 64 * sizeof *out);
    cudaMallocManaged(&c, sizeof *c);
    guarded<<<2, 32>>>(out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; i++) CHECK(out[i] == i + 1);
    chosen<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    CHECK(out[3] == 9 * 2 || out[3] == 8 * 2 || out[3] == 1 * 2);
    c->n = 0;
    mixed<<<1, 32>>>(out, c);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; i++) CHECK(out[i] == 10 * i + 2 + 1000 * 6 + 100000 * 32);
    CHECK(c->n == 32);
    here.add(4);
    here.add(-4);
    CHECK(here.n == 4);
    CHECK(where() == 1 && value(1) == 8 && counter::lanes() == 1 && WHERE == 1);
    printf("%d wrong\n", bad);
    return bad;
}
