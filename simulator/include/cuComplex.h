/* cuComplex.h: complex numbers by cuComplex's names, for kernels and host. A quotient is scaled
   before it is divided, so that nothing overflows on the way; last bits may differ from a GPU's. */
#pragma once

#include "cuda_runtime.h"
#include <math.h>

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

/* For T, the type of a part, with A after the names of double (cuCadd) or float (cuCaddf). */
#define SIMT_COMPLEX(C, T, A, MAKE, HYPOT, FABS)                                                   \
    static inline C MAKE(T x, T y)                                                                 \
    {                                                                                              \
        C z = {x, y};                                                                              \
        return z;                                                                                  \
    }                                                                                              \
    static inline T cuCreal##A(C z) { return z.x; }                                                \
    static inline T cuCimag##A(C z) { return z.y; }                                                \
    static inline C cuConj##A(C z) { return MAKE(z.x, -z.y); }                                     \
    static inline C cuCadd##A(C a, C b) { return MAKE(a.x + b.x, a.y + b.y); }                     \
    static inline C cuCsub##A(C a, C b) { return MAKE(a.x - b.x, a.y - b.y); }                     \
    static inline C cuCmul##A(C a, C b)                                                            \
    {                                                                                              \
        return MAKE(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                                 \
    }                                                                                              \
    static inline C cuCdiv##A(C a, C b)                                                            \
    {                                                                                              \
        T scale = 1 / (FABS(b.x) + FABS(b.y));                                                     \
        C p = MAKE(a.x * scale, a.y * scale), q = MAKE(b.x * scale, b.y * scale);                  \
        T square = 1 / (q.x * q.x + q.y * q.y);                                                    \
        return MAKE((p.x * q.x + p.y * q.y) * square, (p.y * q.x - p.x * q.y) * square);           \
    }                                                                                              \
    static inline T cuCabs##A(C z) { return HYPOT(z.x, z.y); }                                     \
    static inline C cuCfma##A(C a, C b, C c) { return cuCadd##A(cuCmul##A(a, b), c); }
SIMT_COMPLEX(cuFloatComplex, float, f, make_cuFloatComplex, hypotf, fabsf)
SIMT_COMPLEX(cuDoubleComplex, double, , make_cuDoubleComplex, hypot, fabs)

static inline cuComplex make_cuComplex(float x, float y) { return make_cuFloatComplex(x, y); }

static inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z)
{
    return make_cuFloatComplex((float)z.x, (float)z.y);
}

static inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z)
{
    return make_cuDoubleComplex(z.x, z.y);
}
