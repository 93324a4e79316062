/* masks_check.c: checks the answer, bit for bit. */
#include "masks.h"

static size_t one_word(size_t n, size_t row)
{
    (void)n, (void)row;
    return 1;
}

static void check_total(const struct answer *a, struct verdict *verdict)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < a->n; i++)
        sum += word_at(a->in, i);
    expect_word(verdict, a->out, 0, sum);
}

const struct task masks_task = {
    .name = "masks",
    .words = one_word,
    .check = check_total,
};
