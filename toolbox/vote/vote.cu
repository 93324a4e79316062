/*
 * Vote: each lane has a yes or a no, and all lanes learn what the others have. For each row of 32
 * floats the question is "is x > 0?": the ballot is a word with a bit for each lane, any and all
 * are one bit.
 *
 * Look at: ./toolbox08 -v 'vote*' -n 64K     what the ways through shared memory move besides
 */
#include "words.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

/* The mask names the lanes that come here, and no other: those with no float stay out, and a lane
   that is not named has no bit. */
static __device__ unsigned ballot(unsigned mask, bool here, float x)
{
    return here ? __ballot_sync(mask, x > 0) : 0;
}

/* Bit 0: is any x > 0? Bit 1: are all? */
static __device__ unsigned any_all(unsigned mask, bool here, float x)
{
    if (!here)
        return 0;
    unsigned any = __any_sync(mask, x > 0) != 0, all = __all_sync(mask, x > 0) != 0;
    return any | all << 1;
}

/* All lanes get the OR of the 32 words: the butterfly, with shared memory in place of a shuffle.
   Twice a round __syncwarp(): before anyone reads, and before anyone writes again. */
static __device__ unsigned or_by_shared(unsigned word)
{
    __shared__ unsigned words[1024];
    unsigned *mine = &words[threadIdx.x / 32 * 32], lane = threadIdx.x % 32;

#pragma unroll
    for (unsigned m = 16; m > 0; m /= 2) {
        mine[lane] = word;
        __syncwarp();
        word |= mine[lane ^ m];
        __syncwarp();
    }
    return word;
}

/* Here all 32 lanes come; what those without a float bring changes nothing. */
static __device__ unsigned ballot_by_shared(unsigned mask, bool here, float x)
{
    (void)mask;
    return or_by_shared((unsigned)(here && x > 0) << threadIdx.x % 32);
}

/* Bit 0: somebody says yes; bit 1: somebody says no. */
static __device__ unsigned any_all_by_shared(unsigned mask, bool here, float x)
{
    (void)mask;
    unsigned said = or_by_shared((unsigned)(here && x > 0) | (unsigned)(here && !(x > 0)) << 1);
    return said ^ 2;
}

/* A tile of 32 is the warp: the group knows its mask, and it is all lanes. So all come. */
static __device__ unsigned ballot_by_groups(unsigned mask, bool here, float x)
{
    (void)mask;
    return cg::tiled_partition<32>(cg::this_thread_block()).ballot(here && x > 0);
}

static __device__ unsigned any_all_by_groups(unsigned mask, bool here, float x)
{
    (void)mask;
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(cg::this_thread_block());
    unsigned any = warp.any(here && x > 0) != 0, all = warp.all(!here || x > 0) != 0;
    return any | all << 1;
}

/* The ballot of this row, on the CPU. */
static unsigned expected_ballot(const struct answer *a, size_t row, unsigned *lanes)
{
    unsigned votes = 0;
    *lanes = a->n - 32 * row < 32 ? (unsigned)(a->n - 32 * row) : 32;
    for (unsigned lane = 0; lane < *lanes; lane++)
        votes |= (unsigned)(a->in[32 * row + lane] > 0) << lane;
    return votes;
}

static void check_ballot(const struct answer *a, struct verdict *verdict)
{
    unsigned lanes;
    for (size_t row = 0; row < count_rows(a->n, 0); row++)
        expect_word(verdict, a->out, row, expected_ballot(a, row, &lanes));
}

static void check_any_all(const struct answer *a, struct verdict *verdict)
{
    unsigned lanes;
    for (size_t row = 0; row < count_rows(a->n, 0); row++) {
        unsigned votes = expected_ballot(a, row, &lanes);
        unsigned all = votes == 0xffffffff >> (32 - lanes);
        expect_word(verdict, a->out, row, (votes != 0) | all << 1);
    }
}

static const struct task ballots = {.words = count_rows, .check = check_ballot};
static const struct task any_alls = {.words = count_rows, .check = check_any_all};

static const struct variant variants[] = {
    WORD_VARIANT("vote", "ballot: which of a row's 32 floats are > 0", ballot, &ballots),
    WORD_VARIANT("vote_shared", "the same by five rounds through shared memory", ballot_by_shared,
                 &ballots),
    WORD_VARIANT("vote_groups", "the same in cooperative groups", ballot_by_groups, &ballots),
    WORD_VARIANT("vote_any_all", "is any of a row's floats > 0? are all?", any_all, &any_alls),
    WORD_VARIANT("vote_any_all_shared", "the same by five rounds through shared memory",
                 any_all_by_shared, &any_alls),
    WORD_VARIANT("vote_any_all_groups", "the same in cooperative groups", any_all_by_groups,
                 &any_alls),
};

const struct topic vote_topic = TOPIC(variants);
