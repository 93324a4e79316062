/* variant_limits.h: which blocks, which n and which rows of a matrix a variant takes, and how that
   is said. Only plan.c asks what is taken; code that runs a variant finds in the plan what it runs
   on. */
#ifndef VARIANT_LIMITS_H
#define VARIANT_LIMITS_H

#include "data.h"
#include "lesson.h"

/* The most threads a block can have, on every GPU so far (CUDA C++ Programming
   Guide, "Compute Capabilities"), and the most blocks a grid has along x. */
#define MAX_BLOCK 1024
#define MAX_GRID  2147483647u

/* Whether its task works on rows whose length the command line says; whether these may have gaps
   between them, may be ragged, may be asked for by --operator. */
bool has_rows(const struct variant *variant);
bool takes_gap(const struct variant *variant);
bool has_ragged_rows(const struct variant *variant);
bool has_operators(const struct variant *variant);

/* Whether it takes blocks of so many threads (one that runs on the CPU takes any), rows of so many
   floats (any, if it has none), n floats in such rows (a row and its gap), numbers of this
   pattern. */
bool takes_block(const struct variant *variant, unsigned block);
bool takes_row(const struct variant *variant, size_t row);
bool takes_n(const struct variant *variant, size_t n, size_t row);
bool takes_pattern(const struct variant *variant, enum pattern pattern);
#define UNIT_PATTERNS "the patterns uniform, positive and ones"

/* Writes "blocks of 64, 128, 256, 512 or 1024 threads"; "rows of 32 to 1024 floats in multiples
   of 32", or "rows of any length"; "an n that is a multiple of 1024" or, for a task with a largest
   n (it has no unit), "an n of at most 4294967295". Returns text, which has room for LIMITS_TEXT
   bytes. */
enum { LIMITS_TEXT = 96 };
const char *describe_blocks(const struct variant *variant, char text[LIMITS_TEXT]);
const char *describe_rows(const struct variant *variant, char text[LIMITS_TEXT]);
const char *describe_n(const struct variant *variant, size_t row, char text[LIMITS_TEXT]);

/* The block sizes it admits, from 1 to MAX_BLOCK. */
unsigned least_block(const struct variant *variant);
unsigned most_block(const struct variant *variant);

#endif
