/* options.c: see options.h. */
#include "options.h"

#include "message.h"
#include "numbers.h"
#include "report.h"
#include "simt.h"
#include "task.h"
#include "variant_limits.h"
#include "whole_file.h"

#include <assert.h>
#include <fnmatch.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What getopt_long returns for the options that have no short form. */
enum long_option {
    OPT_REPEAT = 256,
    OPT_PATTERN,
    OPT_SEED,
    OPT_OFFSET,
    OPT_ROW,
    OPT_GAP,
    OPT_LENGTHS,
    OPT_OPERATOR,
    OPT_CSV,
    OPT_CHECK,
    OPT_WARM,
    OPT_KNOWN_WRONG,
    OPT_DEMO,
    OPT_DEVICE,
    OPT_GPUS,
    OPT_SHARES,
    OPT_LIST,
    OPT_COUNTERS, /* from here on: on the simulator only */
    OPT_SCHEDULE,
    OPT_SMS,
    OPT_TRACE,
    OPT_TRACE_BLOCKS,
    OPT_MODEL
};

static const struct option long_options[] = {
    {"size", required_argument, NULL, 'n'},
    {"variant", required_argument, NULL, 'v'},
    {"block", required_argument, NULL, 'b'},
    {"repeat", required_argument, NULL, OPT_REPEAT},
    {"pattern", required_argument, NULL, OPT_PATTERN},
    {"seed", required_argument, NULL, OPT_SEED},
    {"offset", required_argument, NULL, OPT_OFFSET},
    {"row", required_argument, NULL, OPT_ROW},
    {"gap", required_argument, NULL, OPT_GAP},
    {"lengths", required_argument, NULL, OPT_LENGTHS},
    {"operator", required_argument, NULL, OPT_OPERATOR},
    {"csv", required_argument, NULL, OPT_CSV},
    {"check", no_argument, NULL, OPT_CHECK},
    {"warm", no_argument, NULL, OPT_WARM},
    {"counters", no_argument, NULL, OPT_COUNTERS},
    {"schedule", required_argument, NULL, OPT_SCHEDULE},
    {"sms", required_argument, NULL, OPT_SMS},
    {"trace", required_argument, NULL, OPT_TRACE},
    {"trace-blocks", required_argument, NULL, OPT_TRACE_BLOCKS},
    {"model", required_argument, NULL, OPT_MODEL},
    {"known-wrong", no_argument, NULL, OPT_KNOWN_WRONG},
    {"demo", no_argument, NULL, OPT_DEMO},
    {"device", required_argument, NULL, OPT_DEVICE},
    {"gpus", required_argument, NULL, OPT_GPUS},
    {"shares", required_argument, NULL, OPT_SHARES},
    {"list", no_argument, NULL, OPT_LIST},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static bool ok(int status)
{
    return status == OPTIONS_GO_ON;
}

typedef int take_item(const char *item, const struct lesson *lesson, struct options *o);

/* Calls take for each item of a list with commas, until one fails. */
static int each_item(const char *list, take_item *take, const struct lesson *lesson,
                     struct options *o)
{
    char *copy = strdup(list), *rest = copy, *item;
    int status = OPTIONS_GO_ON;
    while (ok(status) && (item = strsep(&rest, ",")) != NULL)
        status = take(item, lesson, o);
    free(copy);
    return status;
}

static int take_size(const char *item, const struct lesson *lesson, struct options *o)
{
    (void)lesson;
    size_t size;
    const char *wrong = parse_size(item, &size);
    if (wrong != NULL && optarg != NULL && strcmp(item, optarg) != 0)
        return complain(STATUS_USAGE, "in -n %s: \"%s\" %s", optarg, item, wrong);
    if (wrong != NULL)
        return complain(STATUS_USAGE, "\"%s\" %s", item, wrong);
    if (o->size_count == MAX_SIZES)
        return complain(STATUS_USAGE, "more than %d sizes: split the list", MAX_SIZES);
    o->sizes[o->size_count++] = size;
    return OPTIONS_GO_ON;
}

static bool some_variant(const struct lesson *lesson, bool (*does)(const struct variant *))
{
    for (size_t i = 0; lesson->variants[i] != NULL; i++)
        if (does(lesson->variants[i]))
            return true;
    return false;
}

static int take_row(const char *item, const struct lesson *lesson, struct options *o)
{
    size_t row;
    if (!some_variant(lesson, has_rows))
        return complain(STATUS_USAGE, "--row: nothing in this lesson works on rows; step16 does, "
                                      "and the toolbox's softmax");
    const char *wrong = parse_size(item, &row);
    if (wrong != NULL)
        return complain(STATUS_USAGE, "--row: \"%s\" %s", item, wrong);
    if (o->row_count == MAX_ROWS)
        return complain(STATUS_USAGE, "more than %d rows: split the list", MAX_ROWS);
    o->rows[o->row_count++] = row;
    return OPTIONS_GO_ON;
}

static int take_number(const char *option, const char *text, uint64_t least, uint64_t most,
                       uint64_t *number)
{
    if (parse_number(text, least, most, number))
        return OPTIONS_GO_ON;
    return complain(STATUS_USAGE, "%s \"%s\": it takes a whole number from %llu to %llu", option,
                    text, (unsigned long long)least, (unsigned long long)most);
}

/* Puts a name after those that a list has; size: its room. */
static void add_name(char *names, size_t size, const char *name)
{
    size_t used = strlen(names);
    snprintf(names + used, size - used, "%s%s", used > 0 ? ", " : "", name);
}

static int take_gap(const char *text, const struct lesson *lesson, struct options *o)
{
    uint64_t number = 0;
    if (!some_variant(lesson, takes_gap))
        return complain(STATUS_USAGE, "--gap: nothing in this lesson has gaps between rows; step16 "
                                      "has");
    int status = take_number("--gap", text, 0, MAX_GAP, &number);
    o->gap = (size_t)number;
    return status;
}

static int take_lengths(const char *name, const struct lesson *lesson, struct options *o)
{
    char names[128] = "";
    if (!some_variant(lesson, has_ragged_rows))
        return complain(STATUS_USAGE, "--lengths: nothing in this lesson has rows of different "
                                      "lengths; step16 has");
    if (lengths_from_name(name, &o->lengths))
        return OPTIONS_GO_ON;
    for (int k = 0; k < LENGTHS_COUNT; k++)
        add_name(names, sizeof names, lengths_name((enum lengths)k));
    return complain(STATUS_USAGE, "no lengths \"%s\"; there are %s", name, names);
}

static int take_operator(const char *name, const struct lesson *lesson, struct options *o)
{
    char names[256] = "";
    size_t i = 0;
    while (lesson->variants[i] != NULL && !has_operators(lesson->variants[i]))
        i++;
    if (lesson->variants[i] == NULL)
        return complain(STATUS_USAGE, "--operator: the variants of this lesson have one each; "
                                      "step16 takes any");
    const struct task *const *tasks = lesson->variants[i]->task->by_operator;
    for (size_t k = 0; tasks[k] != NULL; k++) {
        if (strcmp(operator_name(tasks[k]), name) == 0) {
            o->by_operator = name;
            return OPTIONS_GO_ON;
        }
        add_name(names, sizeof names, operator_name(tasks[k]));
    }
    return complain(STATUS_USAGE, "no operator \"%s\"; there are %s", name, names);
}

/* A name, or a pattern as in 'scan*': whatever it matches runs if it can. One that is wrong on
   purpose must be named. */
static int take_variant(const char *item, const struct lesson *lesson, struct options *o)
{
    char names[24 * MAX_VARIANTS] = "";
    bool pattern = strpbrk(item, "*?[") != NULL, some = false;
    for (size_t i = 0; lesson->variants[i] != NULL; i++) {
        const struct variant *variant = lesson->variants[i];
        bool same = strcmp(variant->name, item) == 0;
        if (same ||
            (pattern && !(variant->flags & KNOWN_WRONG) && fnmatch(item, variant->name, 0) == 0)) {
            o->selected[i] = o->named = some = true;
            o->required[i] |= same;
        }
        add_name(names, sizeof names, variant->name);
    }
    if (some)
        return OPTIONS_GO_ON;
    return complain(STATUS_USAGE, "no variant \"%s\" here; there are %s", item, names);
}

static int take_pattern(const char *name, struct options *o)
{
    char names[256] = "";
    if (pattern_from_name(name, &o->pattern))
        return OPTIONS_GO_ON;
    for (int p = 0; p < PATTERN_COUNT; p++)
        add_name(names, sizeof names, pattern_name((enum pattern)p));
    return complain(STATUS_USAGE, "no pattern \"%s\"; there are %s", name, names);
}

static int take_trace_block(const char *item, const struct lesson *lesson, struct options *o)
{
    uint64_t number = 0;
    (void)lesson;
    int status = take_number("--trace-blocks", item, 0, UINT32_MAX, &number);
    if (ok(status) && o->trace_block_count == MAX_TRACE_BLOCKS)
        return complain(STATUS_USAGE, "--trace-blocks: more than %d blocks", MAX_TRACE_BLOCKS);
    if (ok(status))
        o->trace_blocks[o->trace_block_count++] = (unsigned)number;
    return status;
}

static int take_share(const char *item, const struct lesson *lesson, struct options *o)
{
    uint64_t number = 0;
    (void)lesson;
    int status = take_number("--shares", item, 0, 1000000, &number);
    if (ok(status) && o->share_count == MAX_GPUS)
        return complain(STATUS_USAGE, "--shares: more than %d GPUs", MAX_GPUS);
    if (ok(status))
        o->shares[o->share_count++] = (unsigned)number;
    return status;
}

/* A share for each GPU, some of them more than 0. */
static int check_shares(struct options *o)
{
    uint64_t total = 0;
    if (o->share_count == 0)
        return OPTIONS_GO_ON;
    if (o->gpus == 0)
        o->gpus = o->share_count;
    if (o->gpus != o->share_count)
        return complain(STATUS_USAGE, "--shares: %u of them, for %u GPUs", o->share_count, o->gpus);
    for (unsigned g = 0; g < o->share_count; g++)
        total += o->shares[g];
    return total > 0
               ? OPTIONS_GO_ON
               : complain(STATUS_USAGE, "--shares: all are 0; some GPU must have the numbers");
}

bool about_many_gpus(const struct lesson *lesson)
{
    for (size_t i = 0; lesson->variants[i] != NULL; i++)
        if (lesson->variants[i]->flags & MANY_GPUS)
            return true;
    return false;
}

/* What begins with a - is the next option: the name was forgotten. */
static int take_file(const char *option, const char *name, const char **file)
{
    *file = name;
    return name[0] != '-' || name[1] == '\0'
               ? OPTIONS_GO_ON
               : complain(STATUS_USAGE, "%s needs a value, a file's name, before %s", option, name);
}

static int not_an_option(int code, const char *as_typed)
{
    if (code == ':')
        return complain(STATUS_USAGE, "%s needs a value; --help shows which", as_typed);
    if (optopt > 0 && optopt < 128 && strncmp(as_typed, "--", 2) != 0)
        return complain(STATUS_USAGE, "no option -%c; --help lists those there are", optopt);
    return complain(STATUS_USAGE, "no option %s; --help lists those there are", as_typed);
}

static int simulator_only(int code)
{
    const struct option *option = long_options;
    while (option->val != code)
        option++;
    return complain(STATUS_USAGE, "--%s works on the simulator: make BACKEND=sim %s", option->name,
                    program_name());
}

/* Takes one option into *o. Returns OPTIONS_GO_ON or the exit status. */
static int take_option(int code, const struct lesson *lesson, bool simulator, struct options *o)
{
    uint64_t number = 0;
    int status = code < OPT_COUNTERS || simulator ? OPTIONS_GO_ON : simulator_only(code);
    if (!ok(status))
        return status;
    if ((code == OPT_GPUS || code == OPT_SHARES) && !about_many_gpus(lesson))
        return complain(STATUS_USAGE, "--%s: this lesson is about one GPU; step14 takes several",
                        code == OPT_GPUS ? "gpus" : "shares");
    switch (code) {
    case 'n':
        o->size_count = 0;
        o->sized = true;
        return each_item(optarg, take_size, lesson, o);
    case 'v':
        return each_item(optarg, take_variant, lesson, o);
    case 'b':
        status = take_number("-b", optarg, 1, MAX_BLOCK, &number);
        o->block = (unsigned)number;
        return status;
    case OPT_REPEAT:
        status = take_number("--repeat", optarg, 1, 100000, &number);
        o->repeat = (size_t)number;
        return status;
    case OPT_PATTERN:
        return take_pattern(optarg, o);
    case OPT_SEED:
        return take_number("--seed", optarg, 0, UINT64_MAX, &o->seed);
    case OPT_OFFSET:
        status = take_number("--offset", optarg, 0, MAX_OFFSET, &number);
        o->offset = (unsigned)number;
        return status;
    case OPT_ROW:
        o->row_count = 0;
        return each_item(optarg, take_row, lesson, o);
    case OPT_GAP:
        return take_gap(optarg, lesson, o);
    case OPT_LENGTHS:
        return take_lengths(optarg, lesson, o);
    case OPT_OPERATOR:
        return take_operator(optarg, lesson, o);
    case OPT_CSV:
        return take_file("--csv", optarg, &o->csv);
    case OPT_CHECK:
        o->check = true;
        return status;
    case OPT_WARM:
        o->warm = true;
        return status;
    case OPT_COUNTERS:
        o->counters = true;
        return status;
    case OPT_SCHEDULE:
        return take_number("--schedule", optarg, 0, UINT64_MAX, &o->schedule);
    case OPT_SMS:
        status = take_number("--sms", optarg, 1, SIMT_MAX_SMS, &number);
        o->sms = (unsigned)number;
        return status;
    case OPT_TRACE:
        return take_file("--trace", optarg, &o->trace);
    case OPT_TRACE_BLOCKS:
        o->trace_block_count = 0;
        return each_item(optarg, take_trace_block, lesson, o);
    case OPT_MODEL:
        o->model = optarg;
        return status;
    case OPT_KNOWN_WRONG:
        o->known_wrong = true;
        return status;
    case OPT_DEMO:
        o->demo = true;
        return lesson->demo != NULL ? status
                                    : complain(STATUS_USAGE, "this lesson has no demonstration");
    case OPT_DEVICE:
        status = take_number("--device", optarg, 0, 1023, &number);
        o->device = (int)number;
        return status;
    case OPT_GPUS:
        status = take_number("--gpus", optarg, 1, MAX_GPUS, &number);
        o->gpus = (unsigned)number;
        return status;
    case OPT_SHARES:
        o->share_count = 0;
        return each_item(optarg, take_share, lesson, o);
    case OPT_LIST:
        o->list = true;
        return status;
    default:
        print_help(lesson, simulator);
        return STATUS_OK;
    }
}

/* Without -v, all that are not known to be wrong; with --known-wrong, these too. */
static void select_variants(const struct lesson *lesson, struct options *o)
{
    for (size_t i = 0; lesson->variants[i] != NULL; i++) {
        bool known_wrong = lesson->variants[i]->flags & KNOWN_WRONG;
        o->selected[i] |= known_wrong ? o->known_wrong : !o->named;
    }
}

static size_t count_variants(const struct lesson *lesson)
{
    size_t count = 0;
    while (lesson->variants[count] != NULL)
        count++;
    return count;
}

int parse_options(int argc, char **argv, const struct lesson *lesson, bool simulator,
                  struct options *options)
{
    assert(count_variants(lesson) <= MAX_VARIANTS);
    begin_program(argv[0]);
    *options = (struct options){.block = DEFAULT_BLOCK, .seed = 1, .sms = DEFAULT_SMS};
    int status = each_item(simulator ? SIMULATOR_SIZES : GPU_SIZES, take_size, lesson, options);

    int code, at = 1;
    opterr = 0; /* the messages are ours */
    optind =
        0; /* start over, should this be called twice; +: in the order in which they are typed */
    while (ok(status) && (code = getopt_long(argc, argv, "+:n:v:b:h", long_options, NULL)) != -1) {
        status = code == '?' || code == ':' ? not_an_option(code, argv[at])
                                            : take_option(code, lesson, simulator, options);
        at = optind;
    }
    if (!ok(status))
        return status;
    if (optind < argc)
        return complain(STATUS_USAGE, "\"%s\" belongs to no option; --help lists them",
                        argv[optind]);
    if (options->trace_block_count > 0 && options->trace == NULL)
        return complain(STATUS_USAGE, "--trace-blocks says which blocks --trace FILE writes down");
    options->trace_block_count += options->trace_block_count == 0; /* block 0 */
    if (options->trace != NULL && options->csv != NULL && same_file(options->trace, options->csv))
        return complain(STATUS_USAGE, "--csv and --trace both write to \"%s\"", options->csv);
    if (options->model != NULL && (options->counters || options->trace != NULL))
        return complain(STATUS_USAGE, "--model predicts times; take --%s without it",
                        options->counters ? "counters" : "trace");
    if (options->demo && (options->csv != NULL || options->trace != NULL))
        return complain(STATUS_USAGE, "--demo prints what it finds, and writes no file");
    status = check_shares(options);
    if (!ok(status))
        return status;
    if (options->row_count == 0)
        options->rows[options->row_count++] = DEFAULT_ROW;
    for (size_t r = 0; r < options->row_count; r++)
        if (options->rows[r] == 0 && options->gap == 0)
            return complain(STATUS_USAGE, "--row 0: take a --gap too, or no number of such rows "
                                          "fills n floats");
    select_variants(lesson, options);
    return OPTIONS_GO_ON;
}
