/* curand.c: random numbers, for include/curand_kernel.h and include/curand.h: Philox4x32-10
   (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011), and
   Sobol's with the direction numbers of Joe and Kuo (SIAM J. Sci. Comput. 30, 2008; their file
   new-joe-kuo-6.21201). */
#include "device_memory.h"
#include "fault.h"
#include "queue.h"
#include "thread.h"
#include <curand.h>
#include <math.h>

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

/* ---- Sobol's ---- */

/* How many vectors a caller may take; what there is. */
enum { SETS = 20000, DIMENSIONS = 32, BITS_OF_SOBOL = 32, FIRST_NUMBERS = 7 };

/* Of each dimension from the second on: the degree of a primitive polynomial, its coefficients but
   for the first and last as bits, and as many numbers to begin with. */
static const struct {
    unsigned degree, coefficients, first[FIRST_NUMBERS];
} joe_kuo[DIMENSIONS - 1] = {
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
    {7, 7, {1, 1, 3, 13, 7, 35, 63}},
    {7, 8, {1, 3, 5, 9, 1, 25, 53}},
    {7, 14, {1, 3, 1, 13, 9, 35, 107}},
    {7, 19, {1, 3, 1, 5, 27, 61, 31}},
    {7, 21, {1, 1, 5, 11, 19, 41, 61}},
    {7, 28, {1, 3, 5, 3, 3, 13, 69}},
    {7, 31, {1, 1, 7, 13, 1, 19, 1}},
    {7, 32, {1, 3, 7, 5, 13, 19, 59}},
    {7, 37, {1, 1, 3, 9, 25, 29, 41}},
    {7, 41, {1, 3, 5, 13, 23, 1, 55}},
    {7, 42, {1, 3, 7, 3, 13, 59, 17}},
};

static void fill(unsigned v[BITS_OF_SOBOL], unsigned dimension)
{
    for (unsigned i = 0; i < BITS_OF_SOBOL; i++) {
        if (dimension == 0) {
            v[i] = 1u << (31 - i);
            continue;
        }
        unsigned degree = joe_kuo[dimension - 1].degree;
        unsigned coefficients = joe_kuo[dimension - 1].coefficients;
        if (i < degree) {
            v[i] = joe_kuo[dimension - 1].first[i] << (31 - i);
            continue;
        }
        v[i] = v[i - degree] ^ v[i - degree] >> degree;
        for (unsigned k = 1; k < degree; k++)
            v[i] ^= coefficients >> (degree - 1 - k) & 1 ? v[i - k] : 0;
    }
}

/* Beyond the dimensions that there are, zeros: curand_init() sees them. */
static curandDirectionVectors32_t *vectors(void)
{
    static curandDirectionVectors32_t *v;
    if (!v) {
        v = simt_zeroed(SETS, sizeof *v);
        for (unsigned d = 0; d < DIMENSIONS; d++)
            fill(v[d], d);
    }
    return v;
}

curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t **to,
                                           curandDirectionVectorSet_t set)
{
    if (!to || set != CURAND_DIRECTION_VECTORS_32_JOEKUO6)
        return CURAND_STATUS_OUT_OF_RANGE;
    *to = vectors();
    return CURAND_STATUS_SUCCESS;
}

void simt_no_sobol(void)
{
    simt_fault(simt_self, __builtin_return_address(0),
               "curand_init() gets no direction vectors: the simulator has those of %d dimensions",
               DIMENSIONS);
}

/* Number i of a dimension: as many in any 2^k that begin at a multiple of it are in each 2^k-th of
   the range (Antonov and Saleev 1979). */
static uint32_t sobol(const unsigned v[BITS_OF_SOBOL], uint32_t i)
{
    uint32_t x = 0;
    for (uint32_t gray = i ^ i >> 1, k = 0; gray != 0; gray >>= 1, k++)
        x ^= gray & 1 ? v[k] : 0;
    return x;
}

double simt_sobol_normal(unsigned bits)
{
    double p = bits * 0x1p-32 + 0x1p-33, low = -7, high = 7;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (erfc(-middle * M_SQRT1_2) / 2 < p)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* ---- the host's: arrays of them ---- */

struct curandGenerator_st {
    unsigned long long seed, next; /* next: of the sequence */
    unsigned type, dimensions;
    bool of_host;
    cudaStream_t stream;
};

/* What a stream is given. */
enum form { BITS, UNIFORM, UNIFORM_DOUBLE, NORMAL, NORMAL_DOUBLE };
struct order {
    unsigned long long seed, next;
    unsigned type, dimensions;
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

/* One dimension after the other. */
static uint32_t quasi_at(const struct order *o, size_t i)
{
    size_t each = o->count / o->dimensions;
    return sobol(vectors()[i / each], (uint32_t)(o->next + i % each));
}

static double quasi_in_form(const struct order *o, uint32_t bits)
{
    if (o->form == UNIFORM || o->form == UNIFORM_DOUBLE)
        return bits * 0x1p-32 + (o->form == UNIFORM ? 0x1p-33 : 0x1p-32);
    double x = o->mean + o->deviation * simt_sobol_normal(bits);
    return o->logarithmic ? exp(x) : x;
}

static void put(const struct order *o, size_t i, void *to)
{
    bool quasi = o->type == CURAND_RNG_QUASI_SOBOL32;
    uint32_t bits = quasi ? quasi_at(o, i) : o->form == BITS ? bits_at(o, o->next + i) : 0;
    double x = o->form == BITS                                   ? 0
               : quasi                                           ? quasi_in_form(o, bits)
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
    bool quasi = g->type == CURAND_RNG_QUASI_SOBOL32;
    if (quasi ? order.count % g->dimensions != 0 : normal && order.count % 2 != 0)
        return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    order.seed = g->seed;
    order.next = g->next;
    order.type = g->type;
    order.dimensions = g->dimensions;
    order.of_host = g->of_host;
    g->next +=
        quasi ? order.count / g->dimensions : order.count * bytes_of(order.form) / sizeof(float);
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
    g->type = type == CURAND_RNG_PSEUDO_DEFAULT  ? CURAND_RNG_PSEUDO_XORWOW
              : type == CURAND_RNG_QUASI_DEFAULT ? CURAND_RNG_QUASI_SOBOL32
                                                 : type;
    g->dimensions = 1;
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

#define ABOUT(NAME, PARAMETERS, ...)                                                               \
    curandStatus_t NAME PARAMETERS                                                                 \
    {                                                                                              \
        if (!g)                                                                                    \
            return CURAND_STATUS_NOT_INITIALIZED;                                                  \
        __VA_ARGS__;                                                                               \
        return CURAND_STATUS_SUCCESS;                                                              \
    }
ABOUT(curandDestroyGenerator, (curandGenerator_t g), free(g))
ABOUT(curandSetStream, (curandGenerator_t g, cudaStream_t stream), g->stream = stream)
ABOUT(curandSetGeneratorOffset, (curandGenerator_t g, unsigned long long offset), g->next = offset)
ABOUT(curandSetGeneratorOrdering, (curandGenerator_t g, curandOrdering_t order), (void)order)
ABOUT(curandGenerateSeeds, (curandGenerator_t g), )

curandStatus_t curandGetVersion(int *version)
{
    *version = CURAND_VERSION;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t g, unsigned long long seed)
{
    if (!g)
        return CURAND_STATUS_NOT_INITIALIZED;
    if (g->type == CURAND_RNG_QUASI_SOBOL32)
        return CURAND_STATUS_TYPE_ERROR;
    g->seed = seed;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t g, unsigned count)
{
    if (!g)
        return CURAND_STATUS_NOT_INITIALIZED;
    if (g->type != CURAND_RNG_QUASI_SOBOL32)
        return CURAND_STATUS_TYPE_ERROR;
    if (count < 1 || count > SETS)
        return CURAND_STATUS_OUT_OF_RANGE;
    if (count > DIMENSIONS)
        simt_fault(NULL, NULL,
                   "curandSetQuasiRandomGeneratorDimensions() of %u: the simulator has %d", count,
                   DIMENSIONS);
    g->dimensions = count;
    return CURAND_STATUS_SUCCESS;
}

#define GENERATES(NAME, T, FORM)                                                                   \
    curandStatus_t NAME(curandGenerator_t g, T *to, size_t count)                                  \
    {                                                                                              \
        return give(g, (struct order){.form = FORM, .to = to, .count = count});                    \
    }
GENERATES(curandGenerate, unsigned, BITS)
GENERATES(curandGenerateUniform, float, UNIFORM)
GENERATES(curandGenerateUniformDouble, double, UNIFORM_DOUBLE)

#define GENERATES_NORMAL(NAME, T, FORM, LOGARITHMIC)                                               \
    curandStatus_t NAME(curandGenerator_t g, T *to, size_t count, T mean, T deviation)             \
    {                                                                                              \
        struct order o = {.form = FORM, .logarithmic = LOGARITHMIC, .to = to, .count = count};     \
        o.mean = mean, o.deviation = deviation;                                                    \
        return give(g, o);                                                                         \
    }
GENERATES_NORMAL(curandGenerateNormal, float, NORMAL, false)
GENERATES_NORMAL(curandGenerateNormalDouble, double, NORMAL_DOUBLE, false)
GENERATES_NORMAL(curandGenerateLogNormal, float, NORMAL, true)
GENERATES_NORMAL(curandGenerateLogNormalDouble, double, NORMAL_DOUBLE, true)
