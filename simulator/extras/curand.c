/*
 * curand.c: random numbers, for include/curand_kernel.h and include/curand.h. The generator is
 * Philox4x32-10: a bijection of a counter under a key, of ten rounds with two multiplications each
 * (J. K. Salmon, M. A. Moraes, R. O. Dror and D. E. Shaw, "Parallel random numbers: as easy as
 * 1, 2, 3", SC 2011).
 */
#include "device_memory.h"
#include "scheduler.h"
#include "stream.h"
#include "thread.h"
#include <curand.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void simt_philox(const unsigned counter[4], const unsigned key[2], unsigned result[4])
{
    uint32_t a = counter[0], b = counter[1], c = counter[2], d = counter[3];
    uint32_t first = key[0], second = key[1];
    for (int round = 0; round < 10; round++) {
        uint64_t p = (uint64_t)0xd2511f53 * a, q = (uint64_t)0xcd9e8d57 * c;
        a = (uint32_t)(q >> 32) ^ b ^ first;
        b = (uint32_t)q;
        c = (uint32_t)(p >> 32) ^ d ^ second;
        d = (uint32_t)p;
        first += 0x9e3779b9; /* of the golden ratio, and of the square root of 3 */
        second += 0xbb67ae85;
    }
    memcpy(result, (uint32_t[]){a, b, c, d}, 4 * sizeof *result);
}

/* ---- the host's: arrays of them ---- */

struct curandGenerator_st {
    unsigned long long seed, next; /* next: of the sequence */
    unsigned type;
    bool of_host;
    cudaStream_t stream;
};

/* What a stream is given. */
enum form { BITS, UNIFORM, UNIFORM_DOUBLE, NORMAL, NORMAL_DOUBLE };
struct order {
    unsigned long long seed, next;
    unsigned type;
    enum form form;
    bool logarithmic, of_host;
    double mean, deviation;
    void *to;
    size_t count;
};

/* Of doubles each takes two. */
static size_t bytes_of(enum form form)
{
    return form == UNIFORM_DOUBLE || form == NORMAL_DOUBLE ? sizeof(double) : sizeof(float);
}

static uint32_t bits_at(const struct order *o, uint64_t number)
{
    uint64_t seed = o->seed ^ (uint64_t)o->type << 56, at = number / 4;
    unsigned result[4];
    simt_philox((unsigned[]){(unsigned)at, (unsigned)(at >> 32), 0, 0},
                (unsigned[]){(unsigned)seed, (unsigned)(seed >> 32)}, result);
    return result[number % 4];
}

/* More than 0, at most 1. */
static double uniform_at(const struct order *o, size_t i)
{
    if (bytes_of(o->form) == sizeof(float))
        return bits_at(o, o->next + i) * 0x1p-32 + 0x1p-33;
    uint64_t high = bits_at(o, o->next + 2 * i), low = bits_at(o, o->next + 2 * i + 1);
    return (double)((high << 32 | low) >> 11) * 0x1p-53 + 0x1p-54;
}

/* Of a pair, each from both of its uniform numbers (Box and Muller 1958). */
static double normal_at(const struct order *o, size_t i)
{
    double radius = sqrt(-2 * log(uniform_at(o, i / 2 * 2)));
    double angle = 2 * M_PI * uniform_at(o, i / 2 * 2 + 1);
    double x = o->mean + o->deviation * radius * (i % 2 == 0 ? sin(angle) : cos(angle));
    return o->logarithmic ? exp(x) : x;
}

static void put(const struct order *o, size_t i, void *to)
{
    uint32_t bits = o->form == BITS ? bits_at(o, o->next + i) : 0;
    double x = o->form == BITS                                   ? 0
               : o->form == UNIFORM || o->form == UNIFORM_DOUBLE ? uniform_at(o, i)
                                                                 : normal_at(o, i);
    float narrow = (float)x;
    memcpy(to,
           o->form == BITS                 ? &bits
           : bytes_of(o->form) == sizeof x ? (void *)&x
                                           : &narrow,
           bytes_of(o->form));
}

/* The work of a stream. */
static cudaError_t generate(const void *data)
{
    const struct order *o = data;
    char piece[4096];
    size_t bytes = bytes_of(o->form), room = sizeof piece / bytes;
    cudaError_t error = cudaSuccess;
    for (size_t done = 0, n; done < o->count && error == cudaSuccess; done += n) {
        n = o->count - done < room ? o->count - done : room;
        for (size_t i = 0; i < n; i++)
            put(o, done + i, piece + i * bytes);
        struct copy copy = {.to = (char *)o->to + done * bytes, .from = piece, .height = 1};
        copy.to_pitch = copy.from_pitch = copy.width = n * bytes;
        copy.kind = o->of_host ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice;
        error = memory_copy(&copy);
    }
    return error;
}

static curandStatus_t give(curandGenerator_t g, struct order order)
{
    bool normal = order.form == NORMAL || order.form == NORMAL_DOUBLE;
    if (!g)
        return CURAND_STATUS_NOT_INITIALIZED;
    if (normal && order.count % 2 != 0)
        return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    order.seed = g->seed;
    order.next = g->next;
    order.type = g->type;
    order.of_host = g->of_host;
    g->next += order.count * bytes_of(order.form) / sizeof(float);
    int device = 0;
    cudaError_t error = cudaStreamGetDevice(g->stream, &device);
    if (error == cudaSuccess)
        error = g->of_host
                    ? generate(&order)
                    : stream_submit(g->stream, (unsigned)device, generate, &order, sizeof order);
    return error == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}

static curandStatus_t create(curandGenerator_t *generator, curandRngType_t type, bool of_host)
{
    struct curandGenerator_st *g = calloc(1, sizeof *g);
    if (!g)
        return CURAND_STATUS_ALLOCATION_FAILED;
    g->type = type == CURAND_RNG_PSEUDO_DEFAULT ? CURAND_RNG_PSEUDO_XORWOW : type;
    g->of_host = of_host;
    *generator = g;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type)
{
    return create(generator, type, false);
}

curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t type)
{
    return create(generator, type, true);
}

curandStatus_t curandDestroyGenerator(curandGenerator_t generator)
{
    if (!generator)
        return CURAND_STATUS_NOT_INITIALIZED;
    free(generator);
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetVersion(int *version)
{
    *version = CURAND_VERSION;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream)
{
    if (!generator)
        return CURAND_STATUS_NOT_INITIALIZED;
    generator->stream = stream;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                  unsigned long long seed)
{
    if (!generator)
        return CURAND_STATUS_NOT_INITIALIZED;
    generator->seed = seed;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset)
{
    if (!generator)
        return CURAND_STATUS_NOT_INITIALIZED;
    generator->next = offset;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order)
{
    (void)order; /* none is faster here */
    return generator ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}

curandStatus_t curandGenerateSeeds(curandGenerator_t generator)
{
    return generator ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned *to, size_t count)
{
    return give(generator, (struct order){.form = BITS, .to = to, .count = count});
}

curandStatus_t curandGenerateUniform(curandGenerator_t generator, float *to, size_t count)
{
    return give(generator, (struct order){.form = UNIFORM, .to = to, .count = count});
}

curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double *to, size_t count)
{
    return give(generator, (struct order){.form = UNIFORM_DOUBLE, .to = to, .count = count});
}

static curandStatus_t give_normal(curandGenerator_t generator, enum form form, bool logarithmic,
                                  void *to, size_t count, double mean, double deviation)
{
    return give(generator, (struct order){.form = form,
                                          .logarithmic = logarithmic,
                                          .mean = mean,
                                          .deviation = deviation,
                                          .to = to,
                                          .count = count});
}

curandStatus_t curandGenerateNormal(curandGenerator_t generator, float *to, size_t count,
                                    float mean, float deviation)
{
    return give_normal(generator, NORMAL, false, to, count, mean, deviation);
}

curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double *to, size_t count,
                                          double mean, double deviation)
{
    return give_normal(generator, NORMAL_DOUBLE, false, to, count, mean, deviation);
}

curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float *to, size_t count,
                                       float mean, float deviation)
{
    return give_normal(generator, NORMAL, true, to, count, mean, deviation);
}

curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double *to, size_t count,
                                             double mean, double deviation)
{
    return give_normal(generator, NORMAL_DOUBLE, true, to, count, mean, deviation);
}
