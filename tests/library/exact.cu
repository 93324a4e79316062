/*
 * What sum_exact.h promises: many arrays that are hard to sum, each summed by the library, by the kernels of step 13
 * and by the CPU, and all bits compared with the reference's nearest float.
 *
 *     library_exact [ARRAYS [TEST...]]    how many of them (default: 240 on the simulator, 12000 on a GPU; given, no
 *                                         array is long: for compute-sanitizer); only these tests, by their names
 *
 * Exit status: 0, 1 if a sum is not the nearest float, or 2 after one line.
 */
#include "contract.h"
#include "lesson.h"
#include "library/sum_exact.h"
#include <algorithm>

extern "C" const struct variant variant_accumulators, variant_cached_accumulators, variant_doubles, variant_cpu_exact;
static const struct variant *const kernels[] = {&variant_accumulators, &variant_cached_accumulators, &variant_doubles};

#define MOST_FLOATS ((size_t)(ON_SIMULATOR ? 1 << 17 : 1 << 23))
#define TO_CARRY    ((size_t)(ON_SIMULATOR ? 1 << 20 : 1 << 23))

static float *host, *in, *out;
static struct sum_f32_workspace w;

static uint64_t state;
static uint32_t draw(void) {
    state = state * 6364136223846793005u + 1442695040888963407u; /* Knuth, MMIX */
    return (uint32_t)(state >> 32);
}

static float float_of(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint32_t bits_of(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* A finite float with an exponent from `low` to below `high`. */
static float with_exponent(unsigned low, unsigned high) {
    return float_of((low + draw() % (high - low)) << 23 | (draw() & 0x807fffff));
}

/* ---- arrays, each of a kind; n floats at x ---- */

static void any_exponents(float *x, size_t n) {
    for (size_t i = 0; i < n; i++) x[i] = with_exponent(0, 255);
}

static void subnormals(float *x, size_t n) {
    for (size_t i = 0; i < n; i++) x[i] = with_exponent(0, 1 + (unsigned)i % 2);
}

static void close_together(float *x, size_t n) {
    unsigned low = draw() % 230, range = 1 + draw() % 24;
    for (size_t i = 0; i < n; i++)
        x[i] = draw() % 5 == 0 ? (draw() % 2 ? 0.0f : -0.0f) : with_exponent(low, low + range);
}

/* Pairs that cancel, far apart, and what is left over. */
static void cancelling(float *x, size_t n, float rest) {
    size_t pairs = n / 2;
    for (size_t i = 0; i < pairs; i++) {
        x[i] = with_exponent(0, 255);
        x[pairs + i * 7919 % pairs] = 0;
    }
    for (size_t i = 0; i < pairs; i++) /* 7919 is a prime: every place once, unless it divides */
        x[pairs + (pairs % 7919 ? i * 7919 % pairs : i)] = -x[i];
    if (n % 2 == 1) x[n - 1] = rest;
}

static void cancel_all(float *x, size_t n) { cancelling(x, n, 0.0f); }

static void cancel_but_one(float *x, size_t n) { cancelling(x, n, with_exponent(0, 255)); }

/* a + half of its last bit, and now and then the smallest float that decides the rounding; among pairs that cancel. */
static void halfway(float *x, size_t n) {
    unsigned e = 30 + draw() % 200;
    cancelling(x, n, 0.0f);
    if (n < 3) return;
    float a = float_of(e << 23 | (draw() & 0x7fffff)), half = float_of((e - 24) << 23);
    x[0] = a, x[n / 2] = half, x[n - 1] = 0.0f;
    if (draw() % 2 == 0) x[n - 1] = float_of(1 | (draw() % 2) << 31); /* 2^-149 */
    for (size_t i = 1; i < n - 1; i++)
        if (i != n / 2) x[i] = 0.0f;
    for (size_t i = 1; i + 1 < n / 2; i++) {
        x[i] = with_exponent(0, 255);
        x[n / 2 + i] = -x[i];
    }
}

/* A small negative sum in the window, whose upper words are all ones, and a float above it, in the limbs. A unit is
   2^(31 + 32 k): so these words and the limbs overlap most. */
static void units_and_limbs(float *x, size_t n) {
    unsigned e = 51 + 32 * (1 + draw() % 4);
    for (size_t i = 0; i < n; i++) x[i] = float_of(e << 23 | (uint32_t)(i % 2) << 31);
    if (n < 64) return;
    x[n - 2] = -fabsf(with_exponent(e - 20, e - 12));
    x[n - 1] = with_exponent(e + 7, e + 9);
}

static void near_overflow(float *x, size_t n) {
    for (size_t i = 0; i < n; i++) x[i] = with_exponent(254, 255) * (i % 2 ? -1.0f : 1.0f);
    if (n > 0 && draw() % 2 == 0) x[draw() % n] = float_of(0x7f7fffff);
}

static void specials(float *x, size_t n) {
    any_exponents(x, n);
    for (unsigned k = draw() % 3; n > 0 && k < 3; k++) {
        const float special[] = {NAN, INFINITY, -INFINITY};
        x[draw() % n] = special[draw() % 3];
    }
}

static void minus_zeros(float *x, size_t n) {
    for (size_t i = 0; i < n; i++) x[i] = -0.0f;
    if (n > 0 && draw() % 2 == 0) x[draw() % n] = draw() % 2 ? 0.0f : with_exponent(0, 2);
}

/* A few large floats among many small ones: the window that the 32 samples suggest is wrong. */
static void odd_ones(float *x, size_t n) {
    unsigned low = draw() % 200;
    for (size_t i = 0; i < n; i++) x[i] = draw() % 257 == 0 ? with_exponent(0, 255) : with_exponent(low, low + 12);
}

/* Batches that fill the window, or go a binade or two beyond it: as large as they can be, but for some floats in its
   first binade, whose last bits are all that is left. The 32 floats that are looked at are smaller than most. */
static void full_window(float *x, size_t n) {
    unsigned looked_at = 60 + draw() % 100, top = looked_at + 4 + draw() % 4;
    size_t half = n / 2;
    for (size_t i = 0; i < n; i++) x[i] = float_of((looked_at - 20) << 23 | draw() % 8 | (i < half ? 0 : 0x80000000));
    for (size_t i = 0; i < half; i++) {
        if (draw() % 4 > 0) {
            x[i] = float_of(top << 23 | 0x7fffff);
            x[half + i] = -x[i];
        }
    }
    for (size_t k = 0; half > 0 && k < 32; k++) {
        size_t i = (n / 32 * 4 * (k / 4) + k % 4) % half;
        x[i] = float_of(looked_at << 23);
        x[half + i] = -x[i];
    }
}

/* Most lie in one window, and cancel; and some in the binades around it, near ones and farther ones. */
static void around(float *x, size_t n) {
    unsigned low = 60 + draw() % 100, farther = draw() % 2 * 20;
    float pair = 0.0f; /* waits for its other half */
    for (size_t i = 0; i < n; i++) {
        if (draw() % 100 == 0) {
            x[i] = with_exponent(low - 20 - farther, low + farther);
        } else {
            x[i] = pair == 0.0f ? with_exponent(low, low + 12) : -pair;
            pair = pair == 0.0f ? x[i] : 0.0f;
        }
    }
}

/* Pairs in the window that cancel, and what is left: often halfway between two floats. Far below, a few small floats
   decide, or cannot. */
static void far_below(float *x, size_t n) {
    unsigned e = 130 + draw() % 100;
    size_t half = n / 2;
    for (size_t i = 0; i < half; i++) {
        x[i] = with_exponent(e - 6, e);
        x[half + i] = -x[i];
    }
    if (n % 2 == 1) x[n - 1] = -0.0f;
    if (half < 8) return;
    x[0] = float_of(e << 23 | (draw() & 0x7fffff));
    x[half] = draw() % 2 ? float_of((e - 24) << 23) : with_exponent(e - 10, e);
    for (size_t k = draw() % 4, i = 1; i <= k; i++) {
        x[i] = with_exponent(e - 120, e - 50);
        x[half + i] = 0.0f;
    }
}

static const struct {
    void (*make)(float *x, size_t n);
    const char *name;
} kinds[] = {{any_exponents, "all exponents"},    {subnormals, "subnormals"},
             {close_together, "one window"},      {cancel_all, "cancels to 0"},
             {cancel_but_one, "cancels to one"},  {halfway, "halfway between two floats"},
             {near_overflow, "near overflow"},    {specials, "NaN and infinities"},
             {minus_zeros, "zeros below zero"},   {odd_ones, "a few outside the window"},
             {around, "some around the window"},  {full_window, "the window is full"},
             {far_below, "far below the window"}, {units_and_limbs, "units and limbs overlap"}};
enum { KINDS = COUNT(kinds) };

/* ---- the sums of one array ---- */

static float right_sum(const float *x, size_t n) {
    struct exact_sum exact = sum_exactly(x, n);
    bool minus = n > 0;
    for (size_t i = 0; i < n && minus; i++) minus = bits_of(x[i]) == 0x80000000;
    if (minus) return -0.0f;
    if (isnan(exact.sum) || isinf(exact.sum)) return (float)exact.sum;
    return exact.overflows ? copysignf(INFINITY, (float)exact.sum) : exact.nearest;
}

static bool same(float a, float b) { return bits_of(a) == bits_of(b) || (isnan(a) && isnan(b)); }

static float take(void) {
    CUDA_CHECK(cudaDeviceSynchronize());
    float sum = one_from(out);
    CUDA_CHECK(cudaMemset(out, 0xff, sizeof sum));
    return sum;
}

static float by_library(const float *x, size_t n) {
    return sum_f32_exact(x, n, out, &w, NULL) == SUM_F32_OK ? take() : NAN;
}

/* The library's sum of what is on the host. */
static bool library_is_right(size_t n) {
    to_gpu(in, host, n * sizeof(float));
    return same(by_library(in, n), right_sum(host, n));
}

static float by_kernel(const struct variant *v, float *x, size_t n, unsigned block) {
    struct sum s = {};
    s.in = x, s.n = n, s.out = out, s.block = block, s.sms = sms;
    v->launch(&s);
    return take();
}

static float by_cpu(size_t n) {
    float sum;
    struct sum s = {};
    s.in = host, s.n = n, s.out = &sum;
    variant_cpu_exact.launch(&s);
    return sum;
}

/* Wrong ones among `arrays` of this kind; each is summed four times on the GPU and once on the CPU. The library's turn
   comes twice, from another start and in the other order. */
static int wrong_sums(int kind, int arrays) {
    int wrong = 0;
    for (int k = 0; k < arrays; k++) {
        size_t most = k % 16 == 15 ? MOST_FLOATS / 8 : k % 4 == 3 ? 20000 : 700;
        size_t n = k == 0 ? 0 : draw() % most, offset = draw() % 4;
        kinds[kind].make(host, n);
        to_gpu(in + offset, host, n * sizeof(float));
        float right = right_sum(host, n);
        const unsigned block = 32 * (1 + draw() % 8);
        float sums[] = {by_cpu(n), by_library(in + offset, n), by_kernel(kernels[k % 3], in + offset, n, block), 0};
        std::reverse(host, host + n);
        to_gpu(in + 3 - offset, host, n * sizeof(float));
        sums[3] = by_library(in + 3 - offset, n);
        for (int i = 0; i < 4; i++) {
            if (same(sums[i], right)) continue;
            const char *who[] = {"CPU", "library", kernels[k % 3]->name, "library, reversed"};
            printf("# %s, array %d, n = %zu: %s: %.9g, not %.9g\n", kinds[kind].name, k, n, who[i], (double)sums[i],
                   (double)right);
            wrong++;
        }
    }
    return wrong;
}

/* ---- the contract ---- */

static void refusals(void) {
    struct sum_f32_workspace small = {w.memory, w.bytes - 1}, none = {NULL, w.bytes};
    const size_t n = 1 << 17;
    ok(sum_f32_exact(NULL, 1, out, &w, NULL) == SUM_F32_NULL_POINTER, "no array");
    ok(sum_f32_exact(in, 1, NULL, &w, NULL) == SUM_F32_NULL_POINTER, "no place for the sum");
    ok(sum_f32_exact(in, 1, out, &none, NULL) == SUM_F32_NULL_POINTER, "no memory");
    ok(sum_f32_exact((float *)((char *)in + 2), 1, out, &w, NULL) == SUM_F32_MISALIGNED, "2 bytes");
    ok(sum_f32_exact(in, n, out, &small, NULL) == SUM_F32_SMALL_WORKSPACE, "a byte too few");
    ok(sum_f32_exact(in, ((size_t)1 << 35) + 1, out, &small, NULL) == SUM_F32_BAD_ARGUMENT,
       "more floats than it takes");
    ok(sum_f32_exact(NULL, 0, out, &w, NULL) == SUM_F32_OK && same(take(), 0.0f), "n = 0");
}

/* What sum_exact.h says of 4096 floats: 8 bytes are enough. The simulator reports an access behind their end. */
static void little_workspace(void) {
    const size_t n = 4096;
    const struct sum_f32_workspace eight = workspace_of<struct sum_f32_workspace>(8), seven = {eight.memory, 7};
    bool right = true;
    for (int kind = 0; kind < KINDS; kind++) {
        state = 77 + (uint64_t)kind;
        kinds[kind].make(host, n);
        to_gpu(in, host, n * sizeof(float));
        right &= sum_f32_exact(in, n, out, &eight, NULL) == SUM_F32_OK;
        right &= same(take(), right_sum(host, n));
    }
    ok(right, "8 bytes are enough for 4096 floats");
    ok(sum_f32_exact(in, n, out, &seven, NULL) == SUM_F32_SMALL_WORKSPACE, "7 are not");
    CUDA_CHECK(cudaFree(eight.memory));
}

/* One workspace for both functions, in turn, also across the end of the epochs; in every second array there are limbs,
   in every third such as do not matter. */
static void in_turn(void) {
    const size_t n = ON_SIMULATOR ? 40000 : 2500000;
    const unsigned long long last = 0xfffffffc;
    float right[3];
    for (int k = 0; k < 3; k++) {
        for (size_t i = 0; i < n; i++) host[i] = k == 0 ? with_exponent(0, 200) : with_exponent(150, 160);
        if (k == 2) host[n / 3] = with_exponent(10, 20);
        to_gpu(in + k * n, host, n * sizeof(float));
        right[k] = right_sum(host, n);
    }
    to_gpu(w.memory, &last, sizeof last);
    bool all = true;
    for (int k = 0; k < 24; k++) {
        const int which = k % 2 ? 1 : k % 3 ? 2 : 0;
        all = all && same(by_library(in + which * n, n), right[which]);
        if (k % 4 == 0) all = all && sum_f32(in, n, out, &w, NULL) == SUM_F32_OK && isfinite(take());
    }
    ok(all, "sum_f32() and sum_f32_exact() in turn, across the end of the epochs");
}

/* So many floats for each thread that its accumulators must carry, and in small blocks overflow unless they do: on a
   simulator of four SMs. In two accumulators, so that there is no window. */
static void carried(void) {
    for (bool beyond : {false, true}) { /* of one thread, all have the same sign; and what all carry does not cancel */
        for (size_t i = 0; i < TO_CARRY; i++)
            host[i] = float_of(!beyond      ? (i % 8 == 0 ? 31 : 223) << 23 | 0x7fffff
                               : i % 4 == 0 ? 0x3f800000
                               : i / 4 % 2  ? 0xff7ffffe
                                            : 0x7f7fffff);
        bool all = library_is_right(TO_CARRY);
        const float right = right_sum(host, TO_CARRY);
        for (int k = 0; k < 3; k++) all = all && same(by_kernel(kernels[k], in, TO_CARRY, 32), right);
        ok(all, "accumulators that %s", beyond ? "carry beyond the last" : "must carry");
    }
}

/* Nearly all floats lie outside the window that the samples ask for. On a GPU with 17 GB to spare there are so many
   that their lower halves have more than 64 bits. */
static bool long_array;

static void many_outside(void) {
    const size_t n = long_array ? (size_t)1 << 32 : 1 << 17;
    const uint32_t bits = 0x4b4b4b4b; /* 2^23 or more: so it is a whole number */
    const float tiny = 0x1p-100f;
    float *many;
    if (cudaMalloc(&many, n * sizeof *many) != cudaSuccess) {
        cudaGetLastError();
        ok(true, "more outside the window than one limb holds # SKIP too little memory");
        return;
    }
    CUDA_CHECK(cudaMemset(many, (int)(bits & 0xff), n * sizeof *many));
    for (size_t k = 0; k < 32; k++) {
        float *sample = many + n / 32 * 4 * (k / 4) + k % 4; /* window.h: sample_index() */
        to_gpu(sample, &tiny, sizeof tiny);
    }
    uint64_t whole = (n - 32) * (uint64_t)float_of(bits);
    ok(same(by_library(many, n), (float)whole), "more outside the window than one limb holds");
    CUDA_CHECK(cudaFree(many));
}

/* The smallest array of the kind units_and_limbs. */
static void four_floats(void) {
    const float x[] = {0x1p20f, -0x1p20f, -1.0f, 0x1p27f + 512};
    to_gpu(in, x, sizeof x);
    ok(same(by_library(in, 4), right_sum(x, 4)), "four floats: units and limbs overlap");
}

/* Limbs that do not matter, from the last block of a cluster: the first may not end before them. */
static void unasked_limbs(void) {
    const size_t n = 20000;
    for (size_t i = 0; i < n; i++) host[i] = i < n - 64 ? 1.0f : 0x1p-120f;
    to_gpu(in, host, n * sizeof(float));
    ok(same(by_library(in, n), (float)(n - 64)), "limbs that are not needed");
}

/* Many sums of all shapes, each queued after the one before, which it may overlap. */
static void in_a_row(void) {
    enum { SUMS = 48, SHAPES = 6 };
    static const size_t some[SHAPES] = {3000, 7000, 50000, 150000, 900000, 6000000};
    const int shapes = ON_SIMULATOR ? 3 : SHAPES;
    float sums[SUMS], *outs = on_gpu<float>(SUMS);
    odd_ones(host, some[shapes - 1] + SUMS);
    to_gpu(in, host, (some[shapes - 1] + SUMS) * sizeof *in);
    bool all = true;
    for (int k = 0; k < SUMS; k++)
        all = all && sum_f32_exact(in + k, some[k % shapes], outs + k, &w, NULL) == SUM_F32_OK;
    to_host(sums, outs, sizeof sums);
    for (int k = 0; k < SUMS; k++) all = all && same(sums[k], right_sum(host + k, some[k % shapes]));
    ok(all, "many sums, one right after the other");
    CUDA_CHECK(cudaFree(outs));
}

/* What stands before the arrays of all kinds: what the tests of each function have in common. */
static const struct {
    const char *name;
    void (*run)(void);
} first[] = {
    {"refusals", refusals},
    {"little workspace", little_workspace},
    {"sum_f32() and sum_f32_exact()", in_turn},
    {"accumulators", carried},
    {"more outside", many_outside},
    {"limbs that are not needed", unasked_limbs},
    {"four floats", four_floats},
    {"many sums", in_a_row},
};

int main(int argc, char **argv) {
    int arrays = argc > 1 ? atoi(argv[1]) : ON_SIMULATOR ? 240 : 12000;
    if (arrays < KINDS) {
        fprintf(stderr, "library_exact: %s arrays: %d or more are needed, one of each kind\n", argv[1], KINDS);
        return 2;
    }
    if (!find_device() || sum_f32_workspace_bytes(&w.bytes) != SUM_F32_OK) return 1;
    host = on_host<float>(TO_CARRY + 64);
    in = on_gpu<float>(TO_CARRY + 64);
    out = on_gpu<float>(1);
    w = workspace_of<struct sum_f32_workspace>(w.bytes);
    CUDA_CHECK(cudaMemset(in, 0, (TO_CARRY + 64) * sizeof *in));

    char **chosen = argv + (argc > 1 ? 2 : 1);
    long_array = !ON_SIMULATOR && argc == 1;
    for (const auto &one : first)
        if (is_chosen(chosen, one.name)) one.run();
    for (int kind = 0; kind < KINDS; kind++) {
        state = 1000 + (uint64_t)kind;
        if (is_chosen(chosen, kinds[kind].name)) ok(wrong_sums(kind, arrays / KINDS) == 0, "%s", kinds[kind].name);
    }
    if (tap_tests == 0) {
        fprintf(stderr, "library_exact: no test is called \"%s\"\n", *chosen);
        return 2;
    }
    return done_testing();
}
