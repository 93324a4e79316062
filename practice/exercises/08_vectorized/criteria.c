/* criteria.c: what the exercises of lesson 08 are judged by (practice/practice.h). */
#include "practice.h"

static size_t four(size_t n, size_t share)
{
    (void)n, (void)share;
    return 4;
}

static void sum_every_fourth(const float *in, size_t n, size_t share, float *out)
{
    (void)share;
    out[0] = out[1] = out[2] = out[3] = 0;
    for (size_t i = 0; i < n; i++)
        out[i % 4] += in[i];
}

static const struct reference four_sums = {"the sums of every fourth element", four,
                                           sum_every_fourth, true};

const struct criteria criteria[] = {
    {
        .file = "1_predict",
        .reference = &four_sums, /* as many words */
        .sizes = {1000, 2002, 4003},
        .blocks = {64, 128, 256},
        .questions =
            {
                {"float4 in the body", OUTPUT + 0},
                {"load requests of the launch", LOAD_REQUESTS,
                 .traps = {{LOADED_FLOATS, 1, .says = "so many floats; a request is a warp's"},
                           {LOAD_SECTORS, 1, .says = "those are the sectors"}}},
                {"load sectors of the launch", LOAD_SECTORS,
                 .traps = {{LOAD_REQUESTS, 1, .says = "those are the requests"},
                           {LOAD_REQUESTS, 16,
                            .says = "not each request has 32 lanes, nor begins with a sector"},
                           {LOAD_REQUESTS, 4, .says = "four would do for 4 bytes a lane"}}},
            },
    },
    {
        .file = "2_any_start",
        .reference = &the_sum,
        .blocks = {64, 256, 32, 96, 1024},
        .limits = {{LOAD_REQUESTS, AT_MOST, 33, .n = 4099, .block = 256, .also = {33, 4099, 64},
                    .says = "1024 float4 are 32 requests of a warp, and the ends one or two more"},
                   {LOAD_REQUESTS, AT_MOST, 33, .n = 4099, .block = 256, .offset = 1,
                    .also = {33, 4099, 64},
                    .says = "1024 float4 are 32 requests of a warp, and the ends one or two more"},
                   {LOADED_FLOATS, AT_MOST, 4099, .n = 4099, .block = 256, .offset = 1,
                    .also = {4099, 4099, 64}, .says = "each element is read once"},
                   {MOVED_BYTES, AT_MOST, 0, .n = 4099, .block = 256,
                    .says = "the array is read where it lies"}},
        .against = "vector_x1",
    },
    {
        .file = "3_four_sums",
        .reference = &four_sums,
        .blocks = {64, 256, 32, 96, 1024},
        .limits = {{LOAD_REQUESTS, AT_MOST, 33, .n = 4099, .block = 256, .offset = 1,
                    .also = {33, 4099, 64},
                    .says = "1024 float4 are 32 requests of a warp, and the ends one or two more"},
                   {LOADED_FLOATS, AT_MOST, 4099, .n = 4099, .block = 256, .offset = 1,
                    .also = {4099, 4099, 64}, .says = "each element is read once"},
                   {ATOMICS, AT_MOST, 4 * 40 + 3, .n = 4099, .block = 256, .offset = 1,
                    .also = {139, 4099, 64},
                    .says = "four for each of 40 warps, and one for each of three floats outside "
                            "of the body"},
                   {MOVED_BYTES, AT_MOST, 0, .n = 4099, .block = 256,
                    .says = "the array is read where it lies"}},
    },
    {
        .file = "4_side_by_side",
        .reference = &the_sum,
        .blocks = {64, 256, 32, 96, 1024},
        .sizes = {40000},
        .limits = {{LOAD_SECTORS, AT_MOST, 65536 / 8, .n = 65536, .block = 256,
                    .also = {2048, 16384, 64},
                    .says = "65536 floats lie in 8192 sectors: in one load, lanes side by side "
                            "should read side by side"},
                   {LOAD_REQUESTS, AT_MOST, 65536 / 128, .n = 65536, .block = 256,
                    .also = {128, 16384, 64},
                    .says = "a request of a warp brings 128 floats, if each lane asks for 16 "
                            "bytes"},
                   {BLOCKS, AT_MOST, 16, .n = 65536, .block = 256,
                    .says = "four loads for each thread make 16 blocks"},
                   {MOVED_BYTES, AT_MOST, 0, .n = 65536, .block = 256,
                    .says = "the array is read where it lies"}},
        .against = "vector_x4",
    },
    {0},
};
