/* host_defines.h: the words that CUDA adds to the language. In a .cu file they stay, for
   ../rewrite.c; in C and C++ that is compiled without simcc they are nothing. */
#pragma once

#define __grid_constant__
#define __launch_bounds__(...)
#define __maxnreg__(n)
#ifndef __clang__
#define __builtin_assume(x) ((void)0)
#endif
#define __align__(n) __attribute__((aligned(n)))
#ifndef __forceinline__
#define __forceinline__ inline __attribute__((always_inline))
#endif
#ifndef __CUDACC__
#define __host__
#define __device__
#define __global__
#define __constant__
#define __shared__
#define __managed__
#endif
