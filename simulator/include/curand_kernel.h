/* curand_kernel.h: random numbers in kernels, by the names of cuRAND's device API
   (docs.nvidia.com/cuda/curand). Philox's whole numbers and uniform floats, and Sobol's, are
   NVIDIA's; curandState and curandStateMRG32k3a_t are Philox with other keys: other numbers. */
#pragma once

#include "cuda_runtime.h"
#include "curand.h"

extern "C" void simt_philox(const unsigned counter[4], const unsigned key[2], unsigned result[4]);

/* Numbers of a seed: 2^64 subsequences of 2^66, the counter's halves. Four come at a time. */
template <int _TYPE> struct alignas(16) simt_curand_state {
    unsigned counter[4], result[4], key[2], used; /* of the result */
    unsigned has_normal, has_double;              /* the second one of a pair is left */
    float normal;
    double normal_double; /* no gaps: a copy of a state reads all of it */
};
typedef simt_curand_state<CURAND_RNG_PSEUDO_PHILOX4_32_10> curandStatePhilox4_32_10_t,
    curandStatePhilox4_32_10;
typedef simt_curand_state<CURAND_RNG_PSEUDO_XORWOW> curandStateXORWOW_t, curandStateXORWOW,
    curandState_t, curandState;
typedef simt_curand_state<CURAND_RNG_PSEUDO_MRG32K3A> curandStateMRG32k3a_t, curandStateMRG32k3a;

/* Adds to the counter, from this word on, and works out what is there. */
template <int _TYPE>
SIMT_INLINE void simt_curand_go(simt_curand_state<_TYPE> *s, unsigned word, unsigned long long by)
{
    unsigned counter[4], key[2] = {s->key[0], s->key[1]}, result[4];
    unsigned long long half[2], old;
    for (int i = 0; i < 2; i++)
        half[i] = (unsigned long long)s->counter[2 * i + 1] << 32 | s->counter[2 * i];
    old = half[word / 2];
    half[word / 2] += by;
    half[1] += word == 0 && half[0] < old;
    for (int i = 0; i < 4; i++)
        counter[i] = (unsigned)(half[i / 2] >> i % 2 * 32);
    simt_philox(counter, key, result);
    for (int i = 0; i < 4; i++)
        s->counter[i] = counter[i];
    for (int i = 0; i < 4; i++)
        s->result[i] = result[i];
}

template <int _TYPE>
SIMT_INLINE void skipahead(unsigned long long numbers, simt_curand_state<_TYPE> *s)
{
    unsigned long long past = s->used + numbers % 4;
    s->used = (unsigned)(past % 4);
    simt_curand_go(s, 0, numbers / 4 + past / 4);
}
template <int _TYPE>
SIMT_INLINE void skipahead_sequence(unsigned long long sequences, simt_curand_state<_TYPE> *s)
{
    simt_curand_go(s, 2, sequences);
}
SIMT_INLINE void skipahead_subsequence(unsigned long long sequences, curandStateMRG32k3a_t *s)
{
    simt_curand_go(s, 2, sequences);
}

template <int _TYPE>
SIMT_INLINE void curand_init(unsigned long long seed, unsigned long long subsequence,
                             unsigned long long offset, simt_curand_state<_TYPE> *s)
{
    if (_TYPE != CURAND_RNG_PSEUDO_PHILOX4_32_10)
        seed += _TYPE * 0x9e3779b97f4a7c15ull;
    for (int i = 0; i < 4; i++)
        s->counter[i] = i < 2 ? 0 : (unsigned)(subsequence >> i % 2 * 32);
    s->key[0] = (unsigned)seed;
    s->key[1] = (unsigned)(seed >> 32);
    s->used = 0;
    s->has_normal = s->has_double = 0;
    s->normal = 0;
    s->normal_double = 0;
    skipahead(offset, s);
}

/* ---- whole numbers ---- */

template <int _TYPE> SIMT_INLINE unsigned curand(simt_curand_state<_TYPE> *s)
{
    unsigned used = s->used, x = s->result[used];
    s->used = (used + 1) % 4;
    if (used == 3)
        simt_curand_go(s, 0, 1);
    return x;
}
SIMT_INLINE uint4 curand4(curandStatePhilox4_32_10_t *s)
{
    unsigned x = curand(s), y = curand(s), z = curand(s);
    return {x, y, z, curand(s)};
}

/* ---- uniform: 0 is none of them, 1 is ---- */

SIMT_INLINE float simt_uniform(unsigned x)
{
    return (float)x * (1 / 4294967296.0f) + 1 / 8589934592.0f;
}
/* Of 53 bits. */
SIMT_INLINE double simt_uniform_double(unsigned x, unsigned y)
{
    return (double)(x ^ (unsigned long long)y << 21) * (1 / 9007199254740992.0) +
           1 / 18014398509481984.0;
}
template <int _TYPE> SIMT_INLINE float curand_uniform(simt_curand_state<_TYPE> *s)
{
    return simt_uniform(curand(s));
}
/* Philox makes a double of one number, as NVIDIA's does, the others of two. */
template <int _TYPE> SIMT_INLINE double curand_uniform_double(simt_curand_state<_TYPE> *s)
{
    unsigned x = curand(s);
    return _TYPE == CURAND_RNG_PSEUDO_PHILOX4_32_10 ? (x + 1.0) / 4294967296.0
                                                    : simt_uniform_double(x, curand(s));
}
SIMT_INLINE float4 curand_uniform4(curandStatePhilox4_32_10_t *s)
{
    uint4 v = curand4(s);
    return {simt_uniform(v.x), simt_uniform(v.y), simt_uniform(v.z), simt_uniform(v.w)};
}
SIMT_INLINE double2 curand_uniform2_double(curandStatePhilox4_32_10_t *s)
{
    uint4 v = curand4(s);
    return {simt_uniform_double(v.x, v.y), simt_uniform_double(v.z, v.w)};
}

/* ---- normal, of mean 0 and deviation 1: a pair from two uniform numbers (Box and Muller 1958) */

SIMT_INLINE float2 simt_normal(unsigned x, unsigned y)
{
    float angle = simt_uniform(y) * 2 * (float)M_PI, radius = sqrtf(-2 * logf(simt_uniform(x)));
    return {radius * sinf(angle), radius * cosf(angle)};
}
template <int _TYPE> SIMT_INLINE float2 curand_normal2(simt_curand_state<_TYPE> *s)
{
    unsigned x = curand(s);
    return simt_normal(x, curand(s));
}
template <int _TYPE> SIMT_INLINE double2 curand_normal2_double(simt_curand_state<_TYPE> *s)
{
    unsigned a = curand(s), b = curand(s), c = curand(s);
    double angle = 2 * M_PI * simt_uniform_double(c, curand(s));
    double radius = sqrt(-2 * log(simt_uniform_double(a, b)));
    return {radius * sin(angle), radius * cos(angle)};
}
SIMT_INLINE float4 curand_normal4(curandStatePhilox4_32_10_t *s)
{
    uint4 v = curand4(s);
    float2 a = simt_normal(v.x, v.y), b = simt_normal(v.z, v.w);
    return {a.x, a.y, b.x, b.y};
}
#define SIMT_CURAND_NORMAL(T, NAME, PAIR, HAS, LEFT)                                               \
    template <int _TYPE> SIMT_INLINE T NAME(simt_curand_state<_TYPE> *s)                           \
    {                                                                                              \
        if (s->HAS) {                                                                              \
            s->HAS = 0;                                                                            \
            return s->LEFT;                                                                        \
        }                                                                                          \
        auto pair = PAIR(s);                                                                       \
        s->HAS = 1;                                                                                \
        s->LEFT = pair.y;                                                                          \
        return pair.x;                                                                             \
    }
SIMT_CURAND_NORMAL(float, curand_normal, curand_normal2, has_normal, normal)
SIMT_CURAND_NORMAL(double, curand_normal_double, curand_normal2_double, has_double, normal_double)

/* ---- Sobol's quasi-random sequence: one dimension for each state ---- */

extern "C" void simt_no_sobol(void);
extern "C" double simt_sobol_normal(unsigned bits);

typedef struct curandStateSobol32 {
    unsigned i, x, c; /* the next number's place and value; c: 0 */
    unsigned direction_vectors[32];
} curandStateSobol32_t;

SIMT_INLINE void skipahead(unsigned numbers, curandStateSobol32_t *s)
{
    unsigned i = s->i + numbers, gray = i ^ i >> 1, x = s->c;
    for (int k = 0; k < 32; k++)
        if (gray >> k & 1)
            x ^= s->direction_vectors[k];
    s->i = i;
    s->x = x;
}
SIMT_INLINE void curand_init(const unsigned *direction_vectors, unsigned offset,
                             curandStateSobol32_t *s)
{
    if (direction_vectors[0] != 1u << 31) /* so it is in all dimensions */
        simt_no_sobol();
    for (int k = 0; k < 32; k++)
        s->direction_vectors[k] = direction_vectors[k];
    s->i = s->c = 0;
    skipahead(offset, s);
}
/* From one number to the next one bit of the Gray code changes. */
SIMT_INLINE unsigned curand(curandStateSobol32_t *s)
{
    unsigned i = s->i, x = s->x;
    s->i = i + 1;
    s->x = i + 1 == 0 ? s->c : x ^ s->direction_vectors[__builtin_ctz(~i)];
    return x;
}
SIMT_INLINE float curand_uniform(curandStateSobol32_t *s) { return simt_uniform(curand(s)); }
SIMT_INLINE double curand_uniform_double(curandStateSobol32_t *s)
{
    return (curand(s) + 1.0) / 4294967296.0;
}
/* Each from one number, which Box and Muller's would not be: the pair would be of one dimension. */
SIMT_INLINE float curand_normal(curandStateSobol32_t *s)
{
    return (float)simt_sobol_normal(curand(s));
}
SIMT_INLINE double curand_normal_double(curandStateSobol32_t *s)
{
    return simt_sobol_normal(curand(s));
}
template <class _S> SIMT_INLINE float curand_log_normal(_S *s, float mean, float deviation)
{
    return expf(mean + deviation * curand_normal(s));
}
template <class _S>
SIMT_INLINE double curand_log_normal_double(_S *s, double mean, double deviation)
{
    return exp(mean + deviation * curand_normal_double(s));
}

/* ---- Poisson's, of this mean: by products of uniform numbers, from 64 on by a normal one ---- */

template <int _TYPE> SIMT_INLINE unsigned curand_poisson(simt_curand_state<_TYPE> *s, double mean)
{
    if (mean >= 64) {
        double x = mean + sqrt(mean) * curand_normal_double(s) + 0.5;
        return x < 0 ? 0 : (unsigned)x;
    }
    unsigned count = 0;
    for (double product = curand_uniform_double(s), least = exp(-mean); product > least; count++)
        product *= curand_uniform_double(s);
    return count;
}
