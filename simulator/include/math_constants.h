/* math_constants.h: constants by CUDA's names, as float (..._F) and double; the values are those of
   math.h and float.h. */
#pragma once

#include <float.h>
#include <math.h>

#define CUDART_INF_F            __builtin_inff()
#define CUDART_NAN_F            __builtin_nanf("")
#define CUDART_MIN_DENORM_F     FLT_TRUE_MIN
#define CUDART_MAX_NORMAL_F     FLT_MAX
#define CUDART_NEG_ZERO_F       (-0.0f)
#define CUDART_ZERO_F           0.0f
#define CUDART_ONE_F            1.0f
#define CUDART_SQRT_HALF_F      ((float)M_SQRT1_2)
#define CUDART_SQRT_TWO_F       ((float)M_SQRT2)
#define CUDART_THIRD_F          (1.0f / 3)
#define CUDART_PIO4_F           ((float)M_PI_4)
#define CUDART_PIO2_F           ((float)M_PI_2)
#define CUDART_3PIO4_F          ((float)(3 * M_PI_4))
#define CUDART_2_OVER_PI_F      ((float)M_2_PI)
#define CUDART_SQRT_2_OVER_PI_F ((float)(M_2_SQRTPI * M_SQRT1_2))
#define CUDART_PI_F             ((float)M_PI)
#define CUDART_L2E_F            ((float)M_LOG2E)
#define CUDART_LGE_F            ((float)M_LOG10E)
#define CUDART_LN2_F            ((float)M_LN2)
#define CUDART_LNT_F            ((float)M_LN10)

#define CUDART_INF            __builtin_inf()
#define CUDART_NAN            __builtin_nan("")
#define CUDART_NEG_ZERO       (-0.0)
#define CUDART_MIN_DENORM     DBL_TRUE_MIN
#define CUDART_ZERO           0.0
#define CUDART_ONE            1.0
#define CUDART_SQRT_TWO       M_SQRT2
#define CUDART_SQRT_HALF      M_SQRT1_2
#define CUDART_THIRD          (1.0 / 3)
#define CUDART_PIO4           M_PI_4
#define CUDART_PIO2           M_PI_2
#define CUDART_3PIO4          (3 * M_PI_4)
#define CUDART_2_OVER_PI      M_2_PI
#define CUDART_SQRT_2_OVER_PI (M_2_SQRTPI * M_SQRT1_2)
#define CUDART_PI             M_PI
#define CUDART_SQRT_2PI       (2 / (M_2_SQRTPI * M_SQRT1_2))
#define CUDART_L2E            M_LOG2E
#define CUDART_LGE            M_LOG10E
#define CUDART_LN2            M_LN2
#define CUDART_LNT            M_LN10
