/*
 * compare: the library's sums against their rivals, alternating; make compare, compare-types,
 * compare-exact, compare-gpus, compare-rows and compare-row-types call it
 *
 *     compare SUBJECT [--csv FILE] [--most SIZE] [--quick] [--gpus K]
 *
 * Prints a table of ratios, our time over the rival's, and writes all figures to FILE. --quick:
 * every other size or fewer, and no calls one after another. A rival whose library was not there at
 * the build is left out. Exit status: 0, 1 if a sum is wrong or slower than CUB's (the whole 95 %
 * interval of the ratio lies above 1), 2, or 77 where these GPUs cannot do it.
 */
#include "cuda_errors.h"
#include "harness.h"
#include "message.h"
#include "numbers.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static const struct subject *const subjects[] = {
    &subject_floats,        &subject_types,    &subject_exact,    &subject_gpus,
    &subject_tune,          &subject_rows,     &subject_segments, &subject_row_types,
    &subject_segment_types, &subject_tune_rows};
enum { SUBJECTS = sizeof subjects / sizeof subjects[0] };

static int usage(void)
{
    return complain(
        STATUS_USAGE,
        "usage: compare floats|types|exact|gpus|rows|segments|row_types|segment_types|"
        "tune|tune_rows [--csv FILE] [--most SIZE] [--quick] [--gpus K], a SIZE as 64K or 2G");
}

static int read_subject(const char *name, struct comparison *c)
{
    if (name == NULL)
        return usage();
    for (int i = 0; i < SUBJECTS; i++)
        if (subjects[i] != NULL && strcmp(name, subjects[i]->name) == 0)
            c->subject = subjects[i];
    if (c->subject != NULL)
        return STATUS_OK;
    if (strcmp(name, "softmax") == 0)
        return complain(STATUS_USAGE, "softmax has a program of its own, and its rival is PyTorch: "
                                      "make compare-softmax");
    return usage();
}

static int read_options(int argc, char **argv, struct comparison *c, const char **csv)
{
    static const struct option options[] = {{"csv", required_argument, NULL, 'c'},
                                            {"gpus", required_argument, NULL, 'g'},
                                            {"most", required_argument, NULL, 'm'},
                                            {"quick", no_argument, NULL, 'q'},
                                            {0}};
    int code;
    uint64_t gpus = 0;
    opterr = 0;
    while ((code = getopt_long(argc, argv, "", options, NULL)) != -1) {
        const char *wrong = NULL;
        if (code == 'c')
            *csv = optarg;
        else if (code == 'q')
            c->quick = true;
        else if (code == 'm' && (wrong = parse_size(optarg, &c->most)) != NULL)
            return complain(STATUS_USAGE, "--most %s: %s", optarg, wrong);
        else if (code == 'm' && c->most == 0)
            return complain(STATUS_USAGE, "--most 0: at least 1 is needed");
        else if (code == 'g' && !parse_number(optarg, 1, MAX_GPUS, &gpus))
            return complain(STATUS_USAGE, "--gpus %s: a number from 1 to %d", optarg, MAX_GPUS);
        else if (code == '?')
            return usage();
    }
    int status = optind + 1 < argc ? usage() : read_subject(argv[optind], c);
    if (status != STATUS_OK)
        return status;
    if (c->subject->many_gpus != (gpus > 0))
        return complain(STATUS_USAGE, "compare gpus needs --gpus K, and no other subject takes it");
    c->options.gpus = (unsigned)gpus;
    c->most = c->most > 0 ? c->most : c->subject->most;
    return STATUS_OK;
}

/* Returns -1, or the exit status after one line. */
static int open_machine(struct comparison *c)
{
    bool many = c->subject->many_gpus;
    cudaStream_t stream;
    if (many)
        prepare_for_gpus(&c->options);
    int status = select_device(0);
    if (status >= 0)
        return status;
    read_machine(&c->machine, 0);
    status = many ? find_gpus(&c->options, &c->machine) : -1;
    if (status >= 0)
        return status;
    if (c->machine.no_peers[0] != '\0')
        return complain(STATUS_NOTHING, "%s", c->machine.no_peers);
    CUDA_CHECK(cudaStreamCreate(&stream));
    open_gpus(&c->gpus, &c->options, many ? c->machine.gpus : 1, stream);
    open_numbers(c);
    return -1;
}

int main(int argc, char **argv)
{
    struct comparison c = {.label = "float"};
    const char *csv = NULL;
    begin_program(argv[0]);
    int status = read_options(argc, argv, &c, &csv);
    if (status == STATUS_OK)
        status = whole_file_open(&c.csv, "the CSV file", csv == NULL ? "/dev/null" : csv);
    if (status != STATUS_OK)
        return status;
    status = open_machine(&c);
    if (status >= 0)
        return status;

    print_head(&c);
    fprintf(c.csv.lines, "%s\n", c.subject->columns);
    c.subject->run(&c);
    if (c.pairs > 0)
        printf("\n%zu pairs, slower than CUB in %zu\n", c.pairs, c.slower);
    status = whole_file_close(&c.csv);
    free(c.host);
    bool failed = c.wrong > 0 || (c.subject->fails_if_slower && c.slower > 0);
    return status != STATUS_OK ? status : failed ? STATUS_WRONG : STATUS_OK;
}
