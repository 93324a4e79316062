/* timed.c: on a GPU, how long launch() takes, and a variant of the lesson beside it. */
#include "verdict.h"

#include "numbers.h"
#include "timing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Linked with programs for a GPU only, and where the exercise belongs to a lesson of the ladder. */
extern const struct lesson lesson __attribute__((weak));

enum { BLOCK = 256 };

struct timed {
    float *memory, *in, *out;
    size_t n;
    struct sum sum;
    const struct variant *variant; /* NULL: the reader's launch() */
};

static void restore(void *context)
{
    struct timed *t = context;
    CUDA_CHECK(
        cudaMemcpyAsync(t->in, t->memory, t->n * sizeof(float), cudaMemcpyDeviceToDevice, 0));
}

static void once(void *context)
{
    struct timed *t = context;
    if (t->variant)
        t->variant->launch(&t->sum);
    else
        launch(t->in, t->out, t->n, BLOCK);
}

static size_t timed_size(const struct criteria *c)
{
    return c->timed > 0 ? c->timed : (size_t)1 << 24;
}

static void take_times(const struct criteria *c, struct finding *f)
{
    size_t n = timed_size(c);
    struct timed t = {.n = n};
    struct job job = {restore, once, &t, NULL};
    struct run run = {.criteria = c, .n = n, .block = BLOCK};
    float *data = malloc(n * sizeof *data);
    int sms;
    draw_data(data, n, 1);
    CUDA_CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    CUDA_CHECK(cudaMalloc((void **)&t.memory, n * sizeof(float)));
    CUDA_CHECK(cudaMalloc((void **)&t.in, n * sizeof(float)));
    CUDA_CHECK(cudaMalloc((void **)&t.out, (words_of(&run) + 1) * sizeof(float)));
    CUDA_CHECK(cudaMemcpy(t.memory, data, n * sizeof(float), cudaMemcpyHostToDevice));
    f->value[0] = time_on_gpu(&job, 0, true, 0).median;
    CUDA_CHECK(cudaGetLastError()); /* a launch that was refused has taken no time */

    for (size_t i = 0; c->against && &lesson && lesson.variants[i]; i++)
        if (strcmp(lesson.variants[i]->name, c->against) == 0)
            t.variant = lesson.variants[i];
    if (!t.variant)
        return;
    t.sum = (struct sum){.in = t.in, .n = n, .out = t.out, .block = BLOCK, .sms = (unsigned)sms};
    size_t scratch = scratch_floats(n, BLOCK, t.variant->per_thread, t.sum.sms);
    CUDA_CHECK(cudaMalloc((void **)&t.sum.scratch, scratch * sizeof(float)));
    f->value[1] = time_on_gpu(&job, 0, true, 0).median;
}

void say_time(const struct criteria *c)
{
    char how[1024], n[SIZE_TEXT];
    struct finding *f = new_finding();
    format_size(timed_size(c), n);
    if (c->gpus[0] > 0)
        say_unknown("time: not told for several GPUs; ./step14 tells the lesson's");
    else if (!apart(take_times, c, f, how))
        say_unknown("time: %s", how);
    else if (f->value[1] == 0)
        say_unknown("time: %.1f us at n = %s, blocks of %d", f->value[0], n, BLOCK);
    else
        say_unknown("time: %.1f us at n = %s, blocks of %d; the lesson's %s, to one sum: %.1f us",
                    f->value[0], n, BLOCK, c->against, f->value[1]);
}
