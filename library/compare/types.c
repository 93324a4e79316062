/*
 * compare_types: the library's sums of half, bfloat16, float, double and int32 against CUB's and a
 * plain read of as many bytes, alternating, at every size; make compare-types
 *
 *     compare_types [--csv FILE] [--most SIZE] [--quick]
 *
 * Prints a table of ratios, our time over CUB's, and writes all figures to FILE. --quick: every
 * other power of two, and no calls one after another. Exit status: 0, 1 if somewhere we are slower
 * than CUB (the whole 95 % interval of the ratio lies above 1), or 2.
 */
#include "cub_types.h"
#include "cuda_errors.h"
#include "device.h"
#include "library/sum_types.h"
#include "message.h"
#include "numbers.h"
#include "ours.h"
#include "reference.h"
#include "whole_file.h"

#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK        ((size_t)16 << 20) /* elements that are made at a time */
#define MOST_CHECKED ((size_t)1 << 26)  /* up to this n the error is measured, too */

struct comparison {
    struct field field;
    float *host;
    size_t most;
    bool quick;
    enum element element;
    struct sum_f32_workspace *workspace;
    struct whole_file csv;
    size_t pairs, slower;
};

static void sum_element(void *context, const float *in, size_t n, float *out, cudaStream_t stream)
{
    const struct comparison *c = context;
    const struct sum_f32_workspace *w = c->workspace;
    switch (c->element) {
    case ELEMENT_HALF:
        must(sum_f16(in, n, out, w, stream));
        break;
    case ELEMENT_BFLOAT16:
        must(sum_bf16(in, n, out, w, stream));
        break;
    case ELEMENT_DOUBLE:
        must(sum_f64((const double *)in, n, (double *)out, w, stream));
        break;
    case ELEMENT_INT32:
        must(sum_i32((const int32_t *)in, n, (int64_t *)out, w, stream));
        break;
    default:
        must(sum_f32(in, n, out, w, stream));
    }
}

static void read_elements(void *context, const float *in, size_t n, float *out, cudaStream_t stream)
{
    const struct comparison *c = context;
    struct sum s = {.in = (float *)in, .n = n, .out = out, .stream = stream, .element = c->element};
    launch_read(&s);
}

struct rival {
    const char *name;
    type_sum sum;       /* NULL: the plain read */
    bool own;           /* its sum has the type of the elements */
    bool only_in_graph; /* compared in a graph with a cold cache alone */
};

static void sum_rival(void *context, const float *in, size_t n, float *out, cudaStream_t stream)
{
    const struct rival *rival = context;
    rival->sum(in, n, out, stream);
}

/* The sum that lies in field.out, as a double. */
static double read_sum(const struct comparison *c, bool own)
{
    char bytes[8];
    float f;
    double d;
    int64_t whole;
    uint16_t bits;
    CUDA_CHECK(cudaStreamSynchronize(c->field.stream));
    CUDA_CHECK(cudaMemcpy(bytes, c->field.out, sizeof bytes, cudaMemcpyDeviceToHost));
    memcpy(&bits, bytes, sizeof bits);
    memcpy(&f, bytes, sizeof f);
    memcpy(&d, bytes, sizeof d);
    memcpy(&whole, bytes, sizeof whole);
    if (own && c->element == ELEMENT_HALF) {
        _Float16 half;
        memcpy(&half, &bits, sizeof half);
        return (double)(float)half;
    }
    if (own) {
        uint32_t upper = (uint32_t)bits << 16;
        memcpy(&f, &upper, sizeof f);
    }
    return c->element == ELEMENT_DOUBLE  ? d
           : c->element == ELEMENT_INT32 ? (double)whole
                                         : (double)f;
}

/* |sum - exact| over the sum of magnitudes; NaN where it was not asked for, or is a roof's. */
static double error_of(const struct comparison *c, const struct exact_sum *exact, size_t n,
                       const struct way *way, bool own)
{
    if (n > MOST_CHECKED || way->sum == read_elements)
        return NAN;
    way->sum(way->context, c->field.in, n, c->field.out, c->field.stream);
    return fabs(read_sum(c, own) - exact->sum) / exact->sum_abs;
}

static void put_error(FILE *out, double error, char after)
{
    if (!isnan(error))
        fprintf(out, "%.4g", error);
    fputc(after, out);
}

/* One line of the CSV, and of the table a ratio if it is CUB's. */
static void compare(struct comparison *c, size_t n, enum launch launch, bool cold,
                    const struct rival *rival, const double errors[2])
{
    static const char *const launches[] = {"graph", "plain", "single"};
    struct setting setting = {n, 0, launch, cold, element_bytes(c->element)};
    const struct way ways[2] = {
        {sum_element, c},
        rival->sum == NULL ? (struct way){read_elements, c}
                           : (struct way){sum_rival, (void *)rival},
    };
    struct outcome o = measure_pair(&c->field, &setting, ways);
    fprintf(c->csv.lines, "%s,%zu,%s,%s,%s,%.4f,%.4f,%.4f,%.4f,%.4f,%zu,", element_name(c->element),
            n, cold ? "cold" : "warm", launches[launch], rival->name, o.us[0], o.us[1], o.ratio,
            o.low, o.high, o.rounds);
    put_error(c->csv.lines, errors[0], ',');
    put_error(c->csv.lines, errors[1], '\n');
    if (strcmp(rival->name, "cub") == 0) {
        printf(" %7.3f%c", o.ratio, o.low > 1 ? '*' : ' ');
        c->pairs++;
        c->slower += o.low > 1;
    } else if (rival->sum == NULL) {
        printf(" %8.1f", 100 / o.ratio);
    }
    fflush(stdout);
}

static void against(struct comparison *c, size_t n, const struct exact_sum *exact,
                    const struct rival *rival)
{
    const struct way ours = {sum_element, c},
                     theirs = {rival->sum == NULL ? read_elements : sum_rival, (void *)rival};
    const double errors[2] = {error_of(c, exact, n, &ours, false),
                              error_of(c, exact, n, &theirs, rival->own)};
    for (int launch = GRAPH; launch <= SINGLE; launch++)
        for (int cold = 1; cold >= 0; cold--) {
            bool wanted =
                rival->only_in_graph ? launch == GRAPH && cold : !(c->quick && launch == PLAIN);
            if (wanted)
                compare(c, n, (enum launch)launch, cold, rival, errors);
        }
}

static void compare_element(struct comparison *c, enum element element)
{
    const struct rival rivals[] = {
        {"cub", cub_sum_of(element), false, false},
        {"read", NULL, false, true},
#ifdef NEWER_CCCL
        {"cub_newer", newer_cub_sum_of(element), false, false},
#endif
        {"cub_own_type", cub_own_sum_of(element), true, true},
    };
    size_t bytes = element_bytes(element);
    char *some = malloc(CHUNK * bytes);
    c->element = element;
    if (some == NULL)
        exit(complain(STATUS_USAGE, "no memory for %zu numbers", CHUNK));
    for (size_t start = 0; start < c->most; start += CHUNK) {
        size_t count = c->most - start < CHUNK ? c->most - start : CHUNK;
        make_elements(element, c->host + start, count, some);
        CUDA_CHECK(cudaMemcpy((char *)c->field.in + start * bytes, some, count * bytes,
                              cudaMemcpyHostToDevice));
    }
    free(some);
    for (int k = 0; (size_t)1 << k <= c->most; k += c->quick ? 2 : 1) {
        size_t n = (size_t)1 << k;
        struct exact_sum exact = {0};
        if (n <= MOST_CHECKED)
            exact = sum_elements_exactly(element, c->host, n);
        printf("%-9s %11zu ", element_name(element), n);
        for (size_t i = 0; i < sizeof rivals / sizeof rivals[0]; i++)
            if (rivals[i].sum != NULL || strcmp(rivals[i].name, "read") == 0)
                against(c, n, &exact, &rivals[i]);
        printf("\n");
    }
}

static void print_head(const struct comparison *c)
{
    printf("The library's sums against CUB (%s)", cub_types_version());
#ifdef NEWER_CCCL
    printf(", and a newer one (%s)", newer_cub_types_version());
#endif
    printf(
        "\nOur time over CUB's; * where that is more than 1 with 95 %% confidence. Last: %% of a "
        "plain read of\nas many bytes, in a graph, cold.\n\n"
        "                       in a graph        %ssingle              %% of a\n"
        "type                n     cold     warm %s    cold     warm      read\n",
        c->quick ? "" : "one after another ", c->quick ? "" : "    cold     warm ");
}

static int usage(void)
{
    return complain(
        STATUS_USAGE,
        "usage: compare_types [--csv FILE] [--most SIZE] [--quick], a SIZE as 64K or 2G");
}

static int read_options(int argc, char **argv, struct comparison *c, const char **csv)
{
    static const struct option options[] = {{"csv", required_argument, NULL, 'c'},
                                            {"most", required_argument, NULL, 'm'},
                                            {"quick", no_argument, NULL, 'q'},
                                            {0}};
    int code;
    opterr = 0;
    while ((code = getopt_long(argc, argv, "", options, NULL)) != -1) {
        const char *wrong = NULL;
        if (code == 'c')
            *csv = optarg;
        else if (code == 'q')
            c->quick = true;
        else if (code != 'm')
            return usage();
        else if ((wrong = parse_size(optarg, &c->most)) != NULL)
            return complain(STATUS_USAGE, "--most %s: %s", optarg, wrong);
    }
    if (c->most == 0)
        return complain(STATUS_USAGE, "--most 0: at least 1 is needed");
    return optind == argc ? STATUS_OK : usage();
}

int main(int argc, char **argv)
{
    static const enum element elements[] = {ELEMENT_HALF, ELEMENT_BFLOAT16, ELEMENT_FLOAT,
                                            ELEMENT_INT32, ELEMENT_DOUBLE};
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

    c.field = make_field(2 * c.most + 64, &c.host); /* floats: as many bytes as doubles have */
    struct ours ours = make_ours();
    c.workspace = &ours.workspace;
    print_head(&c);
    fprintf(c.csv.lines, "element,n,cache,launch,rival,ours_us,rival_us,ratio,low,high,rounds,"
                         "ours_error,rival_error\n");
    for (size_t i = 0; i < sizeof elements / sizeof elements[0]; i++)
        compare_element(&c, elements[i]);
    printf("\n%zu pairs, slower than CUB in %zu\n", c.pairs, c.slower);
    status = whole_file_close(&c.csv);
    free(c.host);
    return status != STATUS_OK ? status : c.slower > 0 ? STATUS_WRONG : STATUS_OK;
}
