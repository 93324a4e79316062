/*
 * compare: sum_f32() against CUB and others, alternating, at every size; make compare
 *
 *     compare [--csv FILE] [--most SIZE]
 *
 * Prints a table of ratios, our time over CUB's, and writes all figures to FILE. Exit status: 0,
 * 1 if somewhere we are slower than CUB (the whole 95 % interval of the ratio lies above 1), or 2.
 */
#include "cuda_errors.h"
#include "data.h"
#include "message.h"
#include "numbers.h"
#include "ours.h"
#include "reference.h"
#include "rivals.h"
#include "whole_file.h"

#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RIVALS = 8, MOST_OFFSET = 3 };

struct size {
    size_t n;
    unsigned offset;
};

/* All that lives as long as the run. */
struct comparison {
    struct field field;
    float *host;
    size_t most;
    struct ours ours, apart;
    struct sum_f32_plan apart_plan;
    struct rival rivals[MOST_RIVALS];
    size_t rival_count; /* rivals[0] is CUB */
    struct whole_file csv;
    size_t pairs, slower;
};

static void sum_rival(void *context, const float *in, size_t n, float *out, cudaStream_t stream)
{
    const struct rival *rival = context;
    rival->sum(in, n, out, stream);
}

/* Our own function again, but for what makes launches overlap. */
static void sum_apart(void *context, const float *in, size_t n, float *out, cudaStream_t stream)
{
    struct comparison *c = context;
    unsigned sms;
    bool hopper;
    must(sum_f32_device(&sms, &hopper));
    c->apart_plan = sum_f32_plan(n, sms, hopper);
    sum_ours(&c->apart, in, n, out, stream);
}

/* |sum - exact| in units of 2^-24 * sum of |x|. */
static double error_of(const struct comparison *c, struct size size, const struct exact_sum *exact,
                       const struct way *way)
{
    float sum;
    way->sum(way->context, c->field.in + size.offset, size.n, c->field.out, c->field.stream);
    CUDA_CHECK(cudaStreamSynchronize(c->field.stream));
    CUDA_CHECK(cudaMemcpy(&sum, c->field.out, sizeof sum, cudaMemcpyDeviceToHost));
    return fabs(sum - exact->sum) / (0x1p-24 * exact->sum_abs);
}

/* One line of the CSV. Returns our time over the rival's; *slower: is all of its interval above
   1? */
static double compare(struct comparison *c, struct size size, enum launch launch, bool cold,
                      const char *name, const struct way ways[2], const double errors[2],
                      bool *slower)
{
    static const char *const launches[] = {"graph", "plain", "single"};
    struct setting setting = {size.n, size.offset, launch, cold, sizeof(float)};
    struct outcome o = measure_pair(&c->field, &setting, ways);
    fprintf(c->csv.lines, "%zu,%u,%s,%s,%s,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f,%zu,%.4g,%.4g\n", size.n,
            size.offset, cold ? "cold" : "warm", launches[launch], name, o.us[0], o.us[1], o.ratio,
            o.low, o.high, (o.high - o.low) / 2, o.rounds, errors[0], errors[1]);
    *slower = o.low > 1;
    return o.ratio;
}

/* The six ratios against CUB, a line of the table. */
static void against_cub(struct comparison *c, struct size size, const struct exact_sum *exact)
{
    const struct way ways[2] = {{sum_ours, &c->ours}, {sum_rival, &c->rivals[0]}};
    const double errors[2] = {error_of(c, size, exact, &ways[0]),
                              error_of(c, size, exact, &ways[1])};
    printf("%11zu %6u ", size.n, size.offset);
    for (int launch = GRAPH; launch <= SINGLE; launch++) {
        for (int cold = 1; cold >= 0; cold--) {
            bool slower;
            printf(" %7.3f", compare(c, size, (enum launch)launch, cold, c->rivals[0].name, ways,
                                     errors, &slower));
            printf("%c", slower ? '*' : ' ');
            c->pairs++;
            c->slower += slower;
        }
    }
    printf("  %8.2g %8.2g\n", errors[0], errors[1]);
    fflush(stdout);
}

/* The others go into the CSV only. */
static void against_others(struct comparison *c, struct size size, const struct exact_sum *exact)
{
    for (size_t i = 1; i <= c->rival_count; i++) {
        bool apart = i == c->rival_count;
        struct rival *rival = &c->rivals[i];
        struct way ways[2] = {{sum_ours, &c->ours}, {sum_rival, rival}};
        if (apart)
            ways[1] = (struct way){sum_apart, c};
        const double errors[2] = {error_of(c, size, exact, &ways[0]),
                                  error_of(c, size, exact, &ways[1])};
        bool waits = !apart && !rival->in_graph, slower;
        enum launch last = waits || apart ? SINGLE : PLAIN;
        for (int launch = waits ? SINGLE : GRAPH; launch <= (int)last; launch++) {
            for (int cold = 1; cold >= 0; cold--)
                compare(c, size, (enum launch)launch, cold, apart ? "apart" : rival->name, ways,
                        errors, &slower);
        }
    }
}

static void compare_at(struct comparison *c, size_t n, unsigned offset, bool others)
{
    struct size size = {n, offset};
    if (n == 0 || n > c->most)
        return;
    struct exact_sum exact = sum_exactly(c->host + offset, n);
    against_cub(c, size, &exact);
    if (others)
        against_others(c, size, &exact);
}

/* Every power of two; those around some of them, 3 * 2^k and 1111111; and unaligned starts. */
static void compare_all(struct comparison *c)
{
    for (int k = 0; k <= 31; k++)
        compare_at(c, (size_t)1 << k, 0, true);
    for (int k = 2; k <= 28; k += 2) {
        compare_at(c, ((size_t)1 << k) - 1, 0, false);
        compare_at(c, ((size_t)1 << k) + 1, 0, false);
        compare_at(c, (size_t)3 << k, 0, false);
    }
    compare_at(c, 1111111, 0, false);
    for (int k = 4; k <= 28; k += 4) {
        for (unsigned offset = 1; offset <= MOST_OFFSET; offset++)
            compare_at(c, (size_t)1 << k, offset, false);
    }
}

static void gather_rivals(struct comparison *c)
{
    c->rivals[c->rival_count++] = cub_rival();
#ifdef NEWER_CCCL
    c->rivals[c->rival_count++] = newer_cub_rival();
    c->rivals[c->rival_count++] = unordered_cub_rival();
#endif
    c->rivals[c->rival_count++] = cublas_rival();
    c->rivals[c->rival_count++] = thrust_rival();
    c->ours = make_ours();
    c->apart = make_ours();
    c->apart.plan = &c->apart_plan;
    c->apart.overlap = false;
}

static void print_head(const struct comparison *c)
{
    printf("sum_f32 against");
    for (size_t i = 0; i < c->rival_count; i++)
        printf("%s %s (%s)", i == 0 ? "" : ",", c->rivals[i].name, c->rivals[i].version);
    printf("\nOur time over CUB's; * where that is more than 1 with 95 %% confidence.\n"
           "Errors in units of 2^-24 times the sum of |x|.\n\n"
           "                     in a graph       one after another   single              error\n"
           "          n offset     cold     warm     cold     warm     cold     warm"
           "       ours      CUB\n");
}

static int usage(void)
{
    return complain(STATUS_USAGE, "usage: compare [--csv FILE] [--most SIZE], a SIZE as 64K or 2G");
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
    struct comparison c = {.most = (size_t)2 << 30};
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
    gather_rivals(&c);
    print_head(&c);
    fprintf(c.csv.lines, "n,offset,cache,launch,rival,ours_us,rival_us,ratio,low,high,ci,rounds,"
                         "ours_error,rival_error\n");
    compare_all(&c);
    printf("\n%zu pairs, slower than CUB in %zu\n", c.pairs, c.slower);
    status = whole_file_close(&c.csv);
    free(c.host);
    return status != STATUS_OK ? status : c.slower > 0 ? STATUS_WRONG : STATUS_OK;
}
