/*
 * exchange.h: what is right, on the CPU: the tasks of this topic, and the answer for a row, which
 * width asks for, too.
 */
#ifndef EXCHANGE_H
#define EXCHANGE_H

#include "task.h"

extern const struct task broadcast_task, rotate_task, butterfly_task;

/* What a warp's tree makes of the width (32 or 8) floats that begin at in[first], bit for bit:
   neighbours width / 2 apart first. Beyond n there are zeros. */
static inline float row_sum(const float *in, size_t n, size_t first, size_t width)
{
    float v[32];
    for (size_t l = 0; l < width; l++)
        v[l] = first + l < n ? in[first + l] : 0.0f;
    for (size_t m = width / 2; m > 0; m /= 2)
        for (size_t l = 0; l < m; l++)
            v[l] += v[l + m];
    return v[0];
}

/* Each row of width floats moved on by one: the last of a row, also of a short one, takes the
   first. */
static inline void check_rotation(const struct answer *a, struct verdict *verdict, size_t width)
{
    for (size_t i = 0; i < a->n; i++) {
        size_t next = (i + 1) % width == 0 || i + 1 == a->n ? i / width * width : i + 1;
        expect_word(verdict, a->out, i, word_at(a->in, next));
    }
}

#endif
