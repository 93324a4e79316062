/*
 * What reduce_rows.h promises: library_rows [part] [TEST]..., the tests are errors, rows, columns, short, blocks,
 * slots, tiles, shifted, plans, starts, means, specials, sizes, segments, large and order. part: fewer shapes, and of
 * each one type. After each test comes a sum over the bits of its answers: no schedule of the simulator may change it.
 */
#include "contract.h"
#include "library/reduce_plan.h"
#include <float.h>

#define OPERATORS    8
#define MOST         ((size_t)4 << 20) /* elements */
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
enum { TYPES = COUNT(types) };

static bool part;                 /* of the tests */
static uint64_t bits;             /* of all answers of a test */
static float *data, *values_room; /* as made; room for what the elements have of them */
static const float *values;       /* as the elements have them */
static char *elements, *in;       /* on the host, and on the GPU */
static char *out, *got, *again;
static struct reduce_workspace w;

/* ---- what is right: doubles do for sums of floats, whose bounds are 2^29 times as wide ---- */

static const double u = 0x1p-24;

/* n values, `step` apart. */
struct view {
    const float *x;
    size_t n, step;
};

static bool finds_place(enum reduce_operator op) { return op == REDUCE_ARGMAX || op == REDUCE_ARGMIN; }

/* The first of the largest, or of the smallest; NaN is more than both. */
SIMT_UNSEEN static size_t extreme(const struct view &x, bool smallest) {
    size_t place = 0;
    float best = smallest ? -x.x[0] : x.x[0];
    for (size_t i = 1; i < x.n; i++) {
        const float v = smallest ? -x.x[i * x.step] : x.x[i * x.step];
        if (v > best || (v != v && best == best)) best = v, place = i;
    }
    return place;
}

/* What the answers follow from. */
struct facts {
    double sum, magnitudes, squares; /* of all; the squares: of the distances from the mean, or, for a norm, from 0 */
    double largest, least, exp, weighted; /* e^-d, and d e^-d: d is the distance from the largest */
};

/* The simulator does not look at these loops, which would take most of the time. */
SIMT_UNSEEN static struct facts facts_of(enum reduce_operator op, const struct view &x) {
    struct facts f = {0, 0, 0, -INFINITY, INFINITY, 0, 0};
    for (size_t i = 0; i < x.n; i++) {
        const double v = (double)x.x[i * x.step];
        f.sum += v, f.magnitudes += v < 0 ? -v : v;
        f.largest = v > f.largest ? v : f.largest, f.least = v < f.least ? v : f.least;
    }
    const double origin = op == REDUCE_MEAN_VAR ? f.sum / (double)x.n : 0;
    if (op == REDUCE_MEAN_VAR || op == REDUCE_NORM2)
        for (size_t i = 0; i < x.n; i++) {
            const double v = (double)x.x[i * x.step] - origin;
            f.squares += v * v;
        }
    for (size_t i = 0; op == REDUCE_LOGSUMEXP && i < x.n; i++) {
        const double d = f.largest - (double)x.x[i * x.step], part = exp(-d);
        f.exp += part, f.weighted += d == INFINITY ? 0 : d * part;
    }
    return f;
}

SIMT_UNSEEN static bool near(float is, double right, double allowed) {
    uint32_t word;
    memcpy(&word, &is, sizeof word);
    if (word == POISON * 0x01010101u) return false;
    if (right != right) return is != is;
    if (fabs(right) > (double)FLT_MAX) return fabsf(is) == INFINITY && (is > 0) == (right > 0);
    return fabs((double)is - right) <= allowed * 1.01; /* terms in u^2 */
}

/* Whether this is the answer for these values, by a tree of depth d. */
SIMT_UNSEEN static bool is_right(enum reduce_operator op, const char *answer, const struct view &x, size_t d) {
    static const float of_none[OPERATORS] = {0, -INFINITY, INFINITY, 0, 0, NAN, -INFINITY, 0};
    const double depth = (double)d, n = (double)x.n;
    float is[2];
    int64_t number;
    memcpy(is, answer, op == REDUCE_MEAN_VAR ? 8 : 4);
    memcpy(&number, answer, finds_place(op) ? 8 : 4);
    if (finds_place(op)) return number == (x.n > 0 ? (int64_t)extreme(x, op == REDUCE_ARGMIN) : -1);
    if (x.n == 0) return near(is[0], (double)of_none[op], 0) && (op != REDUCE_MEAN_VAR || near(is[1], NAN, 0));
    if (op == REDUCE_MAX || op == REDUCE_MIN) return near(is[0], (double)x.x[extreme(x, op == REDUCE_MIN) * x.step], 0);
    const struct facts f = facts_of(op, x);
    if (op == REDUCE_MEAN_VAR) {
        const double mean = f.sum / n, e = (depth + 12) * u * (f.largest - f.least);
        const double of_squares = 24 * (depth + 4) * (depth + 4) * u * f.squares + 4 * e * sqrt(depth * n * f.squares) +
                                  4 * depth * n * e * e + n * 0x1p-149;
        return near(is[0], mean, e + u * fabs(mean) + 0x1p-149) &&
               near(is[1], x.n > 1 ? f.squares / (n - 1) : (double)NAN, of_squares / (n - 1));
    }
    if (op == REDUCE_LOGSUMEXP) {
        const double log_sum = log(f.exp), right = f.largest + log_sum;
        if (fabs(f.largest) == INFINITY) return near(is[0], f.magnitudes == f.magnitudes ? f.largest : NAN, 0);
        return near(is[0], right, u * (fabs(right) + 3 * fabs(log_sum) + 7 * depth + 6 + 3 * f.weighted / f.exp));
    }
    const double norm = sqrt(f.squares);
    return op == REDUCE_NORM2 ? near(is[0], norm, (depth / 2 + 3) * u * norm + 0x1p-149)
                              : near(is[0], f.sum, depth * u * f.magnitudes);
}

/* ---- what is run ---- */

/* NaNs count as one: of which operand a sum takes its bits, the compiler decides. */
SIMT_UNSEEN static void add_bits(const char *answers, size_t bytes) {
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

SIMT_UNSEEN static __global__ void mark_unless_zero(const uint4 *words, size_t count, char *mark) {
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        if ((words[i].x | words[i].y | words[i].z | words[i].w) != 0) *mark = 0;
}

/* Fetches the answers. False if more bytes were written than those, or the workspace is not left as it has to be: some
   MB, so the GPU looks through them. One wait for both: processes that share a GPU wait for their turn each time. */
static bool fetch(char *to, size_t bytes) {
    const size_t zero = TICKET_BYTES(sms) + FLAGGED_BYTES(sms);
    mark_unless_zero<<<sms, 256>>>((const uint4 *)w.memory, zero / sizeof(uint4), out + bytes);
    to_host(to, out, bytes + GUARD);
    return all_are(to + bytes, GUARD, POISON);
}

struct shape {
    size_t rows, columns, stride;
    unsigned offset; /* elements that the first lies off a multiple of 16 bytes */
    int type;        /* of types[] */
};

static size_t bytes_of(int type) { return reduce_element_bytes(types[type].type); }

/* Elements of the type in 16 bytes. */
static unsigned members_of(int type) { return (unsigned)(16 / bytes_of(type)); }

/* Brings the data of a shape to the GPU as elements of its type, with NaNs in front and behind. */
static void upload(const struct shape *s) {
    const size_t n = s->rows * s->stride + s->offset;
    memset(data, 0xff, GUARD * sizeof *data);
    memset(data + GUARD + n, 0xff, GUARD * sizeof *data);
    make_elements(types[s->type].element, data, n + 2 * GUARD, elements);
    values = element_values(types[s->type].element, data, n + 2 * GUARD, values_room);
    to_gpu(in, elements, (n + 2 * GUARD) * bytes_of(s->type));
}

/* Fills the rows of a shape; between them are NaNs, which nobody is to read. */
static void fill_shape(const struct shape *s, enum pattern pattern, uint64_t seed) {
    float *row = data + GUARD + s->offset;
    memset(data + GUARD, 0xff, (s->rows * s->stride + s->offset) * sizeof *data);
    for (size_t r = 0; r < s->rows; r++) fill_data(row + r * s->stride, s->columns, pattern, seed + r);
}

static struct reduce_matrix matrix_of(const struct shape *s) {
    return {in + (GUARD + s->offset) * bytes_of(s->type), types[s->type].type, s->rows, s->columns, s->stride};
}

/* The values that answer number a is of. */
static struct view values_of(const struct shape *s, bool of_rows, size_t a) {
    const float *first = values + GUARD + s->offset;
    return of_rows ? (struct view){first + a * s->stride, s->columns, 1} : (struct view){first + a, s->rows, s->stride};
}

/* The answers for an uploaded shape, by this plan or, without one, by the library's own. */
static bool reduce(enum reduce_operator op, const struct shape *s, bool of_rows, const struct reduce_plan *plan,
                   char *to) {
    const size_t bytes = (of_rows ? s->rows : s->columns) * reduce_answer_bytes(op);
    const struct reduce_matrix m = matrix_of(s);
    poison(bytes);
    const enum reduce_status status = plan != NULL
                                          ? (of_rows ? reduce_rows_by : reduce_columns_by)(plan, op, &m, out, &w, 0)
                                          : (of_rows ? reduce_rows : reduce_columns)(op, &m, out, &w, 0);
    return status == REDUCE_OK && fetch(to, bytes);
}

/* Runs a case twice, for the same bits. On the simulator test_library.py compares the bits of several orders, and
   fetch() has seen that nothing is left behind: there one case in five runs twice. */
template <class RUN> static bool same_bits_twice(size_t bytes, RUN run) {
    static unsigned cases;
    bool right = run(got);
    if (!ON_SIMULATOR || cases++ % 5 == 0) right &= run(again) && memcmp(got, again, bytes) == 0;
    add_bits(got, bytes);
    return right;
}

/* All answers of an uploaded shape by this plan. */
static bool try_shape(enum reduce_operator op, const struct shape *s, bool of_rows, const struct reduce_plan *plan) {
    const size_t bytes = reduce_answer_bytes(op), answers = of_rows ? s->rows : s->columns;
    const struct reduce_matrix m = matrix_of(s);
    const struct reduce_plan own = of_rows ? reduce_rows_plan(op, &m, sms) : reduce_columns_plan(op, &m, sms);
    const size_t depth = reduce_depth(plan != NULL ? plan : &own, m.type, of_rows ? s->columns : s->rows);
    const bool right = same_bits_twice(answers * bytes, [&](char *to) { return reduce(op, s, of_rows, plan, to); });
    size_t wrong = answers;
    for (size_t a = answers; a-- > 0;)
        if (!is_right(op, got + a * bytes, values_of(s, of_rows, a), depth)) wrong = a;
    if (!right || wrong < answers) {
        float f[2] = {0, 0};
        memcpy(f, got + (wrong < answers ? wrong : 0) * bytes, answers > 0 ? bytes : 0);
        printf("# %s of %s, %zu x %zu, stride %zu, offset %u: answer %zu is %.9g %.9g\n", names[op],
               types[s->type].name, s->rows, s->columns, s->stride, s->offset, wrong, (double)f[0], (double)f[1]);
    }
    return right && wrong == answers;
}

/* Every type; in a part of the tests each shape has one. */
template <class F> static bool each_type(struct shape s, size_t shape, F right_of_type) {
    bool right = true;
    for (s.type = 0; s.type < TYPES; s.type++)
        if (!part || (size_t)s.type == shape % TYPES) right &= right_of_type(s);
    return right;
}

/* On a GPU each case meets every operator. The simulator is slower: there it meets one in `few`, and others in the next
   turn, so that cases of a kind have had all of them. */
template <class F> static bool each_operator(size_t turn, size_t few, F right_of_operator) {
    bool right = true;
    for (enum reduce_operator op : operators)
        if (!ON_SIMULATOR || ((size_t)op + turn) % few == 0) right &= right_of_operator(op);
    return right;
}

static bool try_operators(size_t turn, size_t few, const struct shape *s, bool of_rows,
                          const struct reduce_plan *plan = NULL) {
    return each_operator(turn, few, [&](enum reduce_operator op) { return try_shape(op, s, of_rows, plan); });
}

/* All operators and types; of several, the simulator has half, and the other half for a seed that is larger by 2. In a
   part of the tests a shape has one type, and all operators. */
static bool try_all(const struct shape *s, bool of_rows, enum pattern pattern, uint64_t seed) {
    fill_shape(s, pattern, seed);
    return each_type(*s, seed, [&](const struct shape &typed) {
        upload(&typed);
        return try_operators(seed / 2 + (size_t)typed.type, part ? 1 : 2, &typed, of_rows);
    });
}

/* Numbers of every size, and around 10,000; the sums of none is infinite. */
static enum pattern pattern_number(size_t i) {
    static const enum pattern patterns[] = {PATTERN_UNIFORM, PATTERN_FAR,  PATTERN_NORMAL,
                                            PATTERN_CANCEL,  PATTERN_RAMP, PATTERN_LOGNORMAL};
    return patterns[i % COUNT(patterns)];
}

/* ---- rows and columns of all shapes ---- */

/* Around every limit of the plan; stride and start aligned to 16 bytes, and not. */
static void test_shapes(bool of_rows) {
    static const size_t lengths[] = {0,   1,   2,   3,   4,   5,    7,    8,    9,    15,   16,
                                     17,  31,  32,  33,  64,  100,  127,  128,  129,  255,  256,
                                     257, 500, 512, 513, 775, 1000, 1024, 1025, 2048, 2049, 4097};
    static const size_t others[] = {3, 37, 1, 130};
    for (size_t i = 0; i < COUNT(lengths); i++) {
        const size_t n = lengths[i];
        bool right = true;
        if (part && i % 3 == 1) continue;
        for (unsigned way = 0; way < 4; way++) {
            const size_t other = n > 600 && others[way] > 37 ? 20 : others[(way + i) % 4];
            struct shape s = {of_rows ? other : n, of_rows ? n : other, 0, way % 2 * (1 + way)};
            s.stride = way < 2 ? s.columns : way == 2 ? s.columns + 3 : (s.columns + 15) / 8 * 8;
            if ((part && way != (i + 2) % 4) || (ON_SIMULATOR && (way + i) % 2 == 1)) continue;
            right &= try_all(&s, of_rows, pattern_number(i + way), 7 * i + way);
        }
        ok(right, "%s of %zu: right, twice the same bits", of_rows ? "rows" : "columns", n);
    }
}

TEST(rows) { test_shapes(true); }
TEST(columns) { test_shapes(false); }

/* Rows, or columns, of so few elements that a thread has them to itself: blocks that are full and one that is not,
   answers that lie at a multiple of 16 bytes and not. Columns of more than 4 by plans that read 4 rows at once, and 8.
 */
TEST(short) {
    static const size_t lengths[] = {1, 2, 3, 4, 5, 8, 9, 20};
    for (size_t i = 0; i < COUNT(lengths); i++) {
        const size_t n = lengths[i];
        bool rows = true, columns = true;
        for (unsigned way = 0; way < 4; way++) {
            const bool vectors = way < 2;
            const size_t width = vectors ? 4400 : 4403, stride = vectors ? 4400 : 4410;
            const size_t in_block = REDUCE_THREADS * ROWS_OF_A_THREAD(vectors ? n : 4);
            const unsigned offset = way == 3, loads = (i + way) % 2 ? FEW_COLUMN_LOADS : COLUMN_LOADS;
            out += way % 2 * 8;
            for (bool of_rows : {true, false}) {
                const struct shape shape = of_rows
                                               ? (struct shape){2 * in_block + 907, n, n + (vectors ? 0 : 3), offset}
                                               : (struct shape){n, width, stride, offset};
                if (of_rows && n > 4) continue;
                fill_shape(&shape, pattern_number(i + way), i);
                (of_rows ? rows : columns) &= each_type(shape, i + way, [&](const struct shape &s) {
                    const size_t tile = 256 * members_of(s.type), tiles = (width + tile - 1) / tile;
                    const struct reduce_plan plan = {COLUMNS_IN_A_THREAD, vectors, 256, tiles, 1, n, tiles, loads};
                    upload(&s);
                    return try_operators(i + way + (size_t)s.type, part ? 4 : 2, &s, of_rows,
                                         n > FEW_COLUMN_LOADS ? &plan : NULL);
                });
            }
            out -= way % 2 * 8;
        }
        if (n <= 4) ok(rows, "thousands of rows of %zu", n);
        ok(columns, "thousands of columns of %zu", n);
    }
}

/* Few long rows, and few columns: several blocks for each answer. */
TEST(blocks) {
    static const struct shape of_rows[] = {
        {1, 50257, 50257, 0}, {3, 50257, 50260, 1}, {1, 40000, 40000, 0}, {2, 33000, 33000, 0}};
    static const struct shape of_columns[] = {{12501, 8, 8, 0}, {33000, 1, 1, 1}, {3000, 33, 40, 0}, {40000, 3, 3, 1}};
    for (int i = 0; i < (part ? 1 : 4); i++) {
        const struct reduce_matrix r = matrix_of(&of_rows[i]), c = matrix_of(&of_columns[i]);
        const uint64_t seed = 6 + 2 * (uint64_t)i; /* the first: floats */
        bool several = reduce_rows_plan(REDUCE_SUM, &r, sms).parts > 1;
        ok(try_all(&of_rows[i], true, pattern_number(i + 1), seed) && several, "few long rows, by several blocks");
        several = reduce_columns_plan(REDUCE_SUM, &c, sms).parts > 1 || sms > 32; /* of which each has enough */
        ok(try_all(&of_columns[i], false, pattern_number(i + 1), seed) && several, "few columns, by several blocks");
    }
}

/* More blocks share a row than one block reads the slots of at once: 512, or 1024 of argmax. In a part of the tests one
   operator of those whose states are alike. */
TEST(slots) {
    bool right = true;
    for (enum reduce_operator op : operators) {
        const size_t most = SPLIT_BLOCKS_PER_SM * sms, enough = finds_place(op) ? 1100 : 600;
        const size_t blocks = most < enough ? most : enough;
        const struct shape s = {part || most < 2 * blocks ? 1u : 2u, 30011, 30011, 1, (int)op % TYPES};
        const struct reduce_plan plan = {BLOCKS_A_ROW, false, 32, 0, blocks, s.columns / blocks + 1, s.rows * blocks};
        if (part && op != REDUCE_SUM && op != REDUCE_ARGMAX && op != REDUCE_MEAN_VAR && op != REDUCE_LOGSUMEXP)
            continue;
        fill_shape(&s, PATTERN_NORMAL, 11);
        upload(&s);
        right &= try_shape(op, &s, true, &plan);
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
    for (const auto &p : plans) {
        const struct reduce_matrix m = {NULL, (enum reduce_type)p.type, p.rows, p.columns, p.columns};
        const struct reduce_plan plan = reduce_rows_plan((enum reduce_operator)p.op, &m, 132);
        right &= plan.kind == p.kind && plan.parts == p.parts;
    }
    ok(right, "the plans of rows on a GPU of 132 SMs");
}

/* Blocks that share columns, however many SMs: the workspace has slots for all, and for their teams. */
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
                    const size_t row = p.lanes * members_of(type);
                    fit &= row <= COLUMN_TILE && p.parts <= team * team &&
                           p.tiles * (p.parts + teams) * row * 16 <= FLAGGED_BYTES(gpu);
                }
    ok(fit, "plans of columns fit into the workspace");
}

/* Rows of whole vectors in shared memory, which they are only where they are many: a block and a part of one, by the
   plan for more of them. */
static void test_staged_vectors(void) {
    static const size_t lengths[] = {40, 72, 136, 376, 1024};
    for (size_t i = 0; i < COUNT(lengths); i++) {
        const struct shape shape = {90, lengths[i], lengths[i] + i % 2 * 8, 0};
        fill_shape(&shape, PATTERN_NORMAL, i);
        const bool right = each_type(shape, i + 1, [&](const struct shape &s) {
            const struct reduce_matrix many = {in, types[s.type].type, (size_t)1 << 24, s.columns, s.stride};
            struct reduce_plan plan = reduce_rows_plan(REDUCE_ARGMAX, &many, sms);
            if (plan.kind != STAGED_ROWS) return true; /* floats of few lanes without any */
            plan.blocks = (s.rows + plan.in_block - 1) / plan.in_block;
            upload(&s);
            return try_operators(0, 1, &s, true, &plan);
        });
        ok(right, "rows of %zu in shared memory", lengths[i]);
    }
}

/* Every kernel at every short length, and at two longer ones: with more SMs or fewer, the plan has another kernel for
   as many rows. */
TEST(plans) {
    for (size_t columns = 0; columns <= 1500; columns += columns > 60    ? 705
                                                         : part          ? 34
                                                         : columns >= 20 ? 11
                                                         : ON_SIMULATOR  ? 3
                                                                         : 1) {
        const struct shape shape = {11, columns, columns + columns % 3, (unsigned)columns % 5};
        const size_t third = columns / 3 + 1, parts = (columns + third - 1) / third;
        const size_t most = SPLIT_BLOCKS_PER_SM * sms / 3; /* rows: there is room for so many */
        fill_shape(&shape, PATTERN_NORMAL, columns);
        const bool right = each_type(shape, columns, [&](const struct shape &s) {
            struct shape few = s;
            few.rows = s.rows < most ? s.rows : most;
            const struct reduce_plan by_warps = {WARP_A_ROW, false, 32, 0, 1, columns, 2};
            const struct reduce_plan by_blocks = {BLOCK_A_ROW, false, 32, 0, 1, columns, 11};
            const struct reduce_plan by_parts = {BLOCKS_A_ROW, false, 32, 0, parts, third, few.rows * parts};
            const size_t turn = columns + (size_t)s.type, one_in = part ? 1 : 2;
            upload(&s);
            const bool alone =
                try_operators(turn, one_in, &s, true, &by_warps) && try_operators(turn, one_in, &s, true, &by_blocks);
            return alone && (parts <= 1 || try_operators(turn, one_in, &few, true, &by_parts));
        });
        ok(right, "rows of %zu by the kernels of long ones", columns);
    }
    test_staged_vectors();
    test_plans_of_rows();
    test_plans_of_columns();
}

/* Columns by tiles of every width, each by one block, and by as many as there is memory for: then a tile has more
   blocks than a team, if it is wide, and teams of teams merge them. On the simulator a narrow one has no more blocks
   than a team in any case: there a few do. If shifted, the last of 2 to 32 lanes has no columns, and rows begin
   anywhere. */
TEST(tiles) {
    size_t turn = 0;
    for (unsigned lanes = 1; lanes <= REDUCE_THREADS; lanes *= 2, turn++) {
        bool right = true;
        for (unsigned way = 0; way < 6; way++) {
            const bool shared = way % 2, vectors = way < 2, shifted = way >= 4;
            if (shifted && (lanes < 2 || lanes > MOST_SHIFTED_LANES)) continue;
            right &= each_type({}, lanes / 2 + way, [&](struct shape s) {
                const size_t members = members_of(s.type), width = lanes * members;
                const size_t slots = FLAGGED_BYTES(sms) / (16 * width); /* two words each */
                const size_t team = REDUCE_THREADS / lanes * COLUMN_SLOTS;
                const size_t most = slots * team / (team + 1) - 1; /* a team has one, too */
                if (shared && width > COLUMN_TILE) return true;
                s = {70, width - shifted * members - !vectors, width + members - shifted, 0, s.type};
                struct reduce_plan plan = {COLUMNS, vectors, lanes, 1, 1, s.rows, 1};
                plan.shifted = shifted;
                if (shared) {
                    plan.part = 2;
                    plan.parts = plan.blocks = ON_SIMULATOR && lanes <= 8 ? 8 : most;
                    s.rows = plan.parts * plan.part - 1;
                }
                fill_shape(&s, PATTERN_NORMAL, way);
                upload(&s);
                return try_operators(turn + (part ? way % 4 : 2 * way + (size_t)s.type), part ? 4 : 8, &s, false,
                                     &plan);
            });
        }
        ok(right, "columns by %u lanes, and by teams of blocks", lanes);
    }
}

/* The rows alone, in memory of their own. What lies around them and between them was never written: the simulator
   reports a read of it. */
static char *rows_alone(const struct shape *s) {
    const size_t bytes = bytes_of(s->type), first = GUARD + s->offset;
    char *alone = on_gpu<char>((first + (s->rows - 1) * s->stride + s->columns) * bytes);
    CUDA_CHECK(cudaMemcpy2D(alone + first * bytes, s->stride * bytes, elements + first * bytes, s->stride * bytes,
                            s->columns * bytes, s->rows, cudaMemcpyHostToDevice));
    return alone;
}

/* Columns whose rows begin at every distance from a multiple of 16 bytes: around the width from which on they are read
   16 bytes at a time, and around those of tiles; few rows, and many. */
TEST(shifted) {
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
    for (size_t i = 0; i < COUNT(shapes); i++) {
        const auto &of = shapes[i];
        const bool right = each_type({}, i, [&](struct shape s) {
            const size_t members = members_of(s.type), few = of.rows > 1000 ? 4 : 2;
            bool right_of_type = true;
            for (unsigned offset = 0; offset < members; offset++) {
                const size_t columns = of.vectors * members + (size_t)(ptrdiff_t)of.more;
                s = {of.rows, columns, columns + of.between, offset, s.type};
                if (ON_SIMULATOR && offset % few != i % few) continue;
                fill_shape(&s, pattern_number(i + offset), i);
                upload(&s);
                in = rows_alone(&s);
                const struct reduce_matrix m = matrix_of(&s);
                const struct reduce_plan plan = reduce_columns_plan(REDUCE_SUM, &m, sms);
                right_of_type &= plan.shifted == (members == 4 ? of.floats : of.halves) &&
                                 (plan.parts > 1 || s.rows < 1000) &&
                                 try_operators(i + offset + (size_t)s.type, 4, &s, false);
                CUDA_CHECK(cudaFree(in));
                in = all;
            }
            return right_of_type;
        });
        ok(right, "columns of %zu from any start, %zu times 16 bytes and %d", of.rows, of.vectors, of.more);
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

/* Sums and means of rows with infinities and NaNs alone, which test_specials() has to leave out. */
static void infinite_sums(void) {
    for (size_t columns : {4, 100, 600, 3000}) {
        const struct shape s = {12, columns, columns, 0};
        bool right = true;
        fill_shape(&s, PATTERN_RAMP, 1);
        for (size_t r = 0; r < s.rows; r++) {
            float *row = data + GUARD + r * s.stride;
            if (r % 4 != 3) row[r * 7 % s.columns] = r % 4 == 1 ? -INFINITY : r % 4 == 2 ? NAN : INFINITY;
            if (r > 7) row[(r * 7 + 1) % s.columns] = INFINITY;
        }
        upload(&s);
        for (bool of_rows : {false, true})
            for (enum reduce_operator op : {REDUCE_SUM, REDUCE_MEAN_VAR}) right &= try_shape(op, &s, of_rows, NULL);
        ok(right, "sums and means of infinities and NaNs");
    }
}

TEST(specials) {
    static const size_t columns[] = {1, 5, 64, 128, 300, 700, 5000};
    infinite_sums();
    for (size_t i = 0; i < COUNT(columns); i++) {
        const struct shape shape = {columns[i] > 1000 ? 18u : 54u, columns[i], columns[i] + i % 2, 0};
        if (part && i % 3 == 0) continue;
        put_specials(&shape);
        for (bool of_rows : {true, false}) {
            if (!of_rows && columns[i] > 700) continue;
            const bool right = each_type(shape, i, [&](const struct shape &s) {
                upload(&s);
                return each_operator(0, 1, [&](enum reduce_operator op) {
                    /* Sums with FLT_MAX, which is infinite as half or bfloat16, may be infinite on the way. */
                    return (s.type == 0 && (op == REDUCE_SUM || op == REDUCE_MEAN_VAR)) ||
                           try_shape(op, &s, of_rows, NULL);
                });
            });
            ok(right, "NaN, infinities, -0, ties, the largest floats: %s of %zu", of_rows ? "rows" : "columns",
               columns[i]);
        }
    }
}

/* Squares that are no floats, sums of e^x that are none, and the least numbers there are. */
TEST(sizes) {
    static const float sizes[] = {1e30f, 3e38f, 1e-30f, 1e-40f, 0x1p-149f, 0.0f, 200.0f, 1e-21f};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        bool right = true;
        if (part && i % 3 != 0) continue;
        for (size_t columns = 3; columns < 4000; columns *= 9) {
            const struct shape s = {6, columns, columns, 0};
            fill_shape(&s, PATTERN_UNIFORM, i);
            for (size_t e = 0; e < s.rows * s.stride; e++) data[GUARD + e] *= sizes[i];
            upload(&s);
            for (bool of_rows : {false, true})
                for (enum reduce_operator op :
                     {REDUCE_NORM2, REDUCE_LOGSUMEXP, REDUCE_MAX, REDUCE_MIN, REDUCE_MEAN_VAR})
                    if (op != REDUCE_MEAN_VAR || sizes[i] <= 200.0f) /* else a square is no float */
                        right &= try_shape(op, &s, of_rows, NULL);
        }
        ok(right, "numbers around %g", (double)sizes[i]);
    }
}

/* ---- the same bits, wherever rows begin ---- */

/* Eight equal rows, by a block each if they are long, or eight columns, from every start: those that begin equally far
   from a multiple of 16 bytes have the same bits. The distance between rows is a multiple of 16 bytes. */
static bool have_same_bits(struct shape s, size_t n, bool of_rows, size_t turn) {
    static char first[16][OPERATORS][8 * 8];
    const struct reduce_plan block = {BLOCK_A_ROW, false, 32, 0, 1, n, 8};
    const unsigned members = members_of(s.type);
    bool same = true;
    for (unsigned offset = 0; offset < 64; offset++) {
        if (ON_SIMULATOR && offset >= members && offset % 29 != 1) continue;
        s = {of_rows ? 8 : n, of_rows ? n : 8, 0, offset, s.type};
        s.stride = (s.columns + members - 1) / members * members + members;
        fill_shape(&s, PATTERN_NORMAL, 1);
        for (size_t r = 1; of_rows && r < s.rows; r++)
            memcpy(data + GUARD + offset + r * s.stride, data + GUARD + offset, n * sizeof *data);
        upload(&s);
        same &= each_operator(turn, 4, [&](enum reduce_operator op) {
            const size_t bytes = reduce_answer_bytes(op);
            bool right = reduce(op, &s, of_rows, of_rows && n > 6000 ? &block : NULL, got);
            for (size_t r = 1; of_rows && r < 8; r++) right &= memcmp(got, got + r * bytes, bytes) == 0;
            if (offset < members) memcpy(first[offset][op], got, 8 * bytes);
            return right && memcmp(got, first[offset % members][op], 8 * bytes) == 0;
        });
    }
    return same;
}

TEST(starts) {
    static const size_t lengths[] = {6, 17, 129, 100, 300, 5000, 1000, 3000, 33004};
    for (size_t i = 0; i < COUNT(lengths); i++) {
        const size_t n = lengths[i];
        if (part && i % 3 != 2) continue;
        for (bool of_rows : {true, false}) {
            if (!of_rows && n > 6000) continue;
            const bool same = each_type({}, i / 3 + 1, [&](const struct shape &s) {
                return have_same_bits(s, n, of_rows, part ? 0 : i + (size_t)s.type); /* 0: the sums, too */
            });
            ok(same, "%s of %zu: the same bits from every start%s", of_rows ? "rows" : "columns", n,
               of_rows ? ", and for equal rows" : "");
        }
    }
}

/* Variances about a mean of a million deviations, and of numbers that are neighbours as floats. */
TEST(means) {
    static const struct shape shapes[] = {{40, 5, 5, 0},     {30, 17, 17, 1},    {10, 64, 64, 0}, {10, 300, 301, 0},
                                          {20, 700, 700, 0}, {8, 5000, 5000, 1}, {700, 9, 9, 0},  {1, 70001, 70001, 0},
                                          {70001, 1, 1, 0},  {5000, 40, 40, 0}};
    bool right = true;
    for (size_t i = 0; i < 2 * COUNT(shapes); i++) {
        const struct shape *s = &shapes[i / 2];
        float *x = data + GUARD + s->offset;
        fill_data(x, s->rows * s->stride, PATTERN_NORMAL, i / 2);
        for (size_t e = 0; e < s->rows * s->stride; e++) x[e] = 1e6f + (i % 2 ? (x[e] > 0 ? 0.0625f : 0.0f) : x[e]);
        upload(s);
        for (bool of_rows : {false, true}) {
            if (values_of(s, of_rows, 0).n < 2) continue;
            right &= reduce(REDUCE_MEAN_VAR, s, of_rows, NULL, got);
            for (size_t a = 0; a < (of_rows ? s->rows : s->columns); a++) {
                const struct view v = values_of(s, of_rows, a);
                const double variance = facts_of(REDUCE_MEAN_VAR, v).squares / ((double)v.n - 1);
                right &= fabs((double)((float *)got)[2 * a + 1] - variance) <= 1e-5 * variance;
            }
        }
    }
    ok(right, "variances about means of a million deviations");
}

/* ---- segments ---- */

static int64_t *offsets, *device_offsets;
#define MOST_SEGMENTS ((size_t)100000)

/* Small whole numbers, of which many are equal; here and there a special one; and stretches of -infinity, which no
   other element is to win against. */
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

/* Each 6000 are ties of another kind: -infinity, zeros of both signs, NaNs behind a number, ones. */
static void put_ties(float *x, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const size_t kind = i / 6000 % 4, at = i % 6000;
        x[i] = kind == 0   ? -INFINITY
               : kind == 1 ? (at % 2 ? 0.0f : -0.0f)
               : kind == 2 ? (at < 1500 ? (float)(at % 7) : NAN)
                           : 1.0f;
    }
}

static size_t length_of(size_t segment) { return (size_t)(offsets[segment + 1] - offsets[segment]); }

/* The answers for segments by a plan: all right, each within the bound of its length? own: the library is not told. */
static bool by_plan(enum reduce_operator op, const struct reduce_segments *s, const float *x,
                    const struct reduce_plan *plan, bool own, char *to) {
    const size_t bytes = reduce_answer_bytes(op), count = s->segments;
    size_t wrong = count;
    poison(count * bytes);
    const enum reduce_status status =
        own ? reduce_segments(op, s, out, &w, 0) : reduce_segments_by(plan, op, s, out, &w, 0);
    if (status != REDUCE_OK || !fetch(to, count * bytes)) return false;
    for (size_t i = count; i-- > 0;)
        if (!is_right(op, to + i * bytes, {x + offsets[i], length_of(i), 1}, reduce_depth(plan, s->type, length_of(i))))
            wrong = i;
    if (wrong < count)
        printf("# %s of elements of %zu bytes%s: segment %zu of %zu is wrong, %zu elements\n", names[op],
               reduce_element_bytes(s->type), plan->in_block > 0 ? ", if even" : "", wrong, count, length_of(wrong));
    return wrong == count;
}

/* Segments of these offsets, of all types and operators: by the list, and as the library does it if that is another
   way. put: changes the data; or NULL. */
static bool try_segments(size_t count, size_t n, void (*put)(float *, size_t) = NULL) {
    size_t longest = 0;
    for (size_t i = 0; i < count; i++) longest = length_of(i) > longest ? length_of(i) : longest;
    to_gpu(device_offsets, offsets, (count + 1) * sizeof *offsets);
    return each_type({1, n, n}, count, [&](struct shape typed) {
        bool right = true;
        typed.offset = (unsigned)(typed.type + count) % 4;
        fill_data(data + GUARD, n + typed.offset, count % 2 ? PATTERN_RAMP : PATTERN_NORMAL, count);
        if (put != NULL) put(data + GUARD + typed.offset, n);
        upload(&typed);
        const float *x = values + GUARD + typed.offset;
        const struct reduce_segments s = {matrix_of(&typed).data, types[typed.type].type, n, device_offsets, count};
        const struct reduce_plan plan = reduce_segments_plan(&s, sms);
        struct reduce_plan list = plan, alone = plan; /* alone: each segment by one block */
        list.in_block = 0;
        list.blocks = list.list_blocks;
        alone.sharers = 0;
        alone.most_alone = n;
        alone.blocks = count;
        for (enum reduce_operator op : {REDUCE_SUM, REDUCE_MAX, REDUCE_ARGMAX}) {
            const size_t bytes = count * reduce_answer_bytes(op);
            const bool left_out =
                part ? op == (count / 2 % 2 ? REDUCE_ARGMAX : REDUCE_MAX) : (op + count + (size_t)typed.type) % 3 != 0;
            if (ON_SIMULATOR && put == NULL && count > 2 && left_out) continue;
            right &= same_bits_twice(bytes, [&](char *to) { return by_plan(op, &s, x, &list, false, to); });
            if (plan.in_block == 0) continue;
            right &= by_plan(op, &s, x, &plan, true, again);
            add_bits(again, bytes);
            /* A long segment is not left to one warp or block: so the bits are those of the list, or, if each has a
               block, others than without those that share it. */
            right &=
                plan.in_block == 1 || longest * bytes_of(typed.type) <= EVEN_BYTES || memcmp(got, again, bytes) == 0;
            if (plan.sharers > 2 && longest > plan.most_alone && op == REDUCE_SUM)
                right &= by_plan(op, &s, x, &alone, false, got) && memcmp(got, again, bytes) != 0;
        }
        return right;
    });
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
    bool in_part;
    size_t segments;
    size_t (*length)(size_t i, uint64_t random);
} kinds[] = {{"of three", false, 20000, LENGTH(3)},
             {"of three, and one of 60,000", true, 3000, LENGTH(i == 700 ? 60000 : 3)},
             {"most of them empty", false, 30000, some_empty},
             {"of every size", true, 100, of_every_size},
             {"around 4096", false, 30, LENGTH(4094 + i % 5)}, /* four tiles */
             {"of one", false, 20000, LENGTH(1)},
             {"of 20,000, and empty ones between", true, 9, LENGTH(i % 2 ? 20000 : 0)},
             {"of a hundred", true, 900, LENGTH(100)},
             {"many empty ones first", false, 40000, LENGTH(i < 30000 ? 0 : 5)},
             {"around 1024", false, 100, LENGTH(1022 + i % 5)}, /* a tile, and NEAR */
             {"around a block's threads", false, 300, LENGTH(255 + random % 3)},
             {"by one block, and more in front and behind", true, 5, LENGTH(255 + random % 3)},
             {"that no blocks share", true, 30, LENGTH(1500)}, /* of which no block has a part */
             /* That a warp leaves to its block; a few that blocks share; if they are floats: all. */
             {"of 5000, two side by side, and short ones", true, 40, LENGTH(i % 16 < 2 ? 5000 : 3)},
             {"of 3000, and two of 100,000", true, 44, LENGTH(i % 23 == 20 ? 100000 : 3000)},
             {"of 40,000", true, 14, LENGTH(40000)},
             /* A list, though few enough for a warp each. */
             {"of 300, and one of 20,000", true, 100, LENGTH(i == 70 ? 20000 : 300)}};

/* Whether a block has so many segments: one, if they are long; several, if they may be even; or 0. */
static bool is_planned(size_t n, size_t segments, unsigned in_block) {
    const struct reduce_segments s = {in, REDUCE_F32, n, device_offsets, segments};
    const struct reduce_plan plan = reduce_segments_plan(&s, sms);
    return plan.in_block == in_block && plan.blocks >= plan.list_blocks * (in_block != 1) &&
           (plan.in_block == 1) == (plan.most_alone > 0) && plan.sharers <= 2 * sms &&
           (plan.sharers > 0) == (plan.in_block == 1 && n > plan.most_alone);
}

static void check_offsets(void) {
    struct reduce_segments s = {in, REDUCE_F32, 100, device_offsets, 4};
    static const struct {
        int64_t offsets[5];
        enum reduce_status status;
        size_t wrong;
        const char *what;
    } cases[] = {{{0, 8, 7, 9, 5}, REDUCE_BAD_OFFSETS, 1, "offsets that decrease"},
                 {{0, 8, 9, 9, 101}, REDUCE_BAD_OFFSETS, 4, "offsets above n"},
                 {{-1, 8, 9, 9, 10}, REDUCE_BAD_OFFSETS, 0, "a negative offset"},
                 {{0, 0, 7, 7, 100}, REDUCE_OK, 99, "offsets that are right"}};
    for (const auto &one : cases) {
        size_t wrong = 99;
        to_gpu(device_offsets, one.offsets, sizeof one.offsets);
        ok(reduce_check_offsets(&s, &wrong, &w, 0) == one.status && wrong == one.wrong &&
               reduce_check_offsets(&s, NULL, &w, 0) == one.status,
           "%s, and nowhere to say which", one.what);
    }
    cudaSetDevice(-1); /* an error of the caller's, which nobody has asked for */
    ok(reduce_check_offsets(&s, NULL, &w, 0) == REDUCE_OK, "an older error is none of its own");
    cudaGetLastError();
}

TEST(segments) {
    check_offsets();
    const size_t most = (size_t)EVEN_PARTS * EVEN_BYTES / 4, blocks = 10 * (size_t)sms;
    ok(is_planned(0, 1, 4) && is_planned(1023, 1, 4) && is_planned(0, 4 * blocks, 4) &&
           is_planned(0, 4 * blocks + 1, 0) && is_planned(most, 8193, 4 * blocks < 8193 ? 0 : 4),
       "which segments may be even: few, or of few elements");
    ok(is_planned(1024, 1, 1) && is_planned(32768, 1, 1) && is_planned(32769, 1, 1) &&
           is_planned(16384 << 10, 16384, 1) && is_planned(16385 << 10, 16385, 0) &&
           is_planned(65536 << 11, 65536, 1) && is_planned((size_t)65537 << 20, 65537, 0),
       "which segments have a block each: those that are long, unless they are very many");
    for (size_t kind = 0; kind < COUNT(kinds); kind++) {
        const size_t count = kinds[kind].segments;
        if (part && !kinds[kind].in_part) continue;
        const size_t end = cut(kind % 3 * 5, count, kinds[kind].length);
        ok(try_segments(count, end + kind % 2 * 9), "segments %s", kinds[kind].what);
    }
    size_t end =
        cut(0, 200, [](size_t i, uint64_t random) { return i % 2 ? some_empty(i, random) : of_every_size(i, random); });
    ok(try_segments(200, end, put_specials_among), "segments with NaN, infinities, -0, ties");
    const size_t pairs = part ? 40 : 100, ties = part ? 19 : 43; /* begin at a multiple of 16 bytes */
    end = cut(0, pairs, LENGTH(3000));
    ok(try_segments(pairs, end, put_two_largest), "of two that are the largest, the first");
    end = cut(0, ties, LENGTH(6000));
    ok(try_segments(ties, end, put_ties), "of all that tie in several tiles, the first");
    for (size_t n = 0; n < 9000; n = n * 3 + 1) {
        offsets[0] = 0, offsets[1] = (int64_t)n, offsets[2] = (int64_t)n;
        ok(try_segments(1, n) && try_segments(2, n), "a segment of %zu, and an empty one", n);
    }
}

/* More blocks share an answer than a block has threads: on GPUs with more than 32 SMs. */
TEST(large) {
    const struct shape s = {1, 4000001, 4000001, 1};
    const struct reduce_matrix m = matrix_of(&s);
    if (reduce_rows_plan(REDUCE_SUM, &m, sms).parts <= REDUCE_THREADS) return skip("large", "too few SMs");
    ok(try_all(&s, true, PATTERN_NORMAL, 5), "a row, by more blocks than a block has threads");
    ok(try_segments(60000, cut(0, 60000, LENGTH(i == 30000 ? 2000000 : 3))), "segments of three, and one of 2,000,000");
}

/* ---- errors ---- */

static bool untouched(void) { return is_filled(out, 64, POISON); }

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

static void refuses_segments(enum reduce_status expected, enum reduce_operator op, const struct reduce_segments *s,
                             void *o, const struct reduce_workspace *workspace, const char *what) {
    poison(0);
    ok(reduce_segments(op, s, o, workspace, 0) == expected && untouched(), "%s", what);
}

TEST(errors) {
    const struct reduce_workspace none = {NULL, w.bytes}, odd = {(char *)w.memory + 8, w.bytes};
    const struct reduce_workspace less = {w.memory, w.bytes - 1};
    const struct reduce_matrix m = of_floats(4, 4, 4), no_data = {NULL, REDUCE_F32, 4, 4, 4};
    const struct reduce_matrix shifted = {in + 2, REDUCE_F32, 4, 4, 4}, bad_type = {in, (enum reduce_type)3, 4, 4, 4};
    const struct reduce_matrix narrow = of_floats(4, 4, 3), large = of_floats((size_t)1 << 38, 1, 2);
    const struct reduce_matrix larger = of_floats((size_t)1 << 33, 4, (size_t)1 << 33);
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
    const struct reduce_matrix no_rows = {NULL, REDUCE_F32, 0, 4, 4}, no_columns = {NULL, REDUCE_F32, 4, 0, 0};
    poison(0);
    ok(reduce_rows(REDUCE_SUM, &no_rows, NULL, &w, 0) == REDUCE_OK &&
           reduce_columns(REDUCE_SUM, &no_columns, NULL, &w, 0) == REDUCE_OK && untouched(),
       "no rows, or no columns: nothing to do");
    ok(reduce_workspace_bytes(NULL) == REDUCE_NULL_POINTER, "nowhere to put the bytes");
    ok(w.bytes == (size_t)37024 * sms, "37,024 bytes for each SM");

    const struct reduce_segments s = {in, REDUCE_F32, 8, device_offsets, 1}, no_offsets = {in, REDUCE_F32, 8, NULL, 1};
    const struct reduce_segments shift = {in, REDUCE_F32, 8, (const int64_t *)((char *)device_offsets + 4), 1};
    const struct reduce_segments empty = {in, REDUCE_F32, 8, device_offsets, 0};
    refuses_segments(REDUCE_BAD_OPERATOR, REDUCE_MIN, &s, out, &w, "segments have no minimum");
    refuses_segments(REDUCE_NULL_POINTER, REDUCE_SUM, NULL, out, &w, "no segments");
    refuses_segments(REDUCE_NULL_POINTER, REDUCE_SUM, &no_offsets, out, &w, "no offsets");
    refuses_segments(REDUCE_NULL_POINTER, REDUCE_SUM, &s, NULL, &w, "segments: out is NULL");
    refuses_segments(REDUCE_MISALIGNED, REDUCE_SUM, &shift, out, &w, "misaligned offsets");
    refuses_segments(REDUCE_SMALL_WORKSPACE, REDUCE_SUM, &s, out, &less, "segments: a byte of the workspace missing");
    refuses_segments(REDUCE_OK, REDUCE_SUM, &empty, NULL, &w, "no segments: nothing to do");

    const struct reduce_plan none_at_all = {BLOCK_A_ROW, false, 32, 0, 1, 4, 0};
    ok(reduce_rows_by(&none_at_all, REDUCE_SUM, &m, out, &w, 0) == REDUCE_LAUNCH_FAILED &&
           cudaGetLastError() != cudaSuccess && untouched(),
       "a launch that CUDA refuses");
    ok(messages_differ(REDUCE_LAUNCH_FAILED, reduce_message), "a message for each status");
    bool right = reduce_answer_bytes((enum reduce_operator)8) == 0;
    for (enum reduce_operator op : operators)
        right &= reduce_answer_bytes(op) == (finds_place(op) || op == REDUCE_MEAN_VAR ? 8 : 4);
    ok(right, "bytes of an answer");
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
TEST(order) {
    static const int64_t cuts[] = {0, 7, 30000, 40000, 40000};
    static float answers[2514];
    const int rounds = ON_SIMULATOR ? 2 : 30;
    bool right = true;
    const auto queue = [&](float value, cudaStream_t stream) {
        CUDA_CHECK(cudaMemsetAsync(out, POISON, sizeof answers, stream));
        fill<<<64, 256, 0, stream>>>((float *)in, 40000, value);
        right &= queue_four((float *)in, (float *)out, stream);
    };
    const auto look = [&](float value) {
        to_host(answers, out, sizeof answers);
        right &= four_are(answers, value);
    };
    cudaStream_t stream = new_stream();
    to_gpu(device_offsets, cuts, sizeof cuts);
    for (int i = 1; i <= rounds; i++) {
        queue((float)i, stream);
        CUDA_CHECK(cudaStreamSynchronize(stream));
        look((float)i);
    }
    CUDA_CHECK(cudaStreamDestroy(stream));
    ok(right, "one after another, each waits for the kernel before it");
    in_a_graph(
        rounds, [&](cudaStream_t in_graph) { queue(3, in_graph); }, [&](int) { look(3); });
    ok(right, "in a graph, launched again and again");
}

static int usage(void) {
    fprintf(stderr, "library_rows: usage: library_rows [part] [");
    for (int i = 0; i < tap_functions; i++) fprintf(stderr, "%s%s", i > 0 ? "|" : "", tap_function[i].name);
    fprintf(stderr, "]...\n");
    return 2;
}

int main(int argc, char **argv) {
    bool asked[32] = {false}, some = false;
    for (int a = 1; a < argc; a++) {
        bool known = a == 1 && strcmp(argv[a], "part") == 0;
        part |= known;
        for (int i = 0; i < tap_functions; i++)
            if (strcmp(argv[a], tap_function[i].name) == 0) asked[i] = some = known = true;
        if (!known) return usage();
    }
    if (!find_device() || reduce_workspace_bytes(&w.bytes) != REDUCE_OK) return 77;
    say_clusters();
    data = on_host<float>(MOST + 2 * GUARD);
    values_room = on_host<float>(MOST + 2 * GUARD);
    elements = on_host<char>((MOST + 2 * GUARD) * sizeof *data);
    got = on_host<char>(MOST_ANSWERS * 8 + GUARD);
    again = on_host<char>(MOST_ANSWERS * 8 + GUARD);
    offsets = on_host<int64_t>(MOST_SEGMENTS + 1);
    in = on_gpu<char>((MOST + 2 * GUARD) * sizeof *data);
    out = on_gpu<char>(MOST_ANSWERS * 8 + GUARD);
    device_offsets = on_gpu<int64_t>(MOST_SEGMENTS + 1);
    w = workspace_of<struct reduce_workspace>(w.bytes);
    for (int i = 0; i < tap_functions; i++)
        if (asked[i] || !some) {
            bits = 0;
            tap_function[i].run();
            printf("# bits of %s: %016llx\n", tap_function[i].name, (unsigned long long)bits);
        }
    return done_testing();
}
