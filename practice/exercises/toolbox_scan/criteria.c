/* criteria.c: what the exercises of the topic scan are judged by (practice/practice.h). */
#include "practice.h"

static void scan_blocks(const float *in, size_t n, size_t share, float *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = (i % share == 0 ? 0 : out[i - 1]) + in[i];
}

static const struct reference block_scans = {"the running sum of each block", one_word_each,
                                             scan_blocks, true};

const struct criteria criteria[] = {
    {
        .file = "1_predict",
        .reference = &the_scan, /* as many words as elements */
        .sizes = {512},
        .blocks = {128, 256, 512},
        .questions =
            {
                {"thread 0 gets", OUTPUT,
                 .traps = {{LAUNCHES, 1,
                            .says =
                                "that is what it should have: but it adds its own in each round"}}},
                {"thread 1 gets", OUTPUT + 1,
                 .traps = {{LAUNCHES, 3,
                            .says =
                                "that is right after the first round: what does it add then?"}}},
                {"thread 31 gets", OUTPUT + 31,
                 .traps = {{LAUNCHES, 32 * 33 / 2,
                            .says = "that is the sum of 32 lanes: its row is shorter"}}},
            },
    },
    {
        .file = "2_one_barrier_a_round",
        .reference = &block_scans,
        .blocks = {64, 256, 32, 96, 1024},
        .limits = {{BARRIERS, AT_MOST, 9 * 16, .n = 4096, .block = 256, .also = {448, 4096, 64},
                    .says = "right, but 8 rounds and one before need 9 in each of 16 blocks"},
                   {SHUFFLES, AT_MOST, 0, .n = 4096, .block = 256,
                    .says = "here the way through shared memory is asked for"}},
    },
    {
        .file = "3_tile_by_tile",
        .reference = &the_scan,
        .blocks = {64, 256, 32, 96, 1024},
        .limits = {{BARRIERS, AT_MOST, 2 * 16, .n = 4096, .block = 256, .also = {128, 4096, 64},
                    .says = "two for each of 16 tiles: one before totals[] is read, one after"},
                   {ATOMICS, AT_MOST, 0, .n = 4096, .block = 256, .says = "no atomics here"},
                   {LOADED_FLOATS, AT_MOST, 4096, .n = 4096, .block = 256, .also = {4096, 4096, 64},
                    .says = "each element is read once: what was before is in a register"}},
    },
    {0},
};
