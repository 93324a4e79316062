/*
 * Match: each lane learns which lanes have the same key. A histogram of n floats in 64 bins: the
 * lanes with the same bin elect one of them, and it adds how many they are. One atomic for each
 * different bin of a warp, in place of one for each lane.
 *
 * Look at: ./toolbox08 -v 'match*' --pattern uniform     few lanes share a bin
 *          ./toolbox08 -v 'match*' --pattern ones        all do
 */
#include "toolbox.h"

#define BINS  64
#define LOADS 8 /* floats of a thread that are on their way at once */

/* [-1, 1) in 64 equal steps. What lies below is in the first bin, what lies above in the last; a
   NaN is in the first, since fmaxf() returns its other argument. */
static __host__ __device__ unsigned bin_of(float x)
{
    return (unsigned)fminf(fmaxf((x + 1.0f) * (BINS / 2), 0.0f), BINS - 1.0f);
}

/* All 32 lanes call this, each with its bin; `here`: whether it has a float. The lowest lane of
   those with one bin adds for them. */
static __device__ void add_by_match(unsigned *bins, unsigned bin, bool here)
{
    unsigned mask = __ballot_sync(0xffffffff, here); /* all lanes learn who is in */
    if (!here)
        return;
    unsigned peers = __match_any_sync(mask, bin);
    if (threadIdx.x % 32 == (unsigned)__ffs(peers) - 1)
        atomicAdd(&bins[bin], __popc(peers));
}

static __device__ void add_each(unsigned *bins, unsigned bin, bool here)
{
    if (here)
        atomicAdd(&bins[bin], 1);
}

typedef void add_fn(unsigned *bins, unsigned bin, bool here);

/* PRIVATE: a histogram of this block in shared memory, which is added to that of the grid at the
   end. Else every atomic goes to out[] itself. */
template <add_fn ADD, bool PRIVATE>
static __global__ void histogram(const float *in, size_t n, unsigned *out)
{
    __shared__ unsigned of_block[BINS];
    unsigned *bins = PRIVATE ? of_block : out;
    size_t tile = (size_t)blockDim.x * LOADS;

    for (unsigned i = threadIdx.x; PRIVATE && i < BINS; i += blockDim.x)
        of_block[i] = 0;
    __syncthreads();
    for (size_t first = blockIdx.x * tile; first < n; first += gridDim.x * tile) {
        float x[LOADS];
#pragma unroll
        for (unsigned k = 0; k < LOADS; k++) {
            size_t i = first + k * blockDim.x + threadIdx.x;
            x[k] = i < n ? in[i] : 0.0f;
        }
#pragma unroll
        for (unsigned k = 0; k < LOADS; k++)
            ADD(bins, bin_of(x[k]), first + k * blockDim.x + threadIdx.x < n);
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; PRIVATE && i < BINS; i += blockDim.x)
        if (of_block[i] > 0)
            atomicAdd(&out[i], of_block[i]);
}

/* Enough blocks to fill the GPU, and no more than the floats need. */
template <add_fn ADD, bool PRIVATE> static void launch(struct sum *s)
{
    unsigned wanted = blocks_for(s->n, (size_t)s->block * LOADS), most = 8 * s->sms;
    s->grid = wanted < most ? wanted : most;
    CUDA_CHECK(cudaMemsetAsync(s->out, 0, BINS * sizeof(unsigned), s->stream));
    histogram<ADD, PRIVATE><<<s->grid, s->block, 0, s->stream>>>(s->in, s->n, (unsigned *)s->out);
    CUDA_CHECK(cudaGetLastError());
}

static size_t bins_words(size_t n, size_t row)
{
    (void)n, (void)row;
    return BINS;
}

static void check_histogram(const struct answer *a, struct verdict *verdict)
{
    uint32_t bins[BINS] = {0};
    for (size_t i = 0; i < a->n; i++)
        bins[bin_of(a->in[i])]++;
    for (size_t i = 0; i < BINS; i++)
        expect_word(verdict, a->out, i, bins[i]);
}

static const struct task task = {
    .words = bins_words, .check = check_histogram, .max_n = UINT32_MAX}; /* counted in 32 bits */

static const struct variant variants[] = {
    {.name = "match",
     .what = "histogram of 64 bins: the lanes of one bin elect one that adds",
     .launch = launch<add_by_match, true>,
     .block_rule = BLOCK_WHOLE_WARPS,
     .min_block = 32,
     .task = &task},
    {.name = "match_shared",
     .what = "an atomic in shared memory for each float",
     .launch = launch<add_each, true>,
     .block_rule = BLOCK_WHOLE_WARPS,
     .min_block = 32,
     .task = &task},
    {.name = "match_global",
     .what = "as match, with no histogram of the block: atomics in global memory",
     .launch = launch<add_by_match, false>,
     .block_rule = BLOCK_WHOLE_WARPS,
     .min_block = 32,
     .task = &task},
    {.name = "match_global_each",
     .what = "an atomic in global memory for each float",
     .launch = launch<add_each, false>,
     .block_rule = BLOCK_WHOLE_WARPS,
     .min_block = 32,
     .task = &task},
};

const struct topic match_topic = TOPIC(variants);
