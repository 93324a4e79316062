/* cuda_fp16.h: half precision, 1 bit of sign, 5 of exponent, 10 of fraction (IEEE 754 binary16). */
#pragma once

struct __half_raw {
    unsigned short x;
};
struct alignas(4) __half2_raw {
    unsigned short x, y;
};

#define SIMT_H        __half
#define SIMT_H2       __half2
#define SIMT_N        half
#define SIMT_FRACTION 10
#define SIMT_LEAST    -14
#include "simt_float16.h"

typedef __half half, nv_half, __nv_half;
typedef __half2 half2, nv_half2, __nv_half2;

#define CUDART_INF_FP16        __ushort_as_half(0x7c00)
#define CUDART_NAN_FP16        __ushort_as_half(0x7fff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(0x0001)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(0x7bff)
#define CUDART_NEG_ZERO_FP16   __ushort_as_half(0x8000)
#define CUDART_ZERO_FP16       __ushort_as_half(0x0000)
#define CUDART_ONE_FP16        __ushort_as_half(0x3c00)
