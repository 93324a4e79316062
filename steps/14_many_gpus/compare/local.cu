/*
 * local: each GPU sums its share, and the sums are not brought together: every way to do that
 * begins so. What a way takes longer than this is what it costs.
 */
#include "../local_sum.h"

static void launch(struct sum *s)
{
    for (unsigned g = 0; g < s->gpus; g++)
        sum_locally(s, g);
}

extern const struct variant variant_local = {
    .name = "local",
    .what = "each GPU sums its share, and that is all",
    .launch = launch,
    .flags = MANY_GPUS,
};
