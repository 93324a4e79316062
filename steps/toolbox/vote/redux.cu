/*
 * redux: for each row of 32 floats the sum of their bits as whole numbers, modulo 2^32, in one
 * instruction.
 *
 * New:     against vote.cu: the lanes' words are not gathered but added up.
 * Why:     the hardware does it from sm_80 on, and every lane that is named has the sum.
 * Look at: an instruction for each row: ./vote -n 64K -v 'redux*' --counters
 */
#include "words.h"

/* Defined where the compiler makes code for a GPU that has __reduce_add_sync (sm_80 and later),
   for the host or the simulator. */
#ifdef SIMT_SIMULATOR
#define REDUX_CODE
#elif !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define REDUX_CODE
#endif

static __device__ unsigned by_redux(unsigned mask, bool here, float x)
{
#ifdef REDUX_CODE
    return here ? __reduce_add_sync(mask, __float_as_uint(x)) : 0;
#else
    (void)mask, (void)here, (void)x;
    return 0; /* never run: see capability below */
#endif
}

extern const struct variant variant_redux = {
    .name = "redux",
    .what = "__reduce_add_sync: one instruction for a row",
    .launch = launch_words<by_redux>,
    .per_thread = ROWS_OF_A_WARP,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .capability = 80,
    .task = &redux_task,
};
