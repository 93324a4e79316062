/* The command line: what it accepts, what it refuses and how. (What a variant takes of it is the plan's to say:
   plan.c.) */
#include "options.h"
#include "message.h"
#include "task.h"
#include "unit.h"

static int demo(void) { return 0; }

VARIANT(any, .per_thread = 1);
VARIANT(warps, .per_thread = 1);
VARIANT(tree, .min_block = 64);
VARIANT(cpu, .flags = ON_CPU);
static const struct variant absent = {.name = "absent", .why_not = "it needs a library"};
VARIANT(broken, .flags = KNOWN_WRONG);
enum { VARIANTS = 6 };
static const struct variant *const variants[] = {&any, &warps, &tree, &cpu, &absent, &broken, NULL};
static struct lesson tested = {.name = "99_test", .idea = "an idea", .variants = variants};
static struct options o;

static int parse(const char *line, bool simulator) {
    char *argv[64];
    return parse_options(words_of(line, argv), argv, &tested, simulator, &o);
}

/* What it printed is in capture.text. */
static int parsed(const char *line, bool simulator) {
    int status;
    PRINTED(stderr, status = parse(line, simulator));
    return status;
}

static bool accepted(const char *line) { return parsed(line, true) == OPTIONS_GO_ON && capture.text[0] == '\0'; }

#define refused(LINE, SIMULATOR, ...) IS_REFUSED(parsed(LINE, SIMULATOR), STATUS_USAGE, LINE, __VA_ARGS__)

/* Which variants are marked, a letter for each: "awtcxb". */
static bool marks(const bool *marked, const char *expected) {
    bool same = true;
    for (int i = 0; i < VARIANTS; i++) same = same && expected[i] == (marked[i] ? "awtcxb"[i] : '-');
    return same;
}
TEST(defaults) {
    ok(accepted(""), "no options at all");
    IS(o.size_count == 2 && o.sizes[0] == 1000 && o.sizes[1] == 65536);
    ok(o.block == 256 && o.repeat == 0 && o.pattern == PATTERN_UNIFORM && o.seed == 1 && o.offset == 0 &&
           o.csv == NULL && o.schedule == 0 && o.device == 0 && o.sms == 4 && o.trace == NULL && !o.sized && !o.list &&
           marks(o.required, "------"),
       "the other defaults");
    IS(!o.check && !o.warm && !o.counters && !o.known_wrong && !o.demo && !o.named);
    ok(marks(o.selected, "awtcx-"), "all variants but the known wrong");
    IS(parse("", false) == OPTIONS_GO_ON && o.size_count == 3 && o.sizes[0] == 1 << 20 && o.sizes[2] == 1 << 28);
}

TEST(values) {
    IS(accepted("-n 0,1K,3,1<<20") && o.size_count == 4 && o.sizes[0] == 0 && o.sizes[1] == 1024 && o.sizes[2] == 3 &&
       o.sizes[3] == 1 << 20);
    IS(accepted("--size=7") && o.size_count == 1 && o.sizes[0] == 7);
    IS(accepted("-n5") && o.sized && o.sizes[0] == 5);
    ok(accepted("-b 512 --repeat 9 --pattern ramp --seed 18446744073709551615 --offset 31 "
                "--csv out.csv --check --warm --counters --schedule=12 --device 2"),
       "all the others");
    IS(o.block == 512 && o.repeat == 9 && o.pattern == PATTERN_RAMP && o.seed == UINT64_MAX && o.offset == 31 &&
       strcmp(o.csv, "out.csv") == 0 && o.check && o.warm && o.counters && o.schedule == 12 && o.device == 2);
    IS(accepted("--sms 132 --trace t.csv") && o.sms == 132 && strcmp(o.trace, "t.csv") == 0 &&
       o.trace_block_count == 1 && o.trace_blocks[0] == 0);
    IS(accepted("--trace - --trace-blocks 7,0") && o.trace_block_count == 2 && o.trace_blocks[0] == 7 &&
       o.trace_blocks[1] == 0);
    IS(accepted("--list") && o.list && accepted("--list --csv x") && o.list && o.csv != NULL);
    IS(accepted("--csv -") && strcmp(o.csv, "-") == 0);
    IS(accepted("--repeat 1") && accepted("--repeat 100000"));
    tested.demo = demo;
    IS(accepted("--demo") && o.demo);
    tested.demo = NULL;
}

/* A command line selects these variants, and insists on those. */
static void picks(const char *line, const char *selected, const char *required) {
    ok(accepted(line) && o.named == (line[1] == 'v') && marks(o.selected, selected) && marks(o.required, required),
       "%s: %s", line, selected);
}

TEST(variants_named) {
    picks("-v tree,any", "a-t---", "a-t---");
    picks("-v cpu -v any", "a--c--", "a--c--");
    picks("-v absent", "----x-", "----x-");
    picks("-v broken", "-----b", "-----b");
    picks("--known-wrong", "awtcxb", "------");
    picks("-v any --known-wrong", "a----b", "a-----");
    picks("-v *a*", "aw--x-", "------"); /* all that a pattern matches, and it does not insist */
    picks("-v *", "awtcx-", "------");   /* but none that is wrong on purpose */
    picks("-v [at]*,c?u", "a-tcx-", "------");
    picks("-v t*,tree", "--t---", "--t---");
    refused("-v v9", true, "no variant \"v9\" here", "any, warps, tree, cpu, absent, broken");
    refused("-v any,", true, "any, warps, tree");
    refused("-v b*", true, "no variant \"b*\" here");
}

TEST(rows) {
    TASK(matrix, .min_row = 64, .max_row = 2048, .row_unit = 64);
    VARIANT(soft, .task = &matrix);
    const struct variant *const tools[] = {&any, &soft, NULL};
    refused("--row 64", true, "--row", "nothing in this lesson works on rows", "the toolbox");
    tested.variants = tools;
    IS(accepted("") && o.row_count == 1 && o.rows[0] == 1024);
    IS(accepted("--row 64,1K,7") && o.row_count == 3 && o.rows[0] == 64 && o.rows[1] == 1024 && o.rows[2] == 7);
    IS(accepted("--row 1 --row 2") && o.row_count == 1 && o.rows[0] == 2);
    refused("--row 0x", true, "--row", "\"0x\"", "64K");
    refused("--row ,", true, "--row", "\"\"");
    refused("--row", true, "--row needs a value");
    refused("--row 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17", true, "16 rows");
    tested.variants = variants;
}

static const struct task *const by_operator[3];
TASK(argmax, .name = "argmax");
TASK(each, .name = "rows", OF_EACH(EACH_ROW), .by_operator = by_operator);
TASK(argmax_of_each, .name = "rows_argmax", OF_EACH(EACH_ROW), .of_each = &argmax, .by_operator = by_operator);
TASK(ragged_rows, .name = "ragged", OF_EACH(EACH_ROW), .ragged = true);
static const struct task *const by_operator[] = {&each, &argmax_of_each, NULL};
VARIANT(on_rows, .task = &each);
VARIANT(ragged, .task = &ragged_rows);

TEST(matrices) {
    const struct variant *const of_rows[] = {&any, &on_rows, NULL}, *const of_ragged[] = {&ragged, NULL};
    refused("--gap 3", true, "--gap", "nothing in this lesson", "step16");
    refused("--lengths equal", true, "--lengths", "nothing in this lesson", "step16");
    refused("--operator sum", true, "--operator", "step16");
    tested.variants = of_rows;
    IS(accepted("") && o.gap == 0 && o.by_operator == NULL);
    IS(accepted("--gap 7 --operator argmax") && o.gap == 7 && strcmp(o.by_operator, "argmax") == 0);
    IS(accepted("--operator sum") && strcmp(o.by_operator, "sum") == 0);
    IS(accepted("--row 0 --gap 1") && o.rows[0] == 0);
    refused("--row 0", true, "--row 0", "--gap");
    refused("--row 5,0", true, "--row 0", "--gap");
    refused("--gap 4097", true, "--gap", "0 to 4096");
    refused("--gap x", true, "--gap", "0 to 4096");
    refused("--operator product", true, "no operator \"product\"", "sum, argmax");
    refused("--lengths equal", true, "--lengths", "nothing in this lesson");
    tested.variants = of_ragged;
    IS(accepted("") && o.lengths == LENGTHS_ONE_LONG);
    IS(accepted("--lengths random") && o.lengths == LENGTHS_RANDOM);
    refused("--lengths odd", true, "no lengths \"odd\"", "one_long, random, equal");
    refused("--gap 3", true, "--gap", "nothing in this lesson");
    tested.variants = variants;
}

TEST(refusals) {
    refused("-n 0x", true, "\"0x\"", "64K");
    refused("-n ''", true, "\"\"", "64K");
    refused("-n 1,,2", true, "1,,2", "64K");
    refused("-n 1,", true, "64K");
    refused("-n 1<<64", true, "too large");
    refused("-b 0", true, "1 to 1024");
    refused("-b 1025", true, "1025", "1 to 1024");
    refused("-b 64K", true, "1 to 1024");
    refused("--pattern sawtooth", true, "sawtooth",
            "uniform, positive, ones, ramp, cancel, normal, lognormal, wide, huge, far, nan");
    refused("--repeat 0", true, "--repeat", "1 to 100000");
    refused("--repeat 100001", true, "--repeat", "1 to 100000");
    refused("--seed -1", true, "--seed");
    refused("--seed 18446744073709551616", true, "--seed", "18446744073709551615");
    refused("--offset 32", true, "--offset", "0 to 31");
    refused("--sms 257", true, "--sms", "1 to 256");
    refused("--demo", true, "no demonstration");
    refused("--frobnicate", true, "--frobnicate", "--help");
    refused("-q", true, "-q", "--help");
    refused("extra", true, "extra", "--help");
    refused("--trace x --csv x", true, "both write to");
    refused("--trace-blocks 1", true, "--trace FILE");
    char quoted[] = "--schedule=x --device=x --check=3", needs_value[] = "-n --csv",
         of_simulator[] = "--trace=x --trace-blocks=1 --sms=8 --counters --schedule=3";
    EACH_WORD (word, quoted) refused(word, true, word[2] == 'c' ? word : "\"x\"");
    EACH_WORD (word, needs_value) refused(word, true, word, "needs a value");
    EACH_WORD (word, of_simulator) refused(word, false, "works on the simulator", "make BACKEND=sim step99");
    refused("-n 5 extra --check", true, "extra");
    char many[512] = "-n 1";
    for (int i = 0; i < MAX_SIZES; i++) strcat(many, ",1");
    refused(many, true, "64 sizes");
}

TEST(help) {
    int status;
    const char *text = PRINTED(stdout, status = parse("--check --help -n 0x", true));
    ok(status == STATUS_OK && strstr(text, "usage: ./step99") != NULL, "--help: status 0, whatever comes after it");
}
