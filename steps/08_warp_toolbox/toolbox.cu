/*
 * Step 08: the warp toolbox (source 002, its last act): what the lanes of a warp can tell each
 * other, beyond a sum.
 *
 * New:     the answer is no longer one float. Each topic has a file of its own here, and its
 *          kernels answer one question of the same n floats: by shuffle, vote, match or reduce,
 *          and once through shared memory.
 * Why:     source 002 says that these tools cost nothing. Do they?
 * Look at: one topic:  ./step08 -v 'transpose*'        all of them:  ./step08 --list
 */
#include "toolbox.h"

#include "message.h"

#include <stdlib.h>

enum { MOST_VARIANTS = 64 };

void need_32_bits(size_t n)
{
    if (n > UINT32_MAX)
        exit(complain(STATUS_USAGE, "compact and match count in 32 bits: take an n below 4G"));
}

int main(int argc, char **argv)
{
    static const struct topic *const topics[] = {
        &exchange_topic, &width_topic, &transpose_topic, &scan_topic,      &scan_array_topic,
        &scan_cub_topic, &vote_topic,  &compact_topic,   &aggregate_topic, &match_topic,
        &redux_topic,    &masks_topic, &softmax_topic};
    struct variant variants[MOST_VARIANTS];
    size_t count = 0;

    for (const struct topic *topic : topics)
        for (size_t i = 0; i < topic->count && count < MOST_VARIANTS; i++)
            variants[count++] = topic->variants[i];
    const struct lesson lesson = {.name = "08_warp_toolbox",
                                  .idea = "what the lanes of a warp can tell each other",
                                  .variants = variants,
                                  .variant_count = count};
    return run_lesson(argc, argv, &lesson);
}
