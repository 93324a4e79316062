/*
 * Kernels broken on purpose, each in a way that somebody has published, and one
 * that is right. tests/checker.t proves that the check catches every one of them.
 */
#include "lesson.h"
#include "task.h"

/* Sums one tile for each block in shared memory; the faults are switched on by constants. */
struct fault {
    bool no_barrier, swapped, first_block_only, hides_nan;
    float scale = 1.0f;  /* powers of two, which change no digit: but they can overflow */
    size_t multiple = 1; /* nobody adds the tail past a multiple of this */
};

template <fault F> static __global__ void tiles(const float *in, float *out, size_t n)
{
    extern __shared__ float smem[];
    unsigned tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;
    n -= n % F.multiple;
    float x = i < n ? in[i] : 0.0f;
    if (F.hides_nan && !(x == x))
        x = 0.0f;
    smem[tid] = F.scale * x;
    __syncthreads();
    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (tid < stride && F.swapped)
            smem[tid + stride] += smem[tid];
        else if (tid < stride)
            smem[tid] += smem[tid + stride];
        if (!F.no_barrier)
            __syncthreads();
    }
    if (tid == 0 && !(F.first_block_only && blockIdx.x > 0))
        atomicAdd(out, smem[0] / F.scale);
}

template <fault F> static void launch(struct sum *s)
{
    s->grid = blocks_for(s->n, s->block);
    s->depth = tree_depth(s->block) + s->grid;
    CUDA_CHECK(cudaMemsetAsync(s->out, 0, sizeof *s->out, s->stream));
    tiles<F><<<s->grid, s->block, s->block * sizeof(float), s->stream>>>(s->in, s->out, s->n);
    CUDA_CHECK(cudaGetLastError());
}

static void launch_nothing(struct sum *s)
{
    s->grid = 1;
    s->depth = 1;
}

static void launch_last_element(struct sum *s)
{
    s->grid = 1;
    s->depth = 1;
    if (s->n > 0)
        CUDA_CHECK(cudaMemcpyAsync(s->out, s->in + s->n - 1, sizeof *s->out,
                                   cudaMemcpyDeviceToDevice, s->stream));
    else
        CUDA_CHECK(cudaMemsetAsync(s->out, 0, sizeof *s->out, s->stream));
}

/* Writes the sum of what it happens to find in a neighbour's memory: one element too many. */
static __global__ void serial(const float *in, float *out, size_t n)
{
    float sum = 0.0f;
    for (size_t i = 0; i <= n; i++)
        sum += in[i];
    *out = sum;
}

static void launch_one_too_many(struct sum *s)
{
    s->grid = 1;
    s->depth = s->n;
    serial<<<1, 1, 0, s->stream>>>(s->in, s->out, s->n);
    CUDA_CHECK(cudaGetLastError());
}

/* An answer of n words: each float as it is, with a fault at the middle one. */
enum copy_fault {
    NO_FAULT,
    WRONG_WORD,
    UNWRITTEN_WORD,
    NEXT_WRITTEN_TWICE,
    OTHER_NAN,
    UNWRITTEN_NAN
};

template <copy_fault F> static __global__ void copy(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    bool here = i == n / 2;
    if (i >= n || (F == UNWRITTEN_WORD && here) || (F == UNWRITTEN_NAN && in[i] != in[i]))
        return;
    if (F == NEXT_WRITTEN_TWICE && here)
        i = i > 0 ? i - 1 : 0; /* writes a neighbour's word, which is right, and not its own */
    out[i] = F == WRONG_WORD && here ? -in[i] : F == OTHER_NAN && in[i] != in[i] ? 0.0f : in[i];
}

template <copy_fault F> static void launch_copy(struct sum *s)
{
    s->grid = blocks_for(s->n, s->block);
    copy<F><<<s->grid, s->block, 0, s->stream>>>(s->in, s->out, s->n);
    CUDA_CHECK(cudaGetLastError());
}

static size_t n_words(size_t n, size_t row)
{
    (void)row;
    return n;
}

static void check_copy(const struct answer *a, struct verdict *verdict)
{
    for (size_t i = 0; i < a->n; i++)
        expect_float(verdict, a->out, i, a->in[i]);
}

static const struct task copy_task = {.words = n_words, .check = check_copy};

#define COPY(NAME, FAULT)                                                                          \
    {                                                                                              \
        .name = NAME, .what = NAME, .launch = launch_copy<FAULT>, .per_thread = 1,                 \
        .task = &copy_task                                                                         \
    }

#define VARIANT(NAME, LAUNCH)                                                                      \
    {                                                                                              \
        NAME, NAME, LAUNCH, 1, 0, BLOCK_POWER_OF_TWO                                               \
    }
static const struct variant variants[] = {
    VARIANT("right", launch<fault{}>),
    VARIANT("dropped_tail", launch<fault{.multiple = 4}>),
    VARIANT("missing_barrier", launch<fault{.no_barrier = true}>),
    VARIANT("swapped_operand", launch<fault{.swapped = true}>),
    VARIANT("unwritten_output", launch_nothing),
    VARIANT("first_block_only", launch<fault{.first_block_only = true}>),
    VARIANT("hides_nan", launch<fault{.hides_nan = true}>),
    VARIANT("overflows", launch<fault{.scale = 4096.0f}>),
    VARIANT("last_element", launch_last_element),
    VARIANT("one_too_many", launch_one_too_many),
    COPY("copy_right", NO_FAULT),
    COPY("copy_wrong_word", WRONG_WORD),
    COPY("copy_unwritten_word", UNWRITTEN_WORD),
    COPY("copy_written_twice", NEXT_WRITTEN_TWICE),
    COPY("copy_other_nan", OTHER_NAN),
    COPY("copy_unwritten_nan", UNWRITTEN_NAN),
    {.name = "for_newer_gpus",
     .what = "needs a GPU that is not built yet",
     .launch = launch<fault{}>,
     .why_not = "it needs compute capability 99.0",
     .capability = 990},
};

int main(int argc, char **argv)
{
    const struct lesson lesson = {.name = "broken",
                                  .idea =
                                      "the check must catch all of these but those called right",
                                  .variants = variants,
                                  .variant_count = sizeof variants / sizeof variants[0]};
    return run_lesson(argc, argv, &lesson);
}
