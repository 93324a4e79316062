// cuRAND, in kernels and from the host.
// run: SIMT_SCHEDULE=0..3
// tier: nightly
#include "check.cuh"
#include <curand.h>
#include <curand_kernel.h>

#define SUCCEED(...) for (curandStatus_t status : {__VA_ARGS__}) EXPECT(status == CURAND_STATUS_SUCCESS)

// Philox is known to the last bit, the others by their averages.
// Known answers of Philox4x32-10, counter, key and result, from Random123's kat_vectors: two extremes, and pi.
struct Known { unsigned long long low, high, key; unsigned result[4]; };
__constant__ Known known[3] = {
    {0, 0, 0, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
    {~0ull, ~0ull, ~0ull, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
    {0x85a308d3243f6a88, 0x0370734413198a2e, 0x299f31d0a4093822, {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
};

__global__ void known_answers() {
    const Known k = known[threadIdx.x];
    curandStatePhilox4_32_10_t state;
    curand_init(k.key, k.high, 0, &state);
    for (int i = 0; i < 4; i++) // the low half counts fours: more than one offset can say
        skipahead(k.low / 4 * 4, &state);
    skipahead(k.low % 4 * 4, &state);
    const uint4 four = curand4(&state);
    if (four.x != k.result[0] || four.y != k.result[1] || four.z != k.result[2] || four.w != k.result[3]) atomicAdd(&failures, 1);
}

// One number at a time, four at a time, from an offset on: all the same sequence.
__global__ void same_sequence() {
    curandStatePhilox4_32_10_t one, four, late;
    curand_init(1234, threadIdx.x, 0, &one);
    four = one;
    curand_init(1234, threadIdx.x, 5, &late);
    unsigned first[12], bad = 0;
    for (int i = 0; i < 12; i++) first[i] = curand(&one);
    for (int i = 0; i < 12; i += 4) {
        const uint4 v = curand4(&four);
        bad += v.x != first[i] || v.y != first[i + 1] || v.z != first[i + 2] || v.w != first[i + 3];
    }
    for (int i = 5; i < 12; i++) bad += curand(&late) != first[i];
    curand_init(1234, 0, 3, &late);
    skipahead_sequence(threadIdx.x, &late);
    const float u = curand_uniform(&late);
    bad += u != (float)first[3] * 2.3283064e-10f + 1.16415322e-10f;
    const float4 f = curand_uniform4(&late);
    bad += f.x != (float)first[4] * 2.3283064e-10f + 1.16415322e-10f || f.w != (float)first[7] * 2.3283064e-10f + 1.16415322e-10f;
    atomicAdd(&failures, (int)bad);
}

__host__ __device__ bool near(double is, double should, double by) { return fabs(is - should) < by; }
__device__ bool about(double is, double should) { return near(is, should, 2e-5 * fabs(should)); }

// What an H200 gives, with CUDA 13.0, in this order.
__global__ void as_a_gpu() {
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
    atomicAdd(&failures, (int)bad);
}

template <class State> __global__ void seed(State *states, unsigned long long seed) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    curand_init(seed, i, 0, &states[i]);
}

// Pi, the average and the spread of normal numbers, and the average of doubles: sums[0] to sums[3].
template <class State> __global__ void average(State *states, double *sums, int rounds) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    State mine = states[i]; // in registers while it is used
    double hits = 0, sum = 0, squares = 0, uniform = 0;
    for (int r = 0; r < rounds; r++) {
        const float x = curand_uniform(&mine), y = curand_uniform(&mine), n = curand_normal(&mine);
        const float2 two = curand_normal2(&mine);
        const double d = curand_uniform_double(&mine) + curand_normal_double(&mine);
        if (!(x > 0 && x <= 1)) __trap();
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

template <class State> static void check() {
    const int threads = 256, rounds = 16, n = threads * rounds;
    State *states;
    double *sums = managed<double>(4);
    CHECK(cudaMalloc(&states, threads * sizeof *states));
    seed<<<2, threads / 2>>>(states, 42);
    average<<<2, threads / 2>>>(states, sums, rounds / 2);
    average<<<2, threads / 2>>>(states, sums, rounds - rounds / 2); // the states go on
    // Six deviations each, of 4,096 or 12,288 numbers.
    LEFT(near(sums[0] / n, M_PI, 6 * 1.64 / std::sqrt(n)) && near(sums[1] / n, 0, 6 / std::sqrt(3 * n)));
    EXPECT(near(sums[2] / n, 1, 6 * std::sqrt(2 / (3.0 * n))) && near(sums[3] / n, 0.5, 6.3 / std::sqrt(n)));
}

static void from_the_host() {
    const size_t n = 5000;
    float *uniform = managed<float>(n), *again = managed<float>(n), *normal = managed<float>(n);
    curandGenerator_t generator = nullptr;
    double sum = 0, squares = 0, half = 0;
    for (float *to : {uniform, again}) { // a new one each time: a seed alone does not begin anew
        if (generator) SUCCEED(curandDestroyGenerator(generator));
        SUCCEED(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT), curandSetPseudoRandomGeneratorSeed(generator, 7));
        SUCCEED(curandGenerateUniform(generator, to, n));
    }
    SUCCEED(curandGenerateNormal(generator, normal, n, 10, 3));
    EXPECT(curandGenerateNormal(generator, normal, n - 1, 10, 3) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
    CHECK(cudaDeviceSynchronize());
    for (size_t i = 0; i < n; i++) {
        EXPECT(uniform[i] == again[i] && uniform[i] > 0 && uniform[i] <= 1);
        half += uniform[i] / n;
        sum += normal[i] / n;
        squares += (normal[i] - 10) * (normal[i] - 10) / n;
    }
    SUCCEED(curandDestroyGenerator(generator));
    EXPECT(near(half, 0.5, 6 * 0.29 / std::sqrt(n)) && near(sum, 10, 18 / std::sqrt(n)) && near(squares, 9, 54 * std::sqrt(2.0 / n)));
}

static void random_numbers() {
    known_answers<<<1, 3>>>();
    same_sequence<<<1, 64>>>();
    as_a_gpu<<<1, 1>>>();
    check<curandStatePhilox4_32_10_t>(), check<curandState>(), check<curandStateMRG32k3a_t>();
    from_the_host();
}

// Sobol's quasi-random numbers in kernels and from the host. What is known came from cuRAND itself (CUDA 13.0), by a
// generator of its host: curandCreateGeneratorHost() of 3 dimensions, run on a processor. scipy.stats.qmc.Sobol's
// unscrambled points of 8 dimensions are the same.
enum { DIMENSIONS = 32, POINTS = 256, KNOWN = 4, OFFSET = 5 };

// Of three dimensions: the first four numbers; the same from number 5 on.
static const unsigned from_0[3][KNOWN] = {{0, 0x80000000, 0xc0000000, 0x40000000}, {0, 0x80000000, 0x40000000, 0xc0000000}, {0, 0x80000000, 0x40000000, 0xc0000000}};
static const unsigned from_5[3][KNOWN] = {{0xe0000000, 0xa0000000, 0x20000000, 0x30000000}, {0xe0000000, 0x20000000, 0xa0000000, 0x50000000}, {0x20000000, 0xe0000000, 0x60000000, 0xf0000000}};
// After four numbers four uniform ones; doubles after eight; normal ones after twelve.
static const float uniform[3][KNOWN] = {{0.375f, 0.875f, 0.625f, 0.125f}, {0.375f, 0.875f, 0.125f, 0.625f}, {0.625f, 0.125f, 0.875f, 0.375f}};
static const double wide[2] = {0.18750000023283064, 0.68750000023283064};
static const double normal[3] = {-0.488776416, 0.887146533, 0.15731068};

static bool is_about(double is, double should) { return std::fabs(is - should) < 2e-6 * std::fabs(should); }

// The vectors that cuRAND gives for the first 32 dimensions, as one number (FNV-1a, of words).
static void vectors(const curandDirectionVectors32_t *v) {
    unsigned long long sum = 0xcbf29ce484222325;
    for (int d = 0; d < DIMENSIONS; d++) for (int i = 0; i < 32; i++) sum = (sum ^ v[d][i]) * 0x100000001b3;
    EXPECT(sum == 0xef91efdd6d827365);
}

// A thread for each dimension; each 256th of the range gets one of 256 points that begin at a multiple of 256.
__global__ void sequences(curandDirectionVectors32_t *v, unsigned *first, unsigned *late, float *forms) {
    const int d = threadIdx.x;
    curandStateSobol32_t s, t;
    curand_init(v[d], 0, &s);
    for (int i = 0; i < KNOWN; i++) first[d * KNOWN + i] = curand(&s);
    for (int i = 0; i < KNOWN; i++) forms[d * 6 + i] = curand_uniform(&s);
    forms[d * 6 + 4] = (float)curand_uniform_double(&s);
    skipahead(3, &s);
    forms[d * 6 + 5] = curand_normal(&s);
    curand_init(v[d], OFFSET, &t);
    for (int i = 0; i < KNOWN; i++) late[d * KNOWN + i] = curand(&t);
    unsigned seen[POINTS / 32] = {};
    curand_init(v[d], 3 * POINTS, &t);
    for (int i = 0; i < POINTS; i++) {
        const unsigned at = curand(&t) >> 24;
        if (seen[at / 32] >> at % 32 & 1) atomicAdd(&failures, 1);
        seen[at / 32] |= 1u << at % 32;
    }
    curand_init(v[d], ~0u, &t); // the last number, and again the first
    curand(&t);
    if (curand(&t) != 0) atomicAdd(&failures, 1);
}

static void in_a_kernel(const curandDirectionVectors32_t *host) {
    curandDirectionVectors32_t *v;
    unsigned *first = managed<unsigned>(DIMENSIONS * KNOWN), *late = managed<unsigned>(DIMENSIONS * KNOWN);
    float *forms = managed<float>(DIMENSIONS * 6);
    CHECK(cudaMalloc(&v, DIMENSIONS * sizeof *v), cudaMemcpy(v, host, DIMENSIONS * sizeof *v, cudaMemcpyHostToDevice));
    sequences<<<1, DIMENSIONS>>>(v, first, late, forms);
    LEFT(forms[4] == (float)wide[0] && is_about(forms[5], normal[0]));
    for (int d = 0; d < 3; d++)
        EACH(i, KNOWN, first[d * KNOWN + i] == from_0[d][i] && late[d * KNOWN + i] == from_5[d][i] && forms[d * 6 + i] == uniform[d][i]);
}

// One dimension after the other.
static void quasi_from_the_host() {
    curandGenerator_t g, pseudo;
    unsigned *x = managed<unsigned>(12);
    float *f = managed<float>(12);
    double *w = managed<double>(12);
    SUCCEED(curandCreateGenerator(&g, CURAND_RNG_QUASI_SOBOL32), curandSetQuasiRandomGeneratorDimensions(g, 3));
    SUCCEED(curandSetGeneratorOrdering(g, CURAND_ORDERING_QUASI_DEFAULT));
    auto gives = [&](const unsigned (*known)[KNOWN]) {
        SUCCEED(curandGenerate(g, x, 12));
        EACH_LEFT(i, 12, x[i] == known[i / KNOWN][i % KNOWN]);
    };
    gives(from_0);
    SUCCEED(curandGenerateUniform(g, f, 12));
    EACH_LEFT(i, 12, f[i] == uniform[i / KNOWN][i % KNOWN]);
    SUCCEED(curandGenerateUniformDouble(g, w, 12), curandGenerateNormal(g, f, 9, 0, 1));
    LEFT(w[0] == wide[0] && w[1] == wide[1]);
    EACH(i, 3, is_about(f[i], normal[i]));
    SUCCEED(curandSetGeneratorOffset(g, OFFSET));
    gives(from_5);
    EXPECT(curandGenerate(g, x, 11) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
    EXPECT(curandSetPseudoRandomGeneratorSeed(g, 1) == CURAND_STATUS_TYPE_ERROR);
    for (unsigned dimensions : {0u, 20001u}) EXPECT(curandSetQuasiRandomGeneratorDimensions(g, dimensions) == CURAND_STATUS_OUT_OF_RANGE);
    SUCCEED(curandCreateGenerator(&pseudo, CURAND_RNG_PSEUDO_DEFAULT));
    EXPECT(curandSetQuasiRandomGeneratorDimensions(pseudo, 2) == CURAND_STATUS_TYPE_ERROR);
    for (curandGenerator_t generator : {pseudo, g}) SUCCEED(curandDestroyGenerator(generator));
}

static void quasi_random() {
    curandDirectionVectors32_t *host;
    SUCCEED(curandGetDirectionVectors32(&host, CURAND_DIRECTION_VECTORS_32_JOEKUO6));
    vectors(host);
    in_a_kernel(host);
    quasi_from_the_host();
}

int main() {
    random_numbers(), quasi_random();
    return verdict();
}
