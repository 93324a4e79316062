/* rows.c: reduce_rows(), reduce_columns() and reduce_segments() against a plain read of the same
   elements and CUB. (PyTorch is timed beside them by tools/measure/with_torch.py.) */
#include "rows.h"
#include "harness.h"

#include "cuda_errors.h"
#include "device.h"
#include "library/sum_f32_plan.h"
#include "message.h"
#include "ours.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct question question;

static const char *const operators[] = {"sum",    "max",      "min",         "argmax",
                                        "argmin", "mean_var", "log_sum_exp", "norm"};

/* ---- ours ---- */

static enum reduce_type type_of(enum element element)
{
    return element == ELEMENT_HALF       ? REDUCE_F16
           : element == ELEMENT_BFLOAT16 ? REDUCE_BF16
                                         : REDUCE_F32;
}

struct reduce_matrix rows_matrix(const struct sum *s)
{
    return (struct reduce_matrix){s->in, type_of(s->element), question.rows, question.columns,
                                  question.columns};
}

const struct reduce_workspace *rows_workspace(void)
{
    static struct reduce_workspace w;
    if (w.memory == NULL) {
        if (reduce_workspace_bytes(&w.bytes) != REDUCE_OK)
            exit(complain(STATUS_NOTHING, "%s", reduce_message(REDUCE_NO_DEVICE)));
        CUDA_CHECK(cudaMalloc(&w.memory, w.bytes));
        CUDA_CHECK(cudaMemset(w.memory, 0, w.bytes));
    }
    return &w;
}

static void reduce(struct sum *s)
{
    struct reduce_matrix m = rows_matrix(s);
    struct reduce_segments segments = {s->in, m.type, s->n, question.offsets, question.rows};
    enum reduce_status status =
        question.of == OF_ROWS
            ? reduce_rows(question.op, &m, question.out, rows_workspace(), s->stream)
        : question.of == OF_COLUMNS
            ? reduce_columns(question.op, &m, question.out, rows_workspace(), s->stream)
            : reduce_segments(question.op, &segments, question.out, rows_workspace(), s->stream);
    if (status == REDUCE_LAUNCH_FAILED)
        CUDA_CHECK(cudaGetLastError());
    if (status != REDUCE_OK)
        exit(complain(STATUS_WRONG, "the library: %s", reduce_message(status)));
}

const struct variant our_rows = {.name = "ours", .what = "the library's rows", .launch = reduce};

/* Half of the elements are read, and as many written, where the answers are: as many bytes as a
   read of all. */
static void copy(struct sum *s)
{
    const size_t bytes = s->n / 2 * reduce_element_bytes(type_of(s->element));
    CUDA_CHECK(cudaMemcpyAsync(question.out, s->in, bytes, cudaMemcpyDeviceToDevice, s->stream));
}

static const struct variant plain_copy = {
    .name = "copy", .what = "a copy that moves as many bytes", .launch = copy, .flags = ROOF};

/* The order is that of the number of rivals that compare_at() takes: some have no such operator. */
static const struct rival rivals[] = {
    {&plain_read, {[GRAPH] = COLD}, FIRST, false},
    {&newer_cub_rows, {[GRAPH] = COLD}, ALL, false},
    {&newer_cub_rows_by_offsets, {[GRAPH] = COLD}, NOTHING, false},
    {&cub_rows_by_offsets, {[GRAPH] = COLD}, ALL, false},
};
static const struct rival segment_rivals[] = {
    {&plain_read, {[GRAPH] = COLD}, FIRST, false},
    {&plain_copy, {[STREAM] = COLD}, NOTHING, false}, /* in a graph CUDA copies in another way */
    {&newer_cub_rows_by_offsets, {[GRAPH] = COLD}, NOTHING, false},
    {&cub_rows_by_offsets, {[GRAPH] = COLD}, ALL, false},
};
enum {
    READ_ALONE = 1,
    READ_AND_COPY = 2,
    OF_ONE_LENGTH = 2,
    ALL_RIVALS = sizeof rivals / sizeof rivals[0]
};
#define MOST_BY_OFFSETS ((size_t)1 << 26) /* elements, and ... */
#define MOST_ROWS       ((size_t)1 << 16) /* ... rows: CUB takes a hundred times as long for more */

/* Of the CSVs, behind what is asked. */
#define PAIR_COLUMNS "n,cache,launch,rival,ours_us,rival_us,ratio,low,high,rounds"

/* ---- are the answers right? ---- */

/* Some answers, against the host's: enough to see a kernel that is wrong; the contract is the
   tests' matter. */
static bool is_right(const void *answer, const float *x, size_t n)
{
    float f[2];
    int64_t number;
    size_t best = 0;
    double sum = 0, size = 0, squares = 0, about = 0, powers = 0;
    memcpy(f, answer, sizeof f);
    memcpy(&number, answer, sizeof number);
    for (size_t i = 0; i < n; i++) {
        double v = (double)x[i];
        best = x[i] > x[best] ? i : best;
        sum += v, size += fabs(v), squares += v * v, powers += exp(v);
    }
    for (size_t i = 0; i < n; i++)
        about += ((double)x[i] - sum / (double)n) * ((double)x[i] - sum / (double)n);
    switch (question.op) {
    case REDUCE_SUM:
        return fabs((double)f[0] - sum) <= 1e-5 * size;
    case REDUCE_MAX:
        return f[0] == x[best];
    case REDUCE_ARGMAX:
        return number == (int64_t)best;
    case REDUCE_MEAN_VAR:
        return fabs((double)f[0] - sum / (double)n) <= 1e-5 * size / (double)n &&
               (n < 2 ? isnan(f[1])
                      : fabs((double)f[1] * (double)(n - 1) - about) <= 1e-4 * about + 1e-12);
    case REDUCE_LOGSUMEXP:
        return fabs((double)f[0] - log(powers)) <= 1e-5 * (fabs(log(powers)) + 1);
    case REDUCE_NORM2:
        return fabs((double)f[0] - sqrt(squares)) <= 1e-5 * sqrt(squares);
    default:
        return false;
    }
}

#define MOST_CHECKED ((size_t)1 << 20) /* elements of one shape; of more it would take too long */

static int64_t *host_offsets; /* of the segments that are asked about */

static void check_answers(struct comparison *c, size_t n, unsigned offset)
{
    const struct setting setting = {.n = n, .offset = offset};
    const bool down = question.of == OF_COLUMNS;
    size_t bytes = reduce_answer_bytes(question.op);
    size_t answers = down ? question.columns : question.rows, every = answers / 40 + 1;
    size_t left = MOST_CHECKED;
    CUDA_CHECK(cudaMemset(question.out, 0xff, answers * bytes));
    queue_sum(c, &setting, c->subject->ours, 0, 0);
    CUDA_CHECK(cudaStreamSynchronize(c->gpus.shares[0].stream));
    for (size_t i = 0; i < answers; i += every) {
        char answer[8] = {0};
        const size_t step = down ? question.columns : 1;
        size_t first = down ? i : i * question.columns,
               count = down ? question.rows : question.columns;
        if (question.of == OF_SEGMENTS) {
            first = (size_t)host_offsets[i];
            count = (size_t)(host_offsets[i + 1] - host_offsets[i]);
        }
        if (count == 0 || count > left)
            continue;
        left -= count;
        CUDA_CHECK(
            cudaMemcpy(answer, (char *)question.out + i * bytes, bytes, cudaMemcpyDeviceToHost));
        float *x = malloc(count * sizeof *x);
        if (x == NULL)
            exit(complain(STATUS_USAGE, "no memory for %zu numbers: take a smaller --most", count));
        for (size_t e = 0; e < count; e++)
            x[e] = element_value(c->element, c->host[first + e * step]);
        if (!is_right(answer, x, count)) {
            printf("%s, answer %zu of %zu is wrong\n", c->label, i, answers);
            c->wrong++;
            every = answers; /* one is enough */
        }
        free(x);
    }
}

/* ---- rows and columns ---- */

/* The offsets of rows of one length: on the GPU, made anew where the length changes. */
static void make_offsets_of_equal(size_t rows, size_t columns)
{
    int64_t *offsets = malloc((rows + 1) * sizeof *offsets);
    CUDA_CHECK(cudaFree((void *)question.offsets_of_equal));
    CUDA_CHECK(cudaMalloc((void **)&question.offsets_of_equal, (rows + 1) * sizeof *offsets));
    if (offsets == NULL)
        exit(complain(STATUS_USAGE, "no memory for %zu offsets: take a smaller --most", rows));
    for (size_t i = 0; i <= rows; i++)
        offsets[i] = (int64_t)(i * columns);
    CUDA_CHECK(cudaMemcpy((void *)question.offsets_of_equal, offsets, (rows + 1) * sizeof *offsets,
                          cudaMemcpyHostToDevice));
    free(offsets);
}

void name_question(struct comparison *c, enum reduce_operator op, enum asked_of of)
{
    static char label[64];
    question.op = op;
    question.of = of;
    c->question = operators[op];
    c->of = of == OF_ROWS ? "rows" : of == OF_COLUMNS ? "columns" : c->of;
    c->columns = question.columns;
    c->segments = question.rows;
    snprintf(label, sizeof label, "%s %s %zu", operators[op], c->of,
             of == OF_SEGMENTS ? question.rows : question.columns);
    c->label = label;
}

static void ask(struct comparison *c, enum reduce_operator op, enum asked_of of, size_t n,
                size_t rival_count)
{
    name_question(c, op, of);
    compare_at(c, n, 0, rival_count);
}

/* Asks from now on about as many rows of this length as *n has room for, and sets *n to what these
   have. Returns how many of the rivals are asked; those by offsets get them. 0: there is no row. */
static size_t begin_shape(size_t *n, size_t columns)
{
    question.columns = columns;
    question.rows = *n / columns;
    *n = question.rows * columns;
    if (question.rows == 0)
        return 0;
    if (*n > MOST_BY_OFFSETS || question.rows > MOST_ROWS)
        return OF_ONE_LENGTH;
    if (&cub_rows_by_offsets != NULL || &newer_cub_rows_by_offsets != NULL)
        make_offsets_of_equal(question.rows, columns);
    return ALL_RIVALS;
}

static void compare_shape(struct comparison *c, size_t n, size_t columns)
{
    static const enum reduce_operator alone[] = {REDUCE_MEAN_VAR, REDUCE_LOGSUMEXP, REDUCE_NORM2};
    static const enum reduce_operator with_cub[] = {REDUCE_SUM, REDUCE_MAX, REDUCE_ARGMAX};
    const size_t rivals = begin_shape(&n, columns);
    if (rivals == 0)
        return;
    for (size_t i = 0; i < sizeof with_cub / sizeof with_cub[0]; i++)
        ask(c, with_cub[i], OF_ROWS, n, rivals);
    for (size_t i = 0; i < sizeof alone / sizeof alone[0]; i++)
        ask(c, alone[i], OF_ROWS, n, READ_ALONE);
    ask(c, REDUCE_SUM, OF_COLUMNS, n, READ_ALONE);
    ask(c, REDUCE_ARGMAX, OF_COLUMNS, n, READ_ALONE);
    ask(c, REDUCE_MEAN_VAR, OF_COLUMNS, n, READ_ALONE);
    ask(c, REDUCE_LOGSUMEXP, OF_COLUMNS, n, READ_ALONE);
}

void open_rows(struct comparison *c)
{
    CUDA_CHECK(cudaMalloc(&question.out, c->most * 8 + 64));
}

static void compare_rows(struct comparison *c)
{
    static const size_t odd[] = {3, 100, 1000, 4097, 50257};
    static const int powers[] = {10, 14, 18, 22, 26, 30, 28};
    open_rows(c);
    for (size_t p = 0; p < sizeof powers / sizeof powers[0]; p += c->quick ? 3 : 1) {
        const int k = powers[p];
        size_t n = (size_t)1 << k;
        for (int j = 0; n <= c->most && j <= k; j += c->quick ? 4 : 1)
            compare_shape(c, n, (size_t)1 << j);
        for (size_t j = 0; n <= c->most && j < sizeof odd / sizeof odd[0]; j++)
            compare_shape(c, n, odd[j]);
    }
}

const struct subject subject_rows = {
    .name = "rows",
    .what = "reduce_rows() and reduce_columns(): their time over that of others, * where that is "
            "more than 1 with 95 % confidence.",
    .columns = "element,operator,of,columns," PAIR_COLUMNS,
    .launches = {[GRAPH] = "graph"},
    .ours = &our_rows,
    ROWS(rivals),
    .run = compare_rows,
    .check = check_answers,
    .most = (size_t)1 << 30,
    .room = 2 * sizeof(float), /* cold sums of the largest n have two places */
};

/* ---- segments ---- */

/* How long segment i is, at most, by the kind of their lengths. */
static size_t length_of(int kind, size_t i, size_t n)
{
    uint64_t random = (i + 1) * 0x9e3779b97f4a7c15u;
    random ^= random >> 29, random *= 0xbf58476d1ce4e5b9u, random ^= random >> 32;
    switch (kind) {
    case 0:
        return 3;
    case 1:
        return 100;
    case 2:
        return 4097;
    case 3:
        return (size_t)1 << random % 17; /* every power of two as often */
    case 4:
        return random % 2 == 0 ? 0 : random / 2 % 64;
    default:
        return i == n / 8 ? n - n / 16 : 3; /* one, with nearly all, beside many of three */
    }
}

enum { HUNDRED = 1, EVERY_POWER = 3, KINDS = 6 };

/* Segments whose lengths are of this kind: the first `op_count` operators. */
static void compare_lengths(struct comparison *c, size_t n, int kind, size_t op_count)
{
    static const char *const kinds[KINDS] = {"three",       "hundred",    "4097",
                                             "every_power", "half_empty", "one_of_all"};
    static const enum reduce_operator ops[] = {REDUCE_SUM, REDUCE_MAX, REDUCE_ARGMAX};
    size_t count = 0, most = n < 1000 ? 4 * n : n + 1000;
    host_offsets = malloc((most + 1) * sizeof *host_offsets);
    if (host_offsets == NULL)
        exit(complain(STATUS_USAGE, "no memory for %zu offsets: take a smaller --most", n));
    host_offsets[0] = 0;
    for (size_t at = 0; at < n && count < most; count++) {
        size_t length = length_of(kind, kind == 5 ? count + n / 8 - n / 64 : count, n);
        at += length < n - at ? length : n - at;
        host_offsets[count + 1] = (int64_t)at;
    }
    n = (size_t)host_offsets[count];
    question.rows = count;
    question.columns = 0;
    CUDA_CHECK(cudaMalloc((void **)&question.offsets, (count + 1) * sizeof *host_offsets));
    CUDA_CHECK(cudaMemcpy((void *)question.offsets, host_offsets,
                          (count + 1) * sizeof *host_offsets, cudaMemcpyHostToDevice));
    c->of = kinds[kind];
    for (size_t i = 0; i < op_count; i++)
        ask(c, ops[i], OF_SEGMENTS, n,
            n <= MOST_BY_OFFSETS ? sizeof segment_rivals / sizeof segment_rivals[0]
                                 : READ_AND_COPY);
    CUDA_CHECK(cudaFree((void *)question.offsets));
    free(host_offsets);
}

static void compare_segments(struct comparison *c)
{
    open_rows(c);
    for (int k = 10; k <= 30; k += c->quick ? 12 : 2)
        for (int kind = 0; kind < KINDS && (size_t)1 << k <= c->most; kind++)
            compare_lengths(c, (size_t)1 << k, kind, 3);
}

const struct subject subject_segments = {
    .name = "segments",
    .what =
        "reduce_segments(): its time over that of others, * where that is more than 1 with 95 % "
        "confidence. Where n segments have lengths that differ, the CSV names them.",
    .columns = "operator,of,segments," PAIR_COLUMNS,
    .launches = {[GRAPH] = "graph", [STREAM] = "plain"},
    .ours = &our_rows,
    ROWS(segment_rivals),
    .run = compare_segments,
    .check = check_answers,
    .most = (size_t)1 << 30,
    .room = 2 * sizeof(float),
};

/* ---- the same of half and bfloat16: fewer shapes and operators ---- */

static const enum element two_bytes[] = {ELEMENT_HALF, ELEMENT_BFLOAT16};
static const size_t type_sizes[] = {(size_t)1 << 10, (size_t)1 << 22, (size_t)1 << 28};
enum { TYPE_COUNT = 2, TYPE_SIZE_COUNT = 3 };

static void compare_shape_of_types(struct comparison *c, size_t n, size_t columns)
{
    const size_t rivals = begin_shape(&n, columns);
    if (rivals == 0)
        return;
    ask(c, REDUCE_SUM, OF_ROWS, n, rivals);
    ask(c, REDUCE_MAX, OF_ROWS, n, rivals);
    ask(c, REDUCE_MEAN_VAR, OF_ROWS, n, READ_ALONE);
    ask(c, REDUCE_LOGSUMEXP, OF_ROWS, n, READ_ALONE);
    ask(c, REDUCE_SUM, OF_COLUMNS, n, READ_ALONE);
    ask(c, REDUCE_MEAN_VAR, OF_COLUMNS, n, READ_ALONE);
}

static void compare_row_types(struct comparison *c)
{
    static const size_t widths[] = {32, 128, 1000, 4096, 50257};
    open_rows(c);
    for (size_t e = 0; e < TYPE_COUNT; e++) {
        upload(c, two_bytes[e]);
        for (size_t k = 0; k < TYPE_SIZE_COUNT && type_sizes[k] <= c->most; k++)
            for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w += c->quick ? 2 : 1)
                compare_shape_of_types(c, type_sizes[k], widths[w]);
    }
}

const struct subject subject_row_types = {
    .name = "row_types",
    .what = "reduce_rows() and reduce_columns() of half and bfloat16: their time over that of "
            "others, which have float accumulators, too.",
    .columns = "element,operator,of,columns," PAIR_COLUMNS,
    .launches = {[GRAPH] = "graph"},
    .ours = &our_rows,
    ROWS(rivals),
    .run = compare_row_types,
    .check = check_answers,
    .most = (size_t)1 << 28,
    .room = sizeof(float), /* two places, of two bytes each */
};

static void compare_segment_types(struct comparison *c)
{
    open_rows(c);
    for (size_t e = 0; e < TYPE_COUNT; e++) {
        upload(c, two_bytes[e]);
        for (size_t k = 0; k < TYPE_SIZE_COUNT && type_sizes[k] <= c->most; k++)
            for (int kind = HUNDRED; kind <= EVERY_POWER; kind++)
                compare_lengths(c, type_sizes[k], kind, 2);
    }
}

const struct subject subject_segment_types = {
    .name = "segment_types",
    .what = "reduce_segments() of half and bfloat16, in the same way.",
    .columns = "element,operator,of,segments," PAIR_COLUMNS,
    .launches = {[GRAPH] = "graph", [STREAM] = "plain"},
    .ours = &our_rows,
    ROWS(segment_rivals),
    .run = compare_segment_types,
    .check = check_answers,
    .most = (size_t)1 << 28,
    .room = sizeof(float),
};
