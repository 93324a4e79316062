/*
 * Reduce: the hardware adds up a warp's 32 integers in one instruction (sm_80 and later). For each
 * row of 32 floats, the sum of their bits as integers, modulo 2^32.
 *
 * Look at: ./toolbox08 -v 'redux*' -n 64K     how many shuffles and votes each way takes
 */
#include "words.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

/* One instruction, and every lane named has the sum. */
static __device__ unsigned by_redux(unsigned mask, bool here, float x)
{
#ifdef REDUX_CODE
    return here ? __reduce_add_sync(mask, __float_as_uint(x)) : 0;
#else
    (void)mask, (void)here, (void)x;
    return 0; /* never run: see capability in the table */
#endif
}

/* Integers can be added in any order, so all lanes get the same sum, bit for bit. A float of 0 has
   no bit set: the lanes without a float add nothing. */
static __device__ unsigned by_shuffles(unsigned mask, bool here, float x)
{
    unsigned sum = __float_as_uint(x);
    (void)mask, (void)here;
#pragma unroll
    for (int m = 16; m > 0; m /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, m);
    return sum;
}

static __device__ unsigned by_shared(unsigned mask, bool here, float x)
{
    __shared__ unsigned sums[1024];
    unsigned *mine = &sums[threadIdx.x / 32 * 32], lane = threadIdx.x % 32;
    unsigned sum = __float_as_uint(x);
    (void)mask, (void)here;

#pragma unroll
    for (unsigned m = 16; m > 0; m /= 2) {
        mine[lane] = sum;
        __syncwarp();
        sum += mine[lane ^ m];
        __syncwarp();
    }
    return sum;
}

/* Cooperative groups choose for themselves: the instruction where there is one. */
static __device__ unsigned by_groups(unsigned mask, bool here, float x)
{
    (void)mask, (void)here;
    return cg::reduce(cg::tiled_partition<32>(cg::this_thread_block()), __float_as_uint(x),
                      cg::plus<unsigned>());
}

static void check_sums(const struct answer *a, struct verdict *verdict)
{
    for (size_t row = 0; row < count_rows(a->n, 0); row++) {
        uint32_t sum = 0;
        for (size_t i = 32 * row; i < 32 * row + 32 && i < a->n; i++)
            sum += word_at(a->in, i);
        expect_word(verdict, a->out, row, sum);
    }
}

static const struct task task = {.words = count_rows, .check = check_sums};

static const struct variant variants[] = {
    {.name = "redux",
     .what = "__reduce_add_sync: one instruction for a row",
     .launch = launch_words<by_redux>,
     .per_thread = ROWS_OF_A_WARP,
     .block_rule = BLOCK_WHOLE_WARPS,
     .min_block = 32,
     .why_not = "__reduce_add_sync needs compute capability 8.0",
     .task = &task,
     .capability = 80},
    WORD_VARIANT("redux_shuffle", "five shuffles", by_shuffles, &task),
    WORD_VARIANT("redux_shared", "five rounds through shared memory", by_shared, &task),
    WORD_VARIANT("redux_groups", "cg::reduce", by_groups, &task),
};

const struct topic redux_topic = TOPIC(variants);
