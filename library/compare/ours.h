/* ours.h: the library's sums as ways to sum, and a plain read. */
#ifndef OURS_H
#define OURS_H

#include "lesson.h"
#include "library/sum_f32_plan.h"

extern const struct variant our_sum;     /* sum_f32(), or the function for the elements */
extern const struct variant our_apart;   /* sum_f32(), but for what makes launches overlap */
extern const struct variant our_planned; /* sum_f32() by this plan: */
extern struct sum_f32_plan planned;
extern const struct variant our_exact;  /* sum_f32_exact() */
extern const struct variant plain_read; /* reads as many bytes, and does no more */

/* Ends the program, after one line, if the library refuses. */
void must(enum sum_f32_status status);

#endif
