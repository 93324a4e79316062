/* element.c: see element.h. */
#include "element.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *name;
    size_t bytes, sum_bytes;
    double roundoff;
} elements[] = {
    [ELEMENT_FLOAT] = {"float", 4, 4, 0x1p-24},
    [ELEMENT_HALF] = {"half", 2, 4, 0x1p-24},
    [ELEMENT_BFLOAT16] = {"bfloat16", 2, 4, 0x1p-24},
    [ELEMENT_DOUBLE] = {"double", 8, 8, 0x1p-53},
    [ELEMENT_INT32] = {"int32", 4, 8, 0},
};

const char *element_name(enum element element)
{
    return elements[element].name;
}

size_t element_bytes(enum element element)
{
    return elements[element].bytes;
}

size_t element_sum_bytes(enum element element)
{
    return elements[element].sum_bytes;
}

double element_roundoff(enum element element)
{
    return elements[element].roundoff;
}

/* Each loop below converts numbers of one type by a few operations, without a call or a branch: the
   compiler's own conversions to half take four times as long where the processor has none. */

static uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static float of_bits(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The bits of a float without its last ones, rounded to nearest even. From the largest floats an
   infinity comes, and from a NaN anything. */
static uint32_t without(unsigned last, uint32_t bits)
{
    uint32_t half = 1u << (last - 1);
    return (bits + half - 1 + (bits >> last & 1)) & ~(2 * half - 1);
}

/* Halves below 2^-14 are multiples of 2^-24, as floats from 1/2 to 1 are. */
static float half_size(float size)
{
    float rounded = size < 0x1p-14f ? size + 0.5f - 0.5f : of_bits(without(13, bits_of(size)));
    return rounded > 65504 ? INFINITY : rounded;
}

static float half_value(float x)
{
    return isnan(x) ? x : copysignf(half_size(fabsf(x)), x);
}

static uint16_t half_bits(float x)
{
    float size = half_size(fabsf(x));
    uint32_t sign = bits_of(x) >> 16 & 0x8000;
    uint32_t normal = (bits_of(size) >> 13) - (127 - 15) * 1024;
    uint32_t subnormal = bits_of(size + 0.5f) - bits_of(0.5f);
    uint32_t bits = size < 0x1p-14f ? subnormal : size > 65504 ? 0x7c00 : normal;
    return (uint16_t)(isnan(x) ? 0x7fff : sign | bits);
}

/* A bfloat16 is the upper 16 bits of a float. */
static float bfloat16_value(float x)
{
    return isnan(x) ? x : of_bits(without(16, bits_of(x)));
}

static uint16_t bfloat16_bits(float x)
{
    return isnan(x) ? 0x7fff : (uint16_t)(without(16, bits_of(x)) >> 16);
}

/* Near 1.5 * 2^52 doubles are whole numbers, so an addition rounds to one. */
static int32_t int32_of(float x)
{
    const float most = 0x7fffff80; /* the largest float below 2^31 */
    float scaled = x * 0x1p24f;
    scaled = scaled > most ? most : scaled < -most ? -most : scaled;
    double rounded = (double)scaled + 0x1.8p52 - 0x1.8p52;
    return isnan(x) ? 0 : (int32_t)rounded;
}

const float *element_values(enum element element, const float *x, size_t n, float *values)
{
    switch (element) {
    case ELEMENT_HALF:
#pragma omp simd
        for (size_t i = 0; i < n; i++)
            values[i] = half_value(x[i]);
        return values;
    case ELEMENT_BFLOAT16:
#pragma omp simd
        for (size_t i = 0; i < n; i++)
            values[i] = bfloat16_value(x[i]);
        return values;
    case ELEMENT_INT32:
#pragma omp simd
        for (size_t i = 0; i < n; i++)
            values[i] = (float)int32_of(x[i]);
        return values;
    default:
        return x;
    }
}

float element_value(enum element element, float x)
{
    float value;
    return *element_values(element, &x, 1, &value);
}

static void make_some(enum element element, const float *x, size_t n, void *out)
{
    uint16_t *two = out;
    int32_t *four = out;
    double *eight = out;
    switch (element) {
    case ELEMENT_HALF:
#pragma omp simd
        for (size_t i = 0; i < n; i++)
            two[i] = half_bits(x[i]);
        break;
    case ELEMENT_BFLOAT16:
#pragma omp simd
        for (size_t i = 0; i < n; i++)
            two[i] = bfloat16_bits(x[i]);
        break;
    case ELEMENT_DOUBLE:
#pragma omp simd
        for (size_t i = 0; i < n; i++)
            eight[i] = (double)x[i];
        break;
    case ELEMENT_INT32:
#pragma omp simd
        for (size_t i = 0; i < n; i++)
            four[i] = int32_of(x[i]);
        break;
    default:
        memcpy(out, x, n * sizeof *x);
    }
}

void make_elements(enum element element, const float *x, size_t n, void *out)
{
    const size_t some = 1 << 14;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i += some)
        make_some(element, x + i, n - i < some ? n - i : some,
                  (char *)out + i * element_bytes(element));
}
