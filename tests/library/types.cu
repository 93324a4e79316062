/* What sum_f32.h and sum_types.h promise: for each type the errors, alignments, bits, epochs, order, graphs; for floats
   the workspace, streams, launches that CUDA refuses. Arguments: sum_f64, or another function; turns: what is of all.
   Only these are tested. */
#include "contract.h"
#include "library/parts/slots.h"
#include "library/sum_types.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define MOST_BYTES ((size_t)20 << 20) /* of elements */

static float *data;                  /* the numbers that elements are made from */
static char *in, *out, *sums, *host; /* out: of one sum; sums: of up to 64 */
static struct sum_f32_workspace w;

struct type {
    const char *name;
    enum element element;
    enum sum_f32_status (*sum)(const void *in, size_t n, void *out, const struct sum_f32_workspace *w,
                               cudaStream_t stream);
};
#define TYPE(SUM, ELEMENT, IN, OUT)                                                                                    \
    {                                                                                                                  \
#SUM, ELEMENT,                                                                                                 \
            [](const void *x, size_t n, void *o, const struct sum_f32_workspace *ws,                                   \
               cudaStream_t s) { return SUM((const IN *)x, n, (OUT *)o, ws, s); }                                      \
    }
static const struct type types[] = {
    TYPE(sum_f16, ELEMENT_HALF, void, float), TYPE(sum_bf16, ELEMENT_BFLOAT16, void, float),
    TYPE(sum_f32, ELEMENT_FLOAT, float, float), TYPE(sum_f64, ELEMENT_DOUBLE, double, double),
    TYPE(sum_i32, ELEMENT_INT32, int32_t, int64_t)};
enum { TYPES = COUNT(types), FLOATS = 2, DOUBLES, INTEGERS };

#define OK(RIGHT, T, WHAT) ok(RIGHT, "%s: %s", (T)->name, WHAT)

static void poison(void) { CUDA_CHECK(cudaMemset(out, POISON_BYTE, 16)); }

static bool untouched(void) { return is_filled(out, 16, POISON_BYTE); }

static size_t bytes_of(const struct type *t) { return element_bytes(t->element); }

static unsigned words_of(const struct type *t) { return (unsigned)element_sum_bytes(t->element) / 4; }

static struct sum_f32_plan plan_of(const struct type *t, size_t n) {
    return sum_types_plan(n, bytes_of(t), words_of(t), sms, hopper);
}

/* Makes n elements of a pattern and copies them in. */
static void put(const struct type *t, size_t n, enum pattern pattern, uint64_t seed) {
    fill_data(data, n, pattern, seed);
    make_elements(t->element, data, n, host);
    to_gpu(in, host, n * bytes_of(t));
}

/* Is this the sum of n elements from number `first` on, by a tree of this depth, or, if it is 0, of that of its plan?
 */
static bool is_sum(const struct type *t, const void *sum, size_t first, size_t n, size_t depth = 0) {
    struct sum_f32_plan plan = plan_of(t, n);
    struct exact_sum exact = sum_elements_exactly(t->element, data + first, n);
    return check_element_sum(t->element, sum, &exact, depth > 0 ? depth : sum_types_depth(&plan, n, bytes_of(t))).ok;
}

/* The sum of n elements that begin `offset` of them past in; whether it is right, and no more was written than it. */
static bool right_sum(const struct type *t, unsigned offset, size_t n, char got[16],
                      const struct sum_f32_workspace *workspace = &w) {
    poison();
    bool right = t->sum(in + offset * bytes_of(t), n, out, workspace, 0) == SUM_F32_OK;
    CUDA_CHECK(cudaDeviceSynchronize());
    to_host(got, out, 16);
    right &= all_are(got + 4 * words_of(t), 16 - 4 * words_of(t), POISON_BYTE);
    return right && is_sum(t, got, offset, n);
}

static bool right_sum(const struct type *t, size_t n, const struct sum_f32_workspace *workspace = &w) {
    char got[16];
    return right_sum(t, 0, n, got, workspace);
}

static void refuses(const struct type *t, enum sum_f32_status expected, const void *x, size_t n, void *o,
                    const struct sum_f32_workspace *workspace, const char *what) {
    poison();
    OK(t->sum(x, n, o, workspace, 0) == expected && untouched(), t, what);
}

/* The largest depths for up to 2^20 and up to 2^31 elements, which the headers and library/README.md name for a GPU of
   132 SMs. */
static void test_depths(const struct type *t) {
    const size_t promised[][2] = {{33, 289}, {32, 312}, {39, 1047}}; /* of 2, 4 and 8 bytes */
    size_t bytes = bytes_of(t), most[2] = {0, 0};
    for (size_t n = 1; n <= (size_t)1 << 31; n += n < (1 << 20) ? 1 : 1 << 12) {
        struct sum_f32_plan plan = sum_types_plan(n, bytes, words_of(t), 132, true);
        size_t depth = sum_types_depth(&plan, n, bytes);
        for (int k = n > 1 << 20; k < 2; k++) most[k] = depth > most[k] ? depth : most[k];
    }
    const size_t *is = promised[bytes / 4];
    OK(most[0] == is[0] && most[1] == is[1], t, "the depths that the headers name");
}

static void test_errors(const struct type *t) {
    const size_t n = MOST_BYTES / bytes_of(t), slots = plan_of(t, n).blocks * words_of(t);
    const struct sum_f32_workspace none = {NULL, w.bytes}, smallest = {w.memory, 0};
    const struct sum_f32_workspace odd = {(char *)w.memory + 4, w.bytes - 4};
    const struct sum_f32_workspace small = {w.memory, SLOT_BYTES(slots) - 1};
    refuses(t, SUM_F32_NULL_POINTER, NULL, 1, out, &w, "in is NULL");
    refuses(t, SUM_F32_NULL_POINTER, in, 1, NULL, &w, "out is NULL");
    refuses(t, SUM_F32_NULL_POINTER, in, 1, out, NULL, "no workspace");
    refuses(t, SUM_F32_NULL_POINTER, in, 1, out, &none, "a workspace without memory");
    refuses(t, SUM_F32_MISALIGNED, in + bytes_of(t) / 2, 1, out, &w, "in is misaligned");
    refuses(t, SUM_F32_MISALIGNED, in, 1, out + 2 * words_of(t), &w, "out is misaligned");
    refuses(t, SUM_F32_MISALIGNED, in, 1, out, &odd, "the workspace is misaligned");
    refuses(t, SUM_F32_SMALL_WORKSPACE, in, n, out, &small, "a workspace one byte too small");
    refuses(t, SUM_F32_SMALL_WORKSPACE, in, 1, out, &smallest, "a workspace of no bytes");
    OK(right_sum(t, 0), t, "no elements: the sum is 0");
}

/* Around every limit of the plan, at every alignment. The simulator takes long for large ones. */
static void test_sums(const struct type *t) {
    static const size_t limits[] = {512,       2048,    4 << 10, 16 << 10,      64 << 10,
                                    512 << 10, 1 << 20, 2 << 20, (5 << 20) - 32}; /* in floats */
    const size_t few = t->element == ELEMENT_FLOAT ? 3 : 1;
    put(t, MOST_BYTES / bytes_of(t), PATTERN_UNIFORM, 1);
    for (size_t i = 0; i < (ON_SIMULATOR && few == 1 ? 7 : 9); i++) {
        size_t limit = limits[i] * 4 / bytes_of(t), most = ON_SIMULATOR && i > 3 ? few : 8;
        bool right = true, same = true;
        char sums[2][16];
        for (size_t k = 0; k < most; k++) {
            size_t n = limit - (most - 1) / 2 + k;
            right &= right_sum(t, (unsigned)k, n, sums[0]);
            right &= right_sum(t, (unsigned)k, n, sums[1]);
            same &= memcmp(sums[0], sums[1], 4 * words_of(t)) == 0;
        }
        ok(right, "%s: around %zu elements, at all alignments: right", t->name, limit);
        OK(same, t, "the same bits twice");
    }
}

/* All patterns: large ones overflow the type of the elements, not that of the sum. */
static void test_patterns(const struct type *t) {
    bool right = true;
    for (int p = 0; p < PATTERN_COUNT; p++) {
        put(t, 100003, (enum pattern)p, 3);
        right &= right_sum(t, 100003);
    }
    OK(right, t, "all patterns");
}

/* Epochs come again after 2^32 launches, also where a slot has two words: the slots must not hold old ones by then. */
static void test_epochs(const struct type *t) {
    const size_t n = 800000 / bytes_of(t);
    const word epoch = 0xfffffffd;
    word words[8];
    bool right = true, empty = false;
    put(t, n, PATTERN_UNIFORM, 1);
    CUDA_CHECK(cudaMemset(w.memory, 0x5a, w.bytes)); /* no epoch near */
    to_gpu(w.memory, &epoch, sizeof epoch);
    for (int i = 0; i < 5; i++) {
        right &= right_sum(t, n);
        to_host(words, (char *)w.memory + w.bytes - sizeof words, sizeof words);
        empty |= i == 1 && words[0] == 0 && words[7] == 0; /* that was launch 0xffffffff */
    }
    OK(empty, t, "the last epoch leaves all slots empty");
    OK(right && one_from((word *)w.memory) == 3, t, "sums across the end of the epochs");
}

/* The kernel before writes what is summed: 0 or a pattern of bits, and the sum must not be early. */
static void test_order(const struct type *t) {
    static const size_t sizes[] = {16, 1000, 16384, 50000, 300000, 4000000}; /* words */
    const int most = ON_SIMULATOR ? 4 : 6, rounds = ON_SIMULATOR ? 3 : 64;
    const size_t step = 4 * words_of(t);
    cudaStream_t stream = new_stream();
    char got[64 * 8];
    bool right = true;
    for (int k = 0; k < most; k++) {
        for (int i = 0; i < rounds; i++) {
            fill<<<64, 256, 0, stream>>>((unsigned *)in, sizes[k], i % 2 ? 0x3c003c00u : 0u);
            right &= t->sum(in, sizes[k] * 4 / bytes_of(t), sums + i * step, &w, stream) == SUM_F32_OK;
        }
        CUDA_CHECK(cudaStreamSynchronize(stream));
        to_host(got, sums, rounds * step);
        for (int i = 0; i < rounds; i++)
            right &= all_are(got + i * step, step, 0) == (i % 2 == 0) &&
                     memcmp(got + i * step, got + i % 2 * step, step) == 0;
    }
    OK(right, t, "the sum waits for the kernel before it");
    CUDA_CHECK(cudaStreamDestroy(stream));
}

static void test_graph(const struct type *t) {
    const size_t sizes[] = {100, 10000, 50000, ON_SIMULATOR ? 150000 : 2000000};
    const size_t step = 4 * words_of(t);
    char first[8 * 8], again[8 * 8];
    bool right = true;
    put(t, MOST_BYTES / 8, PATTERN_UNIFORM, 1);
    in_a_graph(
        ON_SIMULATOR ? 2 : 20,
        [&](cudaStream_t stream) {
            CUDA_CHECK(cudaMemsetAsync(sums, POISON_BYTE, sizeof first, stream));
            for (int i = 0; i < 8; i++)
                right &= t->sum(in + i * bytes_of(t), sizes[i % 4], sums + i * step, &w, stream) == SUM_F32_OK;
        },
        [&](int round) {
            to_host(again, sums, sizeof again);
            if (round == 0) memcpy(first, again, sizeof first);
            right &= memcmp(first, again, sizeof first) == 0;
        });
    for (int i = 0; i < 8; i++) right &= is_sum(t, first + i * step, (size_t)i, sizes[i % 4]);
    OK(right, t, "in a graph, launched again and again: right, and the same bits");
}

/* ---- floats ---- */

static const float *in_f32(void) { return (const float *)in; }

static void test_refused_launches(void) {
    const struct sum_f32_plan wide = {ONE_BLOCK, 4, 2048, 1}, ranks = {ONE_CLUSTER, 4, 32, 32};
    for (const struct sum_f32_plan *plan : {&wide, &ranks}) {
        poison();
        ok(sum_f32_by(plan, false, in_f32(), 1, (float *)out, &w, 0) == SUM_F32_LAUNCH_FAILED && untouched() &&
               cudaGetLastError() != cudaSuccess,
           "a %s that CUDA refuses", plan == &wide ? "launch" : "cluster");
    }
    ok(sum_f32_workspace_bytes(NULL) == SUM_F32_NULL_POINTER, "nowhere to put the bytes");
    ok(messages_differ(SUM_F32_LAUNCH_FAILED, sum_f32_message), "a message for each status");
    poison();
    ok(sum_f32(NULL, 0, (float *)out, &w, 0) == SUM_F32_OK && one_from((float *)out) == 0,
       "no numbers, and no array: the sum is 0");
}

/* What sum_f32.h says of its bytes: as many are enough, and a word less is not. */
static void test_workspace(const struct type *floats) {
    const size_t n = 100000, few = 4096;
    put(floats, n, PATTERN_UNIFORM, 1);
    ok(w.bytes == (64 * (size_t)sms + 1) * 8, "64 words of 8 bytes for each SM, and one");

    struct sum_f32_plan plan = {MANY_BLOCKS, 8, 32, waiting_grid(MOST_BLOCKS_PER_SM * sms, sms)};
    struct sum_f32_workspace all = workspace_of<struct sum_f32_workspace>(SLOT_BYTES(plan.blocks)),
                             less = {all.memory, all.bytes - 8};
    ok(all.bytes == w.bytes || sms == 1, "they are for the largest grid");
    poison();
    ok(sum_f32_by(&plan, false, in_f32(), n, (float *)out, &less, 0) == SUM_F32_SMALL_WORKSPACE && untouched(),
       "a word less is too little for it");
    bool right = sum_f32_by(&plan, false, in_f32(), n, (float *)out, &all, 0) == SUM_F32_OK;
    const float sum = one_from((float *)out);
    ok(right && is_sum(floats, &sum, 0, n, sum_f32_depth(&plan, n)), "as many are enough");

    bool alone = true;
    for (size_t many = 1; many < (size_t)1 << 40; many *= 2)
        alone &= sum_f32_plan(many, 1, false).blocks == 1 && sum_types_plan(many, 8, 2, 1, false).blocks == 1 &&
                 sum_exact_plan(many, 1, false).blocks == 1;
    ok(alone, "on one SM no block waits for another");

    struct sum_f32_workspace eight = workspace_of<struct sum_f32_workspace>(8), seven = {eight.memory, 7};
    refuses(floats, SUM_F32_SMALL_WORKSPACE, in, few, out, &seven, "7 bytes are too few for 4096 numbers");
    ok(right_sum(floats, few, &eight), "8 bytes are enough");
    CUDA_CHECK(cudaFree(all.memory));
    CUDA_CHECK(cudaFree(eight.memory));
}

static void test_streams(const struct type *floats) {
    const size_t n[2] = {1000000, 777777};
    const int rounds = ON_SIMULATOR ? 2 : 32;
    struct sum_f32_workspace ws[2];
    cudaStream_t streams[2];
    float got[2][32];
    bool right = true;
    put(floats, n[0] + 1, PATTERN_UNIFORM, 1);
    for (int s = 0; s < 2; s++) {
        streams[s] = new_stream();
        ws[s] = workspace_of<struct sum_f32_workspace>(w.bytes);
    }
    CUDA_CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < rounds; i++)
        for (int s = 0; s < 2; s++)
            right &= sum_f32(in_f32() + s, n[s], (float *)sums + 32 * s + i, &ws[s], streams[s]) == SUM_F32_OK;
    CUDA_CHECK(cudaDeviceSynchronize());
    to_host(got, sums, sizeof got);
    for (int s = 0; s < 2; s++) {
        right &= is_sum(floats, &got[s][0], (size_t)s, n[s], 300);
        for (int i = 1; i < rounds; i++) right &= memcmp(&got[s][i], &got[s][0], sizeof(float)) == 0;
        CUDA_CHECK(cudaStreamDestroy(streams[s]));
        CUDA_CHECK(cudaFree(ws[s].memory));
    }
    ok(right, "two streams with a workspace each: right, and the same bits");
}

/* ---- all of them ---- */

/* One workspace, all types in turn: no slot of one may pass for a slot of another. */
static void test_in_turn(void) {
    const size_t n = 140000; /* many blocks, of halves too */
    bool right = true;
    for (int i = 0; i < TYPES * TYPES * (ON_SIMULATOR ? 1 : 2); i++) {
        const struct type *t = &types[(i + i / TYPES) % TYPES];
        put(t, n, PATTERN_POSITIVE, 7);
        right &= right_sum(t, n);
    }
    OK(right, &types[0], "and the others, in turn, with one workspace");
}

/* What no float can hold: integers at both ends of their range, doubles of 53 bits. */
static void test_own_numbers(void) {
    const int N = 70000;
    int32_t *integers = (int32_t *)host;
    double *doubles = (double *)host;
    for (int n : {N, 1}) {
        int64_t whole = 0;
        for (int i = 0; i < n; i++) {
            integers[i] = n == 1       ? -1
                          : i % 3 == 0 ? INT32_MIN
                          : i % 3 == 1 ? INT32_MIN + i
                                       : INT32_MAX - i / 7 * (i % 2);
            whole += integers[i];
        }
        to_gpu(in, host, n * sizeof *integers);
        ok(sum_i32((const int32_t *)in, n, (int64_t *)out, &w, 0) == SUM_F32_OK && one_from((int64_t *)out) == whole,
           "sum_i32: %s", n == 1 ? "-1 alone" : "the least and the greatest integers");
    }
    long double sum = 0; /* 64 bits: the sum of these doubles is exact */
    for (int i = 0; i < N; i++) {
        doubles[i] = 1 + (double)(i % 1021) * 0x1p-52;
        sum += doubles[i] - 1;
    }
    to_gpu(in, host, N * sizeof *doubles);
    bool right = sum_f64((const double *)in, N, (double *)out, &w, 0) == SUM_F32_OK;
    double got = one_from((double *)out);
    struct sum_f32_plan plan = plan_of(&types[DOUBLES], N);
    double error = (double)((long double)(got - N) - sum);
    double bound = (double)sum_types_depth(&plan, N, sizeof(double)) * 0x1p-53 * (N + 1);
    ok(right && got > N && error <= bound && -error <= bound, "sum_f64: doubles of 53 bits");
}

int main(int, char **argv) {
    if (!find_device() || sum_f32_workspace_bytes(&w.bytes) != SUM_F32_OK) return 77;
    say_clusters();
    data = on_host<float>(MOST_BYTES / 2 + 16);
    host = on_host<char>(MOST_BYTES + 64);
    in = on_gpu<char>(MOST_BYTES + 64);
    out = on_gpu<char>(16);
    sums = on_gpu<char>(64 * 8);
    w = workspace_of<struct sum_f32_workspace>(w.bytes);
    for (int i = 0; i < TYPES; i++) {
        const struct type *t = &types[i];
        if (!is_chosen(argv + 1, t->name)) continue;
        if (i != INTEGERS) test_depths(t); /* integers do not round */
        test_errors(t);
        if (i == FLOATS) {
            test_refused_launches();
            test_workspace(t);
            test_streams(t);
        }
        test_sums(t);
        test_patterns(t);
        test_epochs(t);
        test_order(t);
        test_graph(t);
    }
    if (is_chosen(argv + 1, "turns")) {
        test_in_turn();
        test_own_numbers();
    }
    return done_testing();
}
