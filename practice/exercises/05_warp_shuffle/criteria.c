/* criteria.c: what the exercises of lesson 05 are judged by (practice/practice.h). */
#include "practice.h"

const struct criteria criteria[] = {
    {
        .file = "1_predict",
        .reference = &warp_sums, /* as many words as elements */
        .sizes = {192},
        .blocks = {64, 128, 192},
        .questions =
            {
                {"thread 5 gets", OUTPUT + 5,
                 .traps = {{OUTPUT + 4, 1, .says = "thread 0 has 1, so which thread has that?"}}},
                {"thread 30 gets", OUTPUT + 30,
                 .traps =
                     {{LAUNCHES, 0,
                       .says = "no zero: a lane that would read beyond its warp is a defined case"},
                      {OUTPUT + 32, 1,
                       .says = "that is in the next warp, which no shuffle reaches"}}},
                {"thread 33 gets", OUTPUT + 33,
                 .traps = {{OUTPUT + 1, 1, .says = "that is a lane of the first warp"}}},
            },
    },
    {
        .file = "2_everybody",
        .reference = &warp_sums,
        .blocks = {64, 256, 32, 96, 1024},
        .limits = {{SHUFFLES, AT_MOST, 5 * 128, .n = 4096, .block = 256, .also = {640, 4096, 64},
                    .says =
                        "five for each of 128 warps are enough: the sum need not be handed out"},
                   {SHARED_FLOATS, AT_MOST, 0, .n = 4096, .block = 256,
                    .says = "lanes read each other's registers: no shared memory"},
                   {BARRIERS, AT_MOST, 0, .n = 4096, .block = 256,
                    .says = "lanes of a warp wait for each other in the shuffle"},
                   {ATOMICS, AT_MOST, 0, .n = 4096, .block = 256, .says = "no atomics here"},
                   {LOADED_FLOATS, AT_MOST, 4096, .n = 4096, .block = 256, .also = {4096, 4096, 64},
                    .says = "each element is read once; its neighbours have the others"}},
    },
    {
        .file = "3_who_comes",
        .reference = &the_sum,
        .blocks = {64, 256, 32, 96, 1024},
        .limits = {{ATOMICS, AT_MOST, 128, .n = 4096, .block = 64, .also = {128, 4096, 256},
                    .says =
                        "one for each of 128 warps; lanes that add alone do without the shuffles"},
                   {SHARED_FLOATS, AT_MOST, 0, .n = 4096, .block = 64,
                    .says = "no shared memory here"},
                   {LOADED_FLOATS, AT_MOST, 4096, .n = 4096, .block = 64, .also = {4096, 4096, 256},
                    .says = "each element is read once"},
                   {LOADING_THREADS, AT_LEAST, 256, .n = 4096, .block = 64,
                    .also = {1024, 4096, 256}, .says = "all warps of a block have their elements"}},
        .against = "atomic_per_warp",
    },
    {
        .file = "4_any_block",
        .reference = &the_sum,
        .blocks = {75, 33, 1, 31, 64, 1000, 1024},
        .limits = {{SHUFFLES, AT_MOST, 5 * 3 * 14, .n = 1000, .block = 75, .also = {165, 1000, 96},
                    .says = "five for each warp: 3 warps in each of 14 blocks"},
                   {ATOMICS, AT_MOST, 3 * 14, .n = 1000, .block = 75, .also = {33, 1000, 96},
                    .says = "one for each warp: 3 warps in each of 14 blocks"},
                   {BARRIERS, AT_MOST, 0, .n = 1000, .block = 75, .says = "no barrier is needed"},
                   {SHARED_FLOATS, AT_MOST, 0, .n = 1000, .block = 75,
                    .says = "no shared memory here"}},
        .against = "atomic_per_warp",
    },
    {
        .file = "5_one_barrier",
        .reference = &the_sum,
        .blocks = {64, 256, 32, 96, 1024},
        .limits =
            {{BARRIERS, AT_MOST, 16, .n = 4096, .block = 256, .also = {64, 4096, 64},
              .says = "one for each of 16 blocks: between the warps' sums and the last one"},
             {SHARED_FLOATS, AT_MOST, 2 * 8 * 16, .n = 4096, .block = 256, .also = {256, 4096, 64},
              .says = "a float for each of 8 warps, stored and loaded once, in each of 16 blocks"},
             {ATOMICS, AT_MOST, 16, .n = 4096, .block = 256, .also = {64, 4096, 64},
              .says = "one for each of 16 blocks"},
             {SHUFFLES, AT_MOST, 9 * 5 * 16, .n = 4096, .block = 256, .also = {960, 4096, 64},
              .says = "five for each of 8 warps and five more, in each of 16 blocks"},
             {LOADING_THREADS, AT_LEAST, 1024, .n = 4096, .block = 256, .also = {256, 4096, 64},
              .says = "all warps of a block have their elements"}},
        .against = "v7_warps",
    },
    {0},
};
