/* lesson.c: what is right, and the variants of this topic, in the order of the table. */
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

extern const struct variant variant_broadcast, variant_broadcast_shared, variant_broadcast_groups,
    variant_rotate, variant_rotate_shared, variant_rotate_groups, variant_butterfly,
    variant_butterfly_shared, variant_butterfly_groups;

static const struct variant *const variants[] = {
    &variant_broadcast,        &variant_broadcast_shared,
    &variant_broadcast_groups, &variant_rotate,
    &variant_rotate_shared,    &variant_rotate_groups,
    &variant_butterfly,        &variant_butterfly_shared,
    &variant_butterfly_groups, NULL,
};

const struct lesson lesson = {
    .name = "exchange",
    .idea = "32 lanes hand each other a register: from one to all, round, in pairs",
    .in_chinese = "广播、循环移位、蝶式交换",
    .variants = variants,
};
