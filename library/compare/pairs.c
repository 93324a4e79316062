#include "pairs.h"

#include "data.h"
#include "device.h"
#include "message.h"
#include "stats.h"

#include <stdlib.h>

enum { MOST_SUMS = 64, LEAST_SUMS = 8, MANY_ROUNDS = 31, FEW_ROUNDS = 11 };
#define APART ((size_t)4 << 20) /* bytes from one cold sum to the next, at least */

/* One way in one setting: all that stays the same from round to round. */
struct player {
    const struct field *field;
    const struct setting *setting;
    const struct way *way;
    size_t sums, step; /* how many at once, and bytes from one to the next */
    cudaGraphExec_t graph;
    cudaEvent_t start, stop;
};

/* A rough time, to choose how much to do at once: 4.5 TB/s, and 2 us for the rest. */
static double expected_us(const struct setting *setting)
{
    return 2 + (double)(setting->n * setting->element_bytes) / 4.5e6;
}

static size_t sums_at_once(const struct setting *setting)
{
    double sums = 300 / expected_us(setting);
    if (setting->launch == SINGLE)
        return 1;
    return sums > MOST_SUMS ? MOST_SUMS : sums < LEAST_SUMS ? LEAST_SUMS : (size_t)sums;
}

/* As far apart as the field allows, if the cache is to be of no use. */
static size_t step_between(const struct field *field, const struct setting *setting, size_t sums)
{
    size_t bytes = setting->n * setting->element_bytes;
    size_t room = field->floats * sizeof(float) - bytes - setting->offset * setting->element_bytes;
    size_t wanted = bytes > APART ? bytes : APART, most = sums > 1 ? room / (sums - 1) : 0;
    if (!setting->cold)
        return 0;
    return (wanted < most ? wanted : most) / 256 * 256; /* the same alignment */
}

static void queue_sums(const struct player *p)
{
    const struct field *field = p->field;
    const char *in = (const char *)field->in + p->setting->offset * p->setting->element_bytes;
    for (size_t i = 0; i < p->sums; i++)
        p->way->sum(p->way->context, (const float *)(in + i * p->step), p->setting->n, field->out,
                    field->stream);
}

static void capture(struct player *p)
{
    cudaGraph_t graph;
    CUDA_CHECK(cudaStreamBeginCapture(p->field->stream, cudaStreamCaptureModeRelaxed));
    queue_sums(p);
    CUDA_CHECK(cudaStreamEndCapture(p->field->stream, &graph));
    CUDA_CHECK(cudaGraphInstantiate(&p->graph, graph, 0));
    CUDA_CHECK(cudaGraphDestroy(graph));
}

/* Microseconds of one sum. The stream is held until all is queued, so that no time of the host's
   is in it. */
static double play(const struct player *p)
{
    float milliseconds;
    cudaStream_t stream = p->field->stream;
    hold_stream(stream, p->setting->launch == PLAIN ? 20 + 6 * (unsigned)p->sums : 50);
    if (p->setting->cold)
        flush_l2(stream);
    CUDA_CHECK(cudaEventRecord(p->start, stream));
    if (p->graph != NULL)
        CUDA_CHECK(cudaGraphLaunch(p->graph, stream));
    else
        queue_sums(p);
    CUDA_CHECK(cudaEventRecord(p->stop, stream));
    CUDA_CHECK(cudaEventSynchronize(p->stop));
    CUDA_CHECK(cudaEventElapsedTime(&milliseconds, p->start, p->stop));
    return (double)milliseconds * 1e3 / (double)p->sums;
}

static struct player enter(const struct field *field, const struct setting *setting,
                           const struct way *way)
{
    struct player p = {.field = field, .setting = setting, .way = way};
    p.sums = sums_at_once(setting);
    p.step = step_between(field, setting, p.sums);
    CUDA_CHECK(cudaEventCreate(&p.start));
    CUDA_CHECK(cudaEventCreate(&p.stop));
    queue_sums(&p); /* what is made at the first call cannot be captured */
    if (setting->launch == GRAPH)
        capture(&p);
    play(&p);
    return p;
}

static void leave(struct player *p)
{
    if (p->graph != NULL)
        CUDA_CHECK(cudaGraphExecDestroy(p->graph));
    CUDA_CHECK(cudaEventDestroy(p->start));
    CUDA_CHECK(cudaEventDestroy(p->stop));
}

static size_t rounds_for(const struct setting *setting)
{
    double us = expected_us(setting) * (double)sums_at_once(setting);
    return us < 1000 ? MANY_ROUNDS : FEW_ROUNDS;
}

struct outcome measure_pair(const struct field *field, const struct setting *setting,
                            const struct way ways[2])
{
    struct player players[2] = {enter(field, setting, &ways[0]), enter(field, setting, &ways[1])};
    double times[2][MANY_ROUNDS], ratios[MANY_ROUNDS];
    size_t rounds = rounds_for(setting), low, high;
    for (size_t r = 0; r < rounds; r++) {
        size_t first = r % 2;
        times[first][r] = play(&players[first]);
        times[1 - first][r] = play(&players[1 - first]);
        ratios[r] = times[0][r] / times[1][r];
    }
    struct outcome outcome = {.rounds = rounds};
    outcome.ratio = summarize(ratios, rounds).median;
    median_interval(rounds, &low, &high);
    outcome.low = ratios[low];
    outcome.high = ratios[high];
    for (int i = 0; i < 2; i++) {
        outcome.us[i] = summarize(times[i], rounds).median;
        leave(&players[i]);
    }
    return outcome;
}

double measure_way(const struct field *field, const struct setting *setting, const struct way *way)
{
    struct player player = enter(field, setting, way);
    double times[FEW_ROUNDS];
    for (size_t r = 0; r < FEW_ROUNDS; r++)
        times[r] = play(&player);
    leave(&player);
    return summarize(times, FEW_ROUNDS).median;
}

struct field make_field(size_t floats, float **host)
{
    struct field field = {.floats = floats};
    float *in;
    *host = malloc(floats * sizeof(float));
    if (*host == NULL)
        exit(complain(STATUS_USAGE, "no memory for %zu numbers: take a smaller --most", floats));
    fill_data(*host, floats, PATTERN_UNIFORM, 1);
    CUDA_CHECK(cudaMalloc((void **)&in, floats * sizeof(float)));
    CUDA_CHECK(cudaMalloc((void **)&field.out, sizeof(double)));
    CUDA_CHECK(cudaMemcpy(in, *host, floats * sizeof(float), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaStreamCreate(&field.stream));
    field.in = in;
    return field;
}
