/*
 * reduce.cu: kernels broken on purpose, each in a way that somebody has published, and one
 * that is right. tests/test_checker.py proves that the check catches every one of them.
 */
#include "lesson.h"
#include "task.h"

/* Sums one tile for each block in shared memory; the faults are switched on by constants. */
struct fault {
    bool no_barrier, swapped, first_block_only, hides_nan;
    float scale = 1.0f;  /* powers of two, which change no digit: but they can overflow */
    size_t multiple = 1; /* the tail past a multiple of this is not added */
};

template <fault F> static __global__ void tiles(const float *in, float *out, size_t n) {
    extern __shared__ float smem[];
    unsigned tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;
    n -= n % F.multiple;
    float x = i < n ? in[i] : 0.0f;
    if (F.hides_nan && !(x == x)) x = 0.0f;
    smem[tid] = F.scale * x;
    __syncthreads();
    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (tid < stride && F.swapped)
            smem[tid + stride] += smem[tid];
        else if (tid < stride)
            smem[tid] += smem[tid + stride];
        if (!F.no_barrier) __syncthreads();
    }
    if (tid == 0 && !(F.first_block_only && blockIdx.x > 0)) atomicAdd(out, smem[0] / F.scale);
}

template <fault F> static void launch(struct sum *s) {
    s->grid = blocks_for(s->n, s->block);
    s->depth = ceil_log2(s->block) + s->grid;
    CUDA_CHECK(cudaMemsetAsync(s->out, 0, sizeof *s->out, s->stream));
    tiles<F><<<s->grid, s->block, s->block * sizeof(float), s->stream>>>(s->in, s->out, s->n);
    CUDA_CHECK(cudaGetLastError());
}

static void launch_nothing(struct sum *s) {
    s->grid = 1;
    s->depth = 1;
}

static void launch_last_element(struct sum *s) {
    s->grid = 1;
    s->depth = 1;
    if (s->n > 0)
        CUDA_CHECK(cudaMemcpyAsync(s->out, s->in + s->n - 1, sizeof *s->out, cudaMemcpyDeviceToDevice, s->stream));
    else
        CUDA_CHECK(cudaMemsetAsync(s->out, 0, sizeof *s->out, s->stream));
}

/* Writes the sum of what it happens to find in a neighbour's memory: one element too many. */
static __global__ void serial(const float *in, float *out, size_t n) {
    float sum = 0.0f;
    for (size_t i = 0; i <= n; i++) sum += in[i];
    *out = sum;
}

static void launch_one_too_many(struct sum *s) {
    s->grid = 1;
    s->depth = s->n;
    serial<<<1, 1, 0, s->stream>>>(s->in, s->out, s->n);
    CUDA_CHECK(cudaGetLastError());
}

/* An answer of n words: each float as it is, with a fault at the middle one. */
enum copy_fault { NO_FAULT, WRONG_WORD, UNWRITTEN_WORD, NEXT_WRITTEN_TWICE, OTHER_NAN, UNWRITTEN_NAN };

template <copy_fault F> static __global__ void copy(const float *in, float *out, size_t n) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    bool here = i == n / 2;
    if (i >= n || (F == UNWRITTEN_WORD && here) || (F == UNWRITTEN_NAN && in[i] != in[i])) return;
    if (F == NEXT_WRITTEN_TWICE && here)
        i = i > 0 ? i - 1 : 0; /* writes a neighbour's word, which is right, and not its own */
    out[i] = F == WRONG_WORD && here ? -in[i] : F == OTHER_NAN && in[i] != in[i] ? 0.0f : in[i];
}

template <copy_fault F> static void launch_copy(struct sum *s) {
    s->grid = blocks_for(s->n, s->block);
    copy<F><<<s->grid, s->block, 0, s->stream>>>(s->in, s->out, s->n);
    CUDA_CHECK(cudaGetLastError());
}

static size_t n_words(size_t n, size_t row) {
    (void)row;
    return n;
}

static void check_copy(const struct answer *a, struct verdict *verdict) {
    for (size_t i = 0; i < a->n; i++) expect_float(verdict, a->out, i, a->in[i]);
}

static const struct task copy_task = {.name = "copy", .words = n_words, .check = check_copy};

/* Each with its one fault. */
#define EACH(X)                                                                                                        \
    X(right, "nothing is wrong", launch<fault{}>, SUM)                                                                 \
    X(dropped_tail, "what is left past a multiple of 4", launch<fault{.multiple = 4}>, SUM)                            \
    X(missing_barrier, "no barrier in the tree", launch<fault{.no_barrier = true}>, SUM)                               \
    X(swapped_operand, "adds the lower half to the upper", launch<fault{.swapped = true}>, SUM)                        \
    X(unwritten_output, "launches nothing", launch_nothing, SUM)                                                       \
    X(first_block_only, "one block's sum", launch<fault{.first_block_only = true}>, SUM)                               \
    X(hides_nan, "takes a NaN for 0", launch<fault{.hides_nan = true}>, SUM)                                           \
    X(overflows, "sums 4096 times as much", launch<fault{.scale = 4096.0f}>, SUM)                                      \
    X(last_element, "the last number alone", launch_last_element, SUM)                                                 \
    X(one_too_many, "reads past the end", launch_one_too_many, SUM)                                                    \
    X(copy_right, "nothing is wrong", launch_copy<NO_FAULT>, COPY)                                                     \
    X(copy_wrong_word, "another sign", launch_copy<WRONG_WORD>, COPY)                                                  \
    X(copy_unwritten_word, "one word left out", launch_copy<UNWRITTEN_WORD>, COPY)                                     \
    X(copy_written_twice, "a neighbour's word, not its own", launch_copy<NEXT_WRITTEN_TWICE>, COPY)                    \
    X(copy_other_nan, "a number for a NaN", launch_copy<OTHER_NAN>, COPY)                                              \
    X(copy_unwritten_nan, "leaves out what is a NaN", launch_copy<UNWRITTEN_NAN>, COPY)                                \
    X(for_newer_gpus, "needs a GPU that is not built yet", launch<fault{}>, NEWER)
#define SUM   .per_thread = 1, .block_rule = BLOCK_POWER_OF_TWO
#define COPY  .per_thread = 1, .task = &copy_task
#define NEWER .capability = 990
#define DEFINE(NAME, WHAT, LAUNCH, KIND)                                                                               \
    static const struct variant NAME = {.name = #NAME, .what = WHAT, .launch = LAUNCH, KIND};
#define ADDRESS(NAME, ...) &NAME,
EACH(DEFINE)
static const struct variant *const variants[] = {EACH(ADDRESS) NULL};

const struct lesson lesson = {
    .name = "broken",
    .idea = "the check must catch all of these but those called right",
    .variants = variants,
};
