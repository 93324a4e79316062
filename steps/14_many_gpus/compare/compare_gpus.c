/*
 * compare_gpus: the slots over NVLink against NCCL, against the local sums alone, and against one
 * GPU with the whole array, alternating; make compare-gpus
 *
 *     compare_gpus --gpus K [--csv FILE] [--most SIZE]
 *
 * Every power of two up to SIZE elements in all. Prints a table and writes all figures to FILE.
 * Exit status: 0, 1 if a sum is wrong, 2, or 77 where these GPUs cannot do it.
 */
#include "buffers.h"
#include "check.h"
#include "cuda_errors.h"
#include "data.h"
#include "device.h"
#include "gpus.h"
#include "message.h"
#include "numbers.h"
#include "stats.h"
#include "whole_file.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

extern const struct variant variant_local, variant_one_gpu, variant_host, variant_nccl,
    variant_nvlink_slots;

enum { MOST_SUMS = 64, LEAST_SUMS = 8, MANY_ROUNDS = 31, FEW_ROUNDS = 11 };
#define APART ((size_t)4 << 20) /* bytes from one cold sum to the next, at least */

enum launch {
    GRAPHS, /* many sums in a graph of each GPU's: the time of one */
    GRAPH,  /* one sum in one graph over all GPUs, with the way there and back */
    STREAM, /* many calls, one after the other, on a stream of each GPU's: the time of one */
    SINGLE  /* one call */
};
static const char *const launches[] = {"graphs", "graph", "stream", "single"};

struct setting {
    size_t n; /* in all */
    enum launch launch;
    bool cold; /* as in step 11's pairs.h: no sum finds its numbers in a cache */
};

/* All that lives as long as the run. */
struct comparison {
    struct options options; /* which GPUs, and that the shares are even */
    struct machine machine;
    struct gpus gpus; /* shares[g].in: `room` floats, host[g * room] and the following */
    size_t most, room;
    float *host, *whole; /* whole: all of host[] on the first GPU */
    cudaEvent_t start, stop;
    struct whole_file csv;
    size_t wrong;
};

/* One way in one setting. */
struct player {
    const struct comparison *c;
    const struct setting *setting;
    const struct variant *way;
    size_t sums, step; /* how many at once, and floats from one to the next */
    unsigned graphs;
    cudaGraphExec_t graph[MAX_GPUS];
};

struct outcome {
    double us[2];                        /* medians, microseconds for one sum */
    double ratio, low, high;             /* of us[0] / us[1], pair by pair, and its 95 % interval */
    double above, above_low, above_high; /* the same of us[0] - us[1] */
    size_t rounds;
};

/* A rough time of one sum. */
static double expected_us(const struct comparison *c, size_t n)
{
    return 4 + (double)(n * sizeof(float)) / 4.5e6 / c->gpus.count;
}

static size_t sums_at_once(const struct comparison *c, const struct setting *setting)
{
    double sums = 300 / expected_us(c, setting->n);
    if (setting->launch == GRAPH || setting->launch == SINGLE)
        return 1;
    if (setting->launch == STREAM && sums > 16)
        return 16; /* the host queues them more slowly than they run: the first waits so long */
    return sums > MOST_SUMS ? MOST_SUMS : sums < LEAST_SUMS ? LEAST_SUMS : (size_t)sums;
}

static size_t step_between(const struct comparison *c, const struct setting *setting, size_t sums)
{
    size_t each = setting->n / c->gpus.count + 1, apart = APART / sizeof(float);
    size_t wanted = each > apart ? each : apart;
    size_t most = sums > 1 && c->room > each ? (c->room - each) / (sums - 1) : 0;
    return setting->cold ? (wanted < most ? wanted : most) / 64 * 64 : 0; /* 256 bytes */
}

/* Queues sum number i of a player. Of the whole array on one GPU, the same numbers in all. */
static void queue_sum(const struct player *p, size_t i)
{
    const struct comparison *c = p->c;
    struct share shares[MAX_GPUS];
    for (unsigned g = 0; g < c->gpus.count; g++) {
        shares[g] = c->gpus.shares[g];
        shares[g].in += i * p->step;
        shares[g].n = share_size(&c->options, c->gpus.count, p->setting->n, g);
    }
    size_t steps = c->gpus.count * i * p->step;
    struct sum s = {.in = c->whole + (steps + p->setting->n <= c->most ? steps : 0),
                    .n = p->setting->n,
                    .out = shares[0].out,
                    .block = 256,
                    .sms = c->machine.sms,
                    .stream = shares[0].stream,
                    .shares = shares,
                    .gpus = c->gpus.count};
    p->way->launch(&s);
    return_to_first(&c->gpus);
}

static void queue_sums(const struct player *p)
{
    for (size_t i = 0; i < p->sums; i++)
        queue_sum(p, i);
}

static cudaGraphExec_t end_capture(cudaStream_t stream)
{
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
    CUDA_CHECK(cudaGraphInstantiate(&executable, graph, 0));
    CUDA_CHECK(cudaGraphDestroy(graph));
    return executable;
}

/* A graph for each GPU; or one, in which the others' work begins and ends in the first one's. */
static void capture(struct player *p)
{
    const struct gpus *gpus = &p->c->gpus;
    p->graphs = p->setting->launch == GRAPHS ? gpus->count : 1;
    for (unsigned g = 0; g < p->graphs; g++)
        CUDA_CHECK(cudaStreamBeginCapture(gpus->shares[g].stream, cudaStreamCaptureModeRelaxed));
    if (p->graphs < gpus->count)
        fork_gpus(gpus);
    queue_sums(p);
    if (p->graphs < gpus->count)
        join_gpus(gpus);
    for (unsigned g = 0; g < p->graphs; g++) {
        CUDA_CHECK(cudaSetDevice(gpus->shares[g].device));
        p->graph[g] = end_capture(gpus->shares[g].stream);
    }
    return_to_first(gpus);
}

/* All GPUs are ready, with empty caches, and the first is held until all is queued. */
static void get_ready(const struct player *p)
{
    const struct gpus *gpus = &p->c->gpus;
    for (unsigned g = 0; p->setting->cold && g < gpus->count; g++) {
        CUDA_CHECK(cudaSetDevice(gpus->shares[g].device));
        flush_l2(gpus->shares[g].stream);
    }
    join_gpus(gpus);
    hold_stream(gpus->shares[0].stream, 100 + (p->graphs > 0 ? 0 : 50 * (unsigned)p->sums));
}

/* Microseconds of one sum. */
static double play(const struct player *p)
{
    const struct comparison *c = p->c;
    const struct gpus *gpus = &c->gpus;
    cudaStream_t first = gpus->shares[0].stream;
    bool whole = p->setting->launch == GRAPH; /* it begins and ends on the first GPU by itself */
    float milliseconds;
    get_ready(p);
    CUDA_CHECK(cudaEventRecord(c->start, first));
    if (!whole)
        fork_gpus(gpus);
    for (unsigned g = 0; g < p->graphs; g++)
        CUDA_CHECK(cudaGraphLaunch(p->graph[g], gpus->shares[g].stream));
    if (p->graphs == 0)
        queue_sums(p);
    if (!whole)
        join_gpus(gpus);
    CUDA_CHECK(cudaEventRecord(c->stop, first));
    CUDA_CHECK(cudaEventSynchronize(c->stop));
    CUDA_CHECK(cudaEventElapsedTime(&milliseconds, c->start, c->stop));
    return (double)milliseconds * 1e3 / (double)p->sums;
}

static struct player enter(const struct comparison *c, const struct setting *setting,
                           const struct variant *way)
{
    struct player p = {.c = c, .setting = setting, .way = way};
    p.sums = sums_at_once(c, setting);
    p.step = step_between(c, setting, p.sums);
    queue_sum(&p, 0); /* what is made at the first call cannot be captured */
    if (setting->launch == GRAPHS || setting->launch == GRAPH)
        capture(&p);
    play(&p);
    return p;
}

static void leave(struct player *p)
{
    for (unsigned g = 0; g < p->graphs; g++)
        CUDA_CHECK(cudaGraphExecDestroy(p->graph[g]));
}

static double median_of(double *values, size_t rounds, double *low, double *high)
{
    size_t at_low, at_high;
    double median = summarize(values, rounds).median; /* which sorts them */
    median_interval(rounds, &at_low, &at_high);
    *low = values[at_low];
    *high = values[at_high];
    return median;
}

static struct outcome measure_pair(const struct comparison *c, const struct setting *setting,
                                   const struct variant *const ways[2])
{
    struct player players[2] = {enter(c, setting, ways[0]), enter(c, setting, ways[1])};
    double times[2][MANY_ROUNDS], ratios[MANY_ROUNDS], above[MANY_ROUNDS];
    double us = expected_us(c, setting->n) * (double)players[0].sums;
    struct outcome o = {.rounds = us < 1000 ? MANY_ROUNDS : FEW_ROUNDS};
    for (size_t r = 0; r < o.rounds; r++) {
        size_t first = r % 2;
        times[first][r] = play(&players[first]);
        times[1 - first][r] = play(&players[1 - first]);
        ratios[r] = times[0][r] / times[1][r];
        above[r] = times[0][r] - times[1][r];
    }
    o.ratio = median_of(ratios, o.rounds, &o.low, &o.high);
    o.above = median_of(above, o.rounds, &o.above_low, &o.above_high);
    for (int i = 0; i < 2; i++) {
        o.us[i] = summarize(times[i], o.rounds).median;
        leave(&players[i]);
    }
    return o;
}

/* ---- are the sums right? ---- */

/* The sum of all shares. Each was rounded once more than it should be: the check allows for that.
 */
static struct exact_sum exact_of(const struct comparison *c, size_t n)
{
    struct exact_sum all = {0};
    for (unsigned g = 0; g < c->gpus.count; g++) {
        struct exact_sum one =
            sum_exactly(c->host + g * c->room, share_size(&c->options, c->gpus.count, n, g));
        all.sum += one.sum;
        all.sum_abs += one.sum_abs;
    }
    return all;
}

/* Every GPU has the right sum, and all have the same. Says so if not. */
static void check(struct comparison *c, size_t n, const struct variant *way)
{
    struct exact_sum exact = exact_of(c, n);
    float sums[MAX_GPUS];
    struct setting setting = {n, SINGLE, false};
    struct player p = {.c = c, .setting = &setting, .way = way};
    poison_outputs(&c->gpus);
    queue_sum(&p, 0);
    for (unsigned g = 0; g < c->gpus.count; g++) {
        const struct share *share = &c->gpus.shares[g];
        CUDA_CHECK(cudaStreamSynchronize(share->stream));
        CUDA_CHECK(cudaMemcpy(&sums[g], share->out, sizeof(float), cudaMemcpyDeviceToHost));
        struct verdict verdict = check_sum(sums[g], &exact, 1000);
        bool same = memcmp(&sums[g], &sums[0], sizeof(float)) == 0;
        c->wrong += !verdict.ok || !same;
        if (!verdict.ok || !same)
            printf("%s, n = %zu, GPU %u: %s\n", way->name, n, g,
                   verdict.ok ? "not the bits of GPU 0" : verdict.reason);
    }
}

/* ---- all of it ---- */

static void compare(struct comparison *c, struct setting setting, const struct variant *way,
                    const struct variant *rival)
{
    const struct variant *const ways[2] = {way, rival};
    if (way->launch == NULL || rival->launch == NULL)
        return;
    struct outcome o = measure_pair(c, &setting, ways);
    fprintf(c->csv.lines, "%u,%zu,%s,%s,%s,%s,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f,%zu\n",
            c->gpus.count, setting.n, setting.cold ? "cold" : "warm", launches[setting.launch],
            way->name, rival->name, o.us[0], o.us[1], o.ratio, o.low, o.high, o.above, o.above_low,
            o.above_high, o.rounds);
    if (setting.launch != GRAPHS || !setting.cold)
        return;
    if (rival == &variant_local)
        printf(" %9.2f %9.2f", o.us[1], o.above);
    else
        printf(" %9.3f", o.ratio);
    fflush(stdout);
}

static void compare_at(struct comparison *c, size_t n)
{
    static const struct variant *const rivals[] = {&variant_local, &variant_nccl, &variant_one_gpu};
    static const struct setting settings[] = {{0, GRAPHS, true},
                                              {0, GRAPHS, false},
                                              {0, GRAPH, true},
                                              {0, STREAM, true},
                                              {0, SINGLE, true}};
    check(c, n, &variant_nvlink_slots);
    check(c, n, &variant_host);
    if (variant_nccl.launch != NULL)
        check(c, n, &variant_nccl);
    printf("%11zu", n);
    for (size_t r = 0; r < sizeof rivals / sizeof rivals[0]; r++) {
        for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
            struct setting setting = settings[i];
            setting.n = n;
            compare(c, setting, &variant_nvlink_slots, rivals[r]);
        }
    }
    compare(c, (struct setting){n, SINGLE, true}, &variant_nvlink_slots, &variant_host);
    printf("\n");
}

static int usage(void)
{
    return complain(STATUS_USAGE, "usage: compare_gpus --gpus K [--csv FILE] [--most SIZE], a SIZE "
                                  "as 64K or 1G");
}

static int read_options(int argc, char **argv, struct comparison *c, const char **csv)
{
    static const struct option options[] = {{"csv", required_argument, NULL, 'c'},
                                            {"gpus", required_argument, NULL, 'g'},
                                            {"most", required_argument, NULL, 'm'},
                                            {0}};
    int code;
    uint64_t gpus = 0;
    opterr = 0;
    while ((code = getopt_long(argc, argv, "", options, NULL)) != -1) {
        const char *wrong = NULL;
        if (code == 'c')
            *csv = optarg;
        else if (code == 'm' && (wrong = parse_size(optarg, &c->most)) != NULL)
            return complain(STATUS_USAGE, "--most %s: %s", optarg, wrong);
        else if (code == 'g' && !parse_number(optarg, 1, MAX_GPUS, &gpus))
            return complain(STATUS_USAGE, "--gpus %s: a number from 1 to %d", optarg, MAX_GPUS);
        else if (code == '?')
            return usage();
    }
    c->options.gpus = (unsigned)gpus;
    return optind == argc && gpus > 0 ? STATUS_OK : usage();
}

/* The numbers, on the host, on the first GPU, and each GPU's part on it. */
static void make_arrays(struct comparison *c)
{
    c->room = c->most / c->gpus.count;
    c->host = allocate_data(0, c->most);
    fill_data(c->host, c->most, PATTERN_UNIFORM, 1);
    open_shares(&c->gpus, &c->options, c->host, c->room * c->gpus.count);
    CUDA_CHECK(cudaMalloc((void **)&c->whole, c->most * sizeof(float)));
    CUDA_CHECK(cudaMemcpy(c->whole, c->host, c->most * sizeof(float), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaEventCreate(&c->start));
    CUDA_CHECK(cudaEventCreate(&c->stop));
}

int main(int argc, char **argv)
{
    struct comparison c = {.most = (size_t)1 << 31};
    const char *csv = NULL;
    cudaStream_t stream;
    begin_program(argv[0]);
    int status = read_options(argc, argv, &c, &csv);
    if (status != STATUS_OK)
        return status;
    status = whole_file_open(&c.csv, "the CSV file", csv == NULL ? "/dev/null" : csv);
    if (status != STATUS_OK)
        return status;
    prepare_for_gpus(&c.options);
    status = select_device(0);
    if (status >= 0)
        return status;
    read_machine(&c.machine, 0);
    status = find_gpus(&c.options, &c.machine);
    if (status >= 0)
        return status;
    if (c.machine.no_peers[0] != '\0')
        return complain(STATUS_NOTHING, "%s", c.machine.no_peers);

    CUDA_CHECK(cudaStreamCreate(&stream));
    open_gpus(&c.gpus, &c.options, c.machine.gpus, stream);
    make_arrays(&c);
    printf(
        "%u x %s, in a graph of each, cold: the local sums, what nvlink_slots takes longer, and\n"
        "its time over that of others\n\n"
        "          n   local us  above us %s  one_gpu\n",
        c.gpus.count, c.machine.gpu, variant_nccl.launch != NULL ? "     nccl" : "");
    fprintf(c.csv.lines, "gpus,n,cache,launch,way,rival,way_us,rival_us,ratio,low,high,above,"
                         "above_low,above_high,rounds\n");
    for (size_t n = 1; n <= c.most; n *= 2)
        compare_at(&c, n);
    status = whole_file_close(&c.csv);
    free_data(0, c.host);
    return status != STATUS_OK ? status : c.wrong > 0 ? STATUS_WRONG : STATUS_OK;
}
