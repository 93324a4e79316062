/*
 * reduce_plan.c: which kernel for which shape, and how far its answers may be from exact.
 *
 * The limits are where times cross on an H200: those of rows, of parts of a row
 * and of small columns in trials of every kernel for a shape, cold, in a graph; the others in
 * `make compare-rows`.
 */
#include "reduce_plan.h"

/* ---- the table ---- */

static const struct {
    size_t most_bytes; /* of a row */
    enum reduce_kind kind;
} by_row[] = {
    {2048, ROWS_IN_A_WARP}, /* of whole loads of 16 bytes, ROW_LOADS for each lane of a warp; ... */
    {8192, WARP_A_ROW},
    {(size_t)-1, BLOCK_A_ROW},
};

enum {
    HALF_STAGED_BYTES = 264,   /* longer rows are staged by blocks of half as many threads, ... */
    LANES_16_BYTES = 800,      /* ... or with 16 lanes for each */
    MOST_STAGED_BYTES = 1536,  /* ... rows of other lengths are staged, if they have no more */
    LEAST_SPLIT_BYTES = 65536, /* a longer row is shared by several blocks: to meet costs as long as
                                  to read so much */
    PART_BYTES = 49152,        /* what each of them has; ... */
    TILE_BYTES = 16384,        /* ... or a tile, that is all its threads' loads at once, ... */
    LEAST_PARTS_PER_SM = 1,    /* ... if else each SM had fewer than so many, ... */
    TILES_PER_SM = 2,          /* ... as long as it has no more tiles; ... */
    MANY_BYTES_PER_SM = 524288, /* ... but in a matrix of so many bytes two tiles: many blocks let
                                   the SMs end together; ... */
    PART_BYTES_OF_2 = 131072,   /* ... or so much, of an operator with two parts, whose states cost
                                   more */
    MOST_PARTS_AT_ONCE = 1024, /* of a row: one block reads what they found, and that takes time. */
    LONG_PART_BYTES = 262144,  /* But if each has so much, that is little beside it: ... */
    MOST_PARTS = 4096,         /* ... then so many */
    MOST_LOADS_OF_A_WARP = 2048, /* loads of a row that a warp may have, if a block would leave
                                  threads without one: of an operator with two parts more than a
                                  quarter of those that it has at once, or any of 2 bytes */
    BYTES_PER_ROW_OF_SM = 2048,  /* a row has a block if it is longer than so many times the rows of
                                    an SM: few long rows; else a warp */
    MOST_ALONE_PER_SM = 4,    /* blocks of which each has a tile, if tiles may be narrower; ... */
    LONG_ALONE_PER_SM = 8,    /* ... or so many in the largest matrices: SMs end together */
    LEAST_ALONE_PER_SM = 480, /* threads, from which on each has its columns to itself; ... */
    FEW_ALONE_PER_SM = 120,   /* ... or so many, if it has few rows */
    MOST_8_LOADS_PER_SM = 2,  /* such blocks that read up to 8 rows at once; of more, each by 4 */
    LEAST_ALONE_LANES = 4,    /* of a small matrix, if each thread reads all of its rows at once */
    LEAST_BATCHES = 4,        /* that a block reads of its columns; with more, blocks share them */
    LONG_BATCHES = 8,         /* the same if rows are shifted and a matrix is one of the largest */
    LEAST_SHIFTED = 15,       /* times 16 bytes in a row, from which on columns are shifted, ... */
    LEAST_ROWS_FLOAT = 128,   /* ... if they have so many rows: floats, ... */
    LEAST_ROWS_HALF = 32,     /* ... or elements of 2 bytes, of which single loads cost more */
    FEW_TILES = 4,            /* of floats, to which none is added by shifting */
    BYTES_OF_A_BLOCK = 4096,  /* segments that are so long on average have a block each, ... */
    MOST_OF_A_BLOCK = 131072, /* ... to itself, if it has no more bytes, ... */
    MOST_ALONE_OF_ALL = 256,  /* ... or no more than this part of all */
    EVEN_WAVES = 2,           /* they may be even if so many times the blocks that run at once have
                                 one for each warp */
};

/* Columns, by the bytes of the matrix for each SM. Blocks that share rows have to meet, and that
   takes as long as some bytes take to arrive: so few do where there are few bytes. */
static const struct size_class {
    size_t most_bytes;
    unsigned blocks; /* that share rows, for each SM; ... */
    unsigned slots;  /* ... tiles get narrower until a thread merges no more states than so many
                        (counted as COLUMN_SLOTS are); ... */
    unsigned lanes;  /* ... but they keep so many lanes, or twice as many where rows do not begin at
                        lines of 128 bytes: what one reads of a row is to lie in few lines */
    unsigned alone;  /* blocks for each SM, from which on none share: each has a tile */
} by_bytes[] = {
    {96 << 10, 1, 1, 2, 1},   /* 13 MB where there are 132 SMs */
    {192 << 10, 2, 2, 2, 1},  /* 26 MB */
    {384 << 10, 2, 2, 2, 2},  /* 52 MB */
    {1024 << 10, 4, 4, 8, 4}, /* 138 MB */
    {(size_t)-1, 4, 4, 16, 4},
};

static bool is_largest(const struct size_class *size)
{
    return size->most_bytes == (size_t)-1;
}

/* ---- shapes ---- */

static size_t rounded_up(size_t a, size_t b)
{
    return a / b + (a % b > 0);
}

static size_t at_most(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t at_least(size_t a, size_t b)
{
    return a > b ? a : b;
}

static unsigned log2_of(size_t n)
{
    unsigned log = 0;
    while ((size_t)1 << log < n)
        log++;
    return log;
}

size_t reduce_element_bytes(enum reduce_type type)
{
    return type == REDUCE_F32 ? 4 : type == REDUCE_F16 || type == REDUCE_BF16 ? 2 : 0;
}

static size_t members_of(enum reduce_type type)
{
    return 16 / reduce_element_bytes(type);
}

/* Whether each row begins at a multiple of 16 bytes, and has nothing but loads of 16. */
static bool is_all_vectors(const struct reduce_matrix *m, size_t bytes)
{
    bool one_row = m->rows < 2;
    return (uintptr_t)m->data % 16 == 0 && m->columns * bytes % 16 == 0 &&
           (one_row || m->stride * bytes % 16 == 0);
}

/* Cuts n into `parts` of whole loads, all but the last as long. */
static void cut(struct reduce_plan *plan, size_t n, size_t parts, size_t unit)
{
    plan->part = rounded_up(rounded_up(n, parts), unit) * unit;
    plan->parts = rounded_up(n, plan->part);
}

static bool has_two_parts(enum reduce_operator op)
{
    return op != REDUCE_SUM && op != REDUCE_MAX && op != REDUCE_MIN;
}

/* Whether a matrix is so large that how its last blocks end is nothing beside the rest. */
static bool are_many(size_t rows, size_t bytes, unsigned sms)
{
    return rows * bytes >= (size_t)MANY_BYTES_PER_SM * sms;
}

/* Blocks that share each of so many rows. */
static size_t parts_of_row(enum reduce_operator op, size_t rows, size_t bytes, unsigned sms)
{
    const size_t part = !are_many(rows, bytes, sms) ? PART_BYTES
                        : has_two_parts(op)         ? PART_BYTES_OF_2
                                                    : 2 * TILE_BYTES;
    const size_t most = at_least(MOST_PARTS_AT_ONCE, at_most(bytes / LONG_PART_BYTES, MOST_PARTS));
    const size_t room = (size_t)SPLIT_BLOCKS_PER_SM * sms / at_least(rows, 1);
    const size_t tiles = rounded_up(bytes, TILE_BYTES);
    size_t parts = at_least(bytes / part, 1);
    if (bytes <= LEAST_SPLIT_BYTES)
        return 1;
    if (rows * parts < (size_t)LEAST_PARTS_PER_SM * sms)
        parts = rows * tiles <= (size_t)TILES_PER_SM * sms ? tiles : bytes * 2 / 3 / TILE_BYTES;
    return at_most(parts, at_most(most, room));
}

/* Whether a warp is better than a block: of an operator with two parts the threads of a block meet
   twice as often, and those without a load wait for those with one. Where rows are many, warps wait
   for none. */
static bool is_row_of_a_warp(enum reduce_operator op, const struct reduce_matrix *m, bool are_many)
{
    const size_t vectors = m->columns / members_of(m->type), at_once = ROW_LOADS * REDUCE_THREADS;
    const size_t unused = rounded_up(vectors, at_once) * at_once - vectors;
    if (vectors > MOST_LOADS_OF_A_WARP)
        return false;
    if (!has_two_parts(op))
        return are_many && unused > at_once * 9 / 20;
    return are_many || (reduce_element_bytes(m->type) == 2 ? unused > 0 : unused > at_once / 4);
}

/* Lanes, the fewest that let a block have a row for each team of them; and so many rows. All but
   in_block follows from the length alone, and so do the bits. Few lanes have few conflicts of
   banks, and little to merge; so rows that 128 threads could only have by 4 lanes are left to 64.
 */
static void plan_staged(struct reduce_plan *plan, const struct reduce_matrix *m, size_t bytes)
{
    const size_t row = m->columns * bytes, room = STAGED_BYTES - 16;
    plan->kind = STAGED_ROWS;
    plan->threads =
        row > HALF_STAGED_BYTES && row <= LANES_16_BYTES ? STAGED_THREADS / 2 : STAGED_THREADS;
    plan->lanes = row > LANES_16_BYTES ? 16 : 1;
    while (plan->threads / plan->lanes * row > room)
        plan->lanes *= 2;
    const size_t stride = m->stride == m->columns ? row : (row / 16 + 2) * 16;
    const size_t teams = plan->threads / plan->lanes,
                 turns = 2 * teams * stride <= room / 2 ? 2 : 1;
    plan->in_block = (unsigned)at_most(turns * teams, room / stride);
    plan->blocks = rounded_up(m->rows, plan->in_block);
}

/* Lanes and loads of a row of whole vectors, a power of two together. Fewer lanes with more loads:
   less to merge; but more lines for each load, which costs more if it is not of 16 bytes. */
static void plan_team(struct reduce_plan *plan, const struct reduce_matrix *m, size_t bytes)
{
    const size_t loads = m->columns * bytes / 16;
    const bool is_line = loads == 8 && bytes == 4; /* a load for each lane */
    const bool is_power = (loads & (loads - 1)) == 0;
    if (plan->vectors)
        plan->loads = loads == 1 || is_line ? 1 : loads <= 16 ? 2 : ROW_LOADS;
    else
        plan->loads = is_power && loads <= 8 ? 1 : is_power && loads <= 16 ? 2 : ROW_LOADS;
    plan->lanes = 1u << log2_of(rounded_up(loads, plan->loads));
    plan->blocks = rounded_up(m->rows, REDUCE_THREADS / plan->lanes * (ROW_LOADS / plan->loads));
}

struct reduce_plan reduce_rows_plan(enum reduce_operator op, const struct reduce_matrix *m,
                                    unsigned sms)
{
    const size_t bytes = reduce_element_bytes(m->type), row = m->columns * bytes;
    const size_t warps = REDUCE_THREADS / 32;
    struct reduce_plan plan = {.parts = 1, .part = m->columns, .lanes = 32};
    int i = 0;
    if (m->columns > 0 && m->columns <= MOST_IN_A_THREAD) {
        plan.kind = ROWS_IN_A_THREAD;
        plan.vectors = m->columns <= 4 && m->columns != 3 && m->stride == m->columns &&
                       (uintptr_t)m->data % 16 == 0;
        const size_t most = plan.vectors ? m->columns : m->columns <= 4 ? 4 : 8;
        plan.blocks = rounded_up(m->rows, REDUCE_THREADS * ROWS_OF_A_THREAD(most));
        return plan;
    }
    if (row % 16 != 0 && row <= MOST_STAGED_BYTES) {
        plan_staged(&plan, m, bytes);
        return plan;
    }
    while (row > by_row[i].most_bytes)
        i++;
    plan.kind = row % 16 != 0 && by_row[i].kind == ROWS_IN_A_WARP ? WARP_A_ROW : by_row[i].kind;
    plan.vectors = is_all_vectors(m, bytes);
    if (plan.kind == BLOCK_A_ROW && is_row_of_a_warp(op, m, are_many(m->rows, row, sms)))
        plan.kind = WARP_A_ROW;
    if (plan.kind == WARP_A_ROW && m->rows * BYTES_PER_ROW_OF_SM < row * sms)
        plan.kind = BLOCK_A_ROW;
    if (plan.kind == ROWS_IN_A_WARP) {
        plan_team(&plan, m, bytes);
    } else if (plan.kind == WARP_A_ROW) {
        plan.blocks = rounded_up(m->rows, warps);
    } else {
        const size_t parts = parts_of_row(op, m->rows, row, sms);
        if (parts > 1)
            cut(&plan, m->columns, parts, 1);
        plan.kind = plan.parts > 1 ? BLOCKS_A_ROW : BLOCK_A_ROW;
        plan.blocks = m->rows * plan.parts;
    }
    return plan;
}

/* Whether columns are read shifted, where the rows do not all begin at a multiple of 16 bytes. */
static bool is_shifted(const struct reduce_matrix *m)
{
    const size_t members = members_of(m->type);
    const size_t tiles = rounded_up(m->columns, COLUMN_TILE);
    const bool are_more = rounded_up(m->columns, COLUMN_TILE - members) > tiles;
    if (m->columns < LEAST_SHIFTED * members)
        return false;
    if (reduce_element_bytes(m->type) == 2)
        return m->rows >= LEAST_ROWS_HALF;
    return m->rows >= LEAST_ROWS_FLOAT && (tiles > FEW_TILES || !are_more);
}

/* The last lane of a shifted tile has no columns. */
static void set_tiles(struct reduce_plan *plan, const struct reduce_matrix *m, unsigned lanes)
{
    plan->lanes = lanes;
    plan->tiles = rounded_up(m->columns, (lanes - plan->shifted) * members_of(m->type));
}

/* Lanes for a whole row, or for so many columns as a block has slots for. */
static unsigned lanes_of_tile(const struct reduce_plan *plan, const struct reduce_matrix *m)
{
    const size_t members = members_of(m->type);
    const size_t lanes = rounded_up(m->columns, members) + plan->shifted;
    return 1u << log2_of(at_most(lanes, COLUMN_TILE / members));
}

/* Rows that the groups of a block read at once. */
static size_t batch_of(const struct reduce_plan *plan)
{
    return (size_t)REDUCE_THREADS / plan->lanes * COLUMN_LOADS;
}

/* Blocks whose states one block merges at once. */
static size_t team_of(const struct reduce_plan *plan)
{
    return (size_t)REDUCE_THREADS / plan->lanes * COLUMN_SLOTS;
}

/* Blocks for so many of each SM. (2^k tiles leave a few SMs without one, which is no loss.) */
static bool are_blocks_for(size_t blocks, unsigned per_sm, unsigned sms)
{
    return 16 * blocks >= (size_t)15 * per_sm * sms;
}

/* Whether rows, longer than a line of 128 bytes, do not all begin at the start of one. */
static bool are_lines_cut(const struct reduce_matrix *m)
{
    const size_t bytes = reduce_element_bytes(m->type);
    return m->columns * bytes > 128 && m->stride * bytes % 128 != 0;
}

/* Whether tiles are a block each: made narrow, as long as there are rows for all groups, until
   there are a few for each SM, or as many as suffice. */
static bool is_tile_a_block(struct reduce_plan *plan, const struct reduce_matrix *m,
                            const struct size_class *size, unsigned sms)
{
    const unsigned most = is_largest(size) ? LONG_ALONE_PER_SM : MOST_ALONE_PER_SM;
    const unsigned cut_lines = are_lines_cut(m);
    const unsigned least = (size->lanes < 4 ? 4 : size->lanes) << cut_lines; /* 4: 64 bytes */
    for (;;) {
        const bool are_enough = are_blocks_for(plan->tiles, size->alone, sms);
        if (are_blocks_for(plan->tiles, most, sms) || plan->lanes <= least ||
            (plan->lanes <= 8u << cut_lines && are_enough) || 2 * batch_of(plan) > m->rows * 5 / 4)
            return are_enough;
        set_tiles(plan, m, plan->lanes / 2);
    }
}

/* Makes tiles of a small matrix narrow, until each thread has its few rows at once; then no block
   has to meet another. */
static bool is_read_at_once(struct reduce_plan *plan, const struct reduce_matrix *m)
{
    while (batch_of(plan) < m->rows && plan->lanes > LEAST_ALONE_LANES)
        set_tiles(plan, m, plan->lanes / 2);
    return batch_of(plan) * 2 >= m->rows;
}

/* Shares the rows of few tiles between blocks: one team of them, if a narrower tile, or a few
   blocks less, make it so; else teams, of which there are two levels at most. */
static void share_columns(struct reduce_plan *plan, enum reduce_operator op,
                          const struct reduce_matrix *m, const struct size_class *size,
                          unsigned sms)
{
    const size_t members = members_of(m->type);
    const unsigned least = size->lanes << are_lines_cut(m);
    const bool is_long = is_largest(size) && plan->shifted;
    /* Single loads take longer. An SM has registers for 3 blocks if elements of 2 bytes have two
       parts: a fourth would wait until one is done. */
    const size_t times = plan->vectors || plan->shifted ? 1 : members / 2;
    const size_t most = members > 4 && has_two_parts(op) ? 3 : 4;
    const size_t blocks = is_long ? COLUMN_BLOCKS_PER_SM : at_most(times * size->blocks, most);
    const size_t batches = is_long ? LONG_BATCHES : 1;
    size_t parts, team;
    for (;;) {
        parts = at_most(blocks * sms / plan->tiles, m->rows / batch_of(plan) / batches);
        team = (size_t)REDUCE_THREADS / plan->lanes * size->slots;
        if (parts <= team * 5 / 4 || plan->lanes <= least)
            break;
        set_tiles(plan, m, plan->lanes / 2);
    }
    if (parts > team * 5 / 4)
        team = team_of(plan);
    if (parts > team * 5 / 4)
        team *= team;
    parts = at_most(parts, team);
    if (parts <= 1)
        return;
    /* What is left of a batch may be a part of its own, if a team and the workspace have room. */
    const bool has_room = (parts < team_of(plan) || (parts > team_of(plan) && parts < team)) &&
                          plan->tiles * (parts + 1) <= (size_t)COLUMN_BLOCKS_PER_SM * sms;
    cut(plan, m->rows - (has_room ? m->rows % batch_of(plan) : 0), parts, batch_of(plan));
    plan->parts = rounded_up(m->rows, plan->part);
}

struct reduce_plan reduce_columns_plan(enum reduce_operator op, const struct reduce_matrix *m,
                                       unsigned sms)
{
    const size_t bytes = reduce_element_bytes(m->type);
    if (m->columns == 1 && m->stride == 1) { /* in memory, it is a row */
        const struct reduce_matrix one_row = {m->data, m->type, 1, m->rows, m->rows};
        return reduce_rows_plan(REDUCE_SUM, &one_row, sms); /* as for any operator */
    }
    struct reduce_plan plan = {.kind = COLUMNS, .parts = 1, .part = m->rows};
    plan.vectors = is_all_vectors(m, bytes);
    const size_t alone = m->rows <= 2 * COLUMN_LOADS ? FEW_ALONE_PER_SM : LEAST_ALONE_PER_SM;
    if (m->rows > 0 &&
        (m->rows <= COLUMN_LOADS || m->columns >= alone * sms * members_of(m->type))) {
        plan.kind = COLUMNS_IN_A_THREAD;
        set_tiles(&plan, m, REDUCE_THREADS);
        const bool is_small = plan.tiles <= (size_t)MOST_8_LOADS_PER_SM * sms;
        const bool at_once = m->rows > COLUMN_LOADS || !plan.vectors || is_small;
        plan.loads = m->rows > FEW_COLUMN_LOADS && at_once ? COLUMN_LOADS : FEW_COLUMN_LOADS;
        plan.blocks = plan.tiles;
        return plan;
    }
    plan.shifted = !plan.vectors && is_shifted(m);
    set_tiles(&plan, m, lanes_of_tile(&plan, m));
    const struct reduce_plan wide = plan;
    const struct size_class *size = by_bytes;
    while (m->rows * m->columns * bytes / sms > size->most_bytes)
        size++;
    bool is_alone = plan.tiles == 0 || is_tile_a_block(&plan, m, size, sms);
    if (!is_alone && size == by_bytes) {
        plan = wide;
        is_alone = is_read_at_once(&plan, m);
    }
    if (!is_alone) {
        plan = wide;
        if (m->rows / batch_of(&plan) >= LEAST_BATCHES)
            share_columns(&plan, op, m, size, sms);
    }
    /* Of few rows no block has groups without a row to read, as long as each SM has a block. */
    const unsigned most_lanes = plan.shifted ? MOST_SHIFTED_LANES : REDUCE_THREADS;
    while (batch_of(&plan) >= 2 * m->rows && plan.lanes < most_lanes &&
           are_blocks_for(plan.tiles / 2, 1, sms))
        set_tiles(&plan, m, 2 * plan.lanes);
    plan.blocks = plan.tiles * plan.parts;
    return plan;
}

/* Long segments have a block each. Else a warp has its share of elements and ends of segments
   together; or, if they are even, a segment. */
struct reduce_plan reduce_segments_plan(const struct reduce_segments *s, unsigned sms)
{
    const size_t element = reduce_element_bytes(s->type), bytes = s->n * element;
    const size_t items = s->n + END_BYTES / element * s->segments;
    const size_t in_block = SEGMENT_THREADS / 32;
    const size_t wave = (size_t)SEGMENT_BLOCKS_PER_SM * sms;
    const bool are_many = s->segments > MOST_LONG_SEGMENTS / 4; /* to begin as many blocks costs */
    const bool are_long = bytes / (are_many ? 2 : 1) >= BYTES_OF_A_BLOCK * s->segments &&
                          s->segments <= MOST_LONG_SEGMENTS;
    const size_t if_even = rounded_up(s->segments, in_block);
    struct reduce_plan plan = {.kind = SEGMENTS, .parts = 1};
    plan.list_blocks = at_most(rounded_up(items, LEAST_SEGMENT_PART), wave);
    plan.blocks = plan.list_blocks;
    if (plan.blocks > 0)
        plan.part = rounded_up(items, plan.blocks * in_block);
    if (are_long) {
        plan.in_block = 1;
        plan.most_alone = at_least(MOST_OF_A_BLOCK, bytes / MOST_ALONE_OF_ALL) / element;
        if (s->n > plan.most_alone)
            plan.sharers = (unsigned)at_most(bytes / LEAST_SHARE, (size_t)SHARERS_PER_SM * sms);
        plan.blocks = plan.sharers + s->segments;
    } else if (bytes <= (size_t)EVEN_PARTS * EVEN_BYTES && if_even <= EVEN_WAVES * wave) {
        plan.in_block = (unsigned)in_block;
        plan.blocks = at_least(if_even, plan.blocks);
    }
    return plan;
}

/* Batches of a thread, of `load` elements each, and blocks, where each segment has a block: it has
   a segment to itself, or its even part of all that are shared. */
static size_t depth_where_long(const struct reduce_plan *plan, size_t n, size_t load)
{
    const size_t all = MOST_ALONE_OF_ALL * (plan->most_alone + 1);
    const size_t even = plan->sharers > 0 ? rounded_up(all, plan->sharers) : 0;
    const size_t of_block = at_least(at_least(plan->most_alone, even), LEAST_SHARE / 2);
    return rounded_up(at_most(n, of_block), load * SEGMENT_THREADS) +
           (n > plan->most_alone ? rounded_up(plan->sharers, 32) + 5 : 0);
}

/*
 * ---- the depth, and the bounds of reduce_rows.h ----
 *
 * Every bound is to first order in u = 2^-24, for d additions or merges on the longest way.
 *
 *   SUM         each addition errs by u of its result, which is at most the sum of |x| below it.
 *   mean        such sums of x - o, each off by u of itself; every origin o lies between elements,
 *               so none is larger than R. A sum that comes to another origin errs by 5 u of as much
 *               for each element, and comes to one twice. The division and the count, rounded to a
 *               float, add 2 u, and the origin another of the mean.
 *   variance    In a thread o is the mean of its first four, of 32 b elements at most in b batches;
 *               so n (mean - o)^2 is at most 8 b S. S is the sum of (x - o)^2, at most (1 + 8 b) S,
 *               less n (mean - o)^2. The first errs by (d + 3) u of itself, the second by
 *               (2 d + 8) u (1 + 8 b) S; and b is at most d. Then pivots are off by E at most. The
 *               squares of a tree of merges are the sum of B over all merges, where B is what lies
 *               between the parts: the sum of n_i (mean_i - mean)^2. Pivots that err by E change B
 *               by 4 E times the sum of n_i |mean_i - mean|, which is at most the root of n B, and
 *               by 4 n E^2. Over all merges, each element in at most d of them, Cauchy and Schwarz
 *               make of that 4 E sqrt(d n S) + 4 d n E^2.
 *
 *   LOGSUMEXP   an exponential errs by 5 u (2 ulp of ex2.approx and half an ulp of the exact value,
 *               an ulp being at most 2 u), and 3 u times its argument: a difference, a product,
 *               log2(e). Pivots only grow, so the arguments on the way of an element x add up to
 *               L - x. With a product for each rescaling that is d (5 + 1) + 6 + d for additions,
 *               and 3 w / s. The logarithm makes of it an absolute error; it is off by 3 u of
 *               itself, and the last addition by u.
 *
 *   NORM2       scaling is exact. A square errs by u, additions by d u; the root halves them and
 *               adds u (1 in all, and another in hand). What is smaller than a float is lost in the
 *               last product.
 */
size_t reduce_depth(const struct reduce_plan *plan, enum reduce_type type, size_t n)
{
    const size_t members = members_of(type), load = 4 * members, part = at_most(n, plan->part);
    const size_t in_row = log2_of(load) + 1 + 5; /* of a batch, a stray element, a warp */
    const size_t in_block = in_row + 5;
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
        return rounded_up(n, load * REDUCE_THREADS) + in_block;
    case BLOCKS_A_ROW:
        return rounded_up(n, load * REDUCE_THREADS * plan->parts) + in_block +
               rounded_up(plan->parts, REDUCE_THREADS) + 10;
    case COLUMNS: {
        /* A block: lanes, then warps. A level of teams: slots, and a block. */
        const size_t lanes = plan->lanes < 32 ? plan->lanes : 32, warps = REDUCE_THREADS / 32;
        const size_t tree = log2_of(32 / lanes) + warps - 1;
        size_t depth = part / batch_of(plan) + 2 + log2_of(COLUMN_LOADS) + tree;
        for (size_t step = 1; step < plan->parts; step *= team_of(plan))
            depth += COLUMN_SLOTS * members + tree;
        return depth;
    }
    case SEGMENTS:
        if (plan->in_block == 1)
            return depth_where_long(plan, n, load) + in_block;
        break;
    }
    /* The longer way, by the list (of even segments a thread adds 8 batches at most, and then as in
       a block): in a tile a lane's places, the lanes, what is open, twice; all of many tiles; then
       the lanes, the warps (a cut may have moved by half of MOST_WHOLE), the blocks. */
    const size_t in_tile = TILE_PLACES / 32 + 6 + 1;
    return 2 * in_tile + rounded_up(at_most(n, plan->part + MOST_WHOLE), TILE_PLACES) + 5 +
           SEGMENT_THREADS / 32 + (plan->blocks > 1 ? rounded_up(plan->blocks, 32) + 5 : 0);
}
