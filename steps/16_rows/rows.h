/*
 * rows.h: the questions of step 16: the operators of step 15, asked of every row of a matrix, of
 * every column, of every ragged row.
 */
#ifndef ROWS_H
#define ROWS_H

#include "15_operators/operators.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An answer for each row, as operators.h says it; of argmax the number is the place in the row. */
extern const struct task rows_task;

/* An answer for each column; of argmax the number of the row. */
extern const struct task columns_task;

/* An answer for each ragged row. */
extern const struct task ragged_task;

#ifdef __cplusplus
}
#endif

/* Blocks that are in flight at once on an SM, as far as a grid need be large. */
#define BLOCKS_AT_ONCE 8

/* Floats of scratch that the driver has for each SM: of so many blocks the states of 32 columns. */
#define SCRATCH_PER_SM (BLOCKS_AT_ONCE * 32 * 4)

#endif
