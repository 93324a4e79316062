/* criteria.c: what the exercises of lesson 09 are judged by (practice/practice.h). */
#include "practice.h"

const struct criteria criteria[] = {
    {
        .file = "1_predict",
        .reference = &block_sums, /* more words than are needed */
        .sizes = {1000, 2000, 3000},
        .blocks = {64, 128, 256},
        .questions =
            {
                {"barriers", BARRIERS,
                 .traps = {{ATOMICS, 2,
                            .says = "in each launch one block sums a second time: the last"},
                           {ATOMICS, 3, .says = "only the last block sums a second time"},
                           {ATOMICS, 1,
                            .says = "a block passes one in block_sum(), and one after the draw"}}},
                {"floats loaded", LOADED_FLOATS},
                {"in *tickets afterwards", OUTPUT + 1,
                 .traps = {{ATOMICS, 1, .says = "atomicAdd() would leave that; this one wraps"},
                           {ATOMICS, 0.5, .says = "that is what it never comes to: it wraps"}}},
            },
    },
    {
        .file = "2_who_is_last",
        .reference = &the_sum,
        .blocks = {64, 256, 32, 1024},
        .limits = {{LAUNCHES, AT_MOST, 1, .n = 4096, .block = 256,
                    .says = "one launch is the idea of this lesson"},
                   {ATOMICS, AT_MOST, 16, .n = 4096, .block = 256, .also = {64, 4096, 64},
                    .says = "one for each of 16 blocks: a draw"},
                   {BARRIERS, AT_MOST, 33, .n = 4096, .block = 256, .also = {129, 4096, 64},
                    .says = "two for each of 16 blocks and one more for the last: a fence is no "
                            "barrier"},
                   {BLOCKS, AT_LEAST, 4, .n = 4096, .block = 256,
                    .says = "4 SMs want a block each, at least"},
                   {STORED_FLOATS, AT_LEAST, 3, .n = 4096, .block = 256,
                    .says = "each block stores its sum, and the last one adds them up"}},
        .against = "ticket",
    },
    {
        .file = "3_slots",
        .reference = &the_sum,
        .blocks = {64, 256, 32, 1024},
        .limits = {{ATOMICS, AT_MOST, 0, .n = 4096, .block = 256,
                    .says = "a store of one word cannot be seen by halves"},
                   {BARRIERS, AT_MOST, 18, .n = 4096, .block = 256, .also = {66, 4096, 64},
                    .says = "one for each of 16 blocks, and two more for block 0"},
                   {STORED_FLOATS, AT_MOST, 2 * 16 + 1, .n = 4096, .block = 256,
                    .also = {129, 4096, 64},
                    .says = "a word of 8 bytes for each of 16 blocks, and the sum"}},
        .against = "flagged_slots",
    },
    {
        .file = "4_one_atomic",
        .whole = true,
        .reference = &the_sum,
        .blocks = {32, 256, 64, 1024},
        .sizes = {140000},
        .limits = {{ATOMICS, AT_MOST, 16, .n = 4096, .block = 256, .also = {64, 4096, 64},
                    .says = "one for each of 16 blocks: the sum above, the count below"},
                   {LAUNCHES, AT_MOST, 1, .n = 4096, .block = 256,
                    .says = "one launch is the idea of this lesson"},
                   {STORED_FLOATS, AT_LEAST, 1, .n = 4096, .block = 256,
                    .says = "the block that was last writes the total"}},
        .against = "fixed_point",
    },
    {0},
};
