/* blocks.h: which block sizes a variant takes. */
#ifndef BLOCKS_H
#define BLOCKS_H

#include "lesson.h"

/* The most threads a block can have, on every GPU so far (CUDA C++ Programming
   Guide, "Compute Capabilities"), and the most blocks a grid has along x. */
#define MAX_BLOCK 1024
#define MAX_GRID  2147483647u

/* Whether the variant takes blocks of this many threads. One that runs on the
   CPU, or cannot run here at all, takes any. */
bool admits_block(const struct variant *variant, unsigned block);

/* Writes "blocks of 64, 128, 256, 512 or 1024 threads", or the like.
   Returns text, which has room for BLOCKS_TEXT bytes. */
enum { BLOCKS_TEXT = 96 };
const char *describe_blocks(const struct variant *variant, char text[BLOCKS_TEXT]);

#endif
