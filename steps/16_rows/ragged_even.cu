/*
 * ragged_even: rows of different lengths; every thread has the same share of the work, wherever the
 * rows begin and end.
 *
 * New:     against ragged_warp.cu: the work is one list: the floats in their order, and after the
 *          last float of each row an item that says "the row ends". The list is cut into equal
 *          parts, and a thread goes through its own. What it has begun of a row, others may have to
 *          finish: so the states at its end go on to the next threads, and blocks.
 * Why:     neither a row of 100 million nor a million empty ones is one thread's to bear. Found by
 *          Merrill and Garland for sparse matrices (2016), and called merge path.
 * Look at: ./step16 -v 'ragged_*' -n 16M --row 16 --lengths equal, and --lengths one_long
 */
#include "carry.h"
#include "matrix.h"
#include "tickets.h"

#define ITEMS 9 /* of a thread in a tile; odd, so that lanes hit 32 different banks */

/* What a block leaves for the last one: of the row that it began with (head, if that ended), and of
   the one that it ended with. */
template <class OP> struct slot {
    typename OP::state head, tail;
    size_t row;
    bool ended;
};

/* How many rows have ended before item `at` of a list of so many rows and floats; row r ends after
   float ends[r] - 1. The other items before it are floats. */
template <class INDEX>
static inline __device__ INDEX rows_before(const INDEX *ends, INDEX rows, INDEX floats, INDEX at)
{
    INDEX low = at > floats ? at - floats : 0, high = at < rows ? at : rows;
    while (low < high) {
        INDEX middle = (low + high) / 2;
        if (ends[middle] <= at - middle - 1)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

template <class OP>
static __global__ void reduce_rows(OP op, struct matrix m, size_t n, const size_t *offsets,
                                   size_t items_of_block, struct slot<OP> *slots, unsigned *tickets)
{
    extern __shared__ float x[]; /* of a tile: its floats, and after them where its rows end */
    __shared__ __align__(16) typename OP::state carry;
    unsigned tid = threadIdx.x, tile = ITEMS * blockDim.x;
    size_t items = n + m.rows, at = blockIdx.x * items_of_block;
    size_t stop = at + items_of_block < items ? at + items_of_block : items;
    size_t row = rows_before(offsets + 1, m.rows, n, at), first_row = row;

    if (tid == 0) {
        put(&carry, op.none());
        slots[blockIdx.x].ended = false;
    }
    for (; at < stop; at += tile) {
        size_t next = at + tile < stop ? at + tile : stop, begin = at - row; /* its first float */
        size_t next_row = rows_before(offsets + 1, m.rows, n, next);
        unsigned rows = (unsigned)(next_row - row), floats = (unsigned)(next - at) - rows;
        unsigned *ends = (unsigned *)x + floats;
        for (unsigned i = tid; i < floats; i += blockDim.x)
            x[i] = m.in[begin + i];
        for (unsigned i = tid; i < rows; i += blockDim.x)
            ends[i] = (unsigned)(offsets[row + i + 1] - begin);
        __syncthreads();

        unsigned item = ITEMS * tid, r = rows_before(ends, rows, floats, min(item, rows + floats));
        unsigned i = min(item, rows + floats) - r, head_row = 0;
        size_t row_begin = r > 0 ? begin + ends[r - 1] : row < m.rows ? offsets[row] : 0;
        typename OP::state s = op.none(), head = s;
        bool ended = false;
        for (int k = 0; k < ITEMS && r + i < rows + floats; k++) {
            if (r < rows && ends[r] <= i) { /* the row ends */
                if (ended)
                    op.answer(s, m.out + (row + r) * m.words);
                else
                    head = s, head_row = r;
                ended = true;
                s = op.none();
                row_begin = begin + ends[r++];
            } else {
                s = op.add(s, x[i], begin + i - row_begin);
                i++;
            }
        }
        typename OP::state before = carried_to_me(op, s, ended, &carry);
        if (ended && row + head_row == first_row) { /* blocks before this one may have some of it */
            slots[blockIdx.x].head = op.merge(before, head);
            slots[blockIdx.x].ended = true;
        } else if (ended) {
            op.answer(op.merge(before, head), m.out + (row + head_row) * m.words);
        }
        row = next_row;
    }
    __syncthreads();
    if (tid == 0) {
        slots[blockIdx.x].row = first_row;
        slots[blockIdx.x].tail = carry;
    }
    if (!is_last_block(tickets))
        return;

    if (tid == 0)
        put(&carry, op.none());
    for (unsigned first = 0; first < gridDim.x; first += blockDim.x) { /* the slots, as the items */
        unsigned b = first + tid;
        bool ended = b < gridDim.x && slots[b].ended;
        typename OP::state s = b < gridDim.x ? slots[b].tail : op.none();
        typename OP::state before = carried_to_me(op, s, ended, &carry);
        if (ended)
            op.answer(op.merge(before, slots[b].head), m.out + slots[b].row * m.words);
    }
}

struct even_shares {
    template <bool BY_BATCH, class OP> static void launch(struct sum *s, OP op)
    {
        struct matrix m = matrix_of(s);
        size_t items = s->n + m.rows, tile = ITEMS * (size_t)s->block;
        unsigned tiles = blocks_for(items, tile), most = BLOCKS_AT_ONCE * s->sms;
        size_t tiles_of_block = (tiles + most - 1) / most;

        s->grid = blocks_for(tiles, tiles_of_block);
        s->depth = ITEMS +
                   2 * (5 + (tiles_of_block + blocks_for(s->grid, s->block)) * (s->block / 32 + 1));
        reduce_rows<<<s->grid, s->block, tile * sizeof(float), s->stream>>>(
            op, m, s->n, ((const struct question *)s)->offsets, tiles_of_block * tile,
            (struct slot<OP> *)s->scratch, zeroed_tickets(1));
    }
};

extern const struct variant variant_ragged_even = {
    .name = "ragged_even",
    .what = "rows of different lengths; the same share of the work for every thread",
    .launch = launch_by_operator<even_shares>,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &ragged_task,
};
