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

/* Keeps the upper 16 bits of a float, rounded to nearest even: a bfloat16 is no more than that. */
static uint16_t bfloat16_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    if (isnan(x))
        return 0x7fff;
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

static float of_bfloat16(uint16_t upper)
{
    uint32_t bits = (uint32_t)upper << 16;
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static int32_t int32_of(float x)
{
    const float most = 0x7fffff80; /* the largest float below 2^31 */
    float scaled = x * 0x1p24f;
    if (isnan(x))
        return 0;
    return (int32_t)(scaled > most ? most : scaled < -most ? -most : rintf(scaled));
}

float element_value(enum element element, float x)
{
    switch (element) {
    case ELEMENT_HALF:
        return (float)(_Float16)x;
    case ELEMENT_BFLOAT16:
        return of_bfloat16(bfloat16_of(x));
    case ELEMENT_INT32:
        return (float)int32_of(x);
    default:
        return x;
    }
}

static void make_one(enum element element, float x, void *out, size_t i)
{
    switch (element) {
    case ELEMENT_HALF:
        ((_Float16 *)out)[i] = (_Float16)x;
        break;
    case ELEMENT_BFLOAT16:
        ((uint16_t *)out)[i] = bfloat16_of(x);
        break;
    case ELEMENT_DOUBLE:
        ((double *)out)[i] = (double)x;
        break;
    case ELEMENT_INT32:
        ((int32_t *)out)[i] = int32_of(x);
        break;
    default:
        ((float *)out)[i] = x;
    }
}

void make_elements(enum element element, const float *x, size_t n, void *out)
{
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++)
        make_one(element, x[i], out, i);
}
