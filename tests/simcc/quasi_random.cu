// Sobol's quasi-random numbers in kernels and from the host. What is known came from cuRAND itself (CUDA 13.0), by a
// generator of its host: curandCreateGeneratorHost() of 3 dimensions, run on a processor. scipy.stats.qmc.Sobol's
// unscrambled points of 8 dimensions are the same.
#include <cmath>
#include <cstdio>
#include <curand.h>
#include <curand_kernel.h>

enum { DIMENSIONS = 32, POINTS = 256, KNOWN = 4, OFFSET = 5 };
static int wrong;
#define EXPECT(x) (void)((x) || (std::printf("line %d: %s\n", __LINE__, #x), ++wrong))

// Of three dimensions: the first four numbers; the same from number 5 on.
static const unsigned from_0[3][KNOWN] = {{0, 0x80000000, 0xc0000000, 0x40000000}, {0, 0x80000000, 0x40000000, 0xc0000000}, {0, 0x80000000, 0x40000000, 0xc0000000}};
static const unsigned from_5[3][KNOWN] = {{0xe0000000, 0xa0000000, 0x20000000, 0x30000000}, {0xe0000000, 0x20000000, 0xa0000000, 0x50000000}, {0x20000000, 0xe0000000, 0x60000000, 0xf0000000}};
// After four numbers four uniform ones; doubles after eight; normal ones after twelve.
static const float uniform[3][KNOWN] = {{0.375f, 0.875f, 0.625f, 0.125f}, {0.375f, 0.875f, 0.125f, 0.625f}, {0.625f, 0.125f, 0.875f, 0.375f}};
static const double wide[2] = {0.18750000023283064, 0.68750000023283064};
static const double normal[3] = {-0.488776416, 0.887146533, 0.15731068};

static bool about(double is, double should) { return std::fabs(is - should) < 2e-6 * std::fabs(should); }

// The vectors that cuRAND gives for the first 32 dimensions, as one number (FNV-1a, of words).
static void vectors(const curandDirectionVectors32_t *v)
{
    unsigned long long sum = 0xcbf29ce484222325;
    for (int d = 0; d < DIMENSIONS; d++)
        for (int i = 0; i < 32; i++)
            sum = (sum ^ v[d][i]) * 0x100000001b3;
    EXPECT(sum == 0xef91efdd6d827365);
}

// A thread for each dimension; each 256th of the range gets one of 256 points that begin at a multiple of 256.
__global__ void sequences(curandDirectionVectors32_t *v, unsigned *first, unsigned *late, float *forms, unsigned *doubled)
{
    const int d = threadIdx.x;
    curandStateSobol32_t s, t;
    curand_init(v[d], 0, &s);
    for (int i = 0; i < KNOWN; i++)
        first[d * KNOWN + i] = curand(&s);
    for (int i = 0; i < KNOWN; i++)
        forms[d * 6 + i] = curand_uniform(&s);
    forms[d * 6 + 4] = (float)curand_uniform_double(&s);
    skipahead(3, &s);
    forms[d * 6 + 5] = curand_normal(&s);
    curand_init(v[d], OFFSET, &t);
    for (int i = 0; i < KNOWN; i++)
        late[d * KNOWN + i] = curand(&t);
    unsigned seen[POINTS / 32] = {};
    curand_init(v[d], 3 * POINTS, &t);
    for (int i = 0; i < POINTS; i++) {
        const unsigned at = curand(&t) >> 24;
        if (seen[at / 32] >> at % 32 & 1)
            atomicAdd(doubled, 1u);
        seen[at / 32] |= 1u << at % 32;
    }
    curand_init(v[d], ~0u, &t); // the last number, and again the first
    curand(&t);
    if (curand(&t) != 0)
        atomicAdd(doubled, 1u);
}

static void in_a_kernel(const curandDirectionVectors32_t *host)
{
    curandDirectionVectors32_t *v;
    unsigned *first, *late, *doubled;
    float *forms;
    EXPECT(cudaMalloc(&v, DIMENSIONS * sizeof *v) == cudaSuccess);
    EXPECT(cudaMallocManaged(&first, DIMENSIONS * KNOWN * sizeof *first) == cudaSuccess);
    EXPECT(cudaMallocManaged(&late, DIMENSIONS * KNOWN * sizeof *late) == cudaSuccess);
    EXPECT(cudaMallocManaged(&forms, DIMENSIONS * 6 * sizeof *forms) == cudaSuccess);
    EXPECT(cudaMallocManaged(&doubled, sizeof *doubled) == cudaSuccess);
    *doubled = 0;
    EXPECT(cudaMemcpy(v, host, DIMENSIONS * sizeof *v, cudaMemcpyHostToDevice) == cudaSuccess);
    sequences<<<1, DIMENSIONS>>>(v, first, late, forms, doubled);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    EXPECT(*doubled == 0);
    for (int d = 0; d < 3; d++) {
        for (int i = 0; i < KNOWN; i++) {
            EXPECT(first[d * KNOWN + i] == from_0[d][i]);
            EXPECT(late[d * KNOWN + i] == from_5[d][i]);
            EXPECT(forms[d * 6 + i] == uniform[d][i]);
        }
    }
    EXPECT(forms[4] == (float)wide[0]);
    EXPECT(about(forms[5], normal[0]));
    for (void *p : {(void *)v, (void *)first, (void *)late, (void *)forms, (void *)doubled})
        EXPECT(cudaFree(p) == cudaSuccess);
}

// One dimension after the other.
template <class T, class F> static void from(curandGenerator_t g, T *to, size_t n, F make)
{
    T *p;
    EXPECT(cudaMalloc(&p, n * sizeof *p) == cudaSuccess);
    EXPECT(make(g, p) == CURAND_STATUS_SUCCESS);
    EXPECT(cudaMemcpy(to, p, n * sizeof *p, cudaMemcpyDeviceToHost) == cudaSuccess);
    EXPECT(cudaFree(p) == cudaSuccess);
}

static void from_the_host()
{
    curandGenerator_t g, pseudo;
    unsigned x[12];
    float f[12];
    double w[12];
    EXPECT(curandCreateGenerator(&g, CURAND_RNG_QUASI_SOBOL32) == CURAND_STATUS_SUCCESS);
    EXPECT(curandSetQuasiRandomGeneratorDimensions(g, 3) == CURAND_STATUS_SUCCESS);
    EXPECT(curandSetGeneratorOrdering(g, CURAND_ORDERING_QUASI_DEFAULT) == CURAND_STATUS_SUCCESS);
    from(g, x, 12, [](curandGenerator_t g, unsigned *p) { return curandGenerate(g, p, 12); });
    for (int i = 0; i < 12; i++)
        EXPECT(x[i] == from_0[i / KNOWN][i % KNOWN]);
    from(g, f, 12, [](curandGenerator_t g, float *p) { return curandGenerateUniform(g, p, 12); });
    for (int i = 0; i < 12; i++)
        EXPECT(f[i] == uniform[i / KNOWN][i % KNOWN]);
    from(g, w, 12, [](curandGenerator_t g, double *p) { return curandGenerateUniformDouble(g, p, 12); });
    EXPECT(w[0] == wide[0] && w[1] == wide[1]);
    from(g, f, 9, [](curandGenerator_t g, float *p) { return curandGenerateNormal(g, p, 9, 0, 1); });
    for (int i = 0; i < 3; i++)
        EXPECT(about(f[i], normal[i]));
    EXPECT(curandSetGeneratorOffset(g, OFFSET) == CURAND_STATUS_SUCCESS);
    from(g, x, 12, [](curandGenerator_t g, unsigned *p) { return curandGenerate(g, p, 12); });
    for (int i = 0; i < 12; i++)
        EXPECT(x[i] == from_5[i / KNOWN][i % KNOWN]);
    EXPECT(curandGenerate(g, x, 11) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
    EXPECT(curandSetPseudoRandomGeneratorSeed(g, 1) == CURAND_STATUS_TYPE_ERROR);
    EXPECT(curandSetQuasiRandomGeneratorDimensions(g, 0) == CURAND_STATUS_OUT_OF_RANGE);
    EXPECT(curandSetQuasiRandomGeneratorDimensions(g, 20001) == CURAND_STATUS_OUT_OF_RANGE);
    EXPECT(curandCreateGenerator(&pseudo, CURAND_RNG_PSEUDO_DEFAULT) == CURAND_STATUS_SUCCESS);
    EXPECT(curandSetQuasiRandomGeneratorDimensions(pseudo, 2) == CURAND_STATUS_TYPE_ERROR);
    EXPECT(curandDestroyGenerator(pseudo) == CURAND_STATUS_SUCCESS);
    EXPECT(curandDestroyGenerator(g) == CURAND_STATUS_SUCCESS);
}

int main()
{
    curandDirectionVectors32_t *host;
    EXPECT(curandGetDirectionVectors32(&host, CURAND_DIRECTION_VECTORS_32_JOEKUO6) == CURAND_STATUS_SUCCESS);
    vectors(host);
    in_a_kernel(host);
    from_the_host();
    std::printf("quasi-random numbers: %d wrong\n", wrong);
    return wrong != 0;
}
