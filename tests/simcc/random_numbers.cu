// cuRAND in kernels and from the host: Philox is known to the last bit, the others by their averages.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <curand.h>
#include <curand_kernel.h>

// Known answers of Philox4x32-10, counter, key and result, from Random123's kat_vectors: two extremes, and pi.
struct Known { unsigned long long low, high, key; unsigned result[4]; };
__constant__ Known known[3] = {
    {0, 0, 0, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
    {~0ull, ~0ull, ~0ull, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
    {0x85a308d3243f6a88, 0x0370734413198a2e, 0x299f31d0a4093822, {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
};

__global__ void known_answers(unsigned *wrong)
{
    const Known k = known[threadIdx.x];
    curandStatePhilox4_32_10_t state;
    curand_init(k.key, k.high, 0, &state);
    for (int i = 0; i < 4; i++) // the low half counts fours: more than one offset can say
        skipahead(k.low / 4 * 4, &state);
    skipahead(k.low % 4 * 4, &state);
    const uint4 four = curand4(&state);
    if (four.x != k.result[0] || four.y != k.result[1] || four.z != k.result[2] || four.w != k.result[3])
        atomicAdd(wrong, 1u);
}

// One number at a time, four at a time, from an offset on: all the same sequence.
__global__ void same_sequence(unsigned *wrong)
{
    curandStatePhilox4_32_10_t one, four, late;
    curand_init(1234, threadIdx.x, 0, &one);
    four = one;
    curand_init(1234, threadIdx.x, 5, &late);
    unsigned first[12], bad = 0;
    for (int i = 0; i < 12; i++)
        first[i] = curand(&one);
    for (int i = 0; i < 12; i += 4) {
        const uint4 v = curand4(&four);
        bad += v.x != first[i] || v.y != first[i + 1] || v.z != first[i + 2] || v.w != first[i + 3];
    }
    for (int i = 5; i < 12; i++)
        bad += curand(&late) != first[i];
    curand_init(1234, 0, 3, &late);
    skipahead_sequence(threadIdx.x, &late);
    const float u = curand_uniform(&late);
    bad += u != (float)first[3] * 2.3283064e-10f + 1.16415322e-10f;
    const float4 f = curand_uniform4(&late);
    bad += f.x != (float)first[4] * 2.3283064e-10f + 1.16415322e-10f || f.w != (float)first[7] * 2.3283064e-10f + 1.16415322e-10f;
    if (bad)
        atomicAdd(wrong, bad);
}

__device__ bool about(double is, double should) { return fabs(is - should) < 2e-5 * fabs(should); }

// What an H200 gives, with CUDA 13.0, in this order.
__global__ void as_a_gpu(unsigned *wrong)
{
    curandStatePhilox4_32_10_t s;
    curand_init(77, 3, 6, &s);
    unsigned bad = curand(&s) != 0xc3bb0f40;
    bad += curand_uniform_double(&s) != 0.79561967076733708;
    bad += curand(&s) != 0x82bb0afe;
    const float2 two = curand_normal2(&s);
    bad += !about(two.x, -1.07607) || !about(two.y, 1.43268);
    bad += curand(&s) != 0xe407b59d;
    bad += !about(curand_normal(&s), 0.0174431);
    bad += !about(curand_normal(&s), 0.598998);
    bad += curand(&s) != 0xa1bf48ac;
    const float4 four = curand_normal4(&s);
    bad += !about(four.x, -0.509169) || !about(four.y, -0.776852) || !about(four.z, 0.482892) || !about(four.w, 1.14249);
    const double2 wide = (curand(&s), curand_normal2_double(&s));
    bad += !about(wide.x, 0.742748815271) || !about(wide.y, 0.231204459336);
    bad += curand(&s) != 0x146f2bd9;
    if (bad)
        atomicAdd(wrong, bad);
}

template <class State> __global__ void seed(State *states, unsigned long long seed)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    curand_init(seed, i, 0, &states[i]);
}

// Pi, the average and the spread of normal numbers, and the average of doubles: sums[0] to sums[3].
template <class State> __global__ void average(State *states, double *sums, int rounds)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    State mine = states[i]; // in registers while it is used
    double hits = 0, sum = 0, squares = 0, uniform = 0;
    for (int r = 0; r < rounds; r++) {
        const float x = curand_uniform(&mine), y = curand_uniform(&mine), n = curand_normal(&mine);
        const float2 two = curand_normal2(&mine);
        const double d = curand_uniform_double(&mine) + curand_normal_double(&mine);
        if (!(x > 0 && x <= 1))
            __trap();
        hits += x * x + y * y <= 1;
        sum += n + two.x + two.y;
        squares += n * n + two.x * two.x + two.y * two.y;
        uniform += d;
    }
    states[i] = mine;
    atomicAdd(&sums[0], 4 * hits);
    atomicAdd(&sums[1], sum / 3);
    atomicAdd(&sums[2], squares / 3);
    atomicAdd(&sums[3], uniform);
}

static int far(const char *what, double is, double should, double by)
{
    const bool bad = !(std::fabs(is - should) < by);
    if (bad)
        std::printf("%s is %g, not about %g\n", what, is, should);
    return bad;
}

template <class State> static int check(double *sums)
{
    const int threads = 256, rounds = 16, n = threads * rounds;
    State *states;
    if (cudaMalloc(&states, threads * sizeof *states) != cudaSuccess)
        std::exit(1);
    for (int s = 0; s < 4; s++)
        sums[s] = 0;
    seed<<<2, threads / 2>>>(states, 42);
    average<<<2, threads / 2>>>(states, sums, rounds / 2);
    average<<<2, threads / 2>>>(states, sums, rounds - rounds / 2); // the states go on
    if (cudaDeviceSynchronize() != cudaSuccess)
        std::exit(1);
    cudaFree(states);
    // Six deviations each, of 4,096 or 12,288 numbers.
    return far("pi", sums[0] / n, M_PI, 6 * 1.64 / std::sqrt(n)) + far("a mean", sums[1] / n, 0, 6 / std::sqrt(3 * n))
           + far("a variance", sums[2] / n, 1, 6 * std::sqrt(2 / (3.0 * n))) + far("a mean of doubles", sums[3] / n, 0.5, 6.3 / std::sqrt(n));
}

static int from_the_host()
{
    const size_t n = 5000;
    static float normal[n], uniform[n], again[n], *p;
    curandGenerator_t generator = nullptr;
    if (cudaMalloc(&p, n * sizeof *p) != cudaSuccess)
        return 1;
    int bad = 0;
    double sum = 0, squares = 0, half = 0;
    for (float *to : {uniform, again}) { // a new one each time: a seed alone does not begin anew
        if (generator)
            bad += curandDestroyGenerator(generator) != CURAND_STATUS_SUCCESS;
        bad += curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT) != CURAND_STATUS_SUCCESS;
        bad += curandSetPseudoRandomGeneratorSeed(generator, 7) != CURAND_STATUS_SUCCESS;
        bad += curandGenerateUniform(generator, p, n) != CURAND_STATUS_SUCCESS;
        cudaMemcpy(to, p, n * sizeof *p, cudaMemcpyDeviceToHost);
    }
    bad += curandGenerateNormal(generator, p, n, 10, 3) != CURAND_STATUS_SUCCESS;
    cudaMemcpy(normal, p, n * sizeof *p, cudaMemcpyDeviceToHost);
    bad += curandGenerateNormal(generator, p, n - 1, 10, 3) != CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    for (size_t i = 0; i < n; i++) {
        bad += uniform[i] != again[i] || !(uniform[i] > 0 && uniform[i] <= 1);
        half += uniform[i] / n;
        sum += normal[i] / n;
        squares += (normal[i] - 10) * (normal[i] - 10) / n;
    }
    bad += curandDestroyGenerator(generator) != CURAND_STATUS_SUCCESS;
    cudaFree(p);
    return bad + far("the host's mean", half, 0.5, 6 * 0.29 / std::sqrt(n)) + far("the host's normal mean", sum, 10, 18 / std::sqrt(n))
           + far("the host's variance", squares, 9, 54 * std::sqrt(2.0 / n));
}

int main()
{
    unsigned *wrong;
    double *sums;
    if (cudaMallocManaged(&wrong, sizeof *wrong) != cudaSuccess || cudaMallocManaged(&sums, 4 * sizeof *sums) != cudaSuccess)
        return 1;
    *wrong = 0;
    known_answers<<<1, 3>>>(wrong);
    same_sequence<<<1, 64>>>(wrong);
    as_a_gpu<<<1, 1>>>(wrong);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    int bad = (int)*wrong + check<curandStatePhilox4_32_10_t>(sums) + check<curandState>(sums) + check<curandStateMRG32k3a_t>(sums);
    bad += from_the_host();
    std::printf("random numbers: %d wrong\n", bad);
    return bad != 0;
}
