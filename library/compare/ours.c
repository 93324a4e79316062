/* ours.c: see ours.h. */
#include "ours.h"

#include "cuda_errors.h"
#include "device.h"
#include "library/sum_exact.h"
#include "library/sum_types.h"
#include "message.h"

#include <stdlib.h>

struct sum_f32_plan planned;

void must(enum sum_f32_status status)
{
    if (status == SUM_F32_LAUNCH_FAILED)
        CUDA_CHECK(cudaGetLastError());
    if (status != SUM_F32_OK)
        exit(complain(STATUS_WRONG, "the library: %s", sum_f32_message(status)));
}

/* Made and zeroed at the first call. */
static const struct sum_f32_workspace *workspace(struct sum_f32_workspace *w)
{
    if (w->memory == NULL) {
        must(sum_f32_workspace_bytes(&w->bytes));
        CUDA_CHECK(cudaMalloc(&w->memory, w->bytes));
        CUDA_CHECK(cudaMemset(w->memory, 0, w->bytes));
    }
    return w;
}

static void sum(struct sum *s)
{
    static struct sum_f32_workspace memory;
    const struct sum_f32_workspace *w = workspace(&memory);
    const void *in = s->in;
    void *out = s->out;
    switch (s->element) {
    case ELEMENT_HALF:
        must(sum_f16(in, s->n, out, w, s->stream));
        break;
    case ELEMENT_BFLOAT16:
        must(sum_bf16(in, s->n, out, w, s->stream));
        break;
    case ELEMENT_DOUBLE:
        must(sum_f64(in, s->n, out, w, s->stream));
        break;
    case ELEMENT_INT32:
        must(sum_i32(in, s->n, out, w, s->stream));
        break;
    default:
        must(sum_f32(in, s->n, out, w, s->stream));
    }
}

static void sum_by(struct sum *s, const struct sum_f32_plan *plan, bool overlap)
{
    static struct sum_f32_workspace memory;
    must(sum_f32_by(plan, overlap, s->in, s->n, s->out, workspace(&memory), s->stream));
}

static void sum_apart(struct sum *s)
{
    unsigned sms;
    bool hopper;
    must(sum_f32_device(&sms, &hopper));
    const struct sum_f32_plan plan = sum_f32_plan(s->n, sms, hopper);
    sum_by(s, &plan, false);
}

static void sum_planned(struct sum *s)
{
    sum_by(s, &planned, true);
}

static void sum_exact(struct sum *s)
{
    static struct sum_f32_workspace memory;
    must(sum_f32_exact(s->in, s->n, s->out, workspace(&memory), s->stream));
}

const struct variant our_sum = {.name = "sum_f32", .what = "the library's sum", .launch = sum};
const struct variant our_apart = {.name = "apart",
                                  .what = "sum_f32(), each launch after the end of the last",
                                  .launch = sum_apart};
const struct variant our_planned = {
    .name = "planned", .what = "sum_f32() by a plan", .launch = sum_planned};
const struct variant our_exact = {
    .name = "sum_f32_exact", .what = "the correctly rounded sum", .launch = sum_exact};
const struct variant plain_read = {
    .name = "read", .what = "a plain read of as many bytes", .launch = launch_read, .flags = ROOF};
