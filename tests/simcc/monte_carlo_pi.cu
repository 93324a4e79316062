// Pi by throwing darts. Each thread has a generator of its own (no cuRAND).
#include <cmath>
#include <cstdio>

struct Rng {
    unsigned long long state;

    __device__ explicit Rng(unsigned seed) : state(seed * 0x9E3779B97F4A7C15ull + 0xD1B54A32D192ED03ull) {}
    __device__ unsigned next()
    {
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        return (unsigned)((state * 0x2545F4914F6CDD1Dull) >> 32);
    }
    __device__ float uniform() { return (next() >> 8) * (1.0f / 16777216.0f); }
};

// The way of the programming guide, for GPUs that have no atomicAdd of doubles
__device__ double atomicAddDouble(double* address, double val)
{
    unsigned long long int* address_as_ull = (unsigned long long int*)address;
    unsigned long long int old = atomicCAS(address_as_ull, 0ULL, 0ULL), assumed;
    do {
        assumed = old;
        old = atomicCAS(address_as_ull, assumed,
                        __double_as_longlong(val + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}

__device__ unsigned long long g_hits;
__device__ double g_mean_radius;

__global__ void throw_darts(unsigned per_thread, unsigned seed)
{
    Rng rng(seed + blockIdx.x * blockDim.x + threadIdx.x);
    unsigned hits = 0;
    double radius = 0;
    for (unsigned i = 0; i < per_thread; ++i) {
        float x = rng.uniform(), y = rng.uniform();
        float r2 = fmaf(x, x, y * y);
        hits += r2 <= 1.0f;
        radius += sqrtf(r2);
    }
    __shared__ unsigned block_hits;
    if (threadIdx.x == 0) block_hits = 0;
    __syncthreads();
    atomicAdd_block(&block_hits, hits);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(&g_hits, (unsigned long long)block_hits);
    atomicAddDouble(&g_mean_radius, radius / per_thread);
}

int main()
{
    const unsigned blocks = 16, threads = 96, each = 40;
    unsigned long long hits = 0;
    double radius = 0;
    if (cudaMemcpyToSymbol(g_hits, &hits, sizeof hits) || cudaMemcpyToSymbol(g_mean_radius, &radius, sizeof radius))
        return 1;
    throw_darts<<<blocks, threads>>>(each, 2024u);
    if (cudaMemcpyFromSymbol(&hits, g_hits, sizeof(hits)) != cudaSuccess) return 1;
    if (cudaMemcpyFromSymbol(&radius, g_mean_radius, sizeof(radius), 0, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
    double pi = 4.0 * hits / ((double)blocks * threads * each);
    double mean = radius / (blocks * threads);      // (sqrt(2) + asinh(1)) / 3
    printf("pi is about %.4f, the mean distance %.4f\n", pi, mean);
    return !(fabs(pi - M_PI) < 0.03 && fabs(mean - 0.7652) < 0.01);
}
