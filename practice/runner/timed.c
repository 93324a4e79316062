/* timed.c: on a GPU, how long launch() takes, and a variant of the lesson beside it. */
#include "runner.h"

#include "timing.h"

#include <string.h>

/* Linked with programs for a GPU only, and where the exercise belongs to a lesson of the ladder. */
extern const struct lesson lesson __attribute__((weak));

struct timed {
    float *memory, *in, *out;
    size_t n;
    unsigned block;
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
        launch(t->in, t->out, t->n, t->block);
}

void take_times(const float *in, size_t n, unsigned block, size_t words, const char *against,
                double us[2])
{
    struct timed t = {.n = n, .block = block};
    struct job job = {restore, once, &t, NULL};
    int sms;
    CUDA_CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    CUDA_CHECK(cudaMalloc((void **)&t.memory, n * sizeof(float)));
    CUDA_CHECK(cudaMalloc((void **)&t.in, n * sizeof(float)));
    CUDA_CHECK(cudaMalloc((void **)&t.out, (words + 1) * sizeof(float)));
    CUDA_CHECK(cudaMemcpy(t.memory, in, n * sizeof(float), cudaMemcpyHostToDevice));
    us[0] = time_on_gpu(&job, 0, true, 0).median;
    CUDA_CHECK(cudaGetLastError()); /* a launch that was refused has taken no time */

    for (size_t i = 0; &lesson && lesson.variants[i]; i++)
        if (strcmp(lesson.variants[i]->name, against) == 0)
            t.variant = lesson.variants[i];
    if (!t.variant)
        return;
    t.sum = (struct sum){.in = t.in, .n = n, .out = t.out, .block = t.block, .sms = (unsigned)sms};
    size_t scratch = scratch_floats(n, t.block, t.variant->per_thread, t.sum.sms);
    CUDA_CHECK(cudaMalloc((void **)&t.sum.scratch, scratch * sizeof(float)));
    us[1] = time_on_gpu(&job, 0, true, 0).median;
}
