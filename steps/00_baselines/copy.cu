/*
 * copy: a roof: how fast the memory can be read and written at all.
 *
 * Moves twice the bytes of a sum: n floats in, n floats out.
 */
#include "lesson.h"

static void launch(struct sum *s)
{
    CUDA_CHECK(
        cudaMemcpyAsync(s->out, s->in, s->n * sizeof(float), cudaMemcpyDeviceToDevice, s->stream));
}

extern const struct variant variant_copy = {
    .name = "copy",
    .what = "roof: device-to-device copy, reads and writes",
    .launch = launch,
    .flags = ROOF | COPIES,
};
