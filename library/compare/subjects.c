/* subjects.c: the library's sums of floats, of all types, and the exact one, against their
   rivals. */
#include "harness.h"

#include "cuda_errors.h"
#include "ours.h"
#include "rivals.h"

#define ONE_GPU                                                                                    \
    {                                                                                              \
        [GRAPH] = "graph", [STREAM] = "plain", [SINGLE] = "single"                                 \
    }

/* ---- floats: sum_f32() at many n and offsets ---- */

static const struct rival float_rivals[] = {
    {&cub_sum, {[GRAPH] = BOTH, [STREAM] = BOTH, [SINGLE] = BOTH}, ALL, false},
    {&newer_cub_sum, {[GRAPH] = BOTH, [STREAM] = BOTH}, NOTHING, false},
    {&newer_cub_unordered, {[GRAPH] = BOTH, [STREAM] = BOTH}, NOTHING, false},
    {&cublas_asum, {[GRAPH] = BOTH, [STREAM] = BOTH}, NOTHING, false},
    {&thrust_sum, {[SINGLE] = BOTH}, NOTHING, false},
    {&our_apart, {[GRAPH] = BOTH, [STREAM] = BOTH, [SINGLE] = BOTH}, NOTHING, false},
};
enum { ONLY_CUB = 1, MOST_OFFSET = 3 };

/* Every power of two; those around some of them, 3 * 2^k and 1111111; and unaligned starts. */
static void compare_floats(struct comparison *c)
{
    for (int k = 0; k <= 31; k += c->quick ? 2 : 1)
        compare_at(c, (size_t)1 << k, 0, c->subject->rival_count);
    for (int k = 2; k <= 28; k += c->quick ? 8 : 2) {
        compare_at(c, ((size_t)1 << k) - 1, 0, ONLY_CUB);
        compare_at(c, ((size_t)1 << k) + 1, 0, ONLY_CUB);
        compare_at(c, (size_t)3 << k, 0, ONLY_CUB);
    }
    compare_at(c, 1111111, 0, ONLY_CUB);
    for (int k = 4; k <= 28; k += c->quick ? 12 : 4)
        for (unsigned offset = 1; offset <= MOST_OFFSET; offset++)
            compare_at(c, (size_t)1 << k, offset, ONLY_CUB);
}

const struct subject subject_floats = {
    .name = "floats",
    .what = "sum_f32(): its time over that of others, * where that is more than 1 with 95 % "
            "confidence.\nErrors, ours and the first rival's, in units of 2^-24 times the sum of "
            "|x|.",
    .columns = "n,offset,cache,launch,rival,ours_us,rival_us,ratio,low,high,ci,rounds,ours_error,"
               "rival_error",
    .launches = ONE_GPU,
    .ours = &our_sum,
    ROWS(float_rivals),
    .run = compare_floats,
    .error_unit = 0x1p-24,
    .most = (size_t)2 << 30,
    .room = sizeof(float),
    .fails_if_slower = true,
};

/* ---- types: half, bfloat16, float, int32 and double ---- */

static const struct rival type_rivals[] = {
    {&cub_elements, {[GRAPH] = BOTH, [STREAM] = BOTH, [SINGLE] = BOTH}, ALL, false},
    {&plain_read, {[GRAPH] = COLD}, FIRST, false},
    {&newer_cub_elements, {[GRAPH] = BOTH, [STREAM] = BOTH, [SINGLE] = BOTH}, NOTHING, false},
    {&cub_own_half, {[GRAPH] = COLD}, NOTHING, true},
    {&cub_own_bfloat16, {[GRAPH] = COLD}, NOTHING, true},
};

static void compare_types(struct comparison *c)
{
    static const enum element elements[] = {ELEMENT_HALF, ELEMENT_BFLOAT16, ELEMENT_FLOAT,
                                            ELEMENT_INT32, ELEMENT_DOUBLE};
    for (size_t i = 0; i < sizeof elements / sizeof elements[0]; i++) {
        upload(c, elements[i]);
        c->label = element_name(elements[i]);
        for (int k = 0; (size_t)1 << k <= c->most; k += c->quick ? 2 : 1)
            compare_at(c, (size_t)1 << k, 0, c->subject->rival_count);
    }
}

const struct subject subject_types = {
    .name = "types",
    .what = "The library's sums: their time over that of others, * where that is more than 1 with "
            "95 % confidence.",
    .columns = "element,n,cache,launch,rival,ours_us,rival_us,ratio,low,high,rounds,ours_error,"
               "rival_error",
    .launches = ONE_GPU,
    .ours = &our_sum,
    ROWS(type_rivals),
    .run = compare_types,
    .error_unit = 1,
    .most_checked = (size_t)1 << 26,
    .most = (size_t)1 << 30,
    .room = sizeof(double),
    .fails_if_slower = true,
};

/* ---- exact: numbers of four kinds, exponents close together, and over their whole range ---- */

static const struct rival exact_rivals[] = {
    {&our_sum, {[GRAPH] = BOTH, [SINGLE] = COLD}, FIRST, false},
    {&plain_read, {[GRAPH] = BOTH, [SINGLE] = COLD}, FIRST, false},
    {&newer_cub_reproducible, {[GRAPH] = BOTH, [SINGLE] = COLD}, FIRST, false},
};

/* Is the sum the nearest float? Says so if not. */
static void check_nearest(struct comparison *c, size_t n, unsigned offset)
{
    const struct setting setting = {.n = n, .offset = offset};
    struct exact_sum exact = sum_exactly(c->host + offset, n);
    float sum;
    queue_sum(c, &setting, c->subject->ours, 0, 0);
    CUDA_CHECK(cudaStreamSynchronize(c->gpus.shares[0].stream));
    CUDA_CHECK(cudaMemcpy(&sum, c->gpus.shares[0].out, sizeof sum, cudaMemcpyDeviceToHost));
    if (sum == exact.nearest)
        return;
    printf("%s, n = %zu: %.9g, and the nearest float is %.9g\n", c->label, n, (double)sum,
           (double)exact.nearest);
    c->wrong++;
}

/* All memory gets such numbers, for cold sums find theirs all over it: c->most of them, or n of
   them, and at least 2^20, again and again, if they depend on how many there are. */
static void fill_memory(struct comparison *c, enum pattern pattern, size_t n)
{
    size_t made = !pattern_depends_on_n(pattern) ? c->most : n > 1 << 20 ? n : 1 << 20;
    for (size_t first = 0; first < c->most; first += made)
        fill_data(c->host + first, made < c->most - first ? made : c->most - first, pattern,
                  1 + first / made);
    upload(c, ELEMENT_FLOAT);
}

static void compare_exact(struct comparison *c)
{
    static const enum pattern patterns[] = {PATTERN_UNIFORM, PATTERN_NORMAL, PATTERN_LOGNORMAL,
                                            PATTERN_WIDE};
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        c->label = pattern_name(patterns[i]);
        for (int k = 10; (size_t)1 << k <= c->most; k += c->quick ? 6
                                                         : k < 14 ? 1
                                                         : k < 24 ? 2
                                                                  : 4) {
            size_t n = (size_t)1 << k;
            if (k == 10 || pattern_depends_on_n(patterns[i]))
                fill_memory(c, patterns[i], n);
            compare_at(c, n, 0, c->subject->rival_count);
        }
    }
}

const struct subject subject_exact = {
    .name = "exact",
    .what = "sum_f32_exact(): its time over that of others, * where that is more than 1 with 95 % "
            "confidence.",
    .columns = "pattern,n,cache,launch,rival,ours_us,rival_us,ratio,low,high,rounds",
    .launches = ONE_GPU,
    .ours = &our_exact,
    ROWS(exact_rivals),
    .run = compare_exact,
    .check = check_nearest,
    .most = (size_t)1 << 30,
    .room = sizeof(float),
};
