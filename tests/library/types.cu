/* What sum_types.h promises, as TAP: for each type the errors, alignments, bits, epochs, order. */
#include "../tap.h"
#include "library/parts/slots.h"
#include "library/sum_f32_plan.h"
#include "library/sum_types.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern "C" {
#include "check.h"
#include "data.h"
}

#define MOST_BYTES ((size_t)20 << 20) /* of elements */
#define EPOCH      0xfffffffdu

static unsigned sms;
static bool hopper;
static float *data; /* the numbers that elements are made from */
static char *in, *out, *host;
static struct sum_f32_workspace w;

typedef enum sum_f32_status (*sum_fn)(const void *in, size_t n, void *out,
                                      const struct sum_f32_workspace *w, cudaStream_t stream);

static enum sum_f32_status f16(const void *x, size_t n, void *o, const struct sum_f32_workspace *ws,
                               cudaStream_t stream)
{
    return sum_f16(x, n, (float *)o, ws, stream);
}
static enum sum_f32_status bf16(const void *x, size_t n, void *o,
                                const struct sum_f32_workspace *ws, cudaStream_t stream)
{
    return sum_bf16(x, n, (float *)o, ws, stream);
}
static enum sum_f32_status f32(const void *x, size_t n, void *o, const struct sum_f32_workspace *ws,
                               cudaStream_t stream)
{
    return sum_f32((const float *)x, n, (float *)o, ws, stream);
}
static enum sum_f32_status f64(const void *x, size_t n, void *o, const struct sum_f32_workspace *ws,
                               cudaStream_t stream)
{
    return sum_f64((const double *)x, n, (double *)o, ws, stream);
}
static enum sum_f32_status i32(const void *x, size_t n, void *o, const struct sum_f32_workspace *ws,
                               cudaStream_t stream)
{
    return sum_i32((const int32_t *)x, n, (int64_t *)o, ws, stream);
}

struct type {
    const char *name;
    enum element element;
    sum_fn sum;
};
static const struct type types[] = {{"sum_f16", ELEMENT_HALF, f16},
                                    {"sum_bf16", ELEMENT_BFLOAT16, bf16},
                                    {"sum_f32", ELEMENT_FLOAT, f32},
                                    {"sum_f64", ELEMENT_DOUBLE, f64},
                                    {"sum_i32", ELEMENT_INT32, i32}};
enum { TYPES = sizeof types / sizeof types[0] };

#define OK(RIGHT, T, WHAT) ok(RIGHT, "%s: %s", (T)->name, WHAT)

static void poison(void)
{
    CUDA_CHECK(cudaMemset(out, POISON_BYTE, 16));
}

static bool untouched(void)
{
    unsigned bits[4];
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaMemcpy(bits, out, sizeof bits, cudaMemcpyDeviceToHost));
    return (bits[0] & bits[1] & bits[2] & bits[3]) == 0xffffffff;
}

static size_t bytes_of(const struct type *t)
{
    return element_bytes(t->element);
}

static unsigned words_of(const struct type *t)
{
    return (unsigned)element_sum_bytes(t->element) / 4;
}

static struct sum_f32_plan plan_of(const struct type *t, size_t n)
{
    return sum_types_plan(n, bytes_of(t), words_of(t), sms, hopper);
}

/* Makes elements from data[0] to data[n-1] and copies them in. */
static void put(const struct type *t, size_t n)
{
    make_elements(t->element, data, n, host);
    CUDA_CHECK(cudaMemcpy(in, host, n * bytes_of(t), cudaMemcpyHostToDevice));
}

/* The sum of n elements that begin `offset` of them past in; whether it is right, and no more was
   written than it. Its bytes go to sum. */
static bool right_sum(const struct type *t, unsigned offset, size_t n, char sum[8])
{
    struct sum_f32_plan plan = plan_of(t, n);
    struct exact_sum exact = sum_elements_exactly(t->element, data + offset, n);
    char got[16];
    poison();
    bool right = t->sum(in + offset * bytes_of(t), n, out, &w, 0) == SUM_F32_OK;
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    memcpy(sum, got, 8);
    for (size_t i = 4 * words_of(t); i < sizeof got; i++)
        right &= (unsigned char)got[i] == POISON_BYTE;
    return right &&
           check_element_sum(t->element, got, &exact, sum_types_depth(&plan, n, bytes_of(t))).ok;
}

static void refuses(const struct type *t, enum sum_f32_status expected, const void *x, size_t n,
                    void *o, const struct sum_f32_workspace *workspace, const char *what)
{
    poison();
    OK(t->sum(x, n, o, workspace, 0) == expected && untouched(), t, what);
}

/* The largest depths for up to 2^20 and up to 2^31 elements, which the headers and
   library/README.md name for a GPU of 132 SMs. */
static void test_depths(const struct type *t)
{
    const size_t promised[][2] = {{33, 289}, {32, 312}, {39, 1047}}; /* of 2, 4 and 8 bytes */
    size_t bytes = bytes_of(t), most[2] = {0, 0};
    for (size_t n = 1; n <= (size_t)1 << 31; n += n < (1 << 20) ? 1 : 1 << 12) {
        struct sum_f32_plan plan = sum_types_plan(n, bytes, words_of(t), 132, true);
        size_t depth = sum_types_depth(&plan, n, bytes);
        for (int k = n > 1 << 20; k < 2; k++)
            most[k] = depth > most[k] ? depth : most[k];
    }
    const size_t *is = promised[bytes / 4];
    OK(most[0] == is[0] && most[1] == is[1], t, "the depths that the headers name");
}

static void test_errors(const struct type *t)
{
    struct sum_f32_workspace none = {NULL, w.bytes}, odd = {(char *)w.memory + 4, w.bytes - 4};
    size_t n = MOST_BYTES / bytes_of(t);
    size_t slots = (size_t)plan_of(t, n).blocks * words_of(t);
    struct sum_f32_workspace small = {w.memory, SLOT_BYTES(slots) - 1};
    char sum[8];

    refuses(t, SUM_F32_NULL_POINTER, NULL, 1, out, &w, "in is NULL");
    refuses(t, SUM_F32_NULL_POINTER, in, 1, NULL, &w, "out is NULL");
    refuses(t, SUM_F32_NULL_POINTER, in, 1, out, NULL, "no workspace");
    refuses(t, SUM_F32_NULL_POINTER, in, 1, out, &none, "a workspace without memory");
    refuses(t, SUM_F32_MISALIGNED, in + bytes_of(t) / 2, 1, out, &w, "in is misaligned");
    refuses(t, SUM_F32_MISALIGNED, in, 1, out + 2 * words_of(t), &w, "out is misaligned");
    refuses(t, SUM_F32_MISALIGNED, in, 1, out, &odd, "the workspace is misaligned");
    refuses(t, SUM_F32_SMALL_WORKSPACE, in, n, out, &small, "a workspace one byte too small");
    OK(right_sum(t, 0, 0, sum), t, "no elements: the sum is 0");
}

/* Around every limit of the plan, at every alignment. */
static void test_sums(const struct type *t)
{
    static const size_t limits[] = {512,       2048,    4 << 10, 16 << 10,      64 << 10,
                                    512 << 10, 1 << 20, 2 << 20, (5 << 20) - 32}; /* in floats */
    fill_data(data, MOST_BYTES / 2, PATTERN_UNIFORM, 1);
    put(t, MOST_BYTES / bytes_of(t));
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        size_t limit = limits[i] * 4 / bytes_of(t), most = ON_SIMULATOR && i > 3 ? 1 : 8;
        bool right = true, same = true;
        char sums[2][8], what[80];
        if (ON_SIMULATOR && i > 6)
            break; /* it takes long, and has nothing new: its SMs are few */
        for (size_t k = 0; k < most; k++) {
            size_t n = limit - 3 + k;
            right &= right_sum(t, (unsigned)k, n, sums[0]);
            right &= right_sum(t, (unsigned)k, n, sums[1]);
            same &= memcmp(sums[0], sums[1], 4 * words_of(t)) == 0;
        }
        snprintf(what, sizeof what, "around %zu elements, at all alignments: right", limit);
        OK(right, t, what);
        OK(same, t, "the same bits twice");
    }
}

/* All patterns: large ones overflow the type of the elements, not that of the sum. */
static void test_patterns(const struct type *t)
{
    size_t n = 100003;
    bool right = true;
    char sum[8];
    for (int p = 0; p < PATTERN_COUNT; p++) {
        fill_data(data, n, (enum pattern)p, 3);
        put(t, n);
        right &= right_sum(t, 0, n, sum);
    }
    OK(right, t, "all patterns");
}

/* Epochs come again after 2^32 launches, also where a slot has two words. */
static void test_epochs(const struct type *t)
{
    size_t n = 800000 / bytes_of(t);
    word epoch = EPOCH, words[8];
    bool right = true, empty = false;
    char sum[8];
    fill_data(data, n, PATTERN_UNIFORM, 1);
    put(t, n);
    CUDA_CHECK(cudaMemset(w.memory, 0x5a, w.bytes)); /* no epoch near */
    CUDA_CHECK(cudaMemcpy(w.memory, &epoch, sizeof epoch, cudaMemcpyHostToDevice));
    for (int i = 0; i < 5; i++) {
        right &= right_sum(t, 0, n, sum);
        CUDA_CHECK(cudaMemcpy(words, (char *)w.memory + w.bytes - sizeof words, sizeof words,
                              cudaMemcpyDeviceToHost));
        empty |= i == 2 && words[0] == 0 && words[7] == 0; /* that was launch 0xffffffff or after */
    }
    CUDA_CHECK(cudaMemcpy(&epoch, w.memory, sizeof epoch, cudaMemcpyDeviceToHost));
    OK(right && empty && epoch == 3, t, "sums across the end of the epochs");
}

/* One workspace, all types in turn: no slot of one may pass for a slot of another. */
static void test_in_turn(void)
{
    size_t n = 140000; /* many blocks, of halves too */
    bool right = true;
    char sum[8];
    fill_data(data, n, PATTERN_POSITIVE, 7);
    for (int round = 0; round < (ON_SIMULATOR ? 1 : 2); round++)
        for (int i = 0; i < TYPES * TYPES; i++) {
            const struct type *t = &types[(i + i / TYPES) % TYPES];
            put(t, n);
            right &= right_sum(t, 0, n, sum);
        }
    OK(right, &types[0], "and the others, in turn, with one workspace");
}

static __global__ void fill(unsigned *x, size_t n, unsigned value)
{
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        x[i] = value;
}

/* The kernel before writes what is summed: 0 or a pattern of bits, and the sum must not be early.
 */
static void test_order(const struct type *t)
{
    static const size_t sizes[] = {16, 1000, 16384, 50000, 300000, 4000000}; /* words */
    int most = ON_SIMULATOR ? 4 : 6, rounds = ON_SIMULATOR ? 3 : 64;
    cudaStream_t stream;
    char *sums, got[64 * 8];
    bool right = true;
    CUDA_CHECK(cudaStreamCreate(&stream));
    CUDA_CHECK(cudaMalloc(&sums, sizeof got));
    for (int k = 0; k < most; k++) {
        size_t step = 4 * words_of(t), n = sizes[k] * 4 / bytes_of(t);
        for (int i = 0; i < rounds; i++) {
            fill<<<64, 256, 0, stream>>>((unsigned *)in, sizes[k], i % 2 ? 0x3c003c00 : 0);
            right &= t->sum(in, n, sums + i * step, &w, stream) == SUM_F32_OK;
        }
        CUDA_CHECK(cudaMemcpyAsync(got, sums, sizeof got, cudaMemcpyDeviceToHost, stream));
        CUDA_CHECK(cudaStreamSynchronize(stream));
        char zero[8] = {0};
        for (int i = 0; i < rounds; i++) {
            bool is_zero = memcmp(got + i * step, zero, step) == 0;
            right &=
                is_zero == (i % 2 == 0) && memcmp(got + i * step, got + i % 2 * step, step) == 0;
        }
    }
    OK(right, t, "the sum waits for the kernel before it");
    CUDA_CHECK(cudaFree(sums));
    CUDA_CHECK(cudaStreamDestroy(stream));
}

static void test_graph(const struct type *t)
{
    const size_t sizes[] = {100, 10000, 50000, ON_SIMULATOR ? 150000 : 2000000};
    const int rounds = ON_SIMULATOR ? 2 : 20;
    size_t step = 4 * words_of(t);
    char *sums, first[8 * 8], again[8 * 8];
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    bool right = true;
    fill_data(data, MOST_BYTES / 8, PATTERN_UNIFORM, 1);
    put(t, MOST_BYTES / 8);
    CUDA_CHECK(cudaMalloc(&sums, sizeof first));
    CUDA_CHECK(cudaStreamCreate(&stream));
    if (cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) != cudaSuccess) {
        skip("in a graph", "no graphs here");
        cudaGetLastError();
        CUDA_CHECK(cudaFree(sums));
        CUDA_CHECK(cudaStreamDestroy(stream));
        return;
    }
    for (int i = 0; i < 8; i++)
        right &=
            t->sum(in + i * bytes_of(t), sizes[i % 4], sums + i * step, &w, stream) == SUM_F32_OK;
    CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
    CUDA_CHECK(cudaGraphInstantiate(&executable, graph, 0));
    for (int round = 0; round < rounds; round++) {
        CUDA_CHECK(cudaMemsetAsync(sums, POISON_BYTE, sizeof first, stream));
        CUDA_CHECK(cudaGraphLaunch(executable, stream));
        CUDA_CHECK(cudaMemcpyAsync(again, sums, sizeof again, cudaMemcpyDeviceToHost, stream));
        CUDA_CHECK(cudaStreamSynchronize(stream));
        if (round == 0)
            memcpy(first, again, sizeof first);
        right &= memcmp(first, again, sizeof first) == 0;
    }
    for (int i = 0; i < 8; i++) {
        struct sum_f32_plan plan = plan_of(t, sizes[i % 4]);
        struct exact_sum exact = sum_elements_exactly(t->element, data + i, sizes[i % 4]);
        right &= check_element_sum(t->element, first + i * step, &exact,
                                   sum_types_depth(&plan, sizes[i % 4], bytes_of(t)))
                     .ok;
    }
    OK(right, t, "in a graph, launched again and again: right, and the same bits");
    CUDA_CHECK(cudaGraphExecDestroy(executable));
    CUDA_CHECK(cudaGraphDestroy(graph));
    CUDA_CHECK(cudaFree(sums));
    CUDA_CHECK(cudaStreamDestroy(stream));
}

/* What no float can hold: integers at both ends of their range, doubles of 53 bits. */
static void test_own_numbers(void)
{
    const int N = 70000;
    int64_t whole = 0, got_whole;
    long double sum = 0; /* 64 bits: the sum of these doubles is exact */
    double got;
    for (int i = 0; i < N; i++) {
        int32_t x = i % 3 == 0   ? INT32_MIN
                    : i % 3 == 1 ? INT32_MIN + i
                                 : INT32_MAX - i / 7 * (i % 2);
        memcpy(host + i * sizeof x, &x, sizeof x);
        whole += x;
    }
    CUDA_CHECK(cudaMemcpy(in, host, N * sizeof(int32_t), cudaMemcpyHostToDevice));
    bool right = sum_i32((const int32_t *)in, N, (int64_t *)out, &w, 0) == SUM_F32_OK;
    CUDA_CHECK(cudaMemcpy(&got_whole, out, sizeof got_whole, cudaMemcpyDeviceToHost));
    OK(right && got_whole == whole, &types[4], "the least and the greatest integers");

    int32_t one_less = -1;
    CUDA_CHECK(cudaMemcpy(in, &one_less, sizeof one_less, cudaMemcpyHostToDevice));
    right = sum_i32((const int32_t *)in, 1, (int64_t *)out, &w, 0) == SUM_F32_OK;
    CUDA_CHECK(cudaMemcpy(&got_whole, out, sizeof got_whole, cudaMemcpyDeviceToHost));
    OK(right && got_whole == -1, &types[4], "-1 alone");

    for (int i = 0; i < N; i++) {
        double x = 1 + (double)(i % 1021) * 0x1p-52;
        memcpy(host + i * sizeof x, &x, sizeof x);
        sum += x - 1;
    }
    CUDA_CHECK(cudaMemcpy(in, host, N * sizeof(double), cudaMemcpyHostToDevice));
    right = sum_f64((const double *)in, N, (double *)out, &w, 0) == SUM_F32_OK;
    CUDA_CHECK(cudaMemcpy(&got, out, sizeof got, cudaMemcpyDeviceToHost));
    struct sum_f32_plan plan = plan_of(&types[3], N);
    double error = (double)((long double)(got - N) - sum);
    double bound = (double)sum_types_depth(&plan, N, sizeof(double)) * 0x1p-53 * (N + 1);
    OK(right && got > N && error <= bound && -error <= bound, &types[3], "doubles of 53 bits");
}

/* Arguments: functions, as sum_f64, whose tests alone are run. */
int main(int argc, char **argv)
{
    if (sum_f32_device(&sms, &hopper) != SUM_F32_OK ||
        sum_f32_workspace_bytes(&w.bytes) != SUM_F32_OK)
        return 77;
    printf("# code with clusters: %s\n", hopper ? "yes" : "no");
    data = (float *)malloc((MOST_BYTES / 2 + 16) * sizeof *data);
    host = (char *)malloc(MOST_BYTES + 64);
    if (data == NULL || host == NULL)
        return 77;
    CUDA_CHECK(cudaMalloc(&in, MOST_BYTES + 64));
    CUDA_CHECK(cudaMalloc(&out, 16));
    CUDA_CHECK(cudaMalloc(&w.memory, w.bytes));
    CUDA_CHECK(cudaMemset(w.memory, 0, w.bytes));
    for (int i = 0; i < TYPES; i++) {
        bool chosen = argc == 1;
        for (int a = 1; a < argc; a++)
            chosen |= strcmp(argv[a], types[i].name) == 0;
        if (!chosen)
            continue;
        if (types[i].element != ELEMENT_INT32) /* which does not round */
            test_depths(&types[i]);
        test_errors(&types[i]);
        test_sums(&types[i]);
        test_patterns(&types[i]);
        test_epochs(&types[i]);
        test_order(&types[i]);
        test_graph(&types[i]);
    }
    if (argc == 1) {
        test_in_turn();
        test_own_numbers();
    }
    free(data);
    free(host);
    return done_testing();
}
