/* What sum_all.h promises for the GPUs of one process, as TAP: errors, sums, bits, epochs, order,
   graphs, a lost peer. By slots and by NCCL. ./library_all SUMS says how many sums go back to back;
   ./library_all SUMS many tries nothing else. */
#include "../tap.h"
#include "library/parts/peer_slots.h"
#include "library/sum_all_comm.h"
#include "library/sum_f32_plan.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

extern "C" {
#include "check.h"
#include "data.h"
}

#define MOST (ON_SIMULATOR ? (size_t)300000 : (size_t)5 << 20) /* floats of one GPU */

static int gpus;
static float *host, *in[MOST_GPUS], *out[MOST_GPUS];
static cudaStream_t stream[MOST_GPUS];
static ncclComm_t clique[MOST_GPUS];
static double limit = ON_SIMULATOR ? 0.01 : 20; /* seconds; the simulator's are short */

static const char *name_of(enum sum_f32_way way)
{
    return way == SUM_F32_BY_SLOTS ? "by slots" : "by NCCL";
}

static void poison(int count)
{
    for (int g = 0; g < count; g++) {
        CUDA_CHECK(cudaSetDevice(g));
        CUDA_CHECK(cudaMemset(out[g], POISON_BYTE, sizeof(float)));
    }
    CUDA_CHECK(cudaSetDevice(0));
}

static float result(int g)
{
    float sum;
    CUDA_CHECK(cudaMemcpy(&sum, out[g], sizeof sum, cudaMemcpyDeviceToHost));
    return sum;
}

static bool untouched(int count)
{
    bool all = true;
    for (int g = 0; g < count; g++) {
        float sum = result(g);
        all &= memcmp(&sum, "\xff\xff\xff\xff", sizeof sum) == 0;
    }
    return all;
}

/* `count` GPUs, each with n[g] floats from in[g] + offset on. */
static void shares_of(struct sum_f32_share *share, int count, const size_t *n, size_t offset)
{
    for (int g = 0; g < count; g++)
        share[g] = (struct sum_f32_share){in[g] + offset, n[g], out[g], stream[g]};
}

static struct sum_f32_all *made(int count, enum sum_f32_way way, double seconds)
{
    struct sum_f32_all *all;
    enum sum_f32_status status = sum_f32_all_create(&all, clique, (unsigned)count, way, seconds);
    if (status != SUM_F32_OK) {
        printf("Bail out! sum_f32_all_create(): %s\n", sum_f32_message(status));
        exit(1);
    }
    return all;
}

static void make_clique(int count)
{
    ncclResult_t result = ncclCommInitAll(clique, count, NULL);
    if (result == ncclSuccess)
        return;
    printf("Bail out! ncclCommInitAll(): %s\n", ncclGetErrorString(result));
    exit(1);
}

static void end_clique(int count)
{
    for (int g = 0; g < count; g++)
        ncclCommDestroy(clique[g]);
}

/* ---- errors ---- */

static void refuses(struct sum_f32_all *all, int count, enum sum_f32_status expected,
                    struct sum_f32_share last, const char *what)
{
    struct sum_f32_share share[MOST_GPUS];
    size_t n[MOST_GPUS] = {10, 10, 10, 10, 10, 10, 10, 10};
    shares_of(share, count, n, 0);
    share[count - 1] = last;
    poison(count);
    ok(sum_f32_all(all, share) == expected && untouched(count), "%s", what);
}

static void test_errors(int count)
{
    int g = count - 1;
    struct sum_f32_all *all = NULL, *none = (struct sum_f32_all *)&all;
    ncclComm_t no_comm = NULL;
    ok(sum_f32_all_create(NULL, clique, 1, SUM_F32_BY_SLOTS, 1) == SUM_F32_NULL_POINTER,
       "nowhere to put it");
    ok(sum_f32_all_create(&none, NULL, 1, SUM_F32_BY_SLOTS, 1) == SUM_F32_NULL_POINTER && !none,
       "no communicators");
    ok(sum_f32_all_create(&none, &no_comm, 1, SUM_F32_BY_SLOTS, 1) == SUM_F32_NULL_POINTER && !none,
       "a communicator that is NULL");
    ok(sum_f32_all_create(&none, clique, 0, SUM_F32_BY_SLOTS, 1) == SUM_F32_BAD_ARGUMENT && !none,
       "no GPU");
    ok(sum_f32_all_create(&none, clique, 1, (enum sum_f32_way)7, 1) == SUM_F32_BAD_ARGUMENT,
       "no such way");
    static const double bad[] = {0, -1, 2e6, NAN};
    bool refused = true;
    for (double seconds : bad)
        refused &=
            sum_f32_all_create(&none, clique, 1, SUM_F32_BY_SLOTS, seconds) == SUM_F32_BAD_ARGUMENT;
    ok(refused, "time limits that are none");

    all = made(count, SUM_F32_BY_SLOTS, limit);
    struct sum_f32_share share[MOST_GPUS] = {};
    ok(sum_f32_all(NULL, share) == SUM_F32_NULL_POINTER, "nothing to sum with");
    ok(sum_f32_all(all, NULL) == SUM_F32_NULL_POINTER, "no shares");
    ok(sum_f32_all_wait(NULL, share) == SUM_F32_NULL_POINTER &&
           sum_f32_all_wait(all, NULL) == SUM_F32_NULL_POINTER &&
           sum_f32_all_status(NULL) == SUM_F32_NULL_POINTER,
       "nothing to wait for");
    refuses(all, count, SUM_F32_NULL_POINTER, {NULL, 1, out[g], stream[g]}, "in is NULL");
    refuses(all, count, SUM_F32_NULL_POINTER, {in[g], 1, NULL, stream[g]}, "out is NULL");
    refuses(all, count, SUM_F32_MISALIGNED, {(float *)((char *)in[g] + 2), 1, out[g], stream[g]},
            "in is misaligned");
    refuses(all, count, SUM_F32_MISALIGNED, {in[g], 1, (float *)((char *)out[g] + 1), stream[g]},
            "out is misaligned");
    ok(sum_f32_all_status(all) == SUM_F32_OK, "and nothing is broken by that");
    sum_f32_all_destroy(all);
    sum_f32_all_destroy(NULL);
}

/* ---- sums ---- */

/* One sum, checked on every GPU. By slots its bits must be those of the GPUs' own sums, added in
   the order of the ranks. */
static bool right_sum(struct sum_f32_all *all, int count, const size_t *n, size_t offset)
{
    struct sum_f32_share share[MOST_GPUS];
    struct exact_sum exact = {};
    size_t depth = 0;
    bool right = true;
    shares_of(share, count, n, offset);
    float in_order = 0;
    for (int g = 0; g < count; g++) {
        const struct sum_all_gpu *gpu = &all->gpu[g];
        struct sum_f32_plan plan = sum_f32_plan(n[g], gpu->sms, gpu->hopper);
        size_t here = sum_f32_depth(&plan, n[g]) + (size_t)count;
        depth = here > depth ? here : depth;
        struct exact_sum own = sum_exactly(host + g + offset, n[g]);
        exact.sum += own.sum;
        exact.sum_abs += own.sum_abs;
        CUDA_CHECK(cudaSetDevice(g));
        right &= sum_f32(share[g].in, n[g], out[g], &gpu->workspace, stream[g]) == SUM_F32_OK;
        CUDA_CHECK(cudaStreamSynchronize(stream[g]));
        in_order += result(g);
    }
    poison(count);
    right &= sum_f32_all(all, share) == SUM_F32_OK && sum_f32_all_wait(all, share) == SUM_F32_OK;
    float first = result(0);
    right &= check_sum(first, &exact, depth).ok;
    if (sum_f32_all_way(all) == SUM_F32_BY_SLOTS)
        right &= memcmp(&first, &in_order, sizeof first) == 0;
    for (int g = 1; g < count; g++) {
        float other = result(g);
        right &= memcmp(&first, &other, sizeof first) == 0;
    }
    int device;
    CUDA_CHECK(cudaGetDevice(&device));
    return right && device == 0; /* the current device is as it was */
}

static bool all_reach_all(int count)
{
    int all = 1, can;
    for (int g = 0; g < count; g++)
        for (int other = 0; other < count; other++, all &= can)
            if (g == other)
                can = 1;
            else
                CUDA_CHECK(cudaDeviceCanAccessPeer(&can, g, other));
    return all;
}

static void test_sums(int count, enum sum_f32_way way)
{
    static const size_t sizes[][MOST_GPUS] = {
        {0},
        {1},
        {0, 1, 0, 1, 0, 1, 0, 1},
        {1, 1, 1, 1, 1, 1, 1, 1},
        {1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000},
        {5, 4096, 0, 4097, 16384, 16385, 20000, 31},
        {50000, 3, 16384, 0, 40000, 7, 1, 65536},
        {100000, 1, 70000, 0, 40000, 7, 1, 65537},
        {0, 250000, 0, 1, 200000, 7, 1, 299990},
        {1 << 20, (1 << 20) + 1, 12345, 4 << 20, (5 << 20) - 4, 0, 1, 3 << 20},
    };
    struct sum_f32_all *all = made(count, way, limit);
    char what[100];
    snprintf(what, sizeof what, "%d GPUs, %s: what was asked for, if they reach each other", count,
             name_of(way));
    ok(sum_f32_all_way(all) == (all_reach_all(count) ? way : SUM_F32_BY_NCCL), "%s", what);
    size_t most = sizeof sizes / sizeof sizes[0] - (ON_SIMULATOR ? 1 : 0);
    for (size_t i = 0; i < most; i++) {
        if (ON_SIMULATOR && count != 2 && i % 3 != (size_t)count % 3)
            continue;
        snprintf(what, sizeof what, "%d GPUs, %s: %zu, %zu, ... floats", count, name_of(way),
                 sizes[i][0], sizes[i][1]);
        ok(right_sum(all, count, sizes[i], i % 4), "%s", what);
    }
    sum_f32_all_destroy(all);
}

/* A sum of NaN is NaN, and no peer is lost. */
static void test_nan(int count, enum sum_f32_way way)
{
    struct sum_f32_all *all = made(count, way, limit);
    struct sum_f32_share share[MOST_GPUS];
    size_t n[MOST_GPUS] = {1, 1, 1, 1, 1, 1, 1, 1};
    float nan = NAN;
    shares_of(share, count, n, 0);
    CUDA_CHECK(cudaMemcpy(out[0], &nan, sizeof nan, cudaMemcpyHostToDevice));
    share[0].in = out[0];
    share[0].out = in[0] + MOST; /* after its data */
    bool right =
        sum_f32_all(all, share) == SUM_F32_OK && sum_f32_all_wait(all, share) == SUM_F32_OK;
    for (int g = 1; g < count; g++)
        right &= isnan(result(g));
    char what[80];
    snprintf(what, sizeof what, "%d GPUs, %s: NaN comes through", count, name_of(way));
    ok(right && right_sum(all, count, n, 0), "%s", what);
    sum_f32_all_destroy(all);
}

/* Epochs come again after 2^32 sums; the slots hold those of the last two. */
static void test_epochs(int count)
{
    static const size_t n[MOST_GPUS] = {1000, 70000, 1, 0, 5, 6, 7, 8};
    struct sum_f32_all *all = made(count, SUM_F32_BY_SLOTS, limit);
    uint64_t epoch = 0xfffffffc;
    for (int g = 0; g < count; g++)
        CUDA_CHECK(
            cudaMemcpy(&all->gpu[g].memory[EPOCH], &epoch, sizeof epoch, cudaMemcpyHostToDevice));
    bool right = true;
    for (int i = 0; i < 6; i++)
        right &= right_sum(all, count, n, i);
    ok(right, "sums across the end of the epochs");
    CUDA_CHECK(
        cudaMemcpy(&epoch, &all->gpu[0].memory[EPOCH], sizeof epoch, cudaMemcpyDeviceToHost));
    ok(epoch == 4, "and the epochs go on from 2");
    sum_f32_all_destroy(all);
}

/* ---- back to back, with changing data ---- */

/* The numbers of GPU g for sum number `step`: whole, so that every sum is exact. */
static __device__ float value(unsigned step, int g)
{
    return (float)((step * 5 + 3 * g) % 11) - 4;
}

static __global__ void change(float *x, size_t n, const unsigned *step, int g)
{
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        x[i] = value(*step, g);
}

struct sizes {
    size_t n[MOST_GPUS];
};

static __global__ void compare(const float *sum, struct sizes sizes, int count, unsigned *step,
                               unsigned *errors)
{
    float expected = 0;
    for (int g = 0; g < count; g++)
        expected += value(*step, g) * sizes.n[g];
    if (*sum != expected)
        *errors += 1;
    *step += 1;
}

/* Device memory for test_many() and test_lost(). */
struct chain {
    float *x[MOST_GPUS];
    unsigned *step[MOST_GPUS]; /* and after it the errors */
    struct sizes sizes;
};

static struct chain chain_of(int count)
{
    struct chain c = {{}, {}, {{300, 20000, 1, 70000, 0, 5, 16385, 2}}};
    for (int g = 0; g < count; g++) {
        CUDA_CHECK(cudaSetDevice(g));
        CUDA_CHECK(cudaMalloc(&c.x[g], 70000 * sizeof(float)));
        CUDA_CHECK(cudaMalloc(&c.step[g], 2 * sizeof(unsigned)));
        CUDA_CHECK(cudaMemset(c.step[g], 0, 2 * sizeof(unsigned)));
    }
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaSetDevice(0));
    return c;
}

static void free_chain(struct chain *c, int count)
{
    for (int g = 0; g < count; g++) {
        CUDA_CHECK(cudaFree(c->x[g]));
        CUDA_CHECK(cudaFree(c->step[g]));
    }
}

static bool queue_links(struct sum_f32_all *all, struct chain *c, int count, int links)
{
    struct sum_f32_share share[MOST_GPUS];
    shares_of(share, count, c->sizes.n, 0);
    bool queued = true;
    for (int i = 0; i < links; i++) {
        for (int g = 0; g < count; g++) {
            share[g].in = c->x[g];
            CUDA_CHECK(cudaSetDevice(g));
            change<<<8, 128, 0, stream[g]>>>(c->x[g], c->sizes.n[g], c->step[g], g);
        }
        queued &= sum_f32_all(all, share) == SUM_F32_OK;
        for (int g = 0; g < count; g++) {
            CUDA_CHECK(cudaSetDevice(g));
            compare<<<1, 1, 0, stream[g]>>>(out[g], c->sizes, count, c->step[g], c->step[g] + 1);
        }
    }
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaSetDevice(0));
    return queued;
}

/* A graph for each GPU. */
static bool capture(struct sum_f32_all *all, struct chain *c, int count, int links,
                    cudaGraphExec_t *executable)
{
    cudaGraph_t graph[MOST_GPUS];
    for (int g = 0; g < count; g++)
        CUDA_CHECK(cudaStreamBeginCapture(stream[g], cudaStreamCaptureModeGlobal));
    bool queued = queue_links(all, c, count, links);
    for (int g = 0; g < count; g++)
        CUDA_CHECK(cudaStreamEndCapture(stream[g], &graph[g]));
    for (int g = 0; g < count; g++) {
        CUDA_CHECK(cudaGraphInstantiate(&executable[g], graph[g], 0));
        CUDA_CHECK(cudaGraphDestroy(graph[g]));
    }
    return queued;
}

static bool no_errors(const struct chain *c, int count, unsigned steps)
{
    bool right = true;
    unsigned step_errors[2];
    for (int g = 0; g < count; g++) {
        CUDA_CHECK(cudaMemcpy(step_errors, c->step[g], sizeof step_errors, cudaMemcpyDeviceToHost));
        right &= step_errors[0] == steps && step_errors[1] == 0;
        if (step_errors[0] != steps || step_errors[1] != 0)
            printf("# GPU %d: %u sums of %u, %u of them wrong\n", g, step_errors[0], steps,
                   step_errors[1]);
    }
    return right;
}

static void test_many(int count, enum sum_f32_way way, unsigned sums)
{
    enum { LINKS = ON_SIMULATOR ? 3 : 100 };
    struct sum_f32_all *all = made(count, way, limit);
    struct sum_f32_share share[MOST_GPUS];
    struct chain c = chain_of(count);
    cudaGraphExec_t executable[MOST_GPUS];
    char what[120];
    shares_of(share, count, c.sizes.n, 0);

    bool right = queue_links(all, &c, count, LINKS) && sum_f32_all_wait(all, share) == SUM_F32_OK;
    snprintf(what, sizeof what, "%d GPUs, %s: sums in streams, with changing data", count,
             name_of(way));
    ok(right && no_errors(&c, count, LINKS), "%s", what);

    right = capture(all, &c, count, LINKS, executable);
    unsigned launches = (sums + LINKS - 1) / LINKS;
    for (unsigned i = 0; i < launches; i++) {
        for (int g = 0; g < count; g++) {
            CUDA_CHECK(cudaSetDevice(g));
            CUDA_CHECK(cudaGraphLaunch(executable[g], stream[g]));
        }
        if (i % 10 == 9)
            right &= sum_f32_all_wait(all, share) == SUM_F32_OK;
    }
    right &= sum_f32_all_wait(all, share) == SUM_F32_OK;
    snprintf(what, sizeof what, "%d GPUs, %s: %u sums in graphs, with changing data", count,
             name_of(way), launches * LINKS);
    ok(right && no_errors(&c, count, (launches + 1) * LINKS), "%s", what);
    for (int g = 0; g < count; g++)
        CUDA_CHECK(cudaGraphExecDestroy(executable[g]));
    CUDA_CHECK(cudaSetDevice(0));
    sum_f32_all_destroy(all);
    free_chain(&c, count);
}

/* One graph over all GPUs: the streams of the others fork from that of the first, and join it. */
static void test_one_graph(int count, enum sum_f32_way way)
{
    struct sum_f32_all *all = made(count, way, limit);
    struct chain c = chain_of(count);
    struct sum_f32_share share[MOST_GPUS];
    cudaEvent_t fork, join[MOST_GPUS];
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    shares_of(share, count, c.sizes.n, 0);
    for (int g = 0; g < count; g++) {
        CUDA_CHECK(cudaSetDevice(g));
        CUDA_CHECK(cudaEventCreateWithFlags(&join[g], cudaEventDisableTiming));
    }
    CUDA_CHECK(cudaSetDevice(0));
    CUDA_CHECK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    CUDA_CHECK(cudaStreamBeginCapture(stream[0], cudaStreamCaptureModeGlobal));
    CUDA_CHECK(cudaEventRecord(fork, stream[0]));
    for (int g = 1; g < count; g++)
        CUDA_CHECK(cudaStreamWaitEvent(stream[g], fork, 0));
    bool right = queue_links(all, &c, count, 2);
    for (int g = 1; g < count; g++) {
        CUDA_CHECK(cudaEventRecord(join[g], stream[g]));
        CUDA_CHECK(cudaStreamWaitEvent(stream[0], join[g], 0));
    }
    CUDA_CHECK(cudaStreamEndCapture(stream[0], &graph));
    CUDA_CHECK(cudaGraphInstantiate(&executable, graph, 0));
    for (int i = 0; i < 3; i++)
        CUDA_CHECK(cudaGraphLaunch(executable, stream[0]));
    right &= sum_f32_all_wait(all, share) == SUM_F32_OK;
    char what[80];
    snprintf(what, sizeof what, "%d GPUs, %s: one graph over all", count, name_of(way));
    ok(right && no_errors(&c, count, 6), "%s", what);
    CUDA_CHECK(cudaGraphExecDestroy(executable));
    CUDA_CHECK(cudaGraphDestroy(graph));
    CUDA_CHECK(cudaEventDestroy(fork));
    for (int g = 0; g < count; g++)
        CUDA_CHECK(cudaEventDestroy(join[g]));
    sum_f32_all_destroy(all);
    free_chain(&c, count);
}

/* More than the library lets wait by NCCL. */
static void test_far_ahead(int count)
{
    struct sum_f32_all *all = made(count, SUM_F32_BY_NCCL, limit);
    struct sum_f32_share share[MOST_GPUS];
    static const size_t n[MOST_GPUS] = {1, 0, 1, 1, 0, 1, 1, 1};
    bool right = true;
    shares_of(share, count, n, 0);
    for (int i = 0; i < 100; i++)
        right &= sum_f32_all(all, share) == SUM_F32_OK;
    right &= sum_f32_all_wait(all, share) == SUM_F32_OK;
    ok(right && right_sum(all, count, n, 0), "by NCCL: 100 sums before anybody waits");
    sum_f32_all_destroy(all);
}

/* Two sets of GPUs' memory, two sums at the same time. */
static void test_two_at_once(int count)
{
    struct sum_f32_all *all[2] = {made(count, SUM_F32_BY_SLOTS, limit),
                                  made(count, SUM_F32_BY_SLOTS, limit)};
    struct sum_f32_share share[2][MOST_GPUS];
    static const size_t n[MOST_GPUS] = {200000, 100000, 3, 4, 5, 6, 7, 8};
    bool right = true;
    for (int s = 0; s < 2; s++)
        shares_of(share[s], count, n, (size_t)s);
    for (int g = 0; g < count; g++) { /* the second in streams of its own */
        CUDA_CHECK(cudaSetDevice(g));
        CUDA_CHECK(cudaStreamCreate(&share[1][g].stream));
        share[1][g].out = in[g] + MOST;
    }
    for (int i = 0; i < (ON_SIMULATOR ? 2 : 50); i++)
        for (int s = 0; s < 2; s++)
            right &= sum_f32_all(all[s], share[s]) == SUM_F32_OK;
    for (int s = 0; s < 2; s++)
        right &= sum_f32_all_wait(all[s], share[s]) == SUM_F32_OK;
    float sum[2];
    for (int s = 0; s < 2; s++) {
        CUDA_CHECK(cudaMemcpy(&sum[s], share[s][0].out, sizeof(float), cudaMemcpyDeviceToHost));
        struct exact_sum exact = {};
        for (int g = 0; g < count; g++) {
            struct exact_sum own = sum_exactly(host + g + s, n[g]);
            exact.sum += own.sum;
            exact.sum_abs += own.sum_abs;
        }
        right &= check_sum(sum[s], &exact, 300).ok;
    }
    ok(right, "two sums at the same time");
    for (int s = 0; s < 2; s++)
        sum_f32_all_destroy(all[s]);
    for (int g = 0; g < count; g++)
        CUDA_CHECK(cudaStreamDestroy(share[1][g].stream));
    CUDA_CHECK(cudaSetDevice(0));
}

/* ---- a lost peer ---- */

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The last GPU's graph is not launched: the others wait for it in vain. */
static void test_lost(int count, enum sum_f32_way way)
{
    double seconds = ON_SIMULATOR ? 1e-6 : 0.5;
    struct sum_f32_all *all = made(count, way, seconds);
    struct sum_f32_share share[MOST_GPUS];
    struct chain c = chain_of(count);
    cudaGraphExec_t executable[MOST_GPUS];
    char what[100];
    shares_of(share, count, c.sizes.n, 0);
    capture(all, &c, count, 2, executable); /* the second sum must not wait once more */
    double start = seconds_now();
    for (int g = 0; g < count - 1; g++)
        CUDA_CHECK(cudaGraphLaunch(executable[g], stream[g]));
    bool reported = sum_f32_all_wait(all, share) == SUM_F32_LOST_PEER;
    double took = seconds_now() - start;
    snprintf(what, sizeof what, "%s: a lost peer is reported", name_of(way));
    ok(reported, "%s", what);
    if (!ON_SIMULATOR) {
        printf("# after %.3f s of %.3f\n", took, seconds);
        snprintf(what, sizeof what, "%s: within the limit", name_of(way));
        ok(took > 0.9 * seconds && took < 2.5 * seconds, "%s", what);
    }
    snprintf(what, sizeof what, "%s: the sum is NaN", name_of(way));
    bool all_nan = true;
    for (int g = 0; g < count - 1; g++)
        all_nan &= isnan(result(g));
    ok(all_nan, "%s", what);
    snprintf(what, sizeof what, "%s: from then on it says so, and sums no more", name_of(way));
    poison(count);
    ok(sum_f32_all(all, share) == SUM_F32_LOST_PEER && untouched(count) &&
           sum_f32_all_status(all) == SUM_F32_LOST_PEER &&
           sum_f32_all_wait(all, share) == SUM_F32_LOST_PEER,
       "%s", what);
    for (int g = 0; g < count; g++)
        CUDA_CHECK(cudaGraphExecDestroy(executable[g]));
    sum_f32_all_destroy(all);
    free_chain(&c, count);
    static const size_t n[MOST_GPUS] = {100, 200, 300, 400, 500, 600, 700, 800};
    all = made(count, way, limit);
    snprintf(what, sizeof what, "%s: a new one works", name_of(way));
    ok(right_sum(all, count, n, 0), "%s", what);
    sum_f32_all_destroy(all);
}

/* A rank that hands NCCL what is not of this sum, as one does that is stopped while it waits. */
static void test_cut_short(int count)
{
    struct sum_f32_all *all = made(count, SUM_F32_BY_NCCL, limit);
    struct sum_f32_share share[MOST_GPUS];
    static const size_t n[MOST_GPUS] = {10, 20, 30, 40, 50, 60, 70, 80};
    uint64_t another = 7;
    bool nan = true;
    shares_of(share, count, n, 0);
    CUDA_CHECK(
        cudaMemcpy(&all->gpu[0].memory[BEGUN], &another, sizeof another, cudaMemcpyHostToDevice));
    bool reported =
        sum_f32_all(all, share) == SUM_F32_OK && sum_f32_all_wait(all, share) == SUM_F32_LOST_PEER;
    for (int g = 0; g < count; g++)
        nan &= isnan(result(g));
    ok(reported && nan, "by NCCL: a sum that is none is NaN, and reported");
    sum_f32_all_destroy(all);
}

/* GPUs 0 to count - 1 have the numbers host[g], host[g + 1], ... */
static void make_data(int count)
{
    host = (float *)malloc((MOST + 16) * sizeof(float));
    fill_data(host, MOST + 16, PATTERN_UNIFORM, 1);
    for (int g = 0; g < count; g++) {
        CUDA_CHECK(cudaSetDevice(g));
        CUDA_CHECK(cudaMalloc(&in[g], (MOST + 8) * sizeof(float)));
        CUDA_CHECK(cudaMemcpy(in[g], host + g, (MOST + 8) * sizeof(float), cudaMemcpyHostToDevice));
        CUDA_CHECK(cudaMalloc(&out[g], sizeof(float)));
        CUDA_CHECK(cudaStreamCreate(&stream[g]));
    }
    CUDA_CHECK(cudaSetDevice(0));
}

static void test_all_but_many(void)
{
    for (int count = 1; count < 2 * gpus; count *= 2) { /* 1, 2, 4, ... and all */
        int here = count < gpus ? count : gpus;
        make_clique(here);
        test_sums(here, SUM_F32_BY_SLOTS);
        test_sums(here, SUM_F32_BY_NCCL);
        end_clique(here);
    }
    make_clique(gpus);
    test_errors(gpus);
    test_nan(gpus, SUM_F32_BY_SLOTS);
    test_nan(gpus, SUM_F32_BY_NCCL);
    test_epochs(gpus);
    test_two_at_once(gpus);
    test_far_ahead(gpus);
    test_one_graph(gpus, SUM_F32_BY_SLOTS);
    test_one_graph(gpus, SUM_F32_BY_NCCL);
    if (gpus > 1) {
        test_lost(gpus, SUM_F32_BY_SLOTS);
        if (!ON_SIMULATOR) /* its stand-in tells of the deadlock, and ends the program */
            test_lost(gpus, SUM_F32_BY_NCCL);
        test_cut_short(gpus);
    }
    end_clique(gpus);
}

int main(int argc, char **argv)
{
    unsigned sums = argc > 1 ? (unsigned)atoi(argv[1]) : ON_SIMULATOR ? 6 : 100000;
    if (cudaGetDeviceCount(&gpus) != cudaSuccess || gpus == 0)
        return 77;
    gpus = gpus < MOST_GPUS ? gpus : MOST_GPUS;
    make_data(gpus);
    if (argc < 3)
        test_all_but_many();
    make_clique(gpus);
    test_many(gpus, SUM_F32_BY_SLOTS, sums);
    test_many(gpus, SUM_F32_BY_NCCL, sums);
    end_clique(gpus);
    free(host);
    return done_testing();
}
