/*
 * compare_exact: sum_f32_exact() against sum_f32(), a plain read, and CUB's sum that has the same
 * bits on every GPU, alternating; make compare-exact
 *
 *     compare_exact [--csv FILE] [--most SIZE]
 *
 * For numbers of four kinds: exponents close together, and over their whole range. Prints a table
 * of ratios and writes all figures to FILE. CUB's needs CCCL=FOLDER, see rivals.h. Exit status: 0,
 * 1 if a sum is not the nearest float, or 2.
 */
#include "cuda_errors.h"
#include "data.h"
#include "device.h"
#include "library/sum_exact.h"
#include "message.h"
#include "numbers.h"
#include "ours.h"
#include "reference.h"
#include "rivals.h"
#include "whole_file.h"

#include <getopt.h>
#include <stdlib.h>

struct comparison {
    struct field field;
    float *host;
    size_t most, wrong;
    struct ours ours;
    struct whole_file csv;
};

static void sum_exact(void *context, const float *in, size_t n, float *out, cudaStream_t stream)
{
    const struct comparison *c = context;
    must(sum_f32_exact(in, n, out, &c->ours.workspace, stream));
}

static void read_floats(void *context, const float *in, size_t n, float *out, cudaStream_t stream)
{
    struct sum s = {.in = (float *)in, .n = n, .out = out, .stream = stream};
    (void)context;
    launch_read(&s);
}

#ifdef NEWER_CCCL
static void sum_rival(void *context, const float *in, size_t n, float *out, cudaStream_t stream)
{
    const struct rival *rival = context;
    rival->sum(in, n, out, stream);
}
#endif

/* Is the sum of these n the nearest float? Says so if not. */
static void check(struct comparison *c, const char *pattern, size_t n)
{
    struct exact_sum exact = sum_exactly(c->host, n);
    float sum;
    sum_exact(c, c->field.in, n, c->field.out, c->field.stream);
    CUDA_CHECK(cudaStreamSynchronize(c->field.stream));
    CUDA_CHECK(cudaMemcpy(&sum, c->field.out, sizeof sum, cudaMemcpyDeviceToHost));
    if (sum == exact.nearest)
        return;
    printf("%s, n = %zu: %.9g, and the nearest float is %.9g\n", pattern, n, (double)sum,
           (double)exact.nearest);
    c->wrong++;
}

/* One line of the CSV for each launch and cache, and the ratio in a graph or, above 2^20, of single
   calls, cold, for the table. */
static void against(struct comparison *c, const char *pattern, size_t n, const char *name,
                    struct way rival)
{
    const struct {
        enum launch launch;
        bool cold;
        const char *name;
    } settings[] = {{GRAPH, true, "graph"}, {GRAPH, false, "graph"}, {SINGLE, true, "single"}};
    const struct way ways[2] = {{sum_exact, c}, rival};
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        struct setting setting = {n, 0, settings[i].launch, settings[i].cold, sizeof(float)};
        struct outcome o = measure_pair(&c->field, &setting, ways);
        fprintf(c->csv.lines, "%s,%zu,%s,%s,%s,%.4f,%.4f,%.4f,%.4f,%.4f,%zu\n", pattern, n,
                settings[i].cold ? "cold" : "warm", settings[i].name, name, o.us[0], o.us[1],
                o.ratio, o.low, o.high, o.rounds);
        if (i == 0)
            printf(" %8.3f", o.ratio);
    }
    fflush(stdout);
}

/* The whole field gets such numbers, for cold sums find theirs all over it: `most` of them, or n of
   them, and at least 2^20, again and again, if they depend on how many there are. */
static void fill_field(struct comparison *c, enum pattern pattern, size_t n)
{
    size_t made = !pattern_depends_on_n(pattern) ? c->most : n > 1 << 20 ? n : 1 << 20;
    for (size_t first = 0; first < c->most; first += made)
        fill_data(c->host + first, made < c->most - first ? made : c->most - first, pattern,
                  1 + first / made);
    CUDA_CHECK(
        cudaMemcpy((float *)c->field.in, c->host, c->most * sizeof(float), cudaMemcpyHostToDevice));
}

static void compare_pattern(struct comparison *c, enum pattern pattern)
{
    const char *name = pattern_name(pattern);
    for (int k = 10; (size_t)1 << k <= c->most; k += k < 14 ? 1 : k < 24 ? 2 : 4) {
        size_t n = (size_t)1 << k;
        if (k == 10 || pattern_depends_on_n(pattern))
            fill_field(c, pattern, n);
        check(c, name, n);
        printf("%-10s %11zu", name, n);
        against(c, name, n, "sum_f32", (struct way){sum_ours, &c->ours});
        against(c, name, n, "read", (struct way){read_floats, NULL});
#ifdef NEWER_CCCL
        struct rival cub = reproducible_cub_rival();
        against(c, name, n, cub.name, (struct way){sum_rival, &cub});
#endif
        printf("\n");
    }
}

static int usage(void)
{
    return complain(STATUS_USAGE,
                    "usage: compare_exact [--csv FILE] [--most SIZE], a SIZE as 64K or 1G");
}

static int read_options(int argc, char **argv, struct comparison *c, const char **csv)
{
    static const struct option options[] = {
        {"csv", required_argument, NULL, 'c'}, {"most", required_argument, NULL, 'm'}, {0}};
    int code;
    opterr = 0;
    while ((code = getopt_long(argc, argv, "", options, NULL)) != -1) {
        const char *wrong = NULL;
        if (code == 'c')
            *csv = optarg;
        else if (code != 'm')
            return usage();
        else if ((wrong = parse_size(optarg, &c->most)) != NULL)
            return complain(STATUS_USAGE, "--most %s: %s", optarg, wrong);
    }
    return optind == argc ? STATUS_OK : usage();
}

int main(int argc, char **argv)
{
    static const enum pattern kinds[] = {PATTERN_UNIFORM, PATTERN_NORMAL, PATTERN_LOGNORMAL,
                                         PATTERN_WIDE};
    struct comparison c = {.most = (size_t)1 << 30};
    const char *csv = NULL;
    begin_program(argv[0]);
    int status = read_options(argc, argv, &c, &csv);
    if (status != STATUS_OK)
        return status;
    status = whole_file_open(&c.csv, "the CSV file", csv == NULL ? "/dev/null" : csv);
    if (status != STATUS_OK)
        return status;
    status = select_device(0);
    if (status >= 0)
        return status;

    c.field = make_field(c.most + 64, &c.host);
    c.ours = make_ours();
    printf("sum_f32_exact(): its time over that of others, in a graph, cold\n\n"
           "numbers              n  sum_f32     read%s\n",
#ifdef NEWER_CCCL
           "  cub_gpu_to_gpu"
#else
           ""
#endif
    );
    fprintf(c.csv.lines, "pattern,n,cache,launch,rival,ours_us,rival_us,ratio,low,high,rounds\n");
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        compare_pattern(&c, kinds[i]);
    status = whole_file_close(&c.csv);
    free(c.host);
    return status != STATUS_OK ? status : c.wrong > 0 ? STATUS_WRONG : STATUS_OK;
}
