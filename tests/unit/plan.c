/* What runs, what is skipped, what is refused, and how much memory it takes: one plan. */
#include "plan.h"
#include "check.h"
#include "message.h"
#include "task.h"
#include "unit.h"
#include "variant_limits.h"

static size_t all_words(size_t n, size_t row) { return (void)row, n; }

static size_t row_words(size_t n, size_t row) { return row > 0 ? n / row : 0; }

static size_t two_words(size_t n, size_t row) { return (void)n, (void)row, 2; }

/* A lesson of sums ... */
VARIANT(any, .per_thread = 1);
VARIANT(warps, .block_rule = BLOCK_WHOLE_WARPS);
VARIANT(tree, .per_thread = 4, .flags = OVERWRITES_INPUT, .block_rule = BLOCK_POWER_OF_TWO, .min_block = 64);
VARIANT(cpu, .flags = ON_CPU);
static const struct variant absent = {.name = "absent", .why_not = "needs a library"};
VARIANT(newer, .capability = 100);
VARIANT(unit_of_a_long_name, .flags = UNIT_INPUT);
VARIANT(broken, .flags = KNOWN_WRONG);
LESSON(ladder, &any, &warps, &tree, &cpu, &absent, &newer, &unit_of_a_long_name, &broken);

/* ... and one like the toolbox, whose variants do not take every n. */
TASK(words, .words = all_words);
TASK(tiles, .words = all_words, .unit = 1024);
TASK(few, .words = all_words, .max_n = 4096);
TASK(matrix, .words = row_words, .min_row = 64, .max_row = 2048, .row_unit = 64);
VARIANT(scan, .task = &words);
VARIANT(scan_tiles, .task = &tiles);
VARIANT(scan_few, .task = &few);
VARIANT(soft, .task = &matrix);
static const struct variant scan_ptx = {.name = "scan_ptx", .why_not = "needs nvcc", .task = &words};
VARIANT(scan_wrong, .flags = KNOWN_WRONG, .task = &words);
LESSON(toolbox, &scan, &scan_tiles, &scan_few, &soft, &scan_ptx, &scan_wrong);

/* ... and one like step 16, with an answer for each row or column. */
static const struct task *const rows_by[3];
TASK(pair_of, .name = "pair", .words = two_words);
TASK(each_row, OF_EACH(EACH_ROW), .by_operator = rows_by, .scratch_per_sm = 100);
TASK(pair_of_row, OF_EACH(EACH_ROW), .of_each = &pair_of);
TASK(each_column, OF_EACH(EACH_COLUMN));
TASK(ragged_rows, OF_EACH(EACH_ROW), .ragged = true);
static const struct task *const rows_by[] = {&each_row, &pair_of_row, NULL};
VARIANT(rows, .task = &each_row);
VARIANT(columns, .task = &each_column);
VARIANT(ragged, .task = &ragged_rows);
LESSON(matrix_lesson, &rows, &columns, &ragged);

static struct machine machine = {.backend = "sim", .major = 9, .minor = 0, .sms = 4};
static struct options o;
static struct plan plan;

/* Plans what a command line asks for. Returns the status; what it printed is in capture.text. */
static int made(const struct lesson *lesson, const char *line) {
    char *argv[64];
    int argc = words_of(line, argv);
    capture_start(stderr);
    int status = parse_options(argc, argv, lesson, true, &o);
    if (status == OPTIONS_GO_ON) status = make_plan(&plan, lesson, &o, &machine);
    capture_stop();
    return status;
}

/* All of a plan as text: "1000: any tree/64 | absent: why | tree (in part): why". */
static const char *plan_text(void) {
    static char text[4096];
    FILE *out = fmemopen(text, sizeof text, "w");
    for (size_t k = 0; k < o.size_count; k++) {
        const struct size_plan *size = &plan.sizes[k];
        fprintf(out, "%s%zu:", k > 0 ? ", " : "", size->n);
        for (size_t i = 0; i < size->cell_count; i++) {
            fprintf(out, " %s", size->cells[i].variant->name);
            if (size->cells[i].row > 0) fprintf(out, "/%zu", size->cells[i].row);
        }
    }
    for (size_t i = 0; i < plan.skip_count; i++) {
        const struct skip *skip = &plan.skips[i];
        fprintf(out, " | %s%s%s: %s", skip->variant->name, skip->in_part ? " (in part)" : "",
                skip->absent ? " (absent)" : "", skip->why);
    }
    fclose(out);
    return text;
}

/* The plan of a command line is this one, and nothing is printed. */
static void planned(const struct lesson *lesson, const char *line, const char *expected) {
    int status = made(lesson, line);
    const char *text = status == STATUS_OK ? plan_text() : "none";
    same_text(capture.text[0] == '\0' ? text : capture.text, expected, line);
    if (status == STATUS_OK) free_plan(&plan);
}

#define refused(LESSON, LINE, ...)   IS_REFUSED(made(LESSON, LINE), STATUS_USAGE, LINE, __VA_ARGS__)
#define runs_none(LESSON, LINE, ...) IS_REFUSED(made(LESSON, LINE), STATUS_NOTHING, LINE, __VA_ARGS__)

#define NO_LIBRARY " | absent (absent): needs a library"
#define TOO_NEW    " | newer (absent): needs compute capability 10.0, this GPU has 9.0"
#define NO_PTX     " | scan_ptx (absent): needs nvcc"

/* GPUs that do not reach each other's memory: who needs that is left out, and the others run. */
TEST(without_peers) {
    VARIANT(host, .flags = MANY_GPUS);
    VARIANT(slots, .flags = MANY_GPUS | NEEDS_PEERS);
    LESSON(many, &host, &slots);
    machine.gpus = 2;
    planned(&many, "-n 1000", "1000: host slots");
    strcpy(machine.no_peers, "GPU 0 cannot reach the memory of GPU 1");
    planned(&many, "-n 1000", "1000: host | slots (absent): GPU 0 cannot reach the memory of GPU 1");
    runs_none(&many, "-n 1000 -v slots", "slots cannot run here: GPU 0 cannot reach");
    machine.no_peers[0] = '\0';
    machine.gpus = 0;
}

/* What asks the GPU whether it has room for such blocks: no_room(). */
TEST(without_room) {
    VARIANT(ring, .no_room = no_room);
    VARIANT(newer_ring, .capability = 100, .no_room = no_room);
    LESSON(rings, &any, &ring, &newer_ring);
    planned(&rings, "-n 9 -b 512 -v any,ring", "9: any ring");
    planned(&rings, "-n 9 -b 1024",
            "9: any | ring (absent): no room for so large a block"
            " | newer_ring (absent): needs compute capability 10.0, this GPU has 9.0");
    runs_none(&rings, "-n 9 -b 1024 -v ring", "ring cannot run here: no room for so large a block");
}

TEST(selection) {
    planned(&ladder, "",
            "1000: any warps tree cpu unit_of_a_long_name, "
            "65536: any warps tree cpu unit_of_a_long_name" NO_LIBRARY TOO_NEW);
    planned(&ladder, "-n 7 --known-wrong", "7: any warps tree cpu unit_of_a_long_name broken" NO_LIBRARY TOO_NEW);
    planned(&ladder, "-n 3,1,2 -v tree,any", "3: any tree, 1: any tree, 2: any tree");
    planned(&ladder, "-n 0 -v broken", "0: broken");
    planned(&ladder, "-n 0 -v any,absent", "0: any" NO_LIBRARY);
    planned(&ladder, "-n 0 -v any,newer", "0: any" TOO_NEW);
    runs_none(&ladder, "-v absent", "absent cannot run here: needs a library");
    runs_none(&ladder, "-v newer,absent", "absent cannot run here: needs a library");
    runs_none(&ladder, "-v newer", "newer cannot run here: needs compute capability 10.0, this GPU has 9.0");
    machine.major = 10;
    planned(&ladder, "-n 0 -v newer", "0: newer");
    machine.major = 9;
    LESSON(only_wrong, &broken);
    runs_none(&only_wrong, "", "only variants here that are wrong on purpose: --known-wrong runs them");
    planned(&only_wrong, "-n 5 --known-wrong", "5: broken");
}

TEST(blocks) {
    planned(&ladder, "-n 9 -b 96 -v any,warps,cpu", "9: any warps cpu");
    planned(&ladder, "-n 9 -b 96 -v *r*",
            "9: warps | tree: takes blocks of 64, 128, 256, 512 or 1024 threads, not 96"
            " | newer (absent): needs compute capability 10.0, this GPU has 9.0");
    planned(&ladder, "-n 9 -b 32 -v warps", "9: warps");
    refused(&ladder, "-b 33 -v tree", "tree takes blocks of 64, 128, 256, 512 or 1024 threads, not 33");
    refused(&ladder, "-v any,warps -b 33", "warps takes blocks of 32 to 1024 threads in whole warps of 32, not 33");
    refused(&ladder, "-v t* -b 33", "tree takes blocks of", "not 33");
    LESSON(trees, &tree, &absent);
    refused(&trees, "-b 33", "tree takes blocks of", "not 33");
    planned(&ladder, "-n 9 -v cpu -b 33", "9: cpu");
    runs_none(&ladder, "-v absent -b 33", "absent cannot run here");
}

TEST(patterns) {
    planned(&ladder, "-n 9 -v unit_of_a_long_name --pattern positive", "9: unit_of_a_long_name");
    planned(&ladder, "-n 9 -v [ua]n* --pattern huge",
            "9: any | unit_of_a_long_name: takes the patterns uniform, positive and ones, not huge");
    refused(&ladder, "-v any,unit_of_a_long_name --pattern ramp",
            "unit_of_a_long_name takes the patterns uniform, positive and ones, not ramp");
}

TEST(shapes) {
    planned(&toolbox, "",
            "1000: scan scan_few, 65536: scan scan_tiles soft/1024"
            " | scan_tiles (in part): takes an n that is a multiple of 1024, not 1000"
            " | scan_few (in part): takes an n of at most 4096, not 64K"
            " | soft (in part): takes an n that is a multiple of 1024, not 1000" NO_PTX);
    planned(&toolbox, "-n 1K --row 7,64",
            "1024: scan scan_tiles scan_few soft/64"
            " | soft (in part): takes rows of 64 to 2048 floats in multiples of 64, not 7" NO_PTX);
    planned(&toolbox, "-n 0,1K --row 64,128",
            "0: scan scan_tiles scan_few soft/64 soft/128, "
            "1024: scan scan_tiles scan_few soft/64 soft/128" NO_PTX);
    planned(&toolbox, "-n 1K --row 7",
            "1024: scan scan_tiles scan_few"
            " | soft: takes rows of 64 to 2048 floats in multiples of 64, not 7" NO_PTX);
    planned(&toolbox, "-v scan* -n 1000",
            "1000: scan scan_few | scan_tiles: takes an n that is a multiple of 1024, not 1000" NO_PTX);
    planned(&toolbox, "-v scan_tiles,soft -n 0,4K --row 128,2K",
            "0: scan_tiles soft/128 soft/2048, 4096: scan_tiles soft/128 soft/2048");
    planned(&toolbox, "-v scan_tiles",
            "1000:, 65536: scan_tiles"
            " | scan_tiles (in part): takes an n that is a multiple of 1024, not 1000");
    planned(&toolbox, "-v scan_wrong -n 3", "3: scan_wrong");
    refused(&toolbox, "-v scan_tiles -n 1024,1000", "scan_tiles takes an n that is a multiple of 1024, not 1000");
    refused(&toolbox, "-v scan_t* -n 1000", "scan_tiles takes an n that is a multiple of 1024, not 1000");
    refused(&toolbox, "-v scan_few -n 4G", "scan_few takes an n of at most 4096, not 4G");
    refused(&toolbox, "-v soft --row 64,100 -n 6400",
            "soft takes rows of 64 to 2048 floats in multiples of 64, not 100");
    refused(&toolbox, "-v soft --row 4K -n 4K", "soft takes rows of 64 to 2048", "not 4096");
    refused(&toolbox, "-v s?ft --row 7", "soft takes rows of 64 to 2048", "not 7");
    refused(&toolbox, "-v soft --row 192 -n 1920,64K", "soft takes an n that is a multiple of 192, not 64K");
    runs_none(&toolbox, "-v scan_ptx -n 1000", "scan_ptx cannot run here: needs nvcc");
}

/* What the table gets. */
static void laid_out(const struct lesson *lesson, const char *line, int name_width, bool rows, bool sums_only) {
    made(lesson, line);
    free_plan(&plan);
    ok((name_width == 0 || plan.name_width == name_width) && plan.rows == rows && plan.sums_only == sums_only,
       "table: %s", line);
}

/* The memory that the first size needs. */
static void needs(const struct lesson *lesson, const char *line, const char *expected) {
    char text[128];
    made(lesson, line);
    const struct needs n = plan.sizes[0].needs;
    int end = snprintf(text, sizeof text, "%zu words, %zu scratch%s%s", n.out_words, n.scratch_floats,
                       n.work ? ", work" : "", n.copy ? ", copy" : "");
    if (n.offsets > 0) snprintf(text + end, sizeof text - (size_t)end, ", %zu offsets", n.offsets);
    free_plan(&plan);
    same_text(text, expected, line);
}

TEST(widths) {
    laid_out(&ladder, "-n 9 -v any", 10, false, true); /* room for "plain read" */
    laid_out(&ladder, "-n 9", 19, false, true);        /* for the longest name */
    laid_out(&toolbox, "-n 1K", 0, true, false);
    laid_out(&toolbox, "-n 1K -v scan", 0, false, false);
    laid_out(&toolbox, "-n 1000,1K -v s* --row 1K,7", 0, true, false); /* rows at one of the sizes */
    needs(&toolbox, "-n 1000,1K -v s* --row 1K,7", "1000 words, 256 scratch, copy");
}

/* An answer for each row, or column. */
TEST(matrices) {
    planned(&matrix_lesson, "-n 12,13 --row 3",
            "12: rows/3 columns/3 ragged/3, 13: | rows (in part): takes an n that is a multiple of 3, "
            "not 13 | columns (in part): takes an n that is a multiple of 3, not 13 | ragged (in "
            "part): takes an n that is a multiple of 3, not 13");
    planned(&matrix_lesson, "-n 12 --row 3,0 --gap 1",
            "12: rows/3 rows columns/3 columns | ragged: takes no gap between rows");
    refused(&matrix_lesson, "-v ragged -n 12 --row 3 --gap 1", "ragged takes no gap between rows");
    refused(&matrix_lesson, "-v rows -n 12 --row 3 --gap 2", "rows takes an n that is a multiple of 5, not 12");
    needs(&matrix_lesson, "-n 12 --row 3 --gap 1 -v rows", "3 words, 400 scratch"); /* scratch as its task says */
    needs(&matrix_lesson, "-n 12 --row 3 --gap 1 -v columns", "3 words, 256 scratch");
    needs(&matrix_lesson, "-n 1024 --row 512 -v columns", "512 words, 256 scratch");
    needs(&matrix_lesson, "-n 12 --row 3 -v ragged", "4 words, 256 scratch, 4 offsets");
    needs(ask_by_operator(&matrix_lesson, "pair"), "-n 12 --row 3 -v rows",
          "8 words, 256 scratch"); /* two for each row */
}

TEST(memory) {
    needs(&ladder, "-n 0 -v cpu", "1 words, 1 scratch");                             /* on the CPU: nothing more */
    needs(&ladder, "-n 1000 -b 64 -v any", "1 words, 32 scratch");                   /* two for each block */
    needs(&ladder, "-n 1000 -b 64 -v tree", "1 words, 8 scratch, work");             /* a copy of what it eats */
    needs(&ladder, "-n 1000 -b 64 -v tree,any,warps", "1 words, 256 scratch, work"); /* the most of these */
    needs(&toolbox, "-n 1K -v scan", "1024 words, 256 scratch, copy");               /* its roof is a copy, ... */
    needs(&toolbox, "-n 1 -v scan", "1 words, 256 scratch");                         /* ... but not of one number */
    needs(&toolbox, "-n 1K --row 64,512 -v soft", "16 words, 256 scratch");          /* of the most rows */

    refused(&ladder, "-n 1024G -v tree", "1024G numbers need ", " GiB of ", " memory, ", " are free: take -n ",
            " or less");
    refused(&toolbox, "-n 1000,1024G -v scan*", "1024G numbers need ", "or less");
    char largest[64] = "-v tree -n ";
    made(&ladder, "-n 1024G -v tree");
    const char *found = strstr(capture.text, "take -n ");
    if (found != NULL) sscanf(found, "take -n %20s", largest + strlen(largest));
    int status = made(&ladder, largest);
    ok(found != NULL && status == STATUS_OK, "and that does: %s", largest);
    if (status == STATUS_OK) free_plan(&plan);
}

TEST(grids) {
    refused(&ladder, "-n 2199023254529 -b 1024 -v any",
            "any needs 2147483648 blocks of 1024 threads for 2199023254529 numbers",
            "a grid has at most 2147483647: take a larger -b or a smaller -n");
    refused(&ladder, "-n 8G -b 1 -v any", "any needs 8589934592 blocks of 1 threads");
    refused(&ladder, "-n 1000,8192G -v tree", "tree needs 8589934592 blocks of 256");
    refused(&ladder, "-n 2199023254528 -b 1024 -v any", "2147483647K numbers need ", "memory");
    refused(&ladder, "-n 8192G -v warps", "memory");
}
