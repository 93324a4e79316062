#include "blocks.h"

#include <stdio.h>
#include <string.h>

static unsigned least_block(const struct variant *variant)
{
    return variant->min_block > 0 ? variant->min_block : 1;
}

static unsigned most_block(const struct variant *variant)
{
    return variant->max_block > 0 ? variant->max_block : MAX_BLOCK;
}

bool admits_block(const struct variant *variant, unsigned block)
{
    if ((variant->flags & ON_CPU) || variant->launch == NULL)
        return true;
    if (block < least_block(variant) || block > most_block(variant))
        return false;
    switch (variant->block_rule) {
    case BLOCK_WHOLE_WARPS:
        return block % 32 == 0;
    case BLOCK_POWER_OF_TWO:
        return (block & (block - 1)) == 0;
    default:
        return true;
    }
}

static void list_powers_of_two(unsigned least, unsigned most, char text[BLOCKS_TEXT])
{
    unsigned block = 1;
    while (block < least)
        block *= 2;
    size_t used = (size_t)snprintf(text, BLOCKS_TEXT, "blocks of ");
    for (; block <= most; block *= 2) {
        const char *after = block > most / 2 ? " threads" : block > most / 4 ? " or " : ", ";
        used += (size_t)snprintf(text + used, BLOCKS_TEXT - used, "%u%s", block, after);
    }
}

const char *describe_blocks(const struct variant *variant, char text[BLOCKS_TEXT])
{
    unsigned least = least_block(variant), most = most_block(variant);
    if (variant->flags & ON_CPU)
        return strcpy(text, "no blocks: runs on the CPU");
    if (variant->block_rule == BLOCK_POWER_OF_TWO)
        list_powers_of_two(least, most, text);
    else if (variant->block_rule == BLOCK_WHOLE_WARPS)
        snprintf(text, BLOCKS_TEXT, "blocks of %u to %u threads in whole warps of 32",
                 (least + 31) / 32 * 32, most);
    else
        snprintf(text, BLOCKS_TEXT, "blocks of %u to %u threads", least, most);
    return text;
}
