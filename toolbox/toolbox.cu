/*
 * The toolbox: the warp toolbox (source 002, its last act): what the lanes of a warp can tell each
 * other, beyond a sum.
 *
 * New:     the answer is no longer one float. Each topic has a file of its own here, and its
 *          kernels answer one question of the same n floats: by shuffle, vote, match or reduce,
 *          and once through shared memory.
 * Why:     source 002 says that these tools cost nothing. Do they?
 * Look at: one topic:  ./toolbox08 -v 'transpose*'        all of them:  ./toolbox08 --list
 */
#include "toolbox.h"

#include "options.h"

#include <assert.h>

int main(int argc, char **argv)
{
    static const struct topic *const topics[] = {
        &exchange_topic,   &butterfly_topic,     &width_topic,    &transpose_topic, &scan_topic,
        &scan_array_topic, &scan_two_pass_topic, &scan_cub_topic, &vote_topic,      &compact_topic,
        &aggregate_topic,  &match_topic,         &redux_topic,    &masks_topic,     &softmax_topic};
    struct variant variants[MAX_VARIANTS];
    size_t count = 0;

    for (const struct topic *topic : topics) {
        assert(count + topic->count <= MAX_VARIANTS);
        for (size_t i = 0; i < topic->count; i++)
            variants[count++] = topic->variants[i];
    }
    const struct lesson lesson = {.name = "08_warp_toolbox",
                                  .idea = "what the lanes of a warp can tell each other",
                                  .variants = variants,
                                  .variant_count = count};
    return run_lesson(argc, argv, &lesson);
}
