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

enum code {
    /* a thread for itself */
    ADD,
    SUB,
    MULTIPLY,
    MULTIPLY_HIGH,
    AND,
    OR,
    XOR,
    SHIFT_LEFT,
    SHIFT_RIGHT, /* of a signed number */
    FUNNEL,
    COUNT_BITS,
    REVERSE_BITS,
    LEADING_ZEROS,
    FIRST_BIT,
    BYTES, /* __byte_perm */
    LESS,
    LEAST,
    MOST,
    SELECT,
    DIVIDE,
    REMAINDER,
    FLOAT, /* small whole numbers: exact */
    DOUBLE,
    LOCAL_ARRAY,
    CALL,
    /* global memory */
    LOAD,
    LOAD_READ_ONLY,
    LOAD_BYTE,
    LOAD_SHORT,
    LOAD_PAIR,
    LOAD_FOUR,
    LOAD_CONSTANT,
    STORE, /* word c of the 8 that a thread has in out: each word has a place of its own, k */
    LOAD_BACK,
    ADD_TO_OWN, /* atomics on that word, whose results are known */
    EXCHANGE_OWN,
    COMPARE_AND_SWAP_OWN,
    ADD_TO_TOTAL, /* and those whose results are not read */
    LEAST_TO_TOTAL,
    MOST_TO_TOTAL,
    XOR_TO_TOTAL,
    OR_TO_TOTAL,
    AND_TO_TOTAL,
    FLOAT_TO_TOTAL,
    /* shared memory: array c */
    SHARED_STORE, /* to place k */
    SHARED_STORE_BYTE,
    SHARED_LOAD_OWN,
    SHARED_LOAD,
    SHARED_ADD, /* atomics, to any place */
    SHARED_XOR,
    SHARED_MOST,
    /* barriers */
    SYNC,
    SYNC_COUNT,
    SYNC_AND,
    SYNC_OR,
    /* a warp, or those of it who are here */
    WARP_EXCHANGE, /* through shared memory */
    SHUFFLE,       /* width 2^a … in c */
    SHUFFLE_UP,
    SHUFFLE_DOWN,
    SHUFFLE_XOR,
    SHUFFLE_LONG,
    SHUFFLE_ANY, /* from any lane that is there, in a warp that may be short */
    SHUFFLE_FIRST,
    SHUFFLE_LAST,
    BALLOT,
    ANY,
    ALL,
    MATCH_ANY,
    MATCH_ALL,
    REDUCE_ADD,
    REDUCE_LEAST,
    REDUCE_MOST,
    REDUCE_AND,
    REDUCE_OR,
    REDUCE_XOR,
    TILE_SUM, /* cooperative groups: tiles of 2^c lanes */
    TILE_SCAN,
    TILE_ROTATE,
    /* who goes on */
    IF, /* bit k of b */
    IF_WARP,
    IF_BLOCK,
    ELSE,
    LOOP,  /* k times */
    WHILE, /* b & 3 times */
    END,
    RETURN, /* if b & 7 is k */
};

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
