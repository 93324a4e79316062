/* rows.h: the questions of compare rows, and who answers them: the library, CUB. */
#ifndef COMPARE_ROWS_H
#define COMPARE_ROWS_H

#include "lesson.h"
#include "library/reduce_plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a launch is to answer, of the s->n elements at s->in: it is set before the times are taken.
 */
enum asked_of { OF_ROWS, OF_COLUMNS, OF_SEGMENTS };
extern struct question {
    enum reduce_operator op;
    enum asked_of of;
    size_t rows, columns;                      /* of segments: their number in rows */
    const int64_t *offsets, *offsets_of_equal; /* device memory, rows + 1: of segments; of rows */
    void *out;                                 /* device memory for all answers, of 8 bytes each */
} question;

extern const struct variant our_rows; /* rows.c; for tune_rows.c, too: */
struct comparison;
void open_rows(struct comparison *c); /* memory for all answers of c->most elements */
void name_question(struct comparison *c, enum reduce_operator op, enum asked_of of);
struct reduce_matrix rows_matrix(const struct sum *s); /* what is asked about */
const struct reduce_workspace *rows_workspace(void);   /* made and zeroed at the first call */

/* cub_rows.cu, where CUB is: sums, maxima, and where they are. By offsets; and of a newer CCCL,
   rows that are as long as one another. */
#define RIVAL extern const struct variant __attribute__((weak))
RIVAL cub_rows_by_offsets, newer_cub_rows_by_offsets, newer_cub_rows;
#undef RIVAL

#ifdef __cplusplus
}
#endif

#endif
