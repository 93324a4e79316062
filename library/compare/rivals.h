/* rivals.h: what sum_f32() is compared with. */
#ifndef RIVALS_H
#define RIVALS_H

#include "lesson.h"

#ifdef __cplusplus
extern "C" {
#endif

struct rival {
    const char *name, *version;
    void (*sum)(const float *in, size_t n, float *out, cudaStream_t stream);
    bool in_graph; /* can be captured; else it waits for its sum */
};

/* Each allocates what it needs at its first sum, and ends the program, by CUDA_CHECK, on an
   error. The last three exist if the program was made with CCCL=FOLDER. */
struct rival cub_rival(void);
struct rival thrust_rival(void);
struct rival cublas_rival(void); /* sums |x|: the nearest that cuBLAS has */
struct rival newer_cub_rival(void);
struct rival unordered_cub_rival(void);
struct rival reproducible_cub_rival(void); /* the same bits on every GPU */

#ifdef __cplusplus
}
#endif

#endif
