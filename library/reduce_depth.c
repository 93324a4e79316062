/*
 * reduce_depth.c: how far the answers may be from exact: the depth, and the bounds of
 * reduce_rows.h. Each is to first order in u = 2^-24, for d additions or merges on the longest way.
 *
 * SUM: each addition errs by u of its result, which is at most the sum of |x| below it.
 * mean: such sums of x - o, each off by u of itself; every origin o lies between elements, so none
 *   is larger than R. A sum that comes to another origin errs by 5 u of as much for each element,
 *   and comes to one twice. The division and the count, rounded to a float, add 2 u, and the origin
 *   another of the mean.
 * variance: In a thread o is the mean of its first four, of 32 b elements at most in b batches; so
 *   n (mean - o)^2 is at most 8 b S. S is the sum of (x - o)^2, at most (1 + 8 b) S, less
 *   n (mean - o)^2. The first errs by (d + 3) u of itself, the second by (2 d + 8) u (1 + 8 b) S;
 *   and b is at most d. Then pivots are off by E at most. Merges add the sum of n_i (mean_i -
 *   mean)^2, which is B, and pivots that err by E change it by 4 E times the sum of n_i |mean_i -
 *   mean|, at most the root of n B, and by 4 n E^2. Over all merges, each element in at most d of
 *   them, Cauchy and Schwarz make of that 4 E sqrt(d n S) + 4 d n E^2.
 * LOGSUMEXP: an exponential errs by 5 u (2 ulp of ex2.approx and half an ulp of the exact value, an
 *   ulp being at most 2 u), and 3 u times its argument: a difference, a product, log2(e). Pivots
 *   only grow, so the arguments on the way of an element x add up to L - x. With a product for each
 *   rescaling that is d (5 + 1) + 6 + d for additions, and 3 w / s. The logarithm makes of it an
 *   absolute error; it is off by 3 u of itself, and the last addition by u.
 * NORM2: scaling is exact. A square errs by u, additions by d u; the root halves them and adds u (1
 *   in all, and another in hand). What is smaller than a float is lost in the last product.
 */
#include "reduce_plan.h"

static size_t log2_of(size_t n)
{
    size_t log = 0;
    while ((size_t)1 << log < n)
        log++;
    return log;
}

/* Merges of what `parts` blocks found, by the `threads` of one of them. */
static size_t of_blocks(size_t parts, size_t threads)
{
    return rounded_up(parts, threads) + 5;
}

static size_t depth_of_columns(const struct reduce_plan *plan, size_t part, size_t members)
{
    /* A block: lanes, then warps. A level of teams: slots, and a block. */
    const size_t lanes = at_most(plan->lanes, 32), groups = REDUCE_THREADS / plan->lanes;
    const size_t tree = log2_of(32 / lanes) + REDUCE_THREADS / 32 - 1;
    size_t depth = part / (groups * COLUMN_LOADS) + 2 + log2_of(COLUMN_LOADS) + tree;
    for (size_t step = 1; step < plan->parts; step *= groups * COLUMN_SLOTS)
        depth += COLUMN_SLOTS * members + tree;
    return depth;
}

static size_t depth_of_segments(const struct reduce_plan *plan, size_t n, size_t load)
{
    if (plan->in_block == 1) {
        /* A block has a segment to itself, or its even part of all that are shared. */
        const size_t shared = MOST_ALONE_OF_ALL * (plan->most_alone + 1);
        const size_t even = plan->sharers > 0 ? rounded_up(shared, plan->sharers) : 0;
        size_t most = plan->most_alone > even ? plan->most_alone : even;
        most = most > LEAST_SHARE / 2 ? most : LEAST_SHARE / 2;
        return rounded_up(at_most(n, most), load * SEGMENT_THREADS) + log2_of(load) + 1 + 5 + 5 +
               (n > plan->most_alone ? of_blocks(plan->sharers, 32) : 0);
    }
    /* The longer way, by the list (of even segments a thread adds 8 batches at most, and then as in
       a block): in a tile a lane's places, the lanes, what is open, twice; all of many tiles; then
       the lanes, the warps (a cut may have moved by half of MOST_WHOLE), the blocks. */
    const size_t in_tile = TILE_PLACES / 32 + 6 + 1;
    return 2 * in_tile + rounded_up(at_most(n, plan->part + MOST_WHOLE), TILE_PLACES) + 5 +
           SEGMENT_THREADS / 32 + (plan->blocks > 1 ? of_blocks(plan->blocks, 32) : 0);
}

size_t reduce_depth(const struct reduce_plan *plan, enum reduce_type type, size_t n)
{
    const size_t members = 16 / reduce_element_bytes(type), load = ROW_LOADS * members;
    const size_t in_row = log2_of(load) + 1 + 5; /* of a batch, a stray element, a warp */
    switch (plan->kind) {
    case ROWS_IN_A_THREAD:
        return log2_of(n);
    case COLUMNS_IN_A_THREAD:
        return n / plan->loads + 1 + log2_of(plan->loads);
    case ROWS_IN_A_WARP:
        return log2_of(members) + log2_of(plan->loads) + log2_of(plan->lanes);
    case STAGED_ROWS:
        return rounded_up(n, 8 * (size_t)plan->lanes) + 3 + 7 + log2_of(plan->lanes);
    case WARP_A_ROW:
        return rounded_up(n, load * 32) + in_row;
    case BLOCK_A_ROW:
        return rounded_up(n, load * REDUCE_THREADS) + in_row + 5;
    case BLOCKS_A_ROW:
        return rounded_up(n, load * REDUCE_THREADS * plan->parts) + in_row + 5 +
               of_blocks(plan->parts, REDUCE_THREADS) + 5;
    case COLUMNS:
        return depth_of_columns(plan, at_most(n, plan->part), members);
    case SEGMENTS:
        break;
    }
    return depth_of_segments(plan, n, load);
}
