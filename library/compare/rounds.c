/* rounds.c: the times of two ways to sum, alternating, so that both see the same GPU. */
#include "harness.h"

#include "cuda_errors.h"
#include "device.h"
#include "stats.h"

enum { MOST_ROUNDS = 31 };
#define APART ((size_t)4 << 20) /* bytes from one cold sum to the next, at least */

/* What depends on the backend: the simulator's times say nothing, so few sums are enough there. */
static const struct {
    double us; /* that the sums of one round are to take, about */
    size_t least_sums, most_sums, many_rounds, few_rounds;
} work = {300, ON_SIMULATOR ? 2 : 8, ON_SIMULATOR ? 2 : 64, ON_SIMULATOR ? 6 : MOST_ROUNDS,
          ON_SIMULATOR ? 6 : 11};

/* One way in one setting: all that stays the same from round to round. */
struct player {
    const struct comparison *c;
    const struct setting *setting;
    const struct variant *way;
    size_t sums, step; /* how many at once, and bytes from one to the next */
    unsigned graphs;
    cudaGraphExec_t graph[MAX_GPUS];
};

/* A rough time of one sum: 4.5 TB/s of each GPU, and 2 us for the rest, or 4 with several. */
static double expected_us(const struct comparison *c, const struct setting *setting)
{
    double bytes = (double)(setting->n * element_bytes(c->element));
    return (c->subject->many_gpus ? 4 : 2) + bytes / 4.5e6 / c->gpus.count;
}

static size_t sums_at_once(const struct comparison *c, const struct setting *setting)
{
    double sums = work.us / expected_us(c, setting);
    if (setting->launch == ONE_GRAPH || setting->launch == SINGLE)
        return 1;
    if (c->subject->many_gpus && setting->launch == STREAM && sums > 16)
        sums = 16; /* the host queues them more slowly than they run: the first waits so long */
    return sums > (double)work.most_sums    ? work.most_sums
           : sums < (double)work.least_sums ? work.least_sums
                                            : (size_t)sums;
}

/* As far apart as the memory allows, if the cache is to be of no use. */
static size_t step_between(const struct comparison *c, const struct setting *setting, size_t sums)
{
    size_t bytes = element_bytes(c->element), count = c->gpus.count;
    size_t each = (setting->n + count - 1) / count * bytes, wanted = each > APART ? each : APART;
    size_t room = c->bytes - setting->offset * bytes;
    size_t most = sums > 1 && room > each ? (room - each) / (sums - 1) : 0;
    if (!setting->cold)
        return 0;
    return (wanted < most ? wanted : most) / 256 * 256; /* the same alignment */
}

/* Of the whole array on one GPU, the same numbers in all. */
static void queue_shares(const struct comparison *c, const struct setting *setting,
                         const struct variant *way, size_t i, size_t step)
{
    struct share shares[MAX_GPUS];
    unsigned count = c->gpus.count;
    for (unsigned g = 0; g < count; g++) {
        shares[g] = c->gpus.shares[g];
        shares[g].in += i * step / sizeof(float);
        shares[g].n = share_size(&c->options, count, setting->n, g);
    }
    size_t before = count * i * step / sizeof(float);
    struct sum s = {.in = c->whole + (before + setting->n <= c->most ? before : 0),
                    .n = setting->n,
                    .out = shares[0].out,
                    .block = 256,
                    .sms = c->machine.sms,
                    .stream = shares[0].stream,
                    .shares = shares,
                    .gpus = count};
    way->launch(&s);
    return_to_first(&c->gpus);
}

void queue_sum(const struct comparison *c, const struct setting *setting, const struct variant *way,
               size_t i, size_t step)
{
    const struct share *only = &c->gpus.shares[0];
    if (c->subject->many_gpus) {
        queue_shares(c, setting, way, i, step);
        return;
    }
    char *in = (char *)only->in + setting->offset * element_bytes(c->element) + i * step;
    struct sum s = {.in = (float *)in,
                    .n = setting->n,
                    .out = only->out,
                    .block = 256,
                    .sms = c->machine.sms,
                    .element = c->element,
                    .stream = only->stream};
    way->launch(&s);
}

static void queue_sums(const struct player *p)
{
    for (size_t i = 0; i < p->sums; i++)
        queue_sum(p->c, p->setting, p->way, i, p->step);
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
    p->graphs = p->setting->launch == GRAPH ? gpus->count : 1;
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

/* All GPUs are ready, with empty caches, and the first is held until all is queued, so that no time
   of the host's is in it. */
static void get_ready(const struct player *p)
{
    const struct gpus *gpus = &p->c->gpus;
    cudaStream_t first = gpus->shares[0].stream;
    unsigned sums = (unsigned)p->sums;
    if (!p->c->subject->many_gpus)
        hold_stream(first, p->setting->launch == STREAM ? 20 + 6 * sums : 50);
    for (unsigned g = 0; p->setting->cold && g < gpus->count; g++) {
        if (gpus->count > 1)
            CUDA_CHECK(cudaSetDevice(gpus->shares[g].device));
        flush_l2(gpus->shares[g].stream);
    }
    if (p->c->subject->many_gpus) {
        join_gpus(gpus);
        hold_stream(first, 100 + (p->graphs > 0 ? 0 : 50 * sums));
    }
}

/* Microseconds of one sum. */
static double play(const struct player *p)
{
    const struct comparison *c = p->c;
    const struct gpus *gpus = &c->gpus;
    cudaStream_t first = gpus->shares[0].stream;
    /* One graph over all GPUs begins and ends on the first by itself. */
    bool others = c->subject->many_gpus && p->setting->launch != ONE_GRAPH;
    float milliseconds;
    get_ready(p);
    CUDA_CHECK(cudaEventRecord(c->start, first));
    if (others)
        fork_gpus(gpus);
    for (unsigned g = 0; g < p->graphs; g++)
        CUDA_CHECK(cudaGraphLaunch(p->graph[g], gpus->shares[g].stream));
    if (p->graphs == 0)
        queue_sums(p);
    if (others)
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
    queue_sum(c, setting, way, 0, 0); /* what is made at the first call cannot be captured */
    if (setting->launch == GRAPH || setting->launch == ONE_GRAPH)
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

struct outcome measure_pair(const struct comparison *c, const struct setting *setting,
                            const struct variant *const ways[2])
{
    struct player players[2] = {enter(c, setting, ways[0]), enter(c, setting, ways[1])};
    double times[2][MOST_ROUNDS], ratios[MOST_ROUNDS], above[MOST_ROUNDS];
    double us = expected_us(c, setting) * (double)players[0].sums;
    struct outcome o = {.rounds = us < 1000 ? work.many_rounds : work.few_rounds};
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

double measure_way(const struct comparison *c, const struct setting *setting,
                   const struct variant *way)
{
    struct player player = enter(c, setting, way);
    double times[MOST_ROUNDS];
    for (size_t r = 0; r < work.few_rounds; r++)
        times[r] = play(&player);
    leave(&player);
    return summarize(times, work.few_rounds).median;
}
