/* What sum_f32.h promises, as TAP: errors, alignment, bits, epochs, streams, graphs, overlap. */
#include "../tap.h"
#include "library/parts/slots.h"
#include "library/sum_f32_plan.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern "C" {
#include "check.h"
#include "data.h"
}

#define MOST ((size_t)5 << 20)

static float *host, *in, *out;
static struct sum_f32_workspace w;

static void poison(void)
{
    CUDA_CHECK(cudaMemset(out, POISON_BYTE, sizeof(float)));
}

static bool untouched(void)
{
    unsigned bits;
    CUDA_CHECK(cudaMemcpy(&bits, out, sizeof bits, cudaMemcpyDeviceToHost));
    return bits == 0xffffffff;
}

static float result(void)
{
    float sum;
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaMemcpy(&sum, out, sizeof sum, cudaMemcpyDeviceToHost));
    return sum;
}

static void refuses(enum sum_f32_status expected, const float *x, size_t n, float *o,
                    const struct sum_f32_workspace *workspace, const char *what)
{
    poison();
    ok(sum_f32(x, n, o, workspace, 0) == expected && untouched(), "%s", what);
}

static void test_errors(void)
{
    struct sum_f32_workspace none = {NULL, w.bytes}, odd = {(char *)w.memory + 4, w.bytes - 4};
    struct sum_f32_workspace small = {w.memory, 8}, smallest = {w.memory, 0};
    struct sum_f32_plan wide = {ONE_BLOCK, 4, 2048, 1}, ranks = {ONE_CLUSTER, 4, 32, 32};

    refuses(SUM_F32_NULL_POINTER, NULL, 1, out, &w, "in is NULL");
    refuses(SUM_F32_NULL_POINTER, in, 1, NULL, &w, "out is NULL");
    refuses(SUM_F32_NULL_POINTER, in, 1, out, NULL, "no workspace");
    refuses(SUM_F32_NULL_POINTER, in, 1, out, &none, "a workspace without memory");
    refuses(SUM_F32_MISALIGNED, (float *)((char *)in + 2), 1, out, &w, "in is misaligned");
    refuses(SUM_F32_MISALIGNED, in, 1, (float *)((char *)out + 1), &w, "out is misaligned");
    refuses(SUM_F32_MISALIGNED, in, 1, out, &odd, "the workspace is misaligned");
    refuses(SUM_F32_SMALL_WORKSPACE, in, MOST, out, &small, "too small a workspace for this n");
    refuses(SUM_F32_SMALL_WORKSPACE, in, 1, out, &smallest, "a workspace of no bytes");
    ok(sum_f32_workspace_bytes(NULL) == SUM_F32_NULL_POINTER, "nowhere to put the bytes");
    poison();
    ok(sum_f32_by(&wide, false, in, 1, out, &w, 0) == SUM_F32_LAUNCH_FAILED && untouched() &&
           cudaGetLastError() != cudaSuccess,
       "a launch that CUDA refuses");
    ok(sum_f32_by(&ranks, false, in, 1, out, &w, 0) == SUM_F32_LAUNCH_FAILED && untouched() &&
           cudaGetLastError() != cudaSuccess,
       "a cluster that CUDA refuses");
    for (int i = SUM_F32_OK; i <= SUM_F32_LAUNCH_FAILED; i++)
        for (int j = SUM_F32_OK; j < i; j++)
            if (strcmp(sum_f32_message((enum sum_f32_status)i),
                       sum_f32_message((enum sum_f32_status)j)) == 0)
                ok(false, "two statuses with one message");
    ok(strlen(sum_f32_message((enum sum_f32_status)99)) > 0, "a message for no status at all");
    poison();
    ok(sum_f32(NULL, 0, out, &w, 0) == SUM_F32_OK && result() == 0, "no numbers: the sum is 0");
}

/* Memory of exactly so many bytes, zeroed: the simulator reports an access after its end. */
static struct sum_f32_workspace workspace_of(size_t bytes)
{
    struct sum_f32_workspace exactly = {NULL, bytes};
    CUDA_CHECK(cudaMalloc(&exactly.memory, bytes));
    CUDA_CHECK(cudaMemset(exactly.memory, 0, bytes));
    return exactly;
}

/* What sum_f32.h says of its bytes: as many are enough, and a word less is not. */
static void test_workspace(void)
{
    const size_t n = 100000;
    unsigned sms, few = 4096;
    bool hopper;
    CUDA_CHECK(sum_f32_device(&sms, &hopper) == SUM_F32_OK ? cudaSuccess : cudaErrorNoDevice);
    ok(w.bytes == (64 * (size_t)sms + 1) * 8, "64 words of 8 bytes for each SM, and one");

    struct sum_f32_plan plan = {MANY_BLOCKS, 8, 32, waiting_grid(MOST_BLOCKS_PER_SM * sms, sms)};
    struct sum_f32_workspace all = workspace_of(SLOT_BYTES(plan.blocks)), less = all;
    ok(all.bytes == w.bytes || sms == 1, "they are for the largest grid");
    less.bytes -= 8;
    struct exact_sum exact = sum_exactly(host, n);
    poison();
    ok(sum_f32_by(&plan, false, in, n, out, &less, 0) == SUM_F32_SMALL_WORKSPACE && untouched(),
       "a word less is too little for it");
    ok(sum_f32_by(&plan, false, in, n, out, &all, 0) == SUM_F32_OK &&
           check_sum(result(), &exact, sum_f32_depth(&plan, n)).ok,
       "as many are enough");

    bool alone = true;
    for (size_t many = 1; many < (size_t)1 << 40; many *= 2) {
        plan = sum_f32_plan(many, 1, false);
        alone &= plan.blocks == 1 && sum_types_plan(many, 8, 2, 1, false).blocks == 1;
        alone &= sum_exact_plan(many, 1, false).blocks == 1;
    }
    ok(alone, "on one SM no block waits for another");

    struct sum_f32_workspace eight = workspace_of(8), seven = {eight.memory, 7};
    plan = sum_f32_plan(few, sms, hopper);
    exact = sum_exactly(host, few);
    refuses(SUM_F32_SMALL_WORKSPACE, in, few, out, &seven, "7 bytes are too few for 4096 numbers");
    ok(sum_f32(in, few, out, &eight, 0) == SUM_F32_OK &&
           check_sum(result(), &exact, sum_f32_depth(&plan, few)).ok,
       "8 bytes are enough");
    CUDA_CHECK(cudaFree(all.memory));
    CUDA_CHECK(cudaFree(eight.memory));
}

/* Around every limit of the plan, and all four alignments. */
static void test_sums(void)
{
    static const size_t limits[] = {512,       2048,    4 << 10, 16 << 10, 64 << 10,
                                    512 << 10, 1 << 20, 2 << 20, MOST - 4};
    unsigned sms;
    bool hopper;
    CUDA_CHECK(sum_f32_device(&sms, &hopper) == SUM_F32_OK ? cudaSuccess : cudaErrorNoDevice);
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        bool right = true, same = true;
        for (size_t n = limits[i] - 1; n <= limits[i] + 1; n++) {
            unsigned offset = (unsigned)(n % 4);
            struct sum_f32_plan plan = sum_f32_plan(n, sms, hopper);
            struct exact_sum exact = sum_exactly(host + offset, n);
            poison();
            right &= sum_f32(in + offset, n, out, &w, 0) == SUM_F32_OK;
            float first = result();
            right &= check_sum(first, &exact, sum_f32_depth(&plan, n)).ok;
            right &= sum_f32(in + offset, n, out, &w, 0) == SUM_F32_OK;
            float second = result();
            same &= memcmp(&first, &second, sizeof first) == 0;
        }
        char what[80];
        snprintf(what, sizeof what, "around %zu numbers: right", limits[i]);
        ok(right, "%s", what);
        snprintf(what, sizeof what, "around %zu numbers: the same bits twice", limits[i]);
        ok(same, "%s", what);
    }
}

/* Epochs come again after 2^32 launches: the slots must not hold old ones by then. */
static void test_epochs(void)
{
    size_t n = 200000;
    word epoch = 0xfffffffd, words[8];
    bool right = true;
    CUDA_CHECK(cudaMemset(w.memory, 0x5a, w.bytes)); /* no epoch near */
    CUDA_CHECK(cudaMemcpy(w.memory, &epoch, sizeof epoch, cudaMemcpyHostToDevice));
    struct exact_sum exact = sum_exactly(host, n);
    for (int i = 0; i < 5; i++) {
        poison();
        right &= sum_f32(in, n, out, &w, 0) == SUM_F32_OK;
        right &= check_sum(result(), &exact, 300).ok;
        if (i == 1) { /* that was launch 0xffffffff */
            CUDA_CHECK(cudaMemcpy(words, (char *)w.memory + w.bytes - sizeof words, sizeof words,
                                  cudaMemcpyDeviceToHost));
            ok(words[0] == 0 && words[7] == 0, "the last epoch leaves all slots empty");
        }
    }
    ok(right, "sums across the end of the epochs");
    CUDA_CHECK(cudaMemcpy(&epoch, w.memory, sizeof epoch, cudaMemcpyDeviceToHost));
    ok(epoch == 3, "and the epochs go on from 1");
}

static __global__ void fill(float *x, size_t n, float value)
{
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        x[i] = value;
}

/* The kernel before writes what is summed: the sum must not begin to read too early. */
static void test_order(void)
{
    static const size_t sizes[] = {1, 1000, 16384, 50000, 300000, 4000000};
    float *x, *sums, got[64];
    cudaStream_t stream;
    CUDA_CHECK(cudaStreamCreate(&stream));
    CUDA_CHECK(cudaMalloc(&x, sizes[5] * sizeof(float)));
    CUDA_CHECK(cudaMalloc(&sums, sizeof got));
    int most = ON_SIMULATOR ? 4 : 6, rounds = ON_SIMULATOR ? 3 : 64; /* there nothing overlaps */
    for (int k = 0; k < most; k++) {
        bool right = true;
        for (int i = 0; i < rounds; i++) {
            fill<<<64, 256, 0, stream>>>(x, sizes[k], (float)(i % 3));
            right &= sum_f32(x, sizes[k], sums + i, &w, stream) == SUM_F32_OK;
        }
        CUDA_CHECK(cudaMemcpyAsync(got, sums, sizeof got, cudaMemcpyDeviceToHost, stream));
        CUDA_CHECK(cudaStreamSynchronize(stream));
        for (int i = 0; i < rounds; i++)
            right &= got[i] == (float)(i % 3) * (float)sizes[k];
        ok(right, "the sum waits for the kernel before it");
    }
    CUDA_CHECK(cudaFree(x));
    CUDA_CHECK(cudaFree(sums));
    CUDA_CHECK(cudaStreamDestroy(stream));
}

static void test_streams(void)
{
    struct sum_f32_workspace ws[2] = {{NULL, w.bytes}, {NULL, w.bytes}};
    cudaStream_t streams[2];
    float *sums, got[2][32];
    size_t n[2] = {1000000, 777777};
    CUDA_CHECK(cudaMalloc(&sums, sizeof got));
    for (int s = 0; s < 2; s++) {
        CUDA_CHECK(cudaStreamCreate(&streams[s]));
        CUDA_CHECK(cudaMalloc(&ws[s].memory, w.bytes));
        CUDA_CHECK(cudaMemset(ws[s].memory, 0, w.bytes));
    }
    bool queued = true, same = true;
    int rounds = ON_SIMULATOR ? 2 : 32;
    for (int i = 0; i < rounds; i++)
        for (int s = 0; s < 2; s++)
            queued &= sum_f32(in + s, n[s], sums + 32 * s + i, &ws[s], streams[s]) == SUM_F32_OK;
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaMemcpy(got, sums, sizeof got, cudaMemcpyDeviceToHost));
    for (int s = 0; s < 2; s++) {
        struct exact_sum exact = sum_exactly(host + s, n[s]);
        same &= check_sum(got[s][0], &exact, 300).ok;
        for (int i = 1; i < rounds; i++)
            same &= memcmp(&got[s][i], &got[s][0], sizeof(float)) == 0;
        CUDA_CHECK(cudaStreamDestroy(streams[s]));
        CUDA_CHECK(cudaFree(ws[s].memory));
    }
    ok(queued && same, "two streams with a workspace each: right, and the same bits");
    CUDA_CHECK(cudaFree(sums));
}

static void test_graph(void)
{
    const size_t sizes[] = {100, 10000, 50000, ON_SIMULATOR ? 150000 : 3000000};
    const int rounds = ON_SIMULATOR ? 2 : 20;
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    float *sums, first[8], again[8];
    CUDA_CHECK(cudaMalloc(&sums, sizeof first)); /* not while it captures */
    CUDA_CHECK(cudaStreamCreate(&stream));
    if (cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) != cudaSuccess) {
        skip("in a graph", "no graphs here");
        cudaGetLastError();
        CUDA_CHECK(cudaFree(sums));
        CUDA_CHECK(cudaStreamDestroy(stream));
        return;
    }
    bool right = true;
    for (int i = 0; i < 8; i++)
        right &= sum_f32(in + i, sizes[i % 4], sums + i, &w, stream) == SUM_F32_OK;
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
        struct exact_sum exact = sum_exactly(host + i, sizes[i % 4]);
        right &= check_sum(first[i], &exact, 300).ok;
    }
    ok(right, "in a graph, launched again and again: right, and the same bits");
    CUDA_CHECK(cudaGraphExecDestroy(executable));
    CUDA_CHECK(cudaGraphDestroy(graph));
    CUDA_CHECK(cudaFree(sums));
    CUDA_CHECK(cudaStreamDestroy(stream));
}

int main(void)
{
    size_t bytes = (MOST + 8) * sizeof(float);
    host = (float *)malloc(bytes);
    fill_data(host, MOST + 8, PATTERN_UNIFORM, 1);
    CUDA_CHECK(cudaMalloc(&in, bytes));
    CUDA_CHECK(cudaMemcpy(in, host, bytes, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMalloc(&out, sizeof(float)));
    if (sum_f32_workspace_bytes(&w.bytes) != SUM_F32_OK)
        return 77;
    unsigned sms;
    bool hopper;
    printf("# code with clusters: %s\n",
           sum_f32_device(&sms, &hopper) == SUM_F32_OK && hopper ? "yes" : "no");
    CUDA_CHECK(cudaMalloc(&w.memory, w.bytes));
    CUDA_CHECK(cudaMemset(w.memory, 0, w.bytes));
    test_errors();
    test_workspace();
    test_sums();
    test_epochs();
    test_order();
    test_streams();
    test_graph();
    free(host);
    return done_testing();
}
