/* criteria.c: what the exercises of lesson 10 are judged by (practice/practice.h). */
#include "practice.h"

/* share: elements of a cluster of 8 blocks. */
static size_t one_per_block(size_t n, size_t share)
{
    return 8 * (n == 0 ? 1 : (n - 1) / share + 1);
}

static void sum_clusters(const float *in, size_t n, size_t share, float *out)
{
    for (size_t b = 0; b < one_per_block(n, share); b++) {
        out[b] = 0;
        for (size_t i = b / 8 * share; i < n && i < (b / 8 + 1) * share; i++)
            out[b] += in[i];
    }
}

static size_t one_per_element(size_t n, size_t share)
{
    (void)share;
    return n;
}

static void sum_neighbours(const float *in, size_t n, size_t share, float *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = (i % share > 0 ? in[i - 1] : 0) + in[i] +
                 (i % share + 1 < share && i + 1 < n ? in[i + 1] : 0);
}

/* The mean has one rounding, as in a kernel: the share is a power of two. */
static void subtract_mean(const float *in, size_t n, size_t share, float *out)
{
    for (size_t begin = 0; begin < n; begin += share) {
        float sum = 0;
        for (size_t i = begin; i < n && i < begin + share; i++)
            sum += in[i];
        for (size_t i = begin; i < n && i < begin + share; i++)
            out[i] = in[i] - sum / (float)share;
    }
}

static const struct reference cluster_sums = {"the sum of the cluster, in each of its blocks",
                                              one_per_block, sum_clusters, true};
static const struct reference neighbours = {"each element and its two neighbours", one_per_element,
                                            sum_neighbours, true};
static const struct reference less_the_mean = {"each element, less the mean of its cluster",
                                               one_per_element, subtract_mean, true};

const struct criteria criteria[] = {
    {
        .file = "1_predict",
        .reference = &the_sum,
        .sizes = {4096},
        .blocks = {64, 128, 256},
        .questions =
            {
                {"floats stored into another block", REMOTE_FLOATS,
                 .traps = {{REMOTE_FLOATS, 8.0 / 7,
                            .says = "the warps of block 0 store into their own block"},
                           {LAUNCHES, 7, .says = "every warp stores, not every block"},
                           {LAUNCHES, 8, .says = "every warp stores, not every block"}}},
                {"floats of the own block's shared memory", SHARED_FLOATS,
                 .traps = {{SHARED_FLOATS, 8.0 / 9,
                            .says = "those are the loads; some stores stay in the block, too"},
                           {SHARED_FLOATS, 1.0 / 9,
                            .says =
                                "those are the stores; which blocks load what all have stored?"}}},
                {"shuffles", SHUFFLES,
                 .traps = {{REMOTE_FLOATS, 40.0 / 7,
                            .says = "and what has been stored is added up, too"}}},
            },
    },
    {
        .file = "2_neighbour_who_left",
        .reference = &cluster_sums,
        .per_thread = 8,
        .blocks = {64, 256, 32, 1024},
        .limits = {{CLUSTER_BARRIERS, AT_MOST, 2 * 16, .n = 4096, .block = 256,
                    .also = {128, 4096, 64}, .says = "two for each of 16 blocks are enough"},
                   {LOADED_FLOATS, AT_MOST, 4096, .n = 4096, .block = 256, .also = {4096, 4096, 64},
                    .says = "each element once; the sums go from SM to SM"},
                   {REMOTE_FLOATS, AT_MOST, 16 * 7, .n = 4096, .block = 256,
                    .also = {448, 4096, 64}, .says = "seven sums of others for each of 16 blocks"},
                   {ATOMICS, AT_MOST, 0, .n = 4096, .block = 256,
                    .says = "an atomic on out[] is an exchange through global memory"}},
    },
    {
        .file = "3_neighbours",
        .reference = &neighbours,
        .per_thread = 8,
        .blocks = {64, 256, 32, 96, 1024},
        .limits = {{LOADED_FLOATS, AT_MOST, 4096, .n = 4096, .block = 256, .also = {4096, 4096, 64},
                    .says = "each element once; a neighbour's is in shared memory"},
                   {REMOTE_FLOATS, AT_MOST, 2 * 2 * 7, .n = 4096, .block = 256,
                    .also = {112, 4096, 64},
                    .says = "two for each of the 7 places where blocks meet, in 2 clusters"},
                   {CLUSTER_BARRIERS, AT_MOST, 2 * 16, .n = 4096, .block = 256,
                    .also = {128, 4096, 64}, .says = "two for each of 16 blocks are enough"}},
    },
    {
        .file = "4_once_for_all",
        .reference = &less_the_mean,
        .roundings = 4,
        .scale = 8,
        .per_thread = 8,
        .blocks = {64, 256, 32, 1024},
        .limits = {{REMOTE_FLOATS, AT_MOST, 16 * 7, .n = 4096, .block = 256,
                    .also = {448, 4096, 64},
                    .says = "seven sums of others for each of 16 blocks: its threads all need the "
                            "same"},
                   {LOADED_FLOATS, AT_MOST, 4096, .n = 4096, .block = 256, .also = {4096, 4096, 64},
                    .says = "each element is read once"},
                   {CLUSTER_BARRIERS, AT_MOST, 2 * 16, .n = 4096, .block = 256,
                    .also = {128, 4096, 64}, .says = "two for each of 16 blocks are enough"}},
    },
    {0},
};
