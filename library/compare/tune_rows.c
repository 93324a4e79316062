/* tune_rows.c: the time of every plan that could reduce rows, or columns, of many shapes.
   reduce_plan.c's limits are where these times cross. */
#include "harness.h"
#include "rows.h"

#include "cuda_errors.h"
#include "library/sum_f32_plan.h"
#include "message.h"
#include "ours.h"

#include <stdlib.h>

static struct reduce_plan tried;
static unsigned sms;

/* A block that reads more takes a millisecond and longer: no plan to choose where there are others,
   and minutes to time. */
#define MOST_OF_A_BLOCK ((size_t)4 << 20)

#define SHARED_PER_SM 8 /* blocks that share rows; with more, only the plan that is chosen */

static void reduce_by_plan(struct sum *s)
{
    const struct reduce_matrix m = rows_matrix(s);
    enum reduce_status status =
        question.of == OF_ROWS
            ? reduce_rows_by(&tried, question.op, &m, question.out, rows_workspace(), s->stream)
            : reduce_columns_by(&tried, question.op, &m, question.out, rows_workspace(), s->stream);
    if (status == REDUCE_LAUNCH_FAILED)
        CUDA_CHECK(cudaGetLastError());
    if (status != REDUCE_OK)
        exit(complain(STATUS_WRONG, "the library: %s", reduce_message(status)));
}

static const struct variant planned_rows = {
    .name = "planned", .what = "the library's rows by a plan", .launch = reduce_by_plan};

static void try_plan(struct comparison *c, size_t n, struct reduce_plan plan,
                     const struct reduce_plan *chosen)
{
    static const char *const kinds[] = {[ROWS_IN_A_WARP] = "rows_in_a_warp",
                                        [STAGED_ROWS] = "staged_rows",
                                        [WARP_A_ROW] = "warp_a_row",
                                        [BLOCK_A_ROW] = "block_a_row",
                                        [BLOCKS_A_ROW] = "blocks_a_row",
                                        [COLUMNS] = "columns",
                                        [SEGMENTS] = "segments",
                                        [ROWS_IN_A_THREAD] = "rows_in_a_thread",
                                        [COLUMNS_IN_A_THREAD] = "columns_in_a_thread"};
    tried = plan;
    struct row row = {.setting = {n, 0, GRAPH, true},
                      .kind = kinds[plan.kind],
                      .parts = (unsigned)plan.parts,
                      .chosen = plan.kind == chosen->kind && plan.parts == chosen->parts};
    row.outcome.us[0] = measure_way(c, &row.setting, &planned_rows);
    put_row(c, &row);
}

/* All kernels that have been made for rows as long, and a few shorter and longer ones. */
static void try_rows(struct comparison *c, size_t n, const struct reduce_matrix *m)
{
    const struct reduce_plan chosen = reduce_rows_plan(question.op, m, sms);
    const size_t bytes = m->columns * reduce_element_bytes(m->type), warps = REDUCE_THREADS / 32;
    struct reduce_plan plan = {.lanes = 32, .parts = 1, .part = m->columns};
    if (chosen.kind <= STAGED_ROWS)
        try_plan(c, n, chosen, &chosen);
    plan.kind = WARP_A_ROW;
    plan.blocks = (m->rows + warps - 1) / warps;
    if (bytes >= 256 && bytes <= 65536)
        try_plan(c, n, plan, &chosen);
    plan.kind = BLOCK_A_ROW;
    plan.blocks = m->rows;
    if (bytes >= 512 && bytes <= MOST_OF_A_BLOCK)
        try_plan(c, n, plan, &chosen);
    if (chosen.kind == BLOCKS_A_ROW)
        try_plan(c, n, chosen, &chosen);
    for (size_t parts = 2; m->rows * parts <= (size_t)SHARED_PER_SM * sms && bytes / parts >= 4096;
         parts *= 2) {
        plan.kind = BLOCKS_A_ROW;
        plan.part = (m->columns + parts - 1) / parts;
        plan.parts = (m->columns + plan.part - 1) / plan.part;
        plan.blocks = m->rows * plan.parts;
        if (bytes / parts <= MOST_OF_A_BLOCK && plan.parts == parts &&
            !(chosen.kind == BLOCKS_A_ROW && chosen.parts == parts))
            try_plan(c, n, plan, &chosen);
    }
}

static void try_columns(struct comparison *c, size_t n, const struct reduce_matrix *m)
{
    const struct reduce_plan chosen = reduce_columns_plan(question.op, m, sms);
    const size_t tile = chosen.lanes * (size_t)16; /* bytes of a row */
    struct reduce_plan plan = chosen;
    try_plan(c, n, chosen, &chosen);
    plan.kind = chosen.kind == COLUMNS ? COLUMNS_IN_A_THREAD : COLUMNS; /* the other one */
    plan.lanes = plan.kind == COLUMNS ? 32 : REDUCE_THREADS;
    plan.loads = COLUMN_LOADS;
    const size_t width = plan.lanes * 16 / reduce_element_bytes(m->type);
    plan.blocks = plan.tiles = (m->columns + width - 1) / width;
    plan.parts = 1, plan.part = m->rows;
    if (plan.part * plan.lanes * 16 <= MOST_OF_A_BLOCK)
        try_plan(c, n, plan, &chosen);
    plan = chosen;
    for (size_t parts = 1; plan.tiles * parts <= (size_t)COLUMN_BLOCKS_PER_SM * sms ||
                           (parts == 1 && chosen.parts > 1);
         parts *= 2) {
        if (parts > m->rows ||
            (parts > 1 && tile > COLUMN_TILE * reduce_element_bytes(m->type))) /* no slots for it */
            break;
        plan.part = (m->rows + parts - 1) / parts;
        plan.parts = (m->rows + plan.part - 1) / plan.part;
        plan.blocks = plan.tiles * plan.parts;
        if (plan.part * tile <= MOST_OF_A_BLOCK && plan.parts == parts && parts != chosen.parts)
            try_plan(c, n, plan, &chosen);
    }
}

static void tune_rows(struct comparison *c)
{
    static const enum reduce_operator ops[] = {REDUCE_SUM, REDUCE_ARGMAX, REDUCE_MEAN_VAR,
                                               REDUCE_LOGSUMEXP};
    bool hopper;
    must(sum_f32_device(&sms, &hopper));
    open_rows(c);
    for (int k = 12; k <= 28; k += c->quick ? 16 : 8)
        for (int j = 2; j <= k && (size_t)1 << k <= c->most; j += c->quick ? 3 : 1)
            for (size_t o = 0; o < sizeof ops / sizeof ops[0]; o++)
                for (int of = OF_ROWS; of <= OF_COLUMNS; of++) {
                    question.columns = (size_t)1 << j;
                    question.rows = (size_t)1 << (k - j);
                    name_question(c, ops[o], (enum asked_of)of);
                    struct sum s = {.in = c->gpus.shares[0].in, .element = c->element};
                    const struct reduce_matrix m = rows_matrix(&s);
                    if (of == OF_ROWS)
                        try_rows(c, (size_t)1 << k, &m);
                    else
                        try_columns(c, (size_t)1 << k, &m);
                }
}

const struct subject subject_tune_rows = {
    .name = "tune_rows",
    .what =
        "reduce_rows() and reduce_columns() by every plan that there could be: all times are in "
        "the CSV.",
    .columns = "operator,of,columns,n,cache,kind,parts,chosen,us",
    .ours = &planned_rows,
    .run = tune_rows,
    .most = (size_t)1 << 28,
    .room = 2 * sizeof(float), /* cold ones of the largest n have two places */
};
