/* numbers.h: numbers as people type and read them: 1000, 64K, 1<<20. */
#ifndef NUMBERS_H
#define NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The largest number of elements that a command line may ask for, 2^60 - 1:
   its bytes, twice over, still fit in a size_t. */
#define MAX_ELEMENTS (((size_t)1 << 60) - 1)

/* Reads a size: decimal digits, then nothing, K, M or G (powers of 1024), or
   <<bits. Returns NULL and sets *size, or returns what is wrong and what would
   work, to be printed after the text. */
const char *parse_size(const char *text, size_t *size);

/* Reads a whole decimal number from least to most; false if text is none. */
bool parse_number(const char *text, uint64_t least, uint64_t most, uint64_t *number);

/* Writes n as parse_size reads it, in its shortest form: 1000, 64K, 16M, 1G.
   Returns text, which has room for SIZE_TEXT bytes. */
enum { SIZE_TEXT = 24 };
const char *format_size(size_t n, char text[SIZE_TEXT]);

#ifdef __cplusplus
}
#endif

#endif
