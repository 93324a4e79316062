/* criteria.c: what the exercises of lesson 01 are judged by (practice/practice.h). */
#include "practice.h"

const struct criteria criteria[] = {
    {
        .file = "1_predict",
        .reference = &block_sums,
        .overwrites_input = true,
        .sizes = {1024, 2048, 4096},
        .blocks = {64, 128, 512},
        .questions =
            {
                {"load requests of one block", LOAD_REQUESTS, .per_block = true,
                 .traps = {{LOADED_FLOATS, 1, true, "so many lanes load; a request is a warp's"},
                           {LOAD_SECTORS, 1, true, "those are the sectors"}}},
                {"barriers of the launch", BARRIERS,
                 .traps = {{BARRIERS, 1, true, "those are the barriers of one block"}}},
                {"additions of the launch", STORED_FLOATS, .less_blocks = true,
                 .traps = {{STORED_FLOATS, 1, false, "each block has one store that adds nothing"},
                           {LOADED_FLOATS, 1, false, "each addition loads two elements"}}},
            },
    },
    {
        .file = "2_half_a_barrier",
        .reference = &block_sums,
        .overwrites_input = true,
        .blocks = {64, 256, 96, 1024},
        .limits = {{BARRIERS, AT_MOST, 8 * 16, .n = 4096, .block = 256, .also = {384, 4096, 64},
                    .says = "8 rounds in each of 16 blocks need one each"},
                   {LOADING_THREADS, AT_LEAST, 16 * 64, .n = 4096, .block = 256,
                    .also = {1024, 4096, 64},
                    .says =
                        "every fourth thread of each of 16 blocks at least: all share the work"},
                   {BARRIERS, AT_LEAST, 16, .n = 4096, .block = 256, .also = {64, 4096, 64},
                    .says = "one for each of 16 blocks at least: a warp alone is not all threads "
                            "of the block"},
                   {ATOMICS, AT_MOST, 0, .n = 4096, .block = 256,
                    .says = "in a tree no two threads write to one place: no atomics"}},
        .against = "v1",
    },
    {
        .file = "3_the_last_block",
        .reference = &block_sums,
        .overwrites_input = true,
        .blocks = {64, 96, 7, 256, 1024},
        .limits = {{BARRIERS, AT_MOST, 8 * 16, .n = 4096, .block = 256, .also = {384, 4096, 64},
                    .says = "8 rounds in each of 16 blocks need one each"},
                   {LOADING_THREADS, AT_LEAST, 16 * 64, .n = 4096, .block = 256,
                    .also = {1024, 4096, 64},
                    .says =
                        "every fourth thread of each of 16 blocks at least: all share the work"},
                   {BARRIERS, AT_LEAST, 16, .n = 4096, .block = 256, .also = {64, 4096, 64},
                    .says = "one for each of 16 blocks at least: a warp alone is not all threads "
                            "of the block"},
                   {ATOMICS, AT_MOST, 0, .n = 4096, .block = 256,
                    .says = "in a tree no two threads write to one place: no atomics"}},
        .against = "v1",
    },
    {
        .file = "4_alternate",
        .reference = &block_alternate,
        .overwrites_input = true,
        .blocks = {64, 256, 96, 7, 1024},
        .limits = {{BARRIERS, AT_MOST, 8 * 16, .n = 4096, .block = 256, .also = {384, 4096, 64},
                    .says = "8 rounds in each of 16 blocks need one each"},
                   {SHARED_FLOATS, AT_MOST, 0, .n = 4096, .block = 256,
                    .says = "shared memory comes in lesson 04; here the tree works in place"},
                   {LOADED_FLOATS, AT_MOST, 16 * (2 * 255 + 1), .n = 4096, .block = 256,
                    .also = {8128, 4096, 64},
                    .says = "a tree adds 255 times in a block, and loads two floats each time"},
                   {LOADING_THREADS, AT_LEAST, 16 * 64, .n = 4096, .block = 256,
                    .also = {1024, 4096, 64},
                    .says =
                        "every fourth thread of each of 16 blocks at least: all share the work"},
                   {BARRIERS, AT_LEAST, 16, .n = 4096, .block = 256, .also = {64, 4096, 64},
                    .says = "one for each of 16 blocks at least: a warp alone is not all threads "
                            "of the block"},
                   {ATOMICS, AT_MOST, 0, .n = 4096, .block = 256,
                    .says = "in a tree no two threads write to one place: no atomics"}},
        .against = "v1",
    },
    {0},
};
