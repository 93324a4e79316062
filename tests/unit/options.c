/* The command line: what it accepts, what it refuses and how.
   links: options help blocks shapes numbers data message */
#include "options.h"
#include "blocks.h"
#include "capture.h"
#include "message.h"
#include "tap.h"
#include "task.h"

static void launch(struct sum *s)
{
    (void)s;
}

static int demo(void)
{
    return 0;
}

static const struct variant variants[] = {
    {.name = "any", .what = "any block", .launch = launch},
    {.name = "warps", .what = "warps", .launch = launch, .block_rule = BLOCK_WHOLE_WARPS},
    {.name = "tree",
     .what = "a tree",
     .launch = launch,
     .block_rule = BLOCK_POWER_OF_TWO,
     .min_block = 64},
    {.name = "cpu", .what = "on the CPU", .launch = launch, .flags = ON_CPU},
    {.name = "absent", .what = "nowhere", .why_not = "it needs a library"},
    {.name = "broken", .what = "wrong", .launch = launch, .flags = SPECIMEN},
};
enum { ANY, WARPS, TREE, CPU, ABSENT, BROKEN, VARIANTS };
static struct lesson lesson = {
    .name = "99_test", .idea = "an idea", .variants = variants, .variant_count = VARIANTS};
static struct options o;

/* Parses the words of a command line, as typed after the program's name. */
static int parse(const char *line, bool simulator)
{
    static char copy[4096];
    char *argv[64] = {"some/folder/step99"}, *rest = copy, *word;
    int argc = 1;
    snprintf(copy, sizeof copy, "%s", line);
    while ((word = strsep(&rest, " ")) != NULL) {
        if (word[0] != '\0')
            argv[argc++] = strcmp(word, "''") == 0 ? "" : word;
    }
    return parse_options(argc, argv, &lesson, simulator, &o);
}

static bool accepted(const char *line)
{
    capture_start(stderr);
    int status = parse(line, true);
    const char *text = capture_stop();
    return status == OPTIONS_GO_ON && text[0] == '\0';
}

/* Status 2, and one line with the program's name and these words. */
#define refused(line, simulator, ...)                                                              \
    refused_with(line, simulator, (const char *const[]){"step99: ", __VA_ARGS__, NULL})
static void refused_with(const char *line, bool simulator, const char *const *words)
{
    capture_start(stderr);
    int status = parse(line, simulator);
    const char *text = capture_stop();
    if (!ok(status == STATUS_USAGE && one_line_with(text, words), "refused: %s", line))
        printf("# status %d, \"%s\"\n", status, text);
}

/* Which variants are selected, a letter for each: "awtcxb". */
static bool selected(const char *expected)
{
    char got[VARIANTS + 1] = "awtcxb";
    for (int i = 0; i < VARIANTS; i++) {
        if (!o.selected[i])
            got[i] = '-';
    }
    return strcmp(got, expected) == 0;
}

static void launch_tool(struct sum *s)
{
    (void)s;
}

/* A lesson like the toolbox, whose variants do not take every n. */
static const struct task tiles = {.unit = 1024},
                         rows = {.min_row = 64, .max_row = 2048, .row_unit = 64};
static const struct variant tools[] = {
    {.name = "scan", .what = "any n", .launch = launch_tool},
    {.name = "scan_tiles", .what = "whole tiles", .launch = launch_tool, .task = &tiles},
    {.name = "soft", .what = "rows", .launch = launch_tool, .task = &rows},
    {.name = "scan_wrong", .what = "wrong", .launch = launch_tool, .flags = SPECIMEN},
};
enum { SCAN, TILES, SOFT, WRONG };
static const struct lesson sums = {
    .name = "99_test", .idea = "an idea", .variants = variants, .variant_count = VARIANTS};

static bool runs(bool scan, bool tiled, bool soft, bool wrong)
{
    return will_run(&lesson, &o, SCAN) == scan && will_run(&lesson, &o, TILES) == tiled &&
           will_run(&lesson, &o, SOFT) == soft && will_run(&lesson, &o, WRONG) == wrong;
}

static void shapes(void)
{
    refused("--row 64", true, "--row", "nothing in this lesson works on rows", "the toolbox");
    lesson.variants = tools;
    lesson.variant_count = 4;
    ok(accepted("") && o.row_count == 1 && o.rows[0] == 1024 && runs(true, true, true, false),
       "rows of 1024, if nothing is said");
    ok(accepted("--row 64,1K") && o.row_count == 2 && o.rows[0] == 64 && o.rows[1] == 1024,
       "a list of rows");
    ok(accepted("--row 7,64 -n 1000") && runs(true, true, true, false), "one of the rows will do");
    ok(accepted("--row 7") && runs(true, true, false, false), "none of the rows: it does not run");
    ok(accepted("-v scan* -n 1000") && o.named && runs(true, true, false, false),
       "a pattern: all that it matches, but no specimen, and whatever they take");
    ok(!o.insisted[SCAN] && !o.insisted[TILES], "which does not insist");
    ok(accepted("-v s?ft") && runs(false, false, true, false), "a question mark");
    ok(accepted("-v [s]can,scan_t*") && runs(true, true, false, false), "a set; two patterns");
    ok(accepted("-v scan_wrong") && runs(false, false, false, true), "a specimen that is named");
    ok(accepted("-v scan_tiles,soft -n 0,4K --row 128,2K"), "names, and what they take");
    ok(accepted("-v scan_tiles,soft"), "sizes that nobody typed need not all be taken");
    refused("-v scan_tiles -n 1024,1000", true,
            "scan_tiles takes an n that is a multiple of 1024, not 1000");
    refused("-v soft --row 64,100 -n 6400", true,
            "soft takes rows of 64 to 2048 floats in multiples of 64, not 100");
    refused("-v soft --row 4K -n 4K", true, "soft takes rows of 64 to 2048", "not 4096");
    refused("-v soft --row 192 -n 1920,64K", true,
            "soft takes an n that is a multiple of 192, not 64K");
    refused("-v soft,scan_tiles -b 1025", true, "1 to 1024");
    refused("-v scan_w*", true, "no variant \"scan_w*\"");
    refused("-v scam*", true, "no variant \"scam*\"", "scan, scan_tiles, soft, scan_wrong");
    refused("--row 0x", true, "--row", "\"0x\"", "64K");
    refused("--row ,", true, "--row", "\"\"");
    refused("--row", true, "--row needs a value");
    refused("--row 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17", true, "16 rows");
    capture_start(stdout);
    parse("--list", true);
    const char *text = capture_stop();
    ok(strstr(text, "; rows of 64 to 2048 floats in multiples of 64") != NULL &&
           strstr(text, "; an n that is a multiple of 1024") != NULL,
       "--list tells rows and tiles");
    capture_start(stdout);
    parse("--help", true);
    ok(strstr(capture_stop(), "--row K") != NULL, "--help tells of --row, where there are rows");
    lesson = sums;
    capture_start(stdout);
    parse("--help", true);
    ok(strstr(capture_stop(), "--row") == NULL, "and not where there are none");
}

static void defaults(void)
{
    ok(accepted(""), "no options at all");
    ok(o.size_count == 2 && o.sizes[0] == 1000 && o.sizes[1] == 65536, "simulator: 1000, 64K");
    ok(o.block == 256 && o.repeat == 0 && o.pattern == PATTERN_UNIFORM && o.seed == 1 &&
           o.offset == 0 && o.csv == NULL && o.schedule == 0 && o.device == 0 && o.sms == 4 &&
           o.trace == NULL,
       "the other defaults");
    ok(!o.check && !o.warm && !o.counters && !o.specimens && !o.demo && !o.named, "nothing on");
    ok(selected("awtcx-"), "all variants but the specimen");
    ok(parse("", false) == OPTIONS_GO_ON && o.size_count == 3 && o.sizes[0] == 1 << 20 &&
           o.sizes[2] == 1 << 28,
       "on a GPU: 1M, 16M, 256M");
}

static void values(void)
{
    ok(accepted("-n 0,1K,3,1<<20") && o.size_count == 4 && o.sizes[0] == 0 && o.sizes[1] == 1024 &&
           o.sizes[2] == 3 && o.sizes[3] == 1 << 20,
       "a list of sizes, in the order typed");
    ok(accepted("--size=7") && o.size_count == 1 && o.sizes[0] == 7, "--size=7");
    ok(accepted("-n5") && o.sizes[0] == 5, "-n5");
    ok(accepted("-v tree,any") && o.named && selected("a-t---"), "-v tree,any");
    ok(accepted("-v cpu -v any") && selected("a--c--"), "-v twice adds up");
    ok(accepted("-v broken") && selected("-----b"), "a specimen that is named");
    ok(accepted("--specimens") && selected("awtcxb"), "--specimens");
    ok(accepted("-v any --specimens") && selected("a----b"), "-v and --specimens");
    ok(accepted("-b 512 --repeat 9 --pattern ramp --seed 18446744073709551615 --offset 31 "
                "--csv out.csv --check --warm --counters --schedule=12 --device 2"),
       "all the others");
    ok(o.block == 512 && o.repeat == 9 && o.pattern == PATTERN_RAMP && o.seed == UINT64_MAX &&
           o.offset == 31 && strcmp(o.csv, "out.csv") == 0 && o.check && o.warm && o.counters &&
           o.schedule == 12 && o.device == 2,
       "their values");
    ok(accepted("--sms 132 --trace t.csv") && o.sms == 132 && strcmp(o.trace, "t.csv") == 0 &&
           o.trace_block_count == 1 && o.trace_blocks[0] == 0,
       "--sms; --trace, of block 0");
    ok(accepted("--trace - --trace-blocks 7,0") && o.trace_block_count == 2 &&
           o.trace_blocks[0] == 7 && o.trace_blocks[1] == 0,
       "--trace-blocks");
    ok(accepted("--csv -") && strcmp(o.csv, "-") == 0, "--csv -");
    ok(accepted("--repeat 1") && accepted("--repeat 100000"), "--repeat from 1 to 100000");
    lesson.demo = demo;
    ok(accepted("--demo") && o.demo, "--demo, where there is one");
    lesson.demo = NULL;
}

static void blocks(void)
{
    ok(accepted("-b 1") && accepted("-b 33") && accepted("-b 1024"), "blocks that some take");
    ok(will_run(&lesson, &o, ANY) && will_run(&lesson, &o, TREE), "1024: any, tree");
    accepted("-b 96");
    ok(will_run(&lesson, &o, ANY) && will_run(&lesson, &o, WARPS) && will_run(&lesson, &o, CPU) &&
           !will_run(&lesson, &o, TREE),
       "96: any, warps and cpu, not tree");
    accepted("-b 32");
    ok(will_run(&lesson, &o, WARPS) && !will_run(&lesson, &o, TREE), "32: warps, not tree");
    ok(!will_run(&lesson, &o, ABSENT) && !will_run(&lesson, &o, BROKEN),
       "what cannot run, or is not selected, does not");
    refused("-b 33 -v tree", true,
            "tree takes blocks of 64, 128, 256, 512 or 1024 threads, not 33");
    refused("-v any,warps -b 33", true,
            "warps takes blocks of 32 to 1024 threads in whole warps of 32, not 33");
    struct lesson only_tree = lesson;
    only_tree.variants = &variants[TREE];
    only_tree.variant_count = 1;
    char *argv[] = {"step99", "-b", "33"};
    capture_start(stderr);
    int status = parse_options(3, argv, &only_tree, true, &o);
    capture_stop();
    ok(status == STATUS_USAGE, "refused without -v too, where no variant takes the block");
    ok(accepted("-v cpu -b 33") && accepted("-v absent -b 33"), "no blocks on the CPU");
}

static void refusals(void)
{
    refused("-n 0x", true, "\"0x\"", "64K");
    refused("-n -5", true, "\"-5\"", "64K");
    refused("-n 1e99", true, "\"1e99\"", "64K");
    refused("-n ''", true, "\"\"", "64K");
    refused("-n 1,,2", true, "1,,2", "64K");
    refused("-n 1,", true, "64K");
    refused("-n 99999999999999999999", true, "too large");
    refused("-n 1<<64", true, "too large");
    refused("-b 0", true, "1 to 1024");
    refused("-b 1025", true, "1025", "1 to 1024");
    refused("-b 64K", true, "1 to 1024");
    refused("-v v9", true, "v9", "any, warps, tree, cpu, absent, broken");
    refused("-v any,", true, "any, warps, tree");
    refused("--pattern sawtooth", true, "sawtooth",
            "uniform, positive, ones, ramp, cancel, huge, nan");
    refused("--repeat 0", true, "--repeat", "1 to 100000");
    refused("--repeat 100001", true, "--repeat", "1 to 100000");
    refused("--seed -1", true, "--seed");
    refused("--seed 18446744073709551616", true, "--seed", "18446744073709551615");
    refused("--schedule x", true, "--schedule");
    refused("--offset 32", true, "--offset", "0 to 31");
    refused("--device x", true, "--device");
    refused("--demo", true, "no demonstration");
    refused("--frobnicate", true, "--frobnicate", "--help");
    refused("-q", true, "-q", "--help");
    refused("--check=3", true, "--check=3");
    refused("-n", true, "-n needs a value");
    refused("--csv", true, "--csv needs a value");
    refused("extra", true, "extra", "--help");
    refused("-n 5 extra --check", true, "extra");
    refused("--counters", false, "simulator", "make BACKEND=sim step99");
    refused("--schedule 3", false, "simulator", "make BACKEND=sim step99");
    refused("--trace x", false, "--trace works on the simulator", "make BACKEND=sim step99");
    refused("--trace-blocks 1", false, "--trace-blocks works on the simulator");
    refused("--sms 8", false, "--sms works on the simulator");
    refused("--sms 257", true, "--sms", "1 to 256");
    refused("--trace x --csv x", true, "both write to");
    char many[512] = "-n 1";
    for (int i = 0; i < MAX_SIZES; i++)
        strcat(many, ",1");
    refused(many, true, "64 sizes");
}

static void prints(void)
{
    static const char *const options[] = {
        "-n",          "-v",         "-b",       "--repeat", "--pattern",
        "--seed",      "--offset",   "--csv",    "--check",  "--warm",
        "--counters",  "--schedule", "--sms",    "--trace",  "--trace-blocks",
        "--specimens", "--demo",     "--device", "--list",   "--help",
        "uniform",     "cancel",     "64K",      "77"};
    capture_start(stdout);
    int status = parse("--help -n 0x", true);
    const char *text = capture_stop();
    ok(status == STATUS_OK && strstr(text, "./step99") != NULL, "--help: status 0, and the name");
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        ok(strstr(text, options[i]) != NULL, "--help tells of %s", options[i]);

    capture_start(stdout);
    status = parse("--list", true);
    text = capture_stop();
    ok(status == STATUS_OK, "--list: status 0");
    for (int i = 0; i < VARIANTS; i++)
        ok(strstr(text, variants[i].name) != NULL, "--list tells of %s", variants[i].name);
    ok(strstr(text, "64, 128, 256, 512 or 1024") && strstr(text, "wrong on purpose") &&
           strstr(text, "it needs a library") && strstr(text, "on the CPU"),
       "--list tells blocks, specimens, reasons");
}

int main(void)
{
    defaults();
    values();
    blocks();
    refusals();
    shapes();
    prints();
    return done_testing();
}
