/* reduce_plan.h: which kernel for which shape; inside the library, and for those who measure and
   test it. */
#ifndef REDUCE_PLAN_H
#define REDUCE_PLAN_H

#include "reduce_rows.h"
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    REDUCE_THREADS = 256, /* of every block, but for segments: */
    SEGMENT_THREADS = 128,
    STAGED_THREADS = 128, /* at most, of a block that copies rows to shared memory, ... */
    STAGED_BYTES = 16912, /* ... so much of them: an SM of an H100 has room for 13 such blocks */
    STAGED_VECTOR_BYTES = 17408, /* the same of rows of whole vectors, by 64 threads */
    ROW_LOADS = 4,        /* of 16 bytes, that each thread has in flight where rows are reduced */
    COLUMN_LOADS = 8,     /* where columns are: one of each of so many rows ... */
    FEW_COLUMN_LOADS = 4, /* ... or of so many, for more threads at the same time */
    TILE_PLACES = 1024,   /* of elements that a warp has in flight where segments are reduced */
    END_BYTES = 64,       /* what an end of a segment counts as: an offset, an answer, and work */
    NEAR = 1024,          /* elements from which on a segment is cut between blocks ... */
    MOST_WHOLE = 8192,    /* ... if it has more than so many, or than a block's share */
    SEGMENT_BLOCKS_PER_SM = 5,
    LONG_BLOCKS_PER_SM = 10,    /* of long segments, each with a block; ... */
    MOST_LONG_SEGMENTS = 65536, /* ... there are so many at most, ... */
    MOST_ALONE_OF_ALL = 256,    /* ... and blocks share what has more than this part of all, ... */
    LEAST_SHARE = 32768,        /* ... each at least so many bytes */
    EVEN_PARTS = 512,           /* of the segments, as many in each: they are even ... */
    EVEN_BYTES = 64 * 1024,     /* ... if none has more elements than that */
    MOST_OF_A_WARP = 8192,      /* bytes of a segment that a warp has to itself; else its block */
    SPLIT_BLOCKS_PER_SM = 512,  /* blocks that several share an answer, at most */
    COLUMN_BLOCKS_PER_SM = 16,  /* the same of columns ... */
    COLUMN_TILE = 128,          /* ... of which a block then has so many, at most */
    COLUMN_SLOTS = 4, /* times 16 bytes of columns: states that a thread merges at most of others */
    MOST_SHIFTED_LANES = 32, /* a lane gets columns from its neighbour in the warp */
};

/* Rows that each thread of ROWS_IN_A_THREAD has, of 1, 2, 4 or 8 elements: up to 32 bytes. */
#define ROWS_OF_A_THREAD(most) (8 / (most))

/* Places of 16 bytes that a row of so many has in shared memory, for teams of so many lanes: what 8
   lanes read at once lies in different banks. */
#define STAGED_VECTORS(vectors, lanes)                                                             \
    ((lanes) < 8 ? (((vectors) + (lanes)-1) / (lanes) | 1) * (lanes) : (vectors))

/* Zero between calls, at the start of a workspace: a ticket for each answer that several blocks
   share; and slots with flags, of two words. A block has one for each of its columns; and teams
   of blocks, less than one for each SM. (Of rows there are fewer: one for each block.) */
#define TICKET_BYTES(sms) (SPLIT_BLOCKS_PER_SM * (sms) * sizeof(unsigned))
#define FLAGGED_BYTES(sms)                                                                         \
    ((COLUMN_BLOCKS_PER_SM + 1) * (sms) * (size_t)COLUMN_TILE * 2 * sizeof(unsigned long long))

enum reduce_kind {
    ROWS_IN_A_THREAD,
    ROWS_IN_A_WARP,
    STAGED_ROWS,
    WARP_A_ROW,
    BLOCK_A_ROW,
    BLOCKS_A_ROW,
    COLUMNS_IN_A_THREAD,
    COLUMNS,
    SEGMENTS
};

struct reduce_plan {
    enum reduce_kind kind;
    bool vectors;   /* ..._ROWS, ROWS_IN_A_..., COLUMNS...: loads of 16 bytes */
    unsigned lanes; /* side by side in a row, a power of two */
    size_t tiles;   /* COLUMNS...: side by side */
    size_t parts;   /* of a row, or a column, each for a block; 1 but for BLOCKS_A_ROW, COLUMNS */
    size_t part;    /* elements in each but the last */
    size_t blocks;
    unsigned loads;     /* ROWS_IN_A_WARP: of each lane in one row; 1, 2 or 4.
                           COLUMNS_IN_A_THREAD: rows read at once; FEW_COLUMN_LOADS or COLUMN_LOADS */
    unsigned in_block;  /* STAGED_ROWS: rows of a block. SEGMENTS: of a block: one, if they are
                           long on average; or one for each warp, if even; 0: they cannot be */
    size_t list_blocks; /* SEGMENTS: that share the list, if each has not its block or warp */
    unsigned sharers;   /* SEGMENTS, where each has its block: the first blocks, which share ... */
    size_t most_alone;  /* ... what has more elements than that */
    unsigned threads;   /* STAGED_ROWS: of a block */
    bool shifted;       /* COLUMNS, not vectors, 2 to MOST_SHIFTED_LANES lanes: yet 16 bytes a load,
                           from the multiple of 16 bytes in front of a lane's columns on */
};

/* a / b, rounded up; and the smaller of two. */
static inline size_t rounded_up(size_t a, size_t b)
{
    return a / b + (a % b > 0);
}
static inline size_t at_most(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* 2 or 4; 0 if there is no such type. */
size_t reduce_element_bytes(enum reduce_type type);

struct reduce_plan reduce_rows_plan(enum reduce_operator op, const struct reduce_matrix *matrix,
                                    unsigned sms);
struct reduce_plan reduce_columns_plan(enum reduce_operator op, const struct reduce_matrix *matrix,
                                       unsigned sms);
struct reduce_plan reduce_segments_plan(const struct reduce_segments *segments, unsigned sms);

/* d of the error bounds in reduce_rows.h: the most additions, or merges, on the way of an element
   into the answer of n elements. */
size_t reduce_depth(const struct reduce_plan *plan, enum reduce_type type, size_t n);

/* As the functions of reduce_rows.h, but by this plan; NULL: by the one that they choose. */
enum reduce_status reduce_rows_by(const struct reduce_plan *plan, enum reduce_operator op,
                                  const struct reduce_matrix *matrix, void *out,
                                  const struct reduce_workspace *workspace, cudaStream_t stream);
enum reduce_status reduce_columns_by(const struct reduce_plan *plan, enum reduce_operator op,
                                     const struct reduce_matrix *matrix, void *out,
                                     const struct reduce_workspace *workspace, cudaStream_t stream);
enum reduce_status reduce_segments_by(const struct reduce_plan *plan, enum reduce_operator op,
                                      const struct reduce_segments *segments, void *out,
                                      const struct reduce_workspace *workspace,
                                      cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
