/* cub_types.h: CUB's sums of other types than float. */
#ifndef CUB_TYPES_H
#define CUB_TYPES_H

#include "element.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef void (*type_sum)(const void *in, size_t n, void *out, cudaStream_t stream);

/* CUB's sum of n elements, in the accumulator that the library has for them, to a sum of that type:
   float for half and bfloat16, 64 bits for int32. That of the toolkit, and of CCCL=FOLDER if the
   program was made with it. Each ends the program, by CUDA_CHECK, on an error. */
type_sum cub_sum_of(enum element element);
type_sum newer_cub_sum_of(enum element element);

/* cub::DeviceReduce::Sum from half to half, or from bfloat16 to bfloat16; NULL for other types. It
   writes 2 bytes. */
type_sum cub_own_sum_of(enum element element);

const char *cub_types_version(void); /* "CCCL 3.0.1" */
const char *newer_cub_types_version(void);

#ifdef __cplusplus
}
#endif
#endif
