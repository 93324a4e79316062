/* lesson.c: what is right, and the variants of this topic, in the order of the table. */
#include "toolbox/toolbox.h"

enum { TILE = 32 * 32 };

static void check_transpose(const struct answer *a, struct verdict *verdict)
{
    for (size_t i = 0; i < a->n; i++) {
        size_t tile = i / TILE * TILE, row = i % TILE / 32, column = i % 32;
        expect_word(verdict, a->out, i, word_at(a->in, tile + 32 * column + row));
    }
}

const struct task transpose_task = {
    .name = "transpose",
    .words = n_words,
    .check = check_transpose,
    .unit = TILE,
};

extern const struct variant variant_transpose, variant_transpose_shared, variant_transpose_swizzle,
    variant_transpose_conflict;

static const struct variant *const variants[] = {
    &variant_transpose,
    &variant_transpose_shared,
    &variant_transpose_swizzle,
    &variant_transpose_conflict,
    NULL,
};

const struct lesson lesson = {
    .name = "transpose",
    .idea = "a tile of 32 x 32: rows become columns",
    .in_chinese = "在寄存器中转置",
    .variants = variants,
};
