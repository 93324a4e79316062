/*
 * row_slots: several blocks for each row, where there are fewer rows than blocks that the GPU runs
 * at once.
 *
 * New:     against row_block.cu: the grid has a second dimension. Blocks of the same y share a row,
 *          leave their states in slots, and the last of them merges these, as in step 15.
 * Why:     three rows of 100 million would keep three blocks busy, and the rest of the GPU would
 *          look on.
 * Look at: ./step16 -v row_block,row_slots -n 16M --row 4K,1M,16M
 */
#include "matrix.h"
#include "tickets.h"

template <bool BY_BATCH, class OP>
static __global__ void reduce_rows(OP op, struct matrix m, typename OP::state *partial,
                                   unsigned *tickets)
{
    struct place at = {threadIdx.x, blockDim.x, blockIdx.x, gridDim.x};

    for (size_t r = blockIdx.y; r < m.rows; r += gridDim.y) {
        typename OP::state s = thread_state<BY_BATCH>(op, m.in + r * m.lead, m.row, at);
        s = block_merge(op, s);
        if (gridDim.x > 1) { /* then this row is the only one of these blocks */
            typename OP::state *slots = partial + r * gridDim.x;
            if (threadIdx.x == 0)
                slots[blockIdx.x] = s;
            if (!is_last_block(tickets + r))
                return;
            s = op.none();
            for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x)
                s = op.merge(s, slots[i]); /* in the order of the blocks, whichever came last */
            s = block_merge(op, s);
        }
        if (threadIdx.x == 0)
            op.answer(s, m.out + r * m.words);
        __syncthreads(); /* block_merge() uses its shared memory again */
    }
}

struct blocks_a_row {
    template <bool BY_BATCH, class OP> static void launch(struct sum *s, OP op)
    {
        struct matrix m = matrix_of(s);
        unsigned most = BLOCKS_AT_ONCE * s->sms, rows = m.rows < most ? (unsigned)m.rows : most;
        size_t tiles = blocks_for(m.row, (size_t)s->block * LOADS * 4);
        unsigned sharing = rows > 0 ? most / rows : 1; /* blocks of a row, but not without a tile */
        sharing = sharing < tiles ? sharing : (unsigned)tiles;

        s->grid = sharing * (rows > 0 ? rows : 1);
        s->depth = thread_depth(m.row, (size_t)s->block * sharing) + 2 * 2 * (5 + 5) +
                   blocks_for(sharing, s->block);
        reduce_rows<BY_BATCH><<<dim3(sharing, rows > 0 ? rows : 1), s->block, 0, s->stream>>>(
            op, m, (typename OP::state *)s->scratch, zeroed_tickets(most));
    }
};

extern const struct variant variant_row_slots = {
    .name = "row_slots",
    .what = "several blocks for each row, if there are few; a block for each, if many",
    .launch = launch_by_operator<blocks_a_row>,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &rows_task,
};
