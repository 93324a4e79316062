/* variant_limits.c: see variant_limits.h. */
#include "variant_limits.h"

#include "task.h"

#include <stdio.h>
#include <string.h>

bool has_rows(const struct variant *variant)
{
    return variant->task != NULL && variant->task->max_row > 0;
}

bool takes_gap(const struct variant *variant)
{
    return has_rows(variant) && variant->task->each != ONE_ANSWER && !variant->task->ragged;
}

bool has_ragged_rows(const struct variant *variant)
{
    return has_rows(variant) && variant->task->ragged;
}

bool has_operators(const struct variant *variant)
{
    return variant->task != NULL && variant->task->by_operator != NULL;
}

bool takes_row(const struct variant *variant, size_t row)
{
    const struct task *task = variant->task;
    return !has_rows(variant) ||
           (row >= task->min_row && row <= task->max_row && row % task->row_unit == 0);
}

/* n must be a multiple of this. */
static size_t unit_of(const struct variant *variant, size_t row)
{
    if (variant->task == NULL)
        return 1;
    size_t unit = has_rows(variant) ? row : variant->task->unit;
    return unit > 0 ? unit : 1;
}

bool takes_n(const struct variant *variant, size_t n, size_t row)
{
    size_t most = variant->task != NULL ? variant->task->max_n : 0;
    return n % unit_of(variant, row) == 0 && (most == 0 || n <= most);
}

const char *describe_rows(const struct variant *variant, char text[LIMITS_TEXT])
{
    const struct task *task = variant->task;
    if (task->max_row == ANY_ROW && task->min_row <= 1)
        return strcpy(text, task->min_row == 0 ? "rows of any length" : "rows of any length but 0");
    snprintf(text, LIMITS_TEXT, "rows of %zu to %zu floats in multiples of %zu", task->min_row,
             task->max_row, task->row_unit);
    return text;
}

const char *describe_n(const struct variant *variant, size_t row, char text[LIMITS_TEXT])
{
    size_t most = variant->task != NULL ? variant->task->max_n : 0;
    if (most > 0)
        snprintf(text, LIMITS_TEXT, "an n of at most %zu", most);
    else
        snprintf(text, LIMITS_TEXT, "an n that is a multiple of %zu", unit_of(variant, row));
    return text;
}

unsigned least_block(const struct variant *variant)
{
    return variant->min_block > 0 ? variant->min_block : 1;
}

unsigned most_block(const struct variant *variant)
{
    return variant->max_block > 0 ? variant->max_block : MAX_BLOCK;
}

bool takes_block(const struct variant *variant, unsigned block)
{
    if (variant->flags & ON_CPU)
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

static void list_powers_of_two(unsigned least, unsigned most, char text[LIMITS_TEXT])
{
    unsigned block = 1;
    while (block < least)
        block *= 2;
    size_t used = (size_t)snprintf(text, LIMITS_TEXT, "blocks of ");
    for (; block <= most; block *= 2) {
        const char *after = block > most / 2 ? " threads" : block > most / 4 ? " or " : ", ";
        used += (size_t)snprintf(text + used, LIMITS_TEXT - used, "%u%s", block, after);
    }
}

const char *describe_blocks(const struct variant *variant, char text[LIMITS_TEXT])
{
    unsigned least = least_block(variant), most = most_block(variant);
    if (variant->flags & ON_CPU)
        return strcpy(text, "no blocks: runs on the CPU");
    if (variant->block_rule == BLOCK_POWER_OF_TWO)
        list_powers_of_two(least, most, text);
    else if (variant->block_rule == BLOCK_WHOLE_WARPS)
        snprintf(text, LIMITS_TEXT, "blocks of %u to %u threads in whole warps of 32",
                 (least + 31) / 32 * 32, most);
    else
        snprintf(text, LIMITS_TEXT, "blocks of %u to %u threads", least, most);
    return text;
}

bool takes_pattern(const struct variant *variant, enum pattern pattern)
{
    return !(variant->flags & UNIT_INPUT) || pattern_in_unit(pattern);
}
