/* What sum_all.h promises for the GPUs of one process: errors, sums, bits, epochs, order, graphs, a lost peer. By slots
   and by NCCL. ./library_all SUMS says how many sums go back to back; ./library_all SUMS many tries nothing else. */
#include "library/parts/peer_slots.h"
#include "many_sums.h"

#define MOST (ON_SIMULATOR ? (size_t)300000 : (size_t)5 << 20) /* floats of one GPU */

static int gpus;
static float *host, *in[MOST_GPUS], *out[MOST_GPUS];
static cudaStream_t stream[MOST_GPUS];
static ncclComm_t clique[MOST_GPUS];
static double limit = ON_SIMULATOR ? 0.01 : 20; /* seconds; the simulator's are short */

/* Of each GPU, while it is the current one. */
template <class F> static void on_each(int count, F f) {
    for (int g = 0; g < count; g++) {
        CUDA_CHECK(cudaSetDevice(g));
        f(g);
    }
    CUDA_CHECK(cudaSetDevice(0));
}

template <class F> static bool all_of(int first, int count, F f) {
    bool all = true;
    for (int g = first; g < count; g++) all &= f(g);
    return all;
}

static void poison(int count) {
    on_each(count, [](int g) { CUDA_CHECK(cudaMemset(out[g], POISON_BYTE, sizeof(float))); });
}

static bool untouched(int count) {
    return all_of(0, count, [](int g) { return is_filled(out[g], sizeof(float), POISON_BYTE); });
}

static bool all_nan(int first, int count) {
    return all_of(first, count, [](int g) -> bool { return isnan(one_from(out[g])); });
}

static void must(bool right, const char *what, const char *why) {
    if (right) return;
    printf("Bail out! %s: %s\n", what, why);
    exit(1);
}

/* `count` GPUs, each with n[g] floats from in[g] + offset on, and what sums them. */
struct set {
    int count;
    struct sum_f32_all *all;
    struct sum_f32_share share[MOST_GPUS];

    set(int gpus_of_it, enum sum_f32_way way, struct sizes sizes = {}, double seconds = limit) : count(gpus_of_it) {
        enum sum_f32_status status = sum_f32_all_create(&all, clique, (unsigned)count, way, seconds);
        must(status == SUM_F32_OK, "sum_f32_all_create()", sum_f32_message(status));
        give(sizes);
    }
    ~set() { sum_f32_all_destroy(all); }
    void give(struct sizes sizes, size_t offset = 0) {
        for (int g = 0; g < count; g++) share[g] = {in[g] + offset, sizes.n[g], out[g], stream[g]};
    }
    enum sum_f32_status sum() { return sum_f32_all(all, share); }
    enum sum_f32_status wait() { return sum_f32_all_wait(all, share); }
    bool right_sum(struct sizes sizes, size_t offset = 0);
};

static void make_clique(int count) {
    ncclResult_t result = ncclCommInitAll(clique, count, NULL);
    must(result == ncclSuccess, "ncclCommInitAll()", ncclGetErrorString(result));
}

static void end_clique(int count) {
    for (int g = 0; g < count; g++) ncclCommDestroy(clique[g]);
}

/* ---- errors ---- */

static void refuses(struct set *set, enum sum_f32_status expected, struct sum_f32_share last, const char *what) {
    set->give({{10, 10, 10, 10, 10, 10, 10, 10}});
    set->share[set->count - 1] = last;
    poison(set->count);
    ok(set->sum() == expected && untouched(set->count), "%s", what);
}

static void test_errors(int count) {
    int g = count - 1;
    struct sum_f32_all *none = (struct sum_f32_all *)&none;
    ncclComm_t no_comm = NULL;
    const enum sum_f32_status null = SUM_F32_NULL_POINTER, bad = SUM_F32_BAD_ARGUMENT;
    ok(sum_f32_all_create(NULL, clique, 1, SUM_F32_BY_SLOTS, 1) == null, "nowhere to put it");
    ok(sum_f32_all_create(&none, NULL, 1, SUM_F32_BY_SLOTS, 1) == null && !none, "no communicators");
    ok(sum_f32_all_create(&none, &no_comm, 1, SUM_F32_BY_SLOTS, 1) == null && !none, "a communicator that is NULL");
    ok(sum_f32_all_create(&none, clique, 0, SUM_F32_BY_SLOTS, 1) == bad && !none, "no GPU");
    ok(sum_f32_all_create(&none, clique, 1, (enum sum_f32_way)7, 1) == bad, "no such way");
    for (double seconds : {0.0, -1.0, 2e6, (double)NAN})
        ok(sum_f32_all_create(&none, clique, 1, SUM_F32_BY_SLOTS, seconds) == bad, "a time limit that is none: %g",
           seconds);

    struct set set(count, SUM_F32_BY_SLOTS);
    ok(sum_f32_all(NULL, set.share) == null, "nothing to sum with");
    ok(sum_f32_all(set.all, NULL) == null, "no shares");
    ok(sum_f32_all_wait(NULL, set.share) == null && sum_f32_all_wait(set.all, NULL) == null &&
           sum_f32_all_status(NULL) == null,
       "nothing to wait for");
    refuses(&set, null, {NULL, 1, out[g], stream[g]}, "in is NULL");
    refuses(&set, null, {in[g], 1, NULL, stream[g]}, "out is NULL");
    refuses(&set, SUM_F32_MISALIGNED, {(float *)((char *)in[g] + 2), 1, out[g], stream[g]}, "in is misaligned");
    refuses(&set, SUM_F32_MISALIGNED, {in[g], 1, (float *)((char *)out[g] + 1), stream[g]}, "out is misaligned");
    ok(sum_f32_all_status(set.all) == SUM_F32_OK, "and nothing is broken by that");
    sum_f32_all_destroy(NULL);
}

/* ---- sums ---- */

/* One sum, checked on every GPU. By slots its bits must be those of the GPUs' own sums, added in the order of the
   ranks. */
bool set::right_sum(struct sizes sizes, size_t offset) {
    struct exact_sum exact = {};
    size_t depth = 0;
    bool right = true;
    float in_order = 0;
    int device;
    give(sizes, offset);
    on_each(count, [&](int g) {
        const struct sum_all_gpu *gpu = &all->gpu[g];
        struct sum_f32_plan plan = sum_f32_plan(sizes.n[g], gpu->sms, gpu->hopper);
        size_t here = sum_f32_depth(&plan, sizes.n[g]) + (size_t)count;
        depth = here > depth ? here : depth;
        add(&exact, sum_exactly(host + g + offset, sizes.n[g]));
        right &= sum_f32(share[g].in, sizes.n[g], out[g], &gpu->workspace, stream[g]) == SUM_F32_OK;
        CUDA_CHECK(cudaStreamSynchronize(stream[g]));
        in_order += one_from(out[g]);
    });
    poison(count);
    right &= sum() == SUM_F32_OK && wait() == SUM_F32_OK;
    const float first = one_from(out[0]);
    const bool by_slots = sum_f32_all_way(all) == SUM_F32_BY_SLOTS;
    right &= check_sum(first, &exact, depth).ok && (!by_slots || same_bits(first, in_order)) &&
             all_of(1, count, [&](int g) { return same_bits(one_from(out[g]), first); });
    CUDA_CHECK(cudaGetDevice(&device));
    return right && device == 0; /* the current device is as it was */
}

static bool all_reach_all(int count) {
    int all = 1, can;
    for (int k = 0; k < count * count; k++)
        if (k / count != k % count) {
            CUDA_CHECK(cudaDeviceCanAccessPeer(&can, k / count, k % count));
            all &= can;
        }
    return all;
}

static void test_sums(int count, enum sum_f32_way way) {
    static const struct sizes sizes[] = {
        {{0}},
        {{1}},
        {{0, 1, 0, 1, 0, 1, 0, 1}},
        {{1, 1, 1, 1, 1, 1, 1, 1}},
        {{1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000}},
        {{5, 4096, 0, 4097, 16384, 16385, 20000, 31}},
        {{50000, 3, 16384, 0, 40000, 7, 1, 65536}},
        {{100000, 1, 70000, 0, 40000, 7, 1, 65537}},
        {{0, 250000, 0, 1, 200000, 7, 1, 299990}},
        {{1 << 20, (1 << 20) + 1, 12345, 4 << 20, (5 << 20) - 4, 0, 1, 3 << 20}},
    };
    struct set set(count, way);
    ok(sum_f32_all_way(set.all) == (all_reach_all(count) ? way : SUM_F32_BY_NCCL),
       "%d GPUs, %s: what was asked for, if they reach each other", count, name_of(way));
    for (size_t i = 0; i < (ON_SIMULATOR ? 9 : 10); i++)
        if (!ON_SIMULATOR || count == 2 || i % 3 == (size_t)count % 3)
            ok(set.right_sum(sizes[i], i % 4), "%d GPUs, %s: %zu, %zu, ... floats", count, name_of(way), sizes[i].n[0],
               sizes[i].n[1]);
}

/* A sum of NaN is NaN, and no peer is lost. */
static void test_nan(int count, enum sum_f32_way way) {
    const struct sizes ones = {{1, 1, 1, 1, 1, 1, 1, 1}};
    struct set set(count, way, ones);
    const float nan = NAN;
    to_gpu(out[0], &nan, sizeof nan);
    set.share[0].in = out[0];
    set.share[0].out = in[0] + MOST; /* after its data */
    bool right = set.sum() == SUM_F32_OK && set.wait() == SUM_F32_OK && all_nan(1, count);
    ok(right && set.right_sum(ones), "%d GPUs, %s: NaN comes through", count, name_of(way));
}

/* Epochs come again after 2^32 sums; the slots hold those of the last two. */
static void test_epochs(int count) {
    struct set set(count, SUM_F32_BY_SLOTS);
    const uint64_t epoch = 0xfffffffc;
    bool right = true;
    for (int g = 0; g < count; g++) to_gpu(&set.all->gpu[g].memory[EPOCH], &epoch, sizeof epoch);
    for (size_t i = 0; i < 6; i++) right &= set.right_sum({{1000, 70000, 1, 0, 5, 6, 7, 8}}, i);
    ok(right, "sums across the end of the epochs");
    ok(one_from(&set.all->gpu[0].memory[EPOCH]) == 4, "and the epochs go on from 2");
}

/* ---- back to back, with changing data ---- */

struct chain : set {
    float *x[MOST_GPUS];
    unsigned *step[MOST_GPUS];
    cudaGraphExec_t executable[MOST_GPUS] = {};

    chain(int gpus_of_it, enum sum_f32_way way, double seconds = limit) : set(gpus_of_it, way, of_many, seconds) {
        on_each(count, [&](int g) {
            x[g] = on_gpu<float>(70000);
            step[g] = on_gpu<unsigned>(2);
            CUDA_CHECK(cudaMemset(step[g], 0, 2 * sizeof(unsigned)));
            CUDA_CHECK(cudaDeviceSynchronize());
            share[g].in = x[g];
        });
    }
    ~chain() {
        for (int g = 0; g < count; g++) {
            CUDA_CHECK(cudaFree(x[g]));
            CUDA_CHECK(cudaFree(step[g]));
            if (executable[g] != NULL) CUDA_CHECK(cudaGraphExecDestroy(executable[g]));
        }
    }
    bool queue(int links) {
        bool queued = true;
        for (int i = 0; i < links; i++) {
            on_each(count, [&](int g) { change<<<8, 128, 0, stream[g]>>>(x[g], of_many.n[g], step[g], g); });
            queued &= sum() == SUM_F32_OK;
            on_each(count, [&](int g) { compare<<<1, 1, 0, stream[g]>>>(out[g], of_many, count, step[g]); });
        }
        CUDA_CHECK(cudaGetLastError());
        return queued;
    }
    /* A graph for each GPU. */
    bool capture(int links) {
        for (int g = 0; g < count; g++) CUDA_CHECK(cudaStreamBeginCapture(stream[g], cudaStreamCaptureModeGlobal));
        bool queued = queue(links);
        for (int g = 0; g < count; g++) executable[g] = end_capture(stream[g]);
        return queued;
    }
    void launch(int first, int end) {
        for (int g = first; g < end; g++) CUDA_CHECK(cudaGraphLaunch(executable[g], stream[g]));
    }
    bool no_errors(unsigned steps) {
        return all_of(0, count, [&](int g) {
            unsigned seen[2];
            to_host(seen, step[g], sizeof seen);
            const bool right = seen[0] == steps && seen[1] == 0;
            if (!right) printf("# GPU %d: %u sums of %u, %u wrong\n", g, seen[0], steps, seen[1]);
            return right;
        });
    }
};

static void test_many(int count, enum sum_f32_way way, unsigned sums) {
    enum { LINKS = ON_SIMULATOR ? 3 : 100 };
    struct chain c(count, way);
    bool right = c.queue(LINKS) && c.wait() == SUM_F32_OK && c.no_errors(LINKS);
    ok(right, "%d GPUs, %s: sums in streams, with changing data", count, name_of(way));

    right = c.capture(LINKS);
    const unsigned launches = (sums + LINKS - 1) / LINKS;
    for (unsigned i = 0; i < launches; i++) {
        c.launch(0, count);
        if (i % 10 == 9) right &= c.wait() == SUM_F32_OK;
    }
    right &= c.wait() == SUM_F32_OK && c.no_errors((launches + 1) * LINKS);
    ok(right, "%d GPUs, %s: %u sums in graphs, with changing data", count, name_of(way), launches * LINKS);
}

/* One graph over all GPUs: the streams of the others fork from that of the first, and join it. */
static void test_one_graph(int count, enum sum_f32_way way) {
    struct chain c(count, way);
    cudaEvent_t event[MOST_GPUS]; /* of the first: the fork */
    on_each(count, [&](int g) { CUDA_CHECK(cudaEventCreateWithFlags(&event[g], cudaEventDisableTiming)); });
    CUDA_CHECK(cudaStreamBeginCapture(stream[0], cudaStreamCaptureModeGlobal));
    CUDA_CHECK(cudaEventRecord(event[0], stream[0]));
    for (int g = 1; g < count; g++) CUDA_CHECK(cudaStreamWaitEvent(stream[g], event[0], 0));
    bool right = c.queue(2);
    for (int g = 1; g < count; g++) {
        CUDA_CHECK(cudaEventRecord(event[g], stream[g]));
        CUDA_CHECK(cudaStreamWaitEvent(stream[0], event[g], 0));
    }
    c.executable[0] = end_capture(stream[0]);
    for (int i = 0; i < 3; i++) c.launch(0, 1);
    right &= c.wait() == SUM_F32_OK && c.no_errors(6);
    ok(right, "%d GPUs, %s: one graph over all", count, name_of(way));
    for (int g = 0; g < count; g++) CUDA_CHECK(cudaEventDestroy(event[g]));
}

/* More than the library lets wait by NCCL. */
static void test_far_ahead(int count) {
    const struct sizes sizes = {{1, 0, 1, 1, 0, 1, 1, 1}};
    struct set set(count, SUM_F32_BY_NCCL, sizes);
    bool right = true;
    for (int i = 0; i < 100; i++) right &= set.sum() == SUM_F32_OK;
    right &= set.wait() == SUM_F32_OK && set.right_sum(sizes);
    ok(right, "by NCCL: 100 sums before anybody waits");
}

/* Two sets of GPUs' memory, two sums at the same time. */
static void test_two_at_once(int count) {
    const struct sizes sizes = {{200000, 100000, 3, 4, 5, 6, 7, 8}};
    struct set first(count, SUM_F32_BY_SLOTS, sizes), second(count, SUM_F32_BY_SLOTS);
    struct set *const sets[] = {&first, &second};
    bool right = true;
    second.give(sizes, 1);
    on_each(count, [&](int g) { /* the second in streams of its own */
                                second.share[g].stream = new_stream();
                                second.share[g].out = in[g] + MOST;
    });
    for (int i = 0; i < (ON_SIMULATOR ? 2 : 50); i++)
        for (struct set *set : sets) right &= set->sum() == SUM_F32_OK;
    for (int s = 0; s < 2; s++) {
        struct exact_sum exact = {};
        right &= sets[s]->wait() == SUM_F32_OK;
        for (int g = 0; g < count; g++) add(&exact, sum_exactly(host + g + s, sizes.n[g]));
        right &= check_sum(one_from(sets[s]->share[0].out), &exact, 300).ok;
    }
    ok(right, "two sums at the same time");
    for (int g = 0; g < count; g++) CUDA_CHECK(cudaStreamDestroy(second.share[g].stream));
}

/* ---- a lost peer ---- */

/* The last GPU's graph is not launched: the others wait for it in vain. */
static void test_lost(int count, enum sum_f32_way way) {
    const double seconds = ON_SIMULATOR ? 1e-6 : 0.5;
    const char *name = name_of(way);
    {
        struct chain c(count, way, seconds);
        c.capture(2); /* the second sum must not wait once more */
        double start = seconds_now();
        c.launch(0, count - 1);
        bool reported = c.wait() == SUM_F32_LOST_PEER;
        double took = seconds_now() - start;
        ok(reported, "%s: a lost peer is reported", name);
        if (!ON_SIMULATOR) ok(took > 0.9 * seconds && took < 2.5 * seconds, "%s: within the limit", name);
        ok(all_nan(0, count - 1), "%s: the sum is NaN", name);
        poison(count);
        ok(c.sum() == SUM_F32_LOST_PEER && untouched(count) && sum_f32_all_status(c.all) == SUM_F32_LOST_PEER &&
               c.wait() == SUM_F32_LOST_PEER,
           "%s: from then on it says so, and sums no more", name);
    }
    struct set set(count, way);
    ok(set.right_sum({{100, 200, 300, 400, 500, 600, 700, 800}}), "%s: a new one works", name);
}

/* A rank that hands NCCL what is not of this sum, as one does that is stopped while it waits. */
static void test_cut_short(int count) {
    struct set set(count, SUM_F32_BY_NCCL, {{10, 20, 30, 40, 50, 60, 70, 80}});
    const uint64_t another = 7;
    to_gpu(&set.all->gpu[0].memory[BEGUN], &another, sizeof another);
    ok(set.sum() == SUM_F32_OK && set.wait() == SUM_F32_LOST_PEER && all_nan(0, count),
       "by NCCL: a sum that is none is NaN, and reported");
}

static void test_all_but_many(void) {
    for (int count = 1; count < 2 * gpus; count *= 2) { /* 1, 2, 4, ... and all */
        int here = count < gpus ? count : gpus;
        make_clique(here);
        for (enum sum_f32_way way : ways) test_sums(here, way);
        end_clique(here);
    }
    make_clique(gpus);
    test_errors(gpus);
    for (enum sum_f32_way way : ways) test_nan(gpus, way);
    test_epochs(gpus);
    test_two_at_once(gpus);
    test_far_ahead(gpus);
    for (enum sum_f32_way way : ways) test_one_graph(gpus, way);
    if (gpus > 1) {
        test_lost(gpus, SUM_F32_BY_SLOTS);
        if (!ON_SIMULATOR) /* its stand-in tells of the deadlock, and ends the program */
            test_lost(gpus, SUM_F32_BY_NCCL);
        test_cut_short(gpus);
    }
    end_clique(gpus);
}

int main(int argc, char **argv) {
    unsigned sums = argc > 1 ? (unsigned)atoi(argv[1]) : ON_SIMULATOR ? 6 : 100000;
    if (cudaGetDeviceCount(&gpus) != cudaSuccess || gpus == 0) return 77;
    gpus = gpus < MOST_GPUS ? gpus : MOST_GPUS;
    host = on_host<float>(MOST + 16);
    fill_data(host, MOST + 16, PATTERN_UNIFORM, 1);
    on_each(gpus, [](int g) { /* it has the numbers host[g], host[g + 1], ... */
                              in[g] = on_gpu<float>(MOST + 8);
                              out[g] = on_gpu<float>(1);
                              to_gpu(in[g], host + g, (MOST + 8) * sizeof(float));
                              stream[g] = new_stream();
    });
    if (argc < 3) test_all_but_many();
    make_clique(gpus);
    for (enum sum_f32_way way : ways) test_many(gpus, way, sums);
    end_clique(gpus);
    return done_testing();
}
