/*
 * random.h: what a random kernel of generate.py does, as a table of operations, for reference.c to
 * work out on the host. A thread has four registers x0 to x3 of 32 bits. In the comments a, b, c
 * name registers, k is a constant; in, out, total are in global memory, s0 and s1 in shared memory,
 * with a word for each thread of the block.
 */
#ifndef RANDOM_H
#define RANDOM_H

#ifdef __cplusplus
extern "C" {
#endif

enum { IN_WORDS = 1024, TABLE_WORDS = 64, OUT_WORDS = 8, TOTALS = 8, MOST_THREADS = 256 };

/* clang-format off */
enum code {
    /* a thread for itself. SHIFT_RIGHT: of a signed number; BYTES: __byte_perm; FLOAT: small whole numbers: exact */
    ADD, SUB, MULTIPLY, MULTIPLY_HIGH, AND, OR, XOR, SHIFT_LEFT, SHIFT_RIGHT, FUNNEL, COUNT_BITS, REVERSE_BITS, LEADING_ZEROS, FIRST_BIT, BYTES,
    LESS, LEAST, MOST, SELECT, DIVIDE, REMAINDER, FLOAT, DOUBLE, LOCAL_ARRAY, CALL,
    /* global memory. STORE, LOAD_BACK and the atomics ..._OWN, whose results are known: of word c of the 8 that a thread has in out; each
       has a place of its own, k. The results of ..._TOTAL are not read */
    LOAD, LOAD_READ_ONLY, LOAD_BYTE, LOAD_SHORT, LOAD_PAIR, LOAD_FOUR, LOAD_CONSTANT, STORE, LOAD_BACK, ADD_TO_OWN, EXCHANGE_OWN, COMPARE_AND_SWAP_OWN,
    ADD_TO_TOTAL, LEAST_TO_TOTAL, MOST_TO_TOTAL, XOR_TO_TOTAL, OR_TO_TOTAL, AND_TO_TOTAL, FLOAT_TO_TOTAL,
    /* shared memory: array c; to place k; atomics, to any place */
    SHARED_STORE, SHARED_STORE_BYTE, SHARED_LOAD_OWN, SHARED_LOAD, SHARED_ADD, SHARED_XOR, SHARED_MOST,
    /* barriers */
    SYNC, SYNC_COUNT, SYNC_AND, SYNC_OR,
    /* a warp, or those of it who are here. WARP_EXCHANGE: through shared memory; SHUFFLE ...: width 2^c; SHUFFLE_ANY: from any lane that is
       there, in a warp that may be short; TILE ...: of cooperative groups, of 2^c lanes */
    WARP_EXCHANGE, SHUFFLE, SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_XOR, SHUFFLE_LONG, SHUFFLE_ANY, SHUFFLE_FIRST, SHUFFLE_LAST, BALLOT, ANY, ALL,
    MATCH_ANY, MATCH_ALL, REDUCE_ADD, REDUCE_LEAST, REDUCE_MOST, REDUCE_AND, REDUCE_OR, REDUCE_XOR, TILE_SUM, TILE_SCAN, TILE_ROTATE,
    /* who goes on. IF: bit k of b; LOOP: k times; WHILE: b & 3 times; RETURN: if b & 7 is k */
    IF, IF_WARP, IF_BLOCK, ELSE, LOOP, WHILE, END, RETURN
};
/* clang-format on */

struct op {
    unsigned char code, a, b, c;
    unsigned k;
};

struct kernel {
    const char *name;
    void (*launch)(const unsigned *in, unsigned *out, unsigned *total);
    unsigned blocks, threads; /* of one block */
    const struct op *ops;
    unsigned count;
};

/* What in and the table of constants hold, what out and total hold before a kernel. */
unsigned random_word(unsigned i);
unsigned first_total(unsigned i);

/* Works out what the kernel leaves in out (blocks × threads × OUT_WORDS) and in total (TOTALS). */
void reference(const struct kernel *kernel, const unsigned *in, const unsigned *table,
               unsigned *out, unsigned *total);

#ifdef __cplusplus
}
#endif
#endif
