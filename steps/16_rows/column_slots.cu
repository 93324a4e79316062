/*
 * column_slots: several blocks for 32 columns, each with rows of its own.
 *
 * New:     against column_lanes.cu: blocks of the same y share a strip of columns, leave a state
 * for each of them in slots, and the last merges these: what row_slots.cu does for a row. Why: a
 * matrix is often long and narrow. The slots are merged in the order of the blocks, so the bits are
 * the same in every run; atomic additions would be shorter, and would not be. Look at: ./step16 -v
 * 'column_*' -n 16M --row 8,1K,64K
 */
#include "columns.h"
#include "tickets.h"

template <bool BY_BATCH, class OP>
static __global__ void reduce_columns(OP op, struct matrix m, typename OP::state *partial,
                                      unsigned *tickets)
{
    unsigned width = strip_width(m.row), line = threadIdx.x / width, lines = blockDim.x / width;
    size_t strips = (m.row + 31) / 32;

    for (size_t strip = blockIdx.y; strip < strips; strip += gridDim.y) {
        size_t column = strip * 32 + threadIdx.x % width;
        typename OP::state s = op.none();
        if (line < lines && column < m.row)
            s = column_state<BY_BATCH>(op, m, column, blockIdx.x * lines + line, gridDim.x * lines);
        s = strip_merge(op, s, width);
        if (gridDim.x > 1) { /* then this strip is the only one of these blocks */
            typename OP::state *slots = partial + strip * gridDim.x * 32;
            if (threadIdx.x < width)
                slots[blockIdx.x * 32 + threadIdx.x] = s;
            __syncthreads(); /* all of the block's are written before it takes a ticket */
            if (!is_last_block(tickets + strip))
                return;
            s = op.none();
            for (unsigned i = line; line < lines && i < gridDim.x; i += lines)
                s = op.merge(s, slots[i * 32 + threadIdx.x % width]);
            s = strip_merge(op, s, width);
        }
        if (threadIdx.x < width && column < m.row)
            op.answer(s, m.out + column * m.words);
        __syncthreads(); /* strip_merge() uses its shared memory again */
    }
}

struct blocks_a_strip {
    template <bool BY_BATCH, class OP> static void launch(struct sum *s, OP op)
    {
        struct matrix m = matrix_of(s);
        unsigned width = strip_width(m.row), lines = s->block / width;
        unsigned most = BLOCKS_AT_ONCE * s->sms, all = blocks_for(m.row, 32);
        unsigned strips = all < most ? all : most;
        size_t tiles = blocks_for(m.rows, (size_t)lines * BATCH);
        unsigned sharing = most / strips; /* blocks of a strip, but not without a row */
        sharing = sharing < tiles ? sharing : (unsigned)tiles;

        s->grid = sharing * strips;
        s->depth = column_depth(m.rows, (size_t)lines * sharing, lines) + 2 * ceil_log2(lines) +
                   blocks_for(sharing, lines);
        reduce_columns<BY_BATCH><<<dim3(sharing, strips), s->block, 0, s->stream>>>(
            op, m, (typename OP::state *)s->scratch, zeroed_tickets(most));
    }
};

extern const struct variant variant_column_slots = {
    .name = "column_slots",
    .what = "an answer for each column; several blocks for 32 of them",
    .launch = launch_by_operator<blocks_a_strip>,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .max_block = 800, /* log_sum_exp has 80 registers on Turing, and an SM 65,536 */
    .task = &columns_task,
};
