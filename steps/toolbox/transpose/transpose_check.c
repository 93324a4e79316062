/* transpose_check.c: checks the answer, word by word. */
#include "transpose.h"

#include "toolbox/toolbox.h"

static void check_transpose(const struct answer *a, struct verdict *verdict)
{
    for (size_t i = 0; i < a->n; i++) {
        size_t tile = i / TILE_FLOATS * TILE_FLOATS, row = i % TILE_FLOATS / 32, column = i % 32;
        expect_word(verdict, a->out, i, word_at(a->in, tile + 32 * column + row));
    }
}

const struct task transpose_task = {
    .name = "transpose",
    .words = n_words,
    .check = check_transpose,
    .unit = TILE_FLOATS,
};
