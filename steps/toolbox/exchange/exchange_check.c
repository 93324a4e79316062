/* exchange_check.c: checks the answers of this topic, bit for bit. */
#include "exchange.h"

#include "toolbox/toolbox.h"

static void check_broadcast(const struct answer *a, struct verdict *verdict)
{
    for (size_t i = 0; i < a->n; i++)
        expect_float(verdict, a->out, i, a->in[i] - a->in[i / 32 * 32]);
}

static void check_rotate(const struct answer *a, struct verdict *verdict)
{
    check_rotation(a, verdict, 32);
}

static void check_butterfly(const struct answer *a, struct verdict *verdict)
{
    float sum = 0.0f;
    for (size_t i = 0; i < a->n; i++) {
        if (i % 32 == 0)
            sum = row_sum(a->in, a->n, i, 32);
        expect_float(verdict, a->out, i, sum);
    }
}

const struct task broadcast_task = {
    .name = "broadcast",
    .words = n_words,
    .check = check_broadcast,
};

const struct task rotate_task = {
    .name = "rotate",
    .words = n_words,
    .check = check_rotate,
};

const struct task butterfly_task = {
    .name = "butterfly",
    .words = n_words,
    .check = check_butterfly,
};
