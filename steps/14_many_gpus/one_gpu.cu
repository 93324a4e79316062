/*
 * one_gpu: the whole array on one GPU, by the function of step 11: what the others are to beat.
 *
 * New:     nothing.
 * Why:     k GPUs have k memories, so a sum of cold data may be k times as fast and no faster. How
 *          near the others come to that is their efficiency.
 * Look at: ./step14 -n 1M,16M,256M,1G: where do the others begin to beat it?
 */
#include "11_library/lesson_workspace.h"

static void launch(struct sum *s)
{
    set_launch_and_depth(s, sizeof(float), 1);
    must(sum_f32(s->in, s->n, s->out, workspace(), s->stream));
}

extern const struct variant variant_one_gpu = {
    .name = "one_gpu",
    .what = "the whole array on one GPU",
    .launch = launch,
};
