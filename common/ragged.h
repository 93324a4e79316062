/* ragged.h: rows of different lengths, one after the other, and where each begins. */
#ifndef RAGGED_H
#define RAGGED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum lengths {
    LENGTHS_ONE_LONG, /* 3 floats each, and the row in the middle has all the others */
    LENGTHS_RANDOM,   /* from 0 to some four times the average; a quarter of the rows is empty */
    LENGTHS_EQUAL,    /* the average, but for one float */
    LENGTHS_COUNT
};

/* The name as typed after --lengths. */
const char *lengths_name(enum lengths lengths);

/* Sets *lengths and returns true, or returns false: no such name. */
bool lengths_from_name(const char *name, enum lengths *lengths);

/* Fills offsets[0] to offsets[rows]: row r is the floats offsets[r] to offsets[r + 1] - 1 of n. The
   first is 0, the last n. rows is 1 or more, unless n is 0. */
void make_offsets(size_t *offsets, size_t rows, size_t n, enum lengths lengths, uint64_t seed);

#ifdef __cplusplus
}
#endif
#endif
