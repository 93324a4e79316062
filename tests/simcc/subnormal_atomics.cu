// Atomic additions of floats take subnormal numbers for 0 on global memory, and keep them on shared memory (PTX: atom, red).
#include <cuda/atomic>
#include <stdio.h>

#define TINY 1e-40f // subnormal: below 2^-126, 1.2e-38

template <cuda::thread_scope SCOPE> __device__ void by_reference(float *x)
{
    cuda::atomic_ref<float, SCOPE> added(x[0]), taken_away(x[1]);
    added.fetch_add(TINY);
    taken_away.fetch_sub(TINY);
}

// Each word gets TINY, or loses it; in x[7] the sum of two normal numbers is subnormal.
__device__ float all_ways(float *x)
{
    float used = atomicAdd(&x[0], TINY);
    atomicAdd(&x[1], -TINY);
    atomicAdd_block(&x[2], TINY);
    atomicAdd_system(&x[3], TINY);
    by_reference<cuda::thread_scope_device>(x + 4);
    by_reference<cuda::thread_scope_block>(x + 5);
    atomicAdd(&x[7], -0x1.8p-126f);
    return used;
}

enum { WORDS = 14 };

__global__ void add(float *global, double *doubles)
{
    __shared__ float shared[WORDS];
    float *mine = global + WORDS;
    for (int i = 0; i < WORDS; i++)
        shared[i] = global[i];
    float used = all_ways(global) + all_ways(shared), old;
    atomicAdd(&global[8], 0.0f); // a subnormal number is there
    used += atomicAdd(&shared[8], 0.0f);
    asm volatile("red.global.add.f32 [%0], %1;" ::"l"(__cvta_generic_to_global(&global[9])), "f"(TINY) : "memory");
    asm volatile("red.shared.add.f32 [%0], %1;" ::"r"((unsigned)__cvta_generic_to_shared(&shared[9])), "f"(TINY) : "memory");
    asm volatile("atom.global.add.f32 %0, [%1], %2;" : "=f"(old) : "l"(__cvta_generic_to_global(&global[10])), "f"(TINY) : "memory");
    used += old;
    asm volatile("atom.shared.add.f32 %0, [%1], %2;" : "=f"(old) : "r"((unsigned)__cvta_generic_to_shared(&shared[10])), "f"(TINY) : "memory");
    used += old;
    atomicAdd(&global[11], 1.0f + used);
    atomicAdd(&shared[11], 1.0f + used);
    atomicAdd(&global[12], used);
    atomicAdd(&shared[12], used);
    global[13] += TINY; // no atomic
    shared[13] += TINY;
    for (int i = 0; i < WORDS; i++)
        mine[i] = shared[i];
    atomicAdd(&doubles[0], 1e-310);
    cuda::atomic_ref<double, cuda::thread_scope_device>(doubles[1]).fetch_add(1e-310);
}

int main()
{
    float x[2 * WORDS] = {0}, *device_x;
    double d[2] = {0}, *device_d;
    x[1] = -0.0f;
    x[7] = 0x1p-126f;
    x[8] = TINY;
    // What is expected on global memory, then on shared memory.
    const float expected[2 * WORDS] = {
        0,    -0.0f, 0,    0,    0,    0, 0,     -0.0f,      0,    0,    0,    1, 0,    TINY,
        TINY, -TINY, TINY, TINY, TINY, 0, -TINY, -0x1p-127f, TINY, TINY, TINY, 1, TINY, TINY,
    };
    int wrong = 0;
    cudaMalloc(&device_x, sizeof x);
    cudaMalloc(&device_d, sizeof d);
    cudaMemcpy(device_x, x, sizeof x, cudaMemcpyHostToDevice);
    cudaMemcpy(device_d, d, sizeof d, cudaMemcpyHostToDevice);
    add<<<1, 1>>>(device_x, device_d);
    cudaMemcpy(x, device_x, sizeof x, cudaMemcpyDeviceToHost);
    cudaMemcpy(d, device_d, sizeof d, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 2 * WORDS; i++) {
        if (x[i] != expected[i] || __builtin_signbit(x[i]) != __builtin_signbit(expected[i])) {
            printf("%s memory, word %d: %g in place of %g\n", i < WORDS ? "global" : "shared", i % WORDS, x[i], expected[i]);
            wrong++;
        }
    }
    if (d[0] != 1e-310 || d[1] != 1e-310) {
        printf("doubles: %g, %g\n", d[0], d[1]);
        wrong++;
    }
    cudaFree(device_x);
    cudaFree(device_d);
    return wrong != 0;
}
