/*
 * What reduce_rows.h promises: library_rows [part] [TEST]..., the tests are errors, rows,
 * columns, short, blocks, slots, tiles, shifted, plans, starts, means, specials, sizes, segments,
 * large and order. part: fewer shapes, and of each one type. After each test comes a sum over the
 * bits of its answers: no schedule of the simulator may change it.
 */
#include "contract.h"
#include "library/reduce_plan.h"
#include "library/sum_f32_plan.h"
#include <float.h>

#define OPERATORS    8
#define MOST         ((size_t)3 << 20) /* elements */
#define MOST_ANSWERS ((size_t)300000)
/* Not the 0xff of common/check.h, which is a NaN: -max.NaN has its bits. */
#define POISON 0xa5
#define GUARD  64 /* elements around a matrix, and bytes behind the answers */

static const enum reduce_operator operators[OPERATORS] = {
    REDUCE_SUM, REDUCE_MAX, REDUCE_MIN, REDUCE_ARGMAX, REDUCE_ARGMIN, REDUCE_MEAN_VAR, REDUCE_LOGSUMEXP, REDUCE_NORM2};
static const char *const names[OPERATORS] = {"sum",    "max",      "min",         "argmax",
                                             "argmin", "mean_var", "log_sum_exp", "norm"};
static const struct {
    const char *name;
    enum reduce_type type;
    enum element element;
} types[] = {{"float", REDUCE_F32, ELEMENT_FLOAT},
             {"half", REDUCE_F16, ELEMENT_HALF},
             {"bfloat16", REDUCE_BF16, ELEMENT_BFLOAT16}};
enum { TYPES = sizeof types / sizeof types[0] };

static bool part; /* of the tests */
static unsigned sms;
static uint64_t bits;        /* of all answers of a test */
static float *data, *values; /* as made, and as the elements have them */
static char *elements, *in;  /* on the host, and on the GPU */
static char *out, *got, *again;
static struct reduce_workspace w;

/* ---- what is right ---- */

typedef long double real;
static const real u = 0x1p-24L;

/* n values, `step` apart. */
struct view {
    const float *x;
    size_t n, step;
    float at(size_t i) const { return x[i * step]; }
};

template <class F> static real sum_over(const struct view &x, F f) {
    real sum = 0;
    for (size_t i = 0; i < x.n; i++) sum += f((real)x.at(i));
    return sum;
}

template <class F> static real largest_of(const struct view &x, F f) {
    real largest = -(real)INFINITY;
    for (size_t i = 0; i < x.n; i++) largest = fmaxl(largest, f((real)x.at(i)));
    return largest;
}

static real as_it_is(real v) { return v; }

static real negative(real v) { return -v; }

static real square(real v) { return v * v; }

static bool is_larger(float a, float b) { return a > b || (a != a && b == b); }

/* The first of the largest, or of the smallest. */
static size_t extreme(const struct view &x, bool smallest) {
    size_t best = 0;
    for (size_t i = 1; i < x.n; i++)
        if (smallest ? is_larger(-x.at(i), -x.at(best)) : is_larger(x.at(i), x.at(best))) best = i;
    return best;
}

static bool near(float is, real right, real allowed) {
    uint32_t word;
    memcpy(&word, &is, sizeof word);
    if (word == POISON * 0x01010101u) return false;
    if (isnan(right) || isinf(right) || fabsl(right) > (real)FLT_MAX)
        return isnan(right) ? isnan(is) : isinf(is) && (is > 0) == (right > 0);
    return fabsl((real)is - right) <= allowed * 1.01L; /* terms in u^2 */
}

/* Squares of the distances from the mean. */
static real squares_of(const struct view &x) {
    const real mean = sum_over(x, as_it_is) / (real)x.n;
    return sum_over(x, [mean](real v) { return square(v - mean); });
}

static bool right_mean_var(const float *answer, const struct view &x, real depth) {
    const real n = (real)x.n, mean = sum_over(x, as_it_is) / n, squares = squares_of(x);
    const real e = (depth + 12) * u * (largest_of(x, as_it_is) + largest_of(x, negative));
    const real of_squares = 24 * square(depth + 4) * u * squares + 4 * e * sqrtl(depth * n * squares) +
                            4 * depth * n * e * e + n * 0x1p-149L;
    return near(answer[0], mean, e + u * fabsl(mean) + 0x1p-149L) &&
           near(answer[1], x.n > 1 ? squares / (n - 1) : (real)NAN, of_squares / (n - 1));
}

static bool right_log_sum_exp(float answer, const struct view &x, real depth) {
    const real largest = largest_of(x, as_it_is);
    if (isinf(largest)) /* with a NaN: a NaN */
        return near(answer, largest + sum_over(x, [](real v) { return isnan(v) ? (real)NAN : 0; }), 0);
    const real sum = sum_over(x, [largest](real v) { return expl(v - largest); });
    const real weighted =
        sum_over(x, [largest](real v) { return isinf(largest - v) ? 0 : (largest - v) * expl(v - largest); });
    const real right = largest + logl(sum);
    return near(answer, right, u * (fabsl(right) + 3 * fabsl(logl(sum)) + 7 * depth + 6 + 3 * weighted / sum));
}

/* Whether this is the answer for these values, by a tree of depth d. */
static bool is_right(enum reduce_operator op, const char *answer, const struct view &x, size_t d) {
    static const float of_none[OPERATORS] = {0, -INFINITY, INFINITY, 0, 0, NAN, -INFINITY, 0};
    const real depth = (real)d;
    float f[2];
    int64_t number;
    memcpy(f, answer, reduce_answer_bytes(op));
    if (op == REDUCE_ARGMAX || op == REDUCE_ARGMIN) {
        memcpy(&number, answer, sizeof number);
        return number == (x.n > 0 ? (int64_t)extreme(x, op == REDUCE_ARGMIN) : -1);
    }
    if (x.n == 0) return near(f[0], (real)of_none[op], 0) && (op != REDUCE_MEAN_VAR || near(f[1], (real)NAN, 0));
    switch (op) {
    case REDUCE_SUM:
        return near(f[0], sum_over(x, as_it_is), depth * u * sum_over(x, fabsl));
    case REDUCE_MEAN_VAR:
        return right_mean_var(f, x, depth);
    case REDUCE_LOGSUMEXP:
        return right_log_sum_exp(f[0], x, depth);
    case REDUCE_NORM2: {
        const real norm = sqrtl(sum_over(x, square));
        return near(f[0], norm, (depth / 2 + 3) * u * norm + 0x1p-149L);
    }
    default:
        return near(f[0], (real)x.at(extreme(x, op == REDUCE_MIN)), 0);
    }
}

/* ---- what is run ---- */

/* NaNs count as one: of which operand a sum takes its bits, the compiler decides. */
static void add_bits(const char *answers, size_t bytes) {
    for (size_t i = 0; i < bytes; i += 4) {
        uint32_t word;
        memcpy(&word, answers + i, 4);
        bits = (bits ^ ((word & 0x7fffffff) > 0x7f800000 ? 0x7fffffff : word)) * 1099511628211u;
    }
}

/* Poison where so many bytes of answers, and the slots, are to be; the tickets stay. */
static void poison(size_t bytes) {
    const size_t zero = TICKET_BYTES(sms) + FLAGGED_BYTES(sms);
    CUDA_CHECK(cudaMemset(out, POISON, bytes + GUARD));
    CUDA_CHECK(cudaMemset((char *)w.memory + zero, POISON, w.bytes - zero));
}

/* Fetches the answers. False if more bytes were written than those, or the workspace is not left as
   it has to be. */
static bool fetch(char *to, size_t bytes) {
    static unsigned char zero[TICKET_BYTES(1024) + FLAGGED_BYTES(1024)];
    const size_t most = sms < 1024 ? sms : 1024, all = TICKET_BYTES(most) + FLAGGED_BYTES(most);
    CUDA_CHECK(cudaDeviceSynchronize());
    to_host(to, out, bytes + GUARD);
    for (size_t i = bytes; i < bytes + GUARD; i++)
        if ((unsigned char)to[i] != POISON) return false;
    to_host(zero, w.memory, all);
    return zero[0] == 0 && memcmp(zero, zero + 1, all - 1) == 0;
}

/* Brings n values to the GPU as elements of this type, with NaNs in front and behind. */
static void upload(int type, size_t n) {
    size_t bytes = element_bytes(types[type].element);
    for (size_t i = 0; i < GUARD; i++) data[i] = data[GUARD + n + i] = NAN;
    make_elements(types[type].element, data, n + 2 * GUARD, elements);
    for (size_t i = 0; i < n + 2 * GUARD; i++) values[i] = element_value(types[type].element, data[i]);
    to_gpu(in, elements, (n + 2 * GUARD) * bytes);
}

struct shape {
    size_t rows, columns, stride;
    unsigned offset; /* elements that the first lies off a multiple of 16 bytes */
};

/* Fills the rows of a shape; between them are NaNs, which nobody is to read. */
static void fill_shape(const struct shape *s, enum pattern pattern, uint64_t seed) {
    float *row = data + GUARD + s->offset;
    for (size_t i = 0; i < s->rows * s->stride + s->offset; i++) data[GUARD + i] = NAN;
    for (size_t r = 0; r < s->rows; r++) fill_data(row + r * s->stride, s->columns, pattern, seed + r);
}

typedef enum reduce_status (*reduce_fn)(const struct reduce_plan *, enum reduce_operator, const struct reduce_matrix *,
                                        void *, const struct reduce_workspace *, cudaStream_t);

/* How often a case runs: twice, for the same bits. On the simulator test_library.py compares the bits of
   several orders, and fetch() has seen that nothing is left behind: there one case in five runs
   twice. */
static int runs_of_case(void) {
    static unsigned cases;
    return ON_SIMULATOR && cases++ % 5 != 0 ? 1 : 2;
}

static struct reduce_matrix matrix_of(int type, const struct shape *s) {
    return {in + (GUARD + s->offset) * element_bytes(types[type].element), types[type].type, s->rows, s->columns,
            s->stride};
}

/* The values that answer number a is of. */
static struct view values_of(const struct shape *s, bool of_rows, size_t a) {
    const float *first = values + GUARD + s->offset;
    return of_rows ? (struct view){first + a * s->stride, s->columns, 1} : (struct view){first + a, s->rows, s->stride};
}

/* All answers of an uploaded shape by this plan. */
static bool try_shape(int type, enum reduce_operator op, const struct shape *s, bool of_rows,
                      const struct reduce_plan *plan) {
    const size_t answer = reduce_answer_bytes(op);
    const struct reduce_matrix m = matrix_of(type, s);
    struct reduce_plan own = of_rows ? reduce_rows_plan(op, &m, sms) : reduce_columns_plan(op, &m, sms);
    size_t answers = of_rows ? s->rows : s->columns, n = of_rows ? s->columns : s->rows;
    size_t depth = reduce_depth(plan != NULL ? plan : &own, m.type, n), wrong = answers;
    const int runs = runs_of_case();
    bool right = true;
    for (int time = 0; time < runs; time++) {
        poison(answers * answer);
        enum reduce_status status = plan != NULL && of_rows ? reduce_rows_by(plan, op, &m, out, &w, 0)
                                    : plan != NULL          ? reduce_columns_by(plan, op, &m, out, &w, 0)
                                    : of_rows               ? reduce_rows(op, &m, out, &w, 0)
                                                            : reduce_columns(op, &m, out, &w, 0);
        right &= status == REDUCE_OK && fetch(time == 0 ? got : again, answers * answer);
    }
    right &= runs == 1 || memcmp(got, again, answers * answer) == 0;
    add_bits(got, answers * answer);
    for (size_t a = answers; a-- > 0;)
        if (!is_right(op, got + a * answer, values_of(s, of_rows, a), depth)) wrong = a;
    if (!right || wrong < answers) {
        float f[2] = {0, 0};
        memcpy(f, got + (wrong < answers ? wrong : 0) * answer, answers > 0 ? answer : 0);
        printf("# %s of %s, %zu x %zu, stride %zu, offset %u: answer %zu is %.9g %.9g\n", names[op], types[type].name,
               s->rows, s->columns, s->stride, s->offset, wrong, (double)f[0], (double)f[1]);
    }
    return right && wrong == answers;
}

/* In a part of the tests each shape has one type. */
static bool is_left_out(int type, size_t shape) { return part && (size_t)type != shape % TYPES; }

/* On a GPU each case meets every operator. The simulator is slower: there it meets one in `few`,
   and others in the next turn, so that cases of a kind have had all of them. */
static bool is_for_gpu(enum reduce_operator op, size_t turn, size_t few) {
    return ON_SIMULATOR && ((size_t)op + turn) % few != 0;
}

/* All operators and types; of several, the simulator has half, and the other half for a seed that
   is larger by 2. In a part of the tests a shape has one type, and all operators. */
static bool try_all(const struct shape *s, bool of_rows, enum pattern pattern, uint64_t seed) {
    bool right = true;
    fill_shape(s, pattern, seed);
    for (int type = 0; type < TYPES; type++) {
        if (is_left_out(type, seed)) continue;
        upload(type, s->rows * s->stride + s->offset);
        for (enum reduce_operator op : operators)
            if (part || !is_for_gpu(op, seed / 2 + (size_t)type, 2)) right &= try_shape(type, op, s, of_rows, NULL);
    }
    return right;
}

/* Numbers of every size, and around 10,000; the sums of none is infinite. */
static enum pattern pattern_number(size_t i) {
    static const enum pattern patterns[] = {PATTERN_UNIFORM, PATTERN_FAR,  PATTERN_NORMAL,
                                            PATTERN_CANCEL,  PATTERN_RAMP, PATTERN_LOGNORMAL};
    return patterns[i % (sizeof patterns / sizeof patterns[0])];
}

/* ---- rows and columns of all shapes ---- */

/* Around every limit of the plan; stride and start aligned to 16 bytes, and not. */
static void test_shapes(bool of_rows) {
    static const size_t lengths[] = {0,   1,   2,   3,   4,   5,    7,    8,    9,    15,   16,
                                     17,  31,  32,  33,  64,  100,  127,  128,  129,  255,  256,
                                     257, 500, 512, 513, 775, 1000, 1024, 1025, 2048, 2049, 4097};
    static const size_t others[] = {3, 37, 1, 130};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        bool right = true;
        size_t n = lengths[i];
        for (unsigned way = 0; way < 4; way++) {
            size_t other = n > 600 && others[way] > 37 ? 20 : others[(way + i) % 4];
            struct shape s = {of_rows ? other : n, of_rows ? n : other, 0, way % 2 * (1 + way)};
            s.stride = way < 2 ? s.columns : way == 2 ? s.columns + 3 : (s.columns + 15) / 8 * 8;
            if ((part && (way != (i + 2) % 4 || i % 3 == 1)) || (ON_SIMULATOR && (way + i) % 2 == 1)) continue;
            right &= try_all(&s, of_rows, pattern_number(i + way), 7 * i + way);
        }
        if (part && i % 3 == 1) continue;
        ok(right, "%s of %zu: right, twice the same bits", of_rows ? "rows" : "columns", n);
    }
}

static void test_rows(void) { test_shapes(true); }
static void test_columns(void) { test_shapes(false); }

/* Rows, or columns, of so few elements that a thread has them to itself: blocks that are full and
   one that is not, answers that lie at a multiple of 16 bytes and not. Columns of more than 4 by
   plans that read 4 rows at once, and 8. */
static void test_short(void) {
    static const size_t lengths[] = {1, 2, 3, 4, 5, 8, 9, 20};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        const size_t n = lengths[i], step = part ? 4 : ON_SIMULATOR ? 2 : 1;
        bool rows = true, columns = true;
        for (unsigned way = 0; way < 4; way++) {
            const bool vectors = way < 2;
            const size_t width = vectors ? 4400 : 4403, stride = vectors ? 4400 : 4410;
            const size_t in_block = REDUCE_THREADS * ROWS_OF_A_THREAD(vectors ? n : 4);
            const struct shape r = {2 * in_block + 907, n, n + (vectors ? 0 : 3), way == 3};
            const struct shape c = {n, width, stride, way == 3};
            const struct shape *const shapes[] = {&r, &c};
            out += way % 2 * 8;
            for (int down = n > 4; down < 2; down++) {
                fill_shape(shapes[down], pattern_number(i + way), i);
                for (int type = 0; type < TYPES; type++) {
                    const size_t tile = 256 * 16 / reduce_element_bytes(types[type].type);
                    const size_t tiles = (width + tile - 1) / tile;
                    const unsigned loads = (i + way) % 2 ? FEW_COLUMN_LOADS : COLUMN_LOADS;
                    const struct reduce_plan plan = {COLUMNS_IN_A_THREAD, vectors, 256, tiles, 1, n, tiles, loads};
                    if (part && type != (int)(i + way) % TYPES) continue;
                    upload(type, shapes[down]->rows * shapes[down]->stride + (way == 3));
                    for (enum reduce_operator op : operators)
                        if (!is_for_gpu(op, i + way + (size_t)type, step))
                            *(down ? &columns : &rows) &=
                                try_shape(type, op, shapes[down], !down, n > FEW_COLUMN_LOADS ? &plan : NULL);
                }
            }
            out -= way % 2 * 8;
        }
        if (n <= 4) ok(rows, "thousands of rows of %zu", n);
        ok(columns, "thousands of columns of %zu", n);
    }
}

/* Few long rows, and few columns: several blocks for each answer. */
static void test_several_blocks(void) {
    static const struct shape of_rows[] = {
        {1, 50257, 50257, 0}, {3, 50257, 50260, 1}, {1, 40000, 40000, 0}, {2, 33000, 33000, 0}};
    static const struct shape of_columns[] = {{12501, 8, 8, 0}, {33000, 1, 1, 1}, {3000, 33, 40, 0}, {40000, 3, 3, 1}};
    for (int i = 0; i < (part ? 1 : 4); i++) {
        const struct shape *r = &of_rows[i], *c = &of_columns[i];
        struct reduce_matrix m = {in, REDUCE_F32, r->rows, r->columns, r->stride};
        bool several = reduce_rows_plan(REDUCE_SUM, &m, sms).parts > 1;
        const uint64_t seed = 6 + 2 * (uint64_t)i; /* the first: floats */
        ok(try_all(r, true, pattern_number(i + 1), seed) && several, "few long rows, by several blocks");
        m.rows = c->rows, m.columns = c->columns, m.stride = c->stride;
        several = reduce_columns_plan(REDUCE_SUM, &m, sms).parts > 1 || sms > 32; /* of which each has enough */
        ok(try_all(c, false, pattern_number(i + 1), seed) && several, "few columns, by several blocks");
    }
}

/* More blocks share a row than one block reads the slots of at once: 512, or 1024 of argmax. */
static void test_many_slots(void) {
    bool right = true;
    for (enum reduce_operator op : operators) {
        const bool looks_again = op == REDUCE_ARGMAX || op == REDUCE_ARGMIN;
        const size_t most = SPLIT_BLOCKS_PER_SM * sms, enough = looks_again ? 1100 : 600;
        const size_t blocks = most < enough ? most : enough;
        const struct shape s = {part || most < 2 * blocks ? 1 : 2, 30011, 30011, 1};
        const struct reduce_plan plan = {BLOCKS_A_ROW, false, 32, 0, blocks, s.columns / blocks + 1, s.rows * blocks};
        fill_shape(&s, PATTERN_NORMAL, 11);
        upload((int)op % TYPES, s.rows * s.stride + s.offset);
        right &= try_shape((int)op % TYPES, op, &s, true, &plan);
    }
    ok(right, "rows, each by more blocks than one reads the slots of at once");
}

/* On 132 SMs: parts of a row; and a warp's rows, of operators with two parts. */
static void test_plans_of_rows(void) {
    enum { K = 1024, M = K * K, SUM = REDUCE_SUM, TWO = REDUCE_MEAN_VAR };
    static const struct {
        int op, type;
        size_t rows, columns;
        enum reduce_kind kind;
        size_t parts;
    } plans[] = {
        {SUM, REDUCE_F32, 1, 151936, BLOCKS_A_ROW, 38}, /* a tile each */
        {SUM, REDUCE_F32, 7, 151936, BLOCKS_A_ROW, 24}, /* too many for that */
        {SUM, REDUCE_F32, 1, 4 * M, BLOCKS_A_ROW, 341},
        {SUM, REDUCE_F32, 5, 4 * M, BLOCKS_A_ROW, 512}, /* many bytes: two tiles each ... */
        {TWO, REDUCE_F32, 5, 4 * M, BLOCKS_A_ROW, 128}, /* ... or eight */
        {SUM, REDUCE_F32, 1, 64 * M, BLOCKS_A_ROW, 1024},
        {SUM, REDUCE_F32, 1, 1024 * M, BLOCKS_A_ROW, 4096},
        {SUM, REDUCE_F32, 1024, M, BLOCKS_A_ROW, 66}, /* slots for no more */
        {TWO, REDUCE_F32, 40000, 32 * K, BLOCK_A_ROW, 1},
        {SUM, REDUCE_F32, 4 * K, 2049, BLOCK_A_ROW, 1},
        {SUM, REDUCE_F32, 64 * K, 2049, WARP_A_ROW, 1},
        {SUM, REDUCE_F32, 64 * K, 4096, BLOCK_A_ROW, 1},
        {TWO, REDUCE_F32, 64 * K, 4096, WARP_A_ROW, 1},
        {TWO, REDUCE_F32, 4 * K, 2049, WARP_A_ROW, 1},
        {TWO, REDUCE_F32, 100, 2049, BLOCK_A_ROW, 1},
        {TWO, REDUCE_F32, 4 * K, 4096, BLOCK_A_ROW, 1},
        {TWO, REDUCE_F32, 64 * K, 8300, BLOCK_A_ROW, 1},
        {TWO, REDUCE_F16, 64 * K, 8192, WARP_A_ROW, 1},
        {TWO, REDUCE_F16, 2 * K, 8192, BLOCK_A_ROW, 1},
        {SUM, REDUCE_F32, 1, 16 * K, BLOCKS_A_ROW, 4},
        {TWO, REDUCE_F16, 256 * K, 128, STAGED_ROWS, 1},
        {TWO, REDUCE_F16, 64 * K, 128, ROWS_IN_A_WARP, 1},
        {TWO, REDUCE_F32, M, 40, STAGED_ROWS, 1},
        {SUM, REDUCE_F32, M, 40, ROWS_IN_A_WARP, 1},
    };
    bool right = true;
    for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++) {
        const struct reduce_matrix m = {NULL, (enum reduce_type)plans[i].type, plans[i].rows, plans[i].columns,
                                        plans[i].columns};
        const struct reduce_plan plan = reduce_rows_plan((enum reduce_operator)plans[i].op, &m, 132);
        right &= plan.kind == plans[i].kind && plan.parts == plans[i].parts;
    }
    ok(right, "the plans of rows on a GPU of 132 SMs");
}

/* Blocks that share columns, however many SMs: the workspace has slots for all, and for their
 * teams. */
static void test_plans_of_columns(void) {
    bool fit = true;
    for (unsigned gpu = 1; gpu <= 178; gpu += gpu < 8 ? 1 : 17)
        for (size_t rows = 100; rows < 20000000; rows = rows * 5 / 3 + 7)
            for (size_t columns = 2; columns < 60000; columns = columns * 5 / 4 + 1)
                for (int type = 0; type < 2; type++) {
                    const struct reduce_matrix m = {in, types[type].type, rows, columns, columns};
                    const struct reduce_plan p = reduce_columns_plan(REDUCE_SUM, &m, gpu);
                    if (p.kind != COLUMNS || p.parts == 1) continue;
                    const size_t team = REDUCE_THREADS / p.lanes * COLUMN_SLOTS;
                    const size_t teams = p.parts > team ? (p.parts + team - 1) / team : 0;
                    const size_t row = p.lanes * (16 / reduce_element_bytes(m.type));
                    fit &= row <= COLUMN_TILE && p.parts <= team * team &&
                           p.tiles * (p.parts + teams) * row * 16 <= FLAGGED_BYTES(gpu);
                }
    ok(fit, "plans of columns fit into the workspace");
}

/* Rows of whole vectors in shared memory, which they are only where they are many: a block and a
   part of one, by the plan for more of them. */
static void test_staged_vectors(void) {
    static const size_t lengths[] = {40, 72, 136, 376, 1024};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        const struct shape s = {90, lengths[i], lengths[i] + i % 2 * 8, 0};
        bool right = true;
        fill_shape(&s, PATTERN_NORMAL, i);
        for (int type = 0; type < TYPES; type++) {
            const struct reduce_matrix many = {in, types[type].type, (size_t)1 << 24, s.columns, s.stride};
            struct reduce_plan plan = reduce_rows_plan(REDUCE_ARGMAX, &many, sms);
            if (plan.kind != STAGED_ROWS) /* floats of few lanes without any */
                continue;
            plan.blocks = (s.rows + plan.in_block - 1) / plan.in_block;
            upload(type, s.rows * s.stride);
            for (enum reduce_operator op : operators) right &= try_shape(type, op, &s, true, &plan);
        }
        ok(right, "rows of %zu in shared memory", lengths[i]);
    }
}

/* Every kernel at every short length, and at two longer ones: with more SMs or fewer, the plan has
   another kernel for as many rows. */
static void test_other_plans(void) {
    for (size_t columns = 0; columns <= 1500; columns += columns > 60    ? 705
                                                         : part          ? 34
                                                         : columns >= 20 ? 11
                                                         : ON_SIMULATOR  ? 3
                                                                         : 1) {
        bool right = true;
        struct shape s = {11, columns, columns + columns % 3, (unsigned)columns % 5};
        fill_shape(&s, PATTERN_NORMAL, columns);
        for (int type = 0; type < TYPES; type++) {
            if (is_left_out(type, columns)) continue;
            upload(type, s.rows * s.stride + s.offset);
            struct reduce_plan warps = {WARP_A_ROW, false, 32, 0, 1, columns, 2};
            struct reduce_plan blocks = {BLOCK_A_ROW, false, 32, 0, 1, columns, 11};
            const size_t third = columns / 3 + 1, blocks_a_row = (columns + third - 1) / third;
            const size_t most = SPLIT_BLOCKS_PER_SM * sms / 3; /* rows: there is room for so many */
            struct shape few = s;
            few.rows = few.rows < most ? few.rows : most;
            struct reduce_plan parts = {BLOCKS_A_ROW, false, 32, 0, blocks_a_row, third, few.rows * blocks_a_row};
            for (enum reduce_operator op : operators) {
                if (!part && is_for_gpu(op, columns + (size_t)type, 2)) continue;
                right &= try_shape(type, op, &s, true, &warps);
                right &= try_shape(type, op, &s, true, &blocks);
                if (parts.parts > 1) right &= try_shape(type, op, &few, true, &parts);
            }
        }
        ok(right, "rows of %zu by the kernels of long ones", columns);
    }
    test_staged_vectors();
    test_plans_of_rows();
    test_plans_of_columns();
}

/* Columns by tiles of every width, each by one block, and by as many as there is memory for: then a
   tile has more blocks than a team, if it is wide, and teams of teams merge them. On the simulator
   a narrow one has no more blocks than a team in any case: there a few do. If shifted, the last of
   2 to 32 lanes has no columns, and rows begin anywhere. */
static void test_other_columns(void) {
    size_t turn = 0;
    for (unsigned lanes = 1; lanes <= REDUCE_THREADS; lanes *= 2, turn++) {
        bool right = true;
        for (unsigned way = 0; way < 6; way++) {
            const bool shared = way % 2, vectors = way < 2, shifted = way >= 4;
            if (shifted && (lanes < 2 || lanes > MOST_SHIFTED_LANES)) continue;
            for (int type = 0; type < TYPES; type++) {
                const size_t members = 16 / reduce_element_bytes(types[type].type);
                const size_t width = lanes * members, columns = width - shifted * members;
                const size_t slots = FLAGGED_BYTES(sms) / (16 * lanes * members); /* two words each */
                const size_t team = REDUCE_THREADS / lanes * COLUMN_SLOTS;
                const size_t most = slots * team / (team + 1) - 1; /* a team has one, too */
                struct shape s = {70, vectors ? columns : columns - 1, width + members, 0};
                struct reduce_plan plan = {COLUMNS, vectors, lanes, 1, 1, s.rows, 1};
                plan.shifted = shifted;
                s.stride -= shifted;
                if ((part && type != (int)(lanes / 2 + way) % TYPES) || (shared && width > COLUMN_TILE)) continue;
                if (shared) {
                    plan.part = 2;
                    plan.parts = plan.blocks = ON_SIMULATOR && lanes <= 8 ? 8 : most;
                    s.rows = plan.parts * plan.part - 1;
                }
                fill_shape(&s, PATTERN_NORMAL, way);
                upload(type, s.rows * s.stride);
                for (enum reduce_operator op : operators)
                    if (!is_for_gpu(op, turn + (part ? way % 4 : 2 * way + (size_t)type), part ? 4 : 8))
                        right &= try_shape(type, op, &s, false, &plan);
            }
        }
        ok(right, "columns by %u lanes, and by teams of blocks", lanes);
    }
}

/* The rows alone, in memory of their own. What lies around them and between them was never written:
   the simulator reports a read of it. */
static char *rows_alone(int type, const struct shape *s) {
    const size_t bytes = element_bytes(types[type].element), first = GUARD + s->offset;
    char *alone;
    CUDA_CHECK(cudaMalloc(&alone, (first + (s->rows - 1) * s->stride + s->columns) * bytes));
    CUDA_CHECK(cudaMemcpy2D(alone + first * bytes, s->stride * bytes, elements + first * bytes, s->stride * bytes,
                            s->columns * bytes, s->rows, cudaMemcpyHostToDevice));
    return alone;
}

/* Columns whose rows begin at every distance from a multiple of 16 bytes: around the width from
   which on they are read 16 bytes at a time, and around those of tiles; few rows, and many. */
static void test_shifted(void) {
    static const struct {
        size_t vectors; /* the columns: so many times 16 bytes, ... */
        int more;       /* ... and so many more */
        size_t between, rows;
        bool floats, halves; /* are read 16 bytes at a time */
    } shapes[] = {{15, -1, 2, 130, false, false}, {15, 0, 1, 130, true, true},  {15, 1, 0, 127, false, true},
                  {16, 0, 3, 128, true, true},    {31, 0, 1, 31, false, false}, {31, 0, 1, 32, false, true},
                  {31, 1, 0, 130, false, true},   {64, 3, 0, 140, true, true},  {15, 3, 2, 2500, true, true},
                  {29, 5, 0, 1700, true, true}};
    char *const all = in;
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        bool right = true, planned = true;
        for (int type = 0; type < TYPES; type++) {
            const size_t members = 16 / reduce_element_bytes(types[type].type);
            if (is_left_out(type, i)) continue;
            for (unsigned offset = 0; offset < members; offset++) {
                struct shape s = {shapes[i].rows, 0, 0, offset};
                const size_t few = s.rows > 1000 ? 4 : 2;
                if (ON_SIMULATOR && offset % few != i % few) continue;
                s.columns = shapes[i].vectors * members + (size_t)(ptrdiff_t)shapes[i].more;
                s.stride = s.columns + shapes[i].between;
                fill_shape(&s, pattern_number(i + offset), i);
                upload(type, (s.rows - 1) * s.stride + s.columns + offset);
                in = rows_alone(type, &s);
                const struct reduce_matrix m = matrix_of(type, &s);
                const struct reduce_plan plan = reduce_columns_plan(REDUCE_SUM, &m, sms);
                planned &= plan.shifted == (members == 4 ? shapes[i].floats : shapes[i].halves) &&
                           (plan.parts > 1 || s.rows < 1000);
                for (enum reduce_operator op : operators)
                    if (!is_for_gpu(op, i + offset + (size_t)type, 4)) right &= try_shape(type, op, &s, false, NULL);
                CUDA_CHECK(cudaFree(in));
                in = all;
            }
        }
        ok(right && planned, "columns of %zu from any start, %zu times 16 bytes and %d", shapes[i].rows,
           shapes[i].vectors, shapes[i].more);
    }
}

/* ---- special numbers ---- */

/* Puts a special number, or a few, into rows of small whole numbers, so that there are ties. */
static void put_specials(const struct shape *s) {
    static const float specials[] = {INFINITY, -INFINITY, NAN, -0.0f, FLT_MAX, -FLT_MAX};
    fill_shape(s, PATTERN_RAMP, 3);
    for (size_t r = 0; r < s->rows; r++) {
        float *row = data + GUARD + s->offset + r * s->stride;
        for (size_t i = 0; i < s->columns && r % 9 > 6; i++)
            row[i] = r % 9 == 7 ? (i * 7 % 3 == 0 ? -0.0f : 0.0f) : -INFINITY;
        for (size_t i = 0; r % 9 < 6 && i < 2; i++) /* the second one only sometimes */
            if (i == 0 || r % 2 == 0) row[(r * 5 + i * 11) % s->columns] = specials[(r + i * (r / 9)) % 6];
    }
}

static void infinite_sums(void);

static void test_specials(void) {
    infinite_sums();
    static const size_t columns[] = {1, 5, 64, 128, 300, 700, 5000};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        struct shape s = {columns[i] > 1000 ? 18u : 54u, columns[i], columns[i] + i % 2, 0};
        bool rows = true, down = true;
        if (part && i % 3 == 0) continue;
        put_specials(&s);
        for (int type = 0; type < TYPES; type++) {
            if (is_left_out(type, i)) continue;
            upload(type, s.rows * s.stride);
            for (enum reduce_operator op : operators) {
                /* Sums with FLT_MAX may be infinite on the way: only what cannot be. */
                bool adds = op == REDUCE_SUM || op == REDUCE_MEAN_VAR;
                for (size_t r = 0; adds && r < s.rows * s.stride; r++)
                    if (fabsf(values[GUARD + r]) > 1e30f && !isinf(values[GUARD + r])) goto next;
                rows &= try_shape(type, op, &s, true, NULL);
                if (columns[i] <= 700) down &= try_shape(type, op, &s, false, NULL);
            next:;
            }
        }
        ok(rows, "NaN, infinities, -0, ties, the largest floats: rows of %zu", columns[i]);
        if (columns[i] <= 700) ok(down, "the same of the columns");
    }
}

/* Sums and means of rows with infinities and NaNs alone, which put_specials() has to leave out. */
static void infinite_sums(void) {
    static const size_t columns[] = {4, 100, 600, 3000};
    for (int i = 0; i < 4; i++) {
        struct shape s = {12, columns[i], columns[i], 0};
        bool right = true;
        fill_shape(&s, PATTERN_RAMP, 1);
        for (size_t r = 0; r < s.rows; r++) {
            float *row = data + GUARD + r * s.stride;
            if (r % 4 != 3) row[r * 7 % s.columns] = r % 4 == 1 ? -INFINITY : r % 4 == 2 ? NAN : INFINITY;
            if (r > 7) row[(r * 7 + 1) % s.columns] = INFINITY;
        }
        upload(0, s.rows * s.stride);
        for (int of_rows = 0; of_rows < 2; of_rows++) {
            right &= try_shape(0, REDUCE_SUM, &s, of_rows, NULL);
            right &= try_shape(0, REDUCE_MEAN_VAR, &s, of_rows, NULL);
        }
        ok(right, "sums and means of infinities and NaNs");
    }
}

/* Squares that are no floats, sums of e^x that are none, and the least numbers there are. */
static void test_extreme_sizes(void) {
    static const float sizes[] = {1e30f, 3e38f, 1e-30f, 1e-40f, 0x1p-149f, 0.0f, 200.0f, 1e-21f};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        bool right = true;
        if (part && i % 3 != 0) continue;
        for (size_t columns = 3; columns < 4000; columns *= 9) {
            struct shape s = {6, columns, columns, 0};
            fill_shape(&s, PATTERN_UNIFORM, i);
            for (size_t e = 0; e < s.rows * s.stride; e++) data[GUARD + e] *= sizes[i];
            upload(0, s.rows * s.stride);
            for (int of_rows = 0; of_rows < 2; of_rows++) {
                right &= try_shape(0, REDUCE_NORM2, &s, of_rows, NULL);
                right &= try_shape(0, REDUCE_LOGSUMEXP, &s, of_rows, NULL);
                right &= try_shape(0, REDUCE_MAX, &s, of_rows, NULL);
                right &= try_shape(0, REDUCE_MIN, &s, of_rows, NULL);
                if (sizes[i] <= 200.0f) /* else a square is no float */
                    right &= try_shape(0, REDUCE_MEAN_VAR, &s, of_rows, NULL);
            }
        }
        ok(right, "numbers around %g", (double)sizes[i]);
    }
}

/* ---- the same bits, wherever rows begin ---- */

/* Eight equal rows, by a block each if they are long, or eight columns, from every start: those
   that begin equally far from a multiple of 16 bytes have the same bits. The distance between rows
   is a multiple of 16 bytes. */
static bool have_same_bits(int type, size_t n, bool of_rows, size_t turn) {
    const size_t width = element_bytes(types[type].element);
    const unsigned members = (unsigned)(16 / width);
    struct shape s = {of_rows ? 8 : n, of_rows ? n : 8, 0, 0};
    s.stride = (s.columns + members - 1) / members * members + members;
    static char first[16][OPERATORS][8 * 8];
    const struct reduce_plan block = {BLOCK_A_ROW, false, 32, 0, 1, n, 8};
    bool same = true;
    for (unsigned offset = 0; offset < 64; offset++) {
        if (ON_SIMULATOR && offset >= members && offset % 29 > 1) continue;
        s.offset = offset;
        fill_shape(&s, PATTERN_NORMAL, 1);
        for (size_t r = 1; of_rows && r < s.rows; r++)
            memcpy(data + GUARD + offset + r * s.stride, data + GUARD + offset, n * sizeof *data);
        upload(type, s.rows * s.stride + offset);
        const struct reduce_matrix m = matrix_of(type, &s);
        for (enum reduce_operator op : operators) {
            const size_t bytes = reduce_answer_bytes(op);
            if (is_for_gpu(op, turn, 4)) continue;
            poison(8 * bytes);
            same &= (of_rows ? reduce_rows_by(n > 6000 ? &block : NULL, op, &m, out, &w, 0)
                             : reduce_columns(op, &m, out, &w, 0)) == REDUCE_OK &&
                    fetch(got, 8 * bytes);
            for (size_t r = 1; of_rows && r < 8; r++) same &= memcmp(got, got + r * bytes, bytes) == 0;
            if (offset < members) memcpy(first[offset][op], got, 8 * bytes);
            same &= memcmp(got, first[offset % members][op], 8 * bytes) == 0;
        }
    }
    return same;
}

static void test_starts(void) {
    static const size_t lengths[] = {6, 17, 129, 100, 300, 5000, 1000, 3000, 33004};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        const size_t n = lengths[i];
        bool rows = true, columns = true;
        if (part && i % 3 != 2) continue;
        for (int type = 0; type < TYPES; type++) {
            if (is_left_out(type, i / 3 + 1)) continue;
            const size_t turn = part ? 0 : i + (size_t)type; /* 0: the sums, too */
            rows &= have_same_bits(type, n, true, turn);
            columns &= n > 6000 || have_same_bits(type, n, false, turn);
        }
        ok(rows, "rows of %zu: the same bits from every start, and for equal rows", n);
        if (n <= 6000) ok(columns, "columns of %zu: the same bits from every start", n);
    }
}

/* Variances about a mean of a million deviations, and of numbers that are neighbours as floats. */
static void test_large_means(void) {
    static const struct shape shapes[] = {{40, 5, 5, 0},     {30, 17, 17, 1},    {10, 64, 64, 0}, {10, 300, 301, 0},
                                          {20, 700, 700, 0}, {8, 5000, 5000, 1}, {700, 9, 9, 0},  {1, 70001, 70001, 0},
                                          {70001, 1, 1, 0},  {5000, 40, 40, 0}};
    bool right = true;
    for (size_t i = 0; i < 2 * sizeof shapes / sizeof shapes[0]; i++) {
        const struct shape *s = &shapes[i / 2];
        const size_t all = s->rows * s->stride;
        fill_data(data + GUARD + s->offset, all, PATTERN_NORMAL, i / 2);
        for (size_t e = 0; e < all; e++) {
            float *x = &data[GUARD + s->offset + e];
            *x = 1e6f + (i % 2 ? (*x > 0 ? 0.0625f : 0.0f) : *x);
        }
        upload(0, all + s->offset);
        const struct reduce_matrix m = matrix_of(0, s);
        for (bool of_rows : {false, true}) {
            const size_t answers = of_rows ? s->rows : s->columns;
            if (values_of(s, of_rows, 0).n < 2) continue;
            poison(answers * 8);
            right &= (of_rows ? reduce_rows(REDUCE_MEAN_VAR, &m, out, &w, 0)
                              : reduce_columns(REDUCE_MEAN_VAR, &m, out, &w, 0)) == REDUCE_OK &&
                     fetch(got, answers * 8);
            for (size_t a = 0; a < answers; a++) {
                const struct view x = values_of(s, of_rows, a);
                const real variance = squares_of(x) / ((real)x.n - 1);
                right &= fabsl((real)((float *)got)[2 * a + 1] - variance) <= 1e-5L * variance;
            }
        }
    }
    ok(right, "variances about means of a million deviations");
}

/* ---- segments ---- */

static int64_t *offsets, *device_offsets;
#define MOST_SEGMENTS ((size_t)100000)

/* Small whole numbers, of which many are equal; here and there a special one; and stretches of
   -infinity, which no other element is to win against. */
static void put_specials_among(float *x, size_t n) {
    static const float specials[] = {INFINITY, -INFINITY, NAN, -0.0f};
    for (size_t i = 0; i < n; i++) {
        uint64_t random = (i + 1) * 0x9e3779b97f4a7c15u >> 33;
        x[i] = i / 60 % 3 == 0     ? -INFINITY
               : random % 37 == 0  ? specials[random / 37 % 4]
               : i / 4000 % 2 == 0 ? (float)(random % 4)
                                   : -(float)(random % 3);
    }
}

/* Of each 3000 two are the largest: the last, and another one. */
static void put_two_largest(float *x, size_t n) {
    for (size_t i = 0; i < n; i++) x[i] = i % 3000 == 2999 || i % 3000 == 100 + i / 3000 * 29 % 2900 ? 1.0f : 0.0f;
}

/* Each 6000 are ties of another kind: -infinity, zeros of both signs, NaNs behind a number,
   ones. */
static void put_ties(float *x, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const size_t kind = i / 6000 % 4, at = i % 6000;
        x[i] = kind == 0   ? -INFINITY
               : kind == 1 ? (at % 2 ? 0.0f : -0.0f)
               : kind == 2 ? (at < 1500 ? (float)(at % 7) : NAN)
                           : 1.0f;
    }
}

/* Whether all answers are right, that of a segment of `length` elements within its bound. */
static bool are_right(enum reduce_operator op, const char *answers, const float *x, size_t count,
                      const struct reduce_plan *plan, int type) {
    size_t bytes = reduce_answer_bytes(op), wrong = count;
    for (size_t i = count; i-- > 0;) {
        size_t length = (size_t)(offsets[i + 1] - offsets[i]);
        if (!is_right(op, answers + i * bytes, {x + offsets[i], length, 1},
                      reduce_depth(plan, types[type].type, length)))
            wrong = i;
    }
    if (wrong < count)
        printf("# %s of %s%s: segment %zu of %zu is wrong, %zu elements\n", names[op], types[type].name,
               plan->in_block > 0 ? ", if even" : "", wrong, count, (size_t)(offsets[wrong + 1] - offsets[wrong]));
    return wrong == count;
}

/* Segments of these offsets, of all types and operators: by the list, and as the library does it if
   that is another way. put: changes the data; or NULL. */
static bool try_segments(size_t count, size_t n, void (*put)(float *, size_t)) {
    static const enum reduce_operator ops[] = {REDUCE_SUM, REDUCE_MAX, REDUCE_ARGMAX};
    bool right = true;
    size_t longest = 0;
    for (size_t i = 0; i < count; i++)
        longest = (size_t)(offsets[i + 1] - offsets[i]) > longest ? (size_t)(offsets[i + 1] - offsets[i]) : longest;
    to_gpu(device_offsets, offsets, (count + 1) * sizeof *offsets);
    for (int type = 0; type < TYPES; type++) {
        unsigned off = (unsigned)(type + count) % 4; /* of the start */
        if (is_left_out(type, count)) continue;
        fill_data(data + GUARD, n + off, count % 2 ? PATTERN_RAMP : PATTERN_NORMAL, count);
        if (put != NULL) put(data + GUARD + off, n);
        upload(type, n + off);
        size_t width = element_bytes(types[type].element);
        struct reduce_segments s = {in + (GUARD + off) * width, types[type].type, n, device_offsets, count};
        const struct reduce_plan plan = reduce_segments_plan(&s, sms);
        struct reduce_plan list = plan;
        list.in_block = 0;
        list.blocks = list.list_blocks;
        struct reduce_plan alone = plan; /* each segment by one block */
        alone.sharers = 0;
        alone.most_alone = n;
        alone.blocks = count;
        for (int o = 0; o < 3; o++) {
            if (!part && put == NULL && count > 2 && is_for_gpu(ops[o], count + (size_t)type, 3)) continue;
            const size_t bytes = count * reduce_answer_bytes(ops[o]);
            const float *x = values + GUARD + off;
            const int runs = runs_of_case();
            for (int time = 0; time < runs; time++) {
                poison(bytes);
                right &= reduce_segments_by(&list, ops[o], &s, out, &w, 0) == REDUCE_OK;
                right &= fetch(time == 0 ? got : again, bytes);
            }
            right &= runs == 1 || memcmp(got, again, bytes) == 0;
            add_bits(got, bytes);
            right &= are_right(ops[o], got, x, count, &list, type);
            if (plan.in_block > 0) {
                poison(bytes);
                right &= reduce_segments(ops[o], &s, out, &w, 0) == REDUCE_OK && fetch(again, bytes);
                add_bits(again, bytes);
                right &= are_right(ops[o], again, x, count, &plan, type);
                /* A long segment is not left to one warp or block: so the bits are those of the
                   list, or, if each has a block, others than without those that share it. */
                right &= plan.in_block == 1 || longest * width <= EVEN_BYTES || memcmp(got, again, bytes) == 0;
                if (plan.sharers > 2 && longest > plan.most_alone && ops[o] == REDUCE_SUM) {
                    poison(bytes);
                    right &= reduce_segments_by(&alone, ops[o], &s, out, &w, 0) == REDUCE_OK && fetch(got, bytes) &&
                             are_right(ops[o], got, x, count, &alone, type) && memcmp(got, again, bytes) != 0;
                }
            }
        }
    }
    return right;
}

/* Segments from `first` on, by the length of each -> where they end. random: of each another. */
template <class F> static size_t cut(size_t first, size_t count, F length) {
    offsets[0] = (int64_t)first; /* what lies before belongs to none */
    for (size_t i = 0; i < count; i++) {
        uint64_t random = (i + 1) * 0x9e3779b97f4a7c15u;
        random ^= random >> 29, random *= 0xbf58476d1ce4e5b9u, random ^= random >> 32;
        offsets[i + 1] = offsets[i] + (int64_t)length(i, random);
    }
    return (size_t)offsets[count];
}

#define LENGTH(EXPRESSION)                                                                                             \
    [](size_t i, uint64_t random) -> size_t {                                                                          \
        (void)i, (void)random;                                                                                         \
        return EXPRESSION;                                                                                             \
    }
static size_t some_empty(size_t, uint64_t random) { return random % 8 == 0 ? random / 8 % 40 : 0; }
static size_t of_every_size(size_t, uint64_t random) { return (size_t)1 << (random % 13); }
static const struct {
    const char *what;
    size_t segments;
    size_t (*length)(size_t i, uint64_t random);
} kinds[] = {{"of three", 20000, LENGTH(3)},
             {"of three, and one of 60,000", 3000, LENGTH(i == 700 ? 60000 : 3)},
             {"most of them empty", 30000, some_empty},
             {"of every size", 100, of_every_size},
             {"around 4096", 30, LENGTH(4094 + i % 5)}, /* four tiles */
             {"of one", 20000, LENGTH(1)},
             {"of 20,000, and empty ones between", 9, LENGTH(i % 2 ? 20000 : 0)},
             {"of a hundred", 900, LENGTH(100)},
             {"many empty ones first", 40000, LENGTH(i < 30000 ? 0 : 5)},
             {"around 1024", 100, LENGTH(1022 + i % 5)}, /* a tile, and NEAR */
             {"around a block's threads", 300, LENGTH(255 + random % 3)},
             {"by one block, and more in front and behind", 5, LENGTH(255 + random % 3)},
             {"that no blocks share", 30, LENGTH(1500)}, /* of which no block has a part */
             /* That a warp leaves to its block; a few that blocks share; if they are floats: all. */
             {"of 5000, two side by side, and short ones", 40, LENGTH(i % 16 < 2 ? 5000 : 3)},
             {"of 3000, and two of 100,000", 44, LENGTH(i % 23 == 20 ? 100000 : 3000)},
             {"of 40,000", 14, LENGTH(40000)},
             /* A list, though few enough for a warp each. */
             {"of 300, and one of 20,000", 100, LENGTH(i == 70 ? 20000 : 300)}};

/* Whether a block has so many segments: one, if they are long; several, if they may be even; or 0.
 */
static bool is_planned(size_t n, size_t segments, unsigned in_block) {
    const struct reduce_segments s = {in, REDUCE_F32, n, device_offsets, segments};
    const struct reduce_plan plan = reduce_segments_plan(&s, sms);
    return plan.in_block == in_block && plan.blocks >= plan.list_blocks * (in_block != 1) &&
           (plan.in_block == 1) == (plan.most_alone > 0) && plan.sharers <= 2 * sms &&
           (plan.sharers > 0) == (plan.in_block == 1 && n > plan.most_alone);
}

static void check_offsets(void);

static void test_segments(void) {
    check_offsets();
    const size_t most = (size_t)EVEN_PARTS * EVEN_BYTES / 4, blocks = 10 * (size_t)sms;
    ok(is_planned(0, 1, 4) && is_planned(1023, 1, 4) && is_planned(0, 4 * blocks, 4) &&
           is_planned(0, 4 * blocks + 1, 0) && is_planned(most, 8193, 4 * blocks < 8193 ? 0 : 4),
       "which segments may be even: few, or of few elements");
    ok(is_planned(1024, 1, 1) && is_planned(32768, 1, 1) && is_planned(32769, 1, 1) &&
           is_planned(16384 << 10, 16384, 1) && is_planned(16385 << 10, 16385, 0) &&
           is_planned(65536 << 11, 65536, 1) && is_planned((size_t)65537 << 20, 65537, 0),
       "which segments have a block each: those that are long, unless they are very many");
    for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++) {
        const size_t count = kinds[kind].segments;
        if (part && kind != 1 && kind != 3 && kind != 6 && kind != 7 && kind < 11) continue;
        const size_t end = cut(kind % 3 * 5, count, kinds[kind].length);
        ok(try_segments(count, end + kind % 2 * 9, NULL), "segments %s", kinds[kind].what);
    }
    size_t end =
        cut(0, 200, [](size_t i, uint64_t random) { return i % 2 ? some_empty(i, random) : of_every_size(i, random); });
    ok(try_segments(200, end, put_specials_among), "segments with NaN, infinities, -0, ties");
    end = cut(0, 100, LENGTH(3000));
    ok(try_segments(100, end, put_two_largest), "of two that are the largest, the first");
    end = cut(0, 43, LENGTH(6000)); /* begins at a multiple of 16 bytes */
    ok(try_segments(43, end, put_ties), "of all that tie in several tiles, the first");
    for (size_t n = 0; n < 9000; n = n * 3 + 1) {
        offsets[0] = 0, offsets[1] = (int64_t)n, offsets[2] = (int64_t)n;
        ok(try_segments(1, n, NULL) && try_segments(2, n, NULL), "a segment of %zu, and an empty one", n);
    }
}

/* More blocks share an answer than a block has threads: on GPUs with more than 32 SMs. */
static void test_large(void) {
    const struct shape s = {1, 2500001, 2500001, 1};
    struct reduce_matrix m = {in, REDUCE_F32, s.rows, s.columns, s.stride};
    if (reduce_rows_plan(REDUCE_SUM, &m, sms).parts <= REDUCE_THREADS) {
        skip("large", "too few SMs");
        return;
    }
    ok(try_all(&s, true, PATTERN_NORMAL, 5), "a row, by more blocks than a block has threads");
    ok(try_segments(60000, cut(0, 60000, LENGTH(i == 30000 ? 2000000 : 3)), NULL),
       "segments of three, and one of 2,000,000");
}

static void check_offsets(void) {
    struct reduce_segments s = {in, REDUCE_F32, 100, device_offsets, 4};
    static const struct {
        int64_t offsets[5];
        enum reduce_status status;
        size_t wrong;
        const char *what;
    } cases[] = {{{0, 0, 7, 7, 100}, REDUCE_OK, 99, "offsets that are right"},
                 {{0, 8, 7, 9, 5}, REDUCE_BAD_OFFSETS, 1, "offsets that decrease"},
                 {{0, 8, 9, 9, 101}, REDUCE_BAD_OFFSETS, 4, "offsets above n"},
                 {{-1, 8, 9, 9, 10}, REDUCE_BAD_OFFSETS, 0, "a negative offset"}};
    for (int i = 0; i < 4; i++) {
        size_t wrong = 99;
        to_gpu(device_offsets, cases[i].offsets, sizeof cases[i].offsets);
        ok(reduce_check_offsets(&s, &wrong, &w, 0) == cases[i].status && wrong == cases[i].wrong, "%s", cases[i].what);
    }
    ok(reduce_check_offsets(&s, NULL, &w, 0) == REDUCE_BAD_OFFSETS, "and nowhere to say which");
    to_gpu(device_offsets, cases[0].offsets, sizeof cases[0].offsets);
    cudaSetDevice(-1); /* an error of the caller's, which nobody has asked for */
    ok(reduce_check_offsets(&s, NULL, &w, 0) == REDUCE_OK, "an older error is none of its own");
    cudaGetLastError();
}

/* ---- errors ---- */

static bool untouched(void) {
    CUDA_CHECK(cudaDeviceSynchronize());
    to_host(got, out, 64);
    for (int i = 0; i < 64; i++)
        if ((unsigned char)got[i] != POISON) return false;
    return true;
}

static struct reduce_matrix of_floats(size_t rows, size_t columns, size_t stride) {
    return {in, REDUCE_F32, rows, columns, stride};
}

static void refuses(enum reduce_status expected, enum reduce_operator op, const struct reduce_matrix *m, void *o,
                    const struct reduce_workspace *workspace, const char *what) {
    poison(0);
    ok(reduce_rows(op, m, o, workspace, 0) == expected && reduce_columns(op, m, o, workspace, 0) == expected &&
           untouched(),
       "%s", what);
}

static void test_errors(void) {
    struct reduce_workspace none = {NULL, w.bytes}, odd = {(char *)w.memory + 8, w.bytes};
    struct reduce_workspace less = {w.memory, w.bytes - 1};
    struct reduce_matrix m = of_floats(4, 4, 4), no_data = m, shifted = m, bad_type = m;
    struct reduce_matrix narrow = of_floats(4, 4, 3), large = of_floats((size_t)1 << 38, 1, 2);
    struct reduce_matrix larger = of_floats((size_t)1 << 33, 4, (size_t)1 << 33);
    no_data.data = NULL;
    shifted.data = in + 2;
    bad_type.type = (enum reduce_type)3;
    refuses(REDUCE_NULL_POINTER, REDUCE_SUM, NULL, out, &w, "no matrix");
    refuses(REDUCE_NULL_POINTER, REDUCE_SUM, &no_data, out, &w, "data is NULL");
    refuses(REDUCE_NULL_POINTER, REDUCE_SUM, &m, NULL, &w, "out is NULL");
    refuses(REDUCE_NULL_POINTER, REDUCE_SUM, &m, out, NULL, "no workspace");
    refuses(REDUCE_NULL_POINTER, REDUCE_SUM, &m, out, &none, "a workspace without memory");
    refuses(REDUCE_MISALIGNED, REDUCE_SUM, &shifted, out, &w, "data is misaligned");
    refuses(REDUCE_MISALIGNED, REDUCE_SUM, &m, out + 2, &w, "out is misaligned");
    refuses(REDUCE_MISALIGNED, REDUCE_ARGMIN, &m, out + 4, &w, "out is misaligned for numbers");
    refuses(REDUCE_MISALIGNED, REDUCE_SUM, &m, out, &odd, "the workspace is misaligned");
    refuses(REDUCE_SMALL_WORKSPACE, REDUCE_SUM, &m, out, &less, "a byte of the workspace missing");
    refuses(REDUCE_BAD_OPERATOR, (enum reduce_operator)8, &m, out, &w, "no such operator");
    refuses(REDUCE_BAD_TYPE, REDUCE_SUM, &bad_type, out, &w, "no such type");
    refuses(REDUCE_BAD_SHAPE, REDUCE_SUM, &narrow, out, &w, "a stride below the columns");
    refuses(REDUCE_BAD_SHAPE, REDUCE_SUM, &large, out, &w, "more bytes than memory has");
    refuses(REDUCE_BAD_SHAPE, REDUCE_SUM, &larger, out, &w, "bytes that overflow");
    struct reduce_matrix no_rows = of_floats(0, 4, 4), no_columns = of_floats(4, 0, 0);
    no_rows.data = no_columns.data = NULL;
    poison(0);
    ok(reduce_rows(REDUCE_SUM, &no_rows, NULL, &w, 0) == REDUCE_OK &&
           reduce_columns(REDUCE_SUM, &no_columns, NULL, &w, 0) == REDUCE_OK && untouched(),
       "no rows, or no columns: nothing to do");
    ok(reduce_workspace_bytes(NULL) == REDUCE_NULL_POINTER, "nowhere to put the bytes");
    ok(w.bytes == (size_t)37024 * sms, "37,024 bytes for each SM");

    struct reduce_segments s = {in, REDUCE_F32, 8, device_offsets, 1}, no_offsets = s, shift = s;
    no_offsets.offsets = NULL;
    shift.offsets = (const int64_t *)((char *)device_offsets + 4);
    poison(0);
    ok(reduce_segments(REDUCE_MIN, &s, out, &w, 0) == REDUCE_BAD_OPERATOR && untouched(), "segments have no minimum");
    ok(reduce_segments(REDUCE_SUM, NULL, out, &w, 0) == REDUCE_NULL_POINTER &&
           reduce_segments(REDUCE_SUM, &no_offsets, out, &w, 0) == REDUCE_NULL_POINTER &&
           reduce_segments(REDUCE_SUM, &s, NULL, &w, 0) == REDUCE_NULL_POINTER && untouched(),
       "no segments, no offsets, no out");
    ok(reduce_segments(REDUCE_SUM, &shift, out, &w, 0) == REDUCE_MISALIGNED && untouched(), "misaligned offsets");
    ok(reduce_segments(REDUCE_SUM, &s, out, &less, 0) == REDUCE_SMALL_WORKSPACE && untouched(),
       "segments: a byte of the workspace missing");
    s.segments = 0;
    ok(reduce_segments(REDUCE_SUM, &s, NULL, &w, 0) == REDUCE_OK && untouched(), "no segments: nothing to do");

    struct reduce_plan none_at_all = {BLOCK_A_ROW, false, 32, 0, 1, 4, 0};
    ok(reduce_rows_by(&none_at_all, REDUCE_SUM, &m, out, &w, 0) == REDUCE_LAUNCH_FAILED &&
           cudaGetLastError() != cudaSuccess && untouched(),
       "a launch that CUDA refuses");
    ok(messages_differ(REDUCE_LAUNCH_FAILED, reduce_message), "a message for each status");
    bool four = true;
    for (enum reduce_operator op : operators)
        four &=
            reduce_answer_bytes(op) == (op == REDUCE_ARGMAX || op == REDUCE_ARGMIN || op == REDUCE_MEAN_VAR ? 8 : 4);
    ok(four && reduce_answer_bytes((enum reduce_operator)8) == 0, "bytes of an answer");
}

/* ---- streams ---- */

/* Queues three reductions of one array: few rows, many rows, columns; and segments. */
static bool queue_four(float *x, float *answers, cudaStream_t stream) {
    struct reduce_matrix few = {x, REDUCE_F32, 2, 20000, 20000};
    struct reduce_matrix many = {x, REDUCE_F32, 2500, 16, 16};
    struct reduce_matrix tall = {x, REDUCE_F32, 5000, 8, 8};
    struct reduce_segments s = {x, REDUCE_F32, 40000, device_offsets, 4};
    return reduce_rows(REDUCE_SUM, &few, answers, &w, stream) == REDUCE_OK &&
           reduce_rows(REDUCE_MAX, &many, answers + 2, &w, stream) == REDUCE_OK &&
           reduce_columns(REDUCE_SUM, &tall, answers + 2502, &w, stream) == REDUCE_OK &&
           reduce_segments(REDUCE_SUM, &s, answers + 2510, &w, stream) == REDUCE_OK;
}

static bool four_are(const float *answers, float value) {
    static const float segments[] = {7, 29993, 10000, 0};
    bool right = answers[0] == 20000 * value && answers[1] == 20000 * value;
    for (int i = 0; i < 2500; i++) right &= answers[2 + i] == value;
    for (int i = 0; i < 8; i++) right &= answers[2502 + i] == 5000 * value;
    for (int i = 0; i < 4; i++) right &= answers[2510 + i] == segments[i] * value;
    return right;
}

/* The kernel before writes what is reduced, and the calls share a workspace. */
static void test_order(void) {
    static const int64_t cuts[] = {0, 7, 30000, 40000, 40000};
    const int rounds = ON_SIMULATOR ? 2 : 30;
    static float answers[2514];
    cudaStream_t stream = new_stream();
    bool right = true;
    to_gpu(device_offsets, cuts, sizeof cuts);
    for (int i = 1; i <= rounds; i++) {
        fill<<<64, 256, 0, stream>>>((float *)in, 40000, (float)i);
        right &= queue_four((float *)in, (float *)out, stream);
        CUDA_CHECK(cudaStreamSynchronize(stream));
        to_host(answers, out, sizeof answers);
        right &= four_are(answers, (float)i);
    }
    ok(right, "one after another, each waits for the kernel before it");
    in_a_graph(
        stream, rounds,
        [&] {
            CUDA_CHECK(cudaMemsetAsync(out, POISON, sizeof answers, stream));
            fill<<<64, 256, 0, stream>>>((float *)in, 40000, 3.0f);
            right = queue_four((float *)in, (float *)out, stream);
        },
        [&](int) {
            to_host(answers, out, sizeof answers);
            right &= four_are(answers, 3.0f);
        });
    ok(right, "in a graph, launched again and again");
    CUDA_CHECK(cudaStreamDestroy(stream));
}

static const struct {
    const char *name;
    void (*run)(void);
} all_tests[] = {{"errors", test_errors},         {"rows", test_rows},
                 {"columns", test_columns},       {"short", test_short},
                 {"blocks", test_several_blocks}, {"slots", test_many_slots},
                 {"tiles", test_other_columns},   {"shifted", test_shifted},
                 {"plans", test_other_plans},     {"starts", test_starts},
                 {"means", test_large_means},     {"specials", test_specials},
                 {"sizes", test_extreme_sizes},   {"segments", test_segments},
                 {"large", test_large},           {"order", test_order}};
enum { TESTS = sizeof all_tests / sizeof all_tests[0] };

static int usage(void) {
    fprintf(stderr, "library_rows: usage: library_rows [part] [");
    for (int i = 0; i < TESTS; i++) fprintf(stderr, "%s%s", i > 0 ? "|" : "", all_tests[i].name);
    fprintf(stderr, "]...\n");
    return 2;
}

int main(int argc, char **argv) {
    bool asked[TESTS] = {false}, some = false, hopper;
    for (int a = 1; a < argc; a++) {
        bool known = a == 1 && strcmp(argv[a], "part") == 0;
        part |= known;
        for (int i = 0; i < TESTS; i++)
            if (strcmp(argv[a], all_tests[i].name) == 0) asked[i] = some = known = true;
        if (!known) return usage();
    }
    if (sum_f32_device(&sms, &hopper) != SUM_F32_OK || reduce_workspace_bytes(&w.bytes) != REDUCE_OK) return 77;
    printf("# code with clusters: %s\n", hopper ? "yes" : "no");
    data = on_host<float>(MOST + 2 * GUARD);
    values = on_host<float>(MOST + 2 * GUARD);
    elements = on_host<char>((MOST + 2 * GUARD) * sizeof *data);
    got = on_host<char>(MOST_ANSWERS * 8 + GUARD);
    again = on_host<char>(MOST_ANSWERS * 8 + GUARD);
    offsets = on_host<int64_t>(MOST_SEGMENTS + 1);
    in = on_gpu<char>((MOST + 2 * GUARD) * sizeof *data);
    out = on_gpu<char>(MOST_ANSWERS * 8 + GUARD);
    device_offsets = on_gpu<int64_t>(MOST_SEGMENTS + 1);
    w = workspace_of<struct reduce_workspace>(w.bytes);
    for (int i = 0; i < TESTS; i++)
        if (asked[i] || !some) {
            bits = 0;
            all_tests[i].run();
            printf("# bits of %s: %016llx\n", all_tests[i].name, (unsigned long long)bits);
        }
    return done_testing();
}
