/* cuda_bf16.h: bfloat16, the upper half of a float: 1 bit of sign, 8 of exponent, 7 of fraction. */
#pragma once

struct __nv_bfloat16_raw {
    unsigned short x;
};
struct alignas(4) __nv_bfloat162_raw {
    unsigned short x, y;
};

#define SIMT_H        __nv_bfloat16
#define SIMT_H2       __nv_bfloat162
#define SIMT_N        bfloat16
#define SIMT_FRACTION 7
#define SIMT_LEAST    -126
#include "simt_float16.h"

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#define CUDART_INF_BF16        __ushort_as_bfloat16(0x7f80)
#define CUDART_NAN_BF16        __ushort_as_bfloat16(0x7fff)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16(0x0001)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(0x7f7f)
#define CUDART_NEG_ZERO_BF16   __ushort_as_bfloat16(0x8000)
#define CUDART_ZERO_BF16       __ushort_as_bfloat16(0x0000)
#define CUDART_ONE_BF16        __ushort_as_bfloat16(0x3f80)
