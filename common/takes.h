/* shapes.h: which n, and which rows of a matrix, a variant takes (task.h says so). */
#ifndef SHAPES_H
#define SHAPES_H

#include "lesson.h"

/* Whether the variant's task works on rows whose length the command line says. */
bool has_rows(const struct variant *variant);

/* Whether it takes rows of so many floats; any, if it has none. */
bool admits_row(const struct variant *variant, size_t row);

/* Whether it takes n floats, in rows of so many if it has rows. */
bool admits_n(const struct variant *variant, size_t n, size_t row);

/* Writes "rows of 32 to 1024 floats in multiples of 32"; "an n that is a multiple of 1024" or, for
   a task with a largest n (it has no unit), "an n of at most 4294967295".
   Returns text, which has room for SHAPE_TEXT bytes. */
enum { SHAPE_TEXT = 96 };
const char *describe_rows(const struct variant *variant, char text[SHAPE_TEXT]);
const char *describe_n(const struct variant *variant, size_t row, char text[SHAPE_TEXT]);

#endif
