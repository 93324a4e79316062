/*
 * reduce_plan.c: which kernel for which shape. The limits are where times cross on an H200: those
 * of rows, of parts of a row and of small columns in trials of every kernel for a shape, cold, in a
 * graph; the others in `make compare-rows`. What an SM has decides, not the whole GPU.
 */
#include "reduce_plan.h"

#define K ((size_t)1024)

/* ---- shapes ---- */

static size_t at_least(size_t a, size_t b)
{
    return a > b ? a : b;
}

static unsigned power_of_two_from(size_t n)
{
    unsigned power = 1;
    while (power < n)
        power *= 2;
    return power;
}

size_t reduce_element_bytes(enum reduce_type type)
{
    return type == REDUCE_F32 ? 4 : type == REDUCE_F16 || type == REDUCE_BF16 ? 2 : 0;
}

static size_t members_of(const struct reduce_matrix *m)
{
    return 16 / reduce_element_bytes(m->type);
}

/* Whether each row begins at a multiple of 16 bytes, and has nothing but loads of 16. */
static bool is_all_vectors(const struct reduce_matrix *m)
{
    const size_t members = members_of(m);
    return (uintptr_t)m->data % 16 == 0 && m->columns % members == 0 &&
           (m->rows < 2 || m->stride % members == 0);
}

/* Cuts n into `parts` of whole units, all but the last as long. */
static void cut(struct reduce_plan *plan, size_t n, size_t parts, size_t unit)
{
    plan->part = rounded_up(rounded_up(n, parts), unit) * unit;
    plan->parts = rounded_up(n, plan->part);
}

static bool has_two_parts(enum reduce_operator op)
{
    return op != REDUCE_SUM && op != REDUCE_MAX && op != REDUCE_MIN;
}

/* ---- rows ---- */

/* Blocks that share each of so many rows. are_many: how the last blocks end is nothing beside the
   rest. */
static size_t parts_of_row(enum reduce_operator op, size_t rows, size_t bytes, bool are_many,
                           unsigned sms)
{
    const size_t tile = 16 * K, tiles = rounded_up(bytes, tile); /* all loads of a block at once */
    /* Many blocks let the SMs end together; but the states of two parts cost more to merge. */
    const size_t part = !are_many ? 48 * K : has_two_parts(op) ? 128 * K : 2 * tile;
    /* One block reads what all found, which is little only beside parts of 256 KB. */
    const size_t most = at_least(1024, at_most(bytes / (256 * K), 4096));
    size_t parts = at_least(bytes / part, 1);
    /* To meet costs as long as to read so much. */
    if (bytes < 64 * K || (bytes == 64 * K && rows * tiles > sms))
        return 1;
    if (rows * parts < sms)
        parts = rows * tiles <= 2 * (size_t)sms ? tiles : bytes * 2 / 3 / tile;
    return at_most(at_most(parts, most), SPLIT_BLOCKS_PER_SM * (size_t)sms / at_least(rows, 1));
}

/* Whether a warp is better than a block: of an operator with two parts the threads of a block meet
   twice as often, and those without a load wait for those with one. Where rows are many, warps wait
   for none. */
static bool is_row_of_a_warp(enum reduce_operator op, const struct reduce_matrix *m, bool are_many)
{
    const size_t loads = m->columns / members_of(m), at_once = ROW_LOADS * REDUCE_THREADS;
    const size_t unused = rounded_up(loads, at_once) * at_once - loads;
    if (loads > 2048)
        return false;
    if (!has_two_parts(op))
        return are_many && unused > at_once * 9 / 20;
    return are_many || unused > (members_of(m) == 8 ? 0 : at_once / 4);
}

/* Lanes, the fewest that let a block have a row for each team of them; and so many rows. All but
   in_block follows from the length alone, and so do the bits. Few lanes have few conflicts of
   banks, and little to merge; so rows that 128 threads could only have by 4 lanes are left to 64.
 */
static void plan_staged(struct reduce_plan *plan, const struct reduce_matrix *m, size_t row)
{
    const bool vectors = plan->vectors, are_few = vectors || (row > 264 && row <= 800);
    const size_t room = vectors ? STAGED_VECTOR_BYTES : STAGED_BYTES - 16;
    size_t turns = vectors && m->type == REDUCE_F32 ? 2 : 1, stride, teams;
    plan->kind = STAGED_ROWS;
    plan->threads = are_few ? STAGED_THREADS / 2 : STAGED_THREADS;
    for (plan->lanes = vectors || row <= 800 ? 1 : 16;; plan->lanes *= 2) {
        teams = plan->threads / plan->lanes;
        stride = vectors ? 16 * STAGED_VECTORS(row / 16, plan->lanes) : row;
        if (turns * teams * stride <= room)
            break;
    }
    if (!vectors && m->stride != m->columns)
        stride = (row / 16 + 2) * 16;
    if (!vectors && 4 * teams * stride <= room)
        turns = 2;
    plan->in_block = (unsigned)at_most(turns * teams, room / stride);
    plan->blocks = rounded_up(m->rows, plan->in_block);
}

/* Rows of whole vectors. Lanes and loads, a power of two together: with fewer lanes there is less
   to merge, and an operator with two parts merges twice; but a load touches more lines, which costs
   more if it is not of 16 bytes. Where rows are many, and elements of 2 bytes or lanes without one
   let a team fall behind the memory, shared memory does not. */
static void plan_team(struct reduce_plan *plan, enum reduce_operator op,
                      const struct reduce_matrix *m, size_t row, unsigned sms)
{
    const size_t loads = row / 16, all = power_of_two_from(loads);
    const bool is_float = m->type == REDUCE_F32, is_line = loads == 8 && is_float;
    const bool is_slow = is_float ? loads > 8 && 4 * loads < 3 * all : loads >= 8;
    if (is_slow && op != REDUCE_SUM && plan->vectors && m->rows * row >= 256 * K * sms) {
        plan_staged(plan, m, row);
        return;
    }
    if (!plan->vectors)
        plan->loads = loads == all && loads <= 8 ? 1 : loads == all && loads <= 16 ? 2 : ROW_LOADS;
    else if (has_two_parts(op))
        plan->loads = loads == 1 ? 1 : loads == 2 || is_line ? 2 : ROW_LOADS;
    else
        plan->loads = loads == 1 || is_line ? 1 : loads <= 16 ? 2 : ROW_LOADS;
    plan->kind = ROWS_IN_A_WARP;
    plan->lanes = power_of_two_from(rounded_up(loads, plan->loads));
    plan->blocks = rounded_up(m->rows, REDUCE_THREADS / plan->lanes * (ROW_LOADS / plan->loads));
}

struct reduce_plan reduce_rows_plan(enum reduce_operator op, const struct reduce_matrix *m,
                                    unsigned sms)
{
    const size_t row = m->columns * reduce_element_bytes(m->type);
    const bool are_many = m->rows * row >= 512 * K * sms;
    struct reduce_plan plan = {.parts = 1, .part = m->columns, .lanes = 32};
    plan.vectors = is_all_vectors(m);
    if (m->columns > 0 && m->columns <= 7) {
        plan.kind = ROWS_IN_A_THREAD;
        plan.vectors = m->columns <= 4 && m->columns != 3 && m->stride == m->columns &&
                       (uintptr_t)m->data % 16 == 0;
        const size_t most = plan.vectors ? m->columns : m->columns <= 4 ? 4 : 8;
        plan.blocks = rounded_up(m->rows, REDUCE_THREADS * ROWS_OF_A_THREAD(most));
    } else if (row % 16 != 0 && row <= 1536) {
        plan_staged(&plan, m, row);
    } else if (row % 16 == 0 && row <= 2 * K) {
        plan_team(&plan, op, m, row, sms);
    } else if ((row <= 8 * K || is_row_of_a_warp(op, m, are_many)) &&
               m->rows * 2 * K >= row * sms) { /* few rows have a block each */
        plan.kind = WARP_A_ROW;
        plan.blocks = rounded_up(m->rows, REDUCE_THREADS / 32);
    } else {
        const size_t parts = parts_of_row(op, m->rows, row, are_many, sms);
        if (parts > 1)
            cut(&plan, m->columns, parts, 1);
        plan.kind = plan.parts > 1 ? BLOCKS_A_ROW : BLOCK_A_ROW;
        plan.blocks = m->rows * plan.parts;
    }
    return plan;
}

/* ---- columns ---- */

/* By the bytes of the matrix for each SM. Blocks that share rows have to meet, and that takes as
   long as some bytes take to arrive: so few do where there are few bytes. */
static const struct size_class {
    size_t most_bytes;
    unsigned blocks; /* that share rows, for each SM; and tiles get narrower until a thread merges
                        no more states than so many, counted as COLUMN_SLOTS are */
    unsigned lanes;  /* that they keep, or twice as many where rows do not begin at lines of 128
                        bytes: what one reads of a row is to lie in few lines */
    unsigned alone;  /* blocks for each SM, from which on none share: each has a tile */
} by_bytes[] = {
    {96 * K, 1, 2, 1},   /* 13 MB where there are 132 SMs */
    {192 * K, 2, 2, 1},  /* 26 MB */
    {384 * K, 2, 2, 2},  /* 52 MB */
    {1024 * K, 4, 8, 4}, /* 138 MB */
    {(size_t)-1, 4, 16, 4},
};

static bool is_largest(const struct size_class *size)
{
    return size->most_bytes == (size_t)-1;
}

/* Whether rows that do not all begin at a multiple of 16 bytes are read shifted: if neither they
   nor columns are short, and floats of a few tiles do not become one more. */
static bool is_shifted(const struct reduce_matrix *m)
{
    const size_t members = members_of(m), tiles = rounded_up(m->columns, COLUMN_TILE);
    const bool is_one_more = rounded_up(m->columns, COLUMN_TILE - members) > tiles;
    if (m->columns < 15 * members)
        return false;
    return members == 8 ? m->rows >= 32 : m->rows >= 128 && (tiles > 4 || !is_one_more);
}

/* The last lane of a shifted tile has no columns. */
static void set_tiles(struct reduce_plan *plan, const struct reduce_matrix *m, unsigned lanes)
{
    plan->lanes = lanes;
    plan->tiles = rounded_up(m->columns, (lanes - plan->shifted) * members_of(m));
}

/* Rows that the groups of a block read at once. */
static size_t batch_of(const struct reduce_plan *plan)
{
    return (size_t)REDUCE_THREADS / plan->lanes * COLUMN_LOADS;
}

/* Blocks for so many of each SM. (2^k tiles leave a few SMs without one, which is no loss.) */
static bool are_blocks_for(size_t blocks, unsigned per_sm, unsigned sms)
{
    return 16 * blocks >= (size_t)15 * per_sm * sms;
}

/* Whether rows, longer than a line of 128 bytes, do not all begin at the start of one. */
static bool are_lines_cut(const struct reduce_matrix *m)
{
    return m->columns > 8 * members_of(m) && m->stride % (8 * members_of(m)) != 0;
}

/* Makes tiles narrow, as long as there are rows for all groups, until there are a few for each SM,
   or as many as suffice for a block each. Returns whether there are. */
static bool narrow_to_blocks(struct reduce_plan *plan, const struct reduce_matrix *m,
                             const struct size_class *size, unsigned sms)
{
    const unsigned cut_lines = are_lines_cut(m);
    const unsigned least = (size->lanes < 4 ? 4 : size->lanes) << cut_lines; /* 4: 64 bytes */
    for (;;) {
        const bool are_enough = are_blocks_for(plan->tiles, size->alone, sms);
        if (are_blocks_for(plan->tiles, is_largest(size) ? 8 : 4, sms) || plan->lanes <= least ||
            (plan->lanes <= 8u << cut_lines && are_enough) || 2 * batch_of(plan) > m->rows * 5 / 4)
            return are_enough;
        set_tiles(plan, m, plan->lanes / 2);
    }
}

/* Makes tiles of a small matrix narrow, until each thread has its few rows at once; then no block
   has to meet another. Returns whether it is so. */
static bool narrow_to_rows(struct reduce_plan *plan, const struct reduce_matrix *m)
{
    while (batch_of(plan) < m->rows && plan->lanes > 4)
        set_tiles(plan, m, plan->lanes / 2);
    return batch_of(plan) * 2 >= m->rows;
}

/* Shares the rows of few tiles between blocks: one team of them, if a narrower tile, or a few
   blocks less, make it so; else teams, of which there are two levels at most. */
static void share_columns(struct reduce_plan *plan, enum reduce_operator op,
                          const struct reduce_matrix *m, const struct size_class *size,
                          unsigned sms)
{
    const size_t members = members_of(m);
    const unsigned least = size->lanes << are_lines_cut(m);
    const bool is_long = is_largest(size) && plan->shifted;
    /* Single loads take longer. An SM has registers for 3 blocks if elements of 2 bytes have two
       parts: a fourth would wait until one is done. */
    const size_t times = plan->vectors || plan->shifted ? 1 : members / 2;
    const size_t most = members > 4 && has_two_parts(op) ? 3 : 4;
    const size_t blocks = is_long ? COLUMN_BLOCKS_PER_SM : at_most(times * size->blocks, most);
    size_t parts, threads;
    for (;;) {
        parts = at_most(blocks * sms / plan->tiles, m->rows / batch_of(plan) / (is_long ? 8 : 1));
        threads = REDUCE_THREADS / plan->lanes; /* for each column: what they merge is a team */
        if (parts <= threads * size->blocks * 5 / 4 || plan->lanes <= least)
            break;
        set_tiles(plan, m, plan->lanes / 2);
    }
    size_t team = threads * COLUMN_SLOTS;
    if (parts <= threads * size->blocks * 5 / 4)
        parts = at_most(parts, threads * size->blocks);
    else if (parts <= team * 5 / 4)
        parts = at_most(parts, team);
    else
        parts = at_most(parts, team * team);
    if (parts <= 1)
        return;
    /* What is left of a batch may be a part of its own, if a team and the workspace have room. */
    const bool has_room = parts != team && parts < team * team &&
                          plan->tiles * (parts + 1) <= (size_t)COLUMN_BLOCKS_PER_SM * sms;
    cut(plan, m->rows - (has_room ? m->rows % batch_of(plan) : 0), parts, batch_of(plan));
    plan->parts = rounded_up(m->rows, plan->part);
}

struct reduce_plan reduce_columns_plan(enum reduce_operator op, const struct reduce_matrix *m,
                                       unsigned sms)
{
    const size_t members = members_of(m);
    if (m->columns == 1 && m->stride == 1) { /* in memory, it is a row */
        const struct reduce_matrix one_row = {m->data, m->type, 1, m->rows, m->rows};
        return reduce_rows_plan(REDUCE_SUM, &one_row, sms); /* as for any operator */
    }
    struct reduce_plan plan = {.kind = COLUMNS, .parts = 1, .part = m->rows};
    plan.vectors = is_all_vectors(m);
    /* Few rows, or threads enough for all columns, which are fewer where rows are few. */
    const size_t alone = (m->rows <= 2 * COLUMN_LOADS ? 120 : 480) * (size_t)sms;
    if (m->rows > 0 &&
        (m->rows <= COLUMN_LOADS || (m->rows <= 128 && m->columns >= alone * members))) {
        plan.kind = COLUMNS_IN_A_THREAD;
        set_tiles(&plan, m, REDUCE_THREADS);
        const bool at_once =
            m->rows > COLUMN_LOADS || !plan.vectors || plan.tiles <= 2 * (size_t)sms;
        plan.loads = m->rows > FEW_COLUMN_LOADS && at_once ? COLUMN_LOADS : FEW_COLUMN_LOADS;
        plan.blocks = plan.tiles;
        return plan;
    }
    /* Lanes for a whole row, or for so many columns as a block has slots for. */
    plan.shifted = !plan.vectors && is_shifted(m);
    set_tiles(&plan, m,
              power_of_two_from(
                  at_most(rounded_up(m->columns, members) + plan.shifted, COLUMN_TILE / members)));
    const struct reduce_plan wide = plan;
    const struct size_class *size = by_bytes;
    while (m->rows * m->columns * 16 / members / sms > size->most_bytes)
        size++;
    bool is_alone = plan.tiles == 0 || narrow_to_blocks(&plan, m, size, sms);
    if (!is_alone && size == by_bytes) {
        plan = wide;
        is_alone = narrow_to_rows(&plan, m);
    }
    if (!is_alone) {
        plan = wide;
        if (m->rows / batch_of(&plan) >= 4)
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

/* ---- segments ---- */

/* Long segments have a block each. Else a warp has its share of elements and ends of segments
   together; or, if they are even, a segment. */
struct reduce_plan reduce_segments_plan(const struct reduce_segments *s, unsigned sms)
{
    const size_t element = reduce_element_bytes(s->type), bytes = s->n * element;
    const size_t items = s->n + END_BYTES / element * s->segments;
    const size_t in_block = SEGMENT_THREADS / 32, if_even = rounded_up(s->segments, in_block);
    const size_t wave = (size_t)SEGMENT_BLOCKS_PER_SM * sms;
    const bool are_many = s->segments > MOST_LONG_SEGMENTS / 4; /* to begin as many blocks costs */
    struct reduce_plan plan = {.kind = SEGMENTS, .parts = 1};
    plan.list_blocks = at_most(rounded_up(items, 2048), wave);
    plan.blocks = plan.list_blocks;
    if (plan.blocks > 0)
        plan.part = rounded_up(items, plan.blocks * in_block);
    if (bytes / (are_many ? 2 : 1) >= 4 * K * s->segments && s->segments <= MOST_LONG_SEGMENTS) {
        plan.in_block = 1;
        plan.most_alone = at_least(128 * K, bytes / MOST_ALONE_OF_ALL) / element;
        if (s->n > plan.most_alone)
            plan.sharers = (unsigned)at_most(bytes / LEAST_SHARE, 2 * (size_t)sms);
        plan.blocks = plan.sharers + s->segments;
    } else if (bytes <= (size_t)EVEN_PARTS * EVEN_BYTES && if_even <= 2 * wave) {
        plan.in_block = (unsigned)in_block;
        plan.blocks = at_least(if_even, plan.blocks);
    }
    return plan;
}
