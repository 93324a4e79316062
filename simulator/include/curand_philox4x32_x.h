/* curand_philox4x32_x.h: all of it is in curand_kernel.h. */
#include "curand_kernel.h"
