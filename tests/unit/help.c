/* --help names the options that a lesson has, --list its variants; and --list as CSV. */
#include "message.h"
#include "report.h"
#include "task.h"
#include "unit.h"

static const struct task *const by_operator[2];
TASK(tiles, .name = "scan", .unit = 1024);
TASK(rows, .name = "softmax", .min_row = 64, .max_row = 2048, .row_unit = 64);
TASK(each, .name = "rows", OF_EACH(EACH_ROW), .by_operator = by_operator);
static const struct task *const by_operator[] = {&each, NULL};
VARIANT(any, .what = "any block");
VARIANT(tree, .what = "a tree, says \"x\"", .flags = OVERWRITES_INPUT, .block_rule = BLOCK_POWER_OF_TWO,
        .min_block = 64);
VARIANT(cpu, .what = "one core", .flags = ON_CPU);
static const struct variant absent = {
    .name = "absent", .what = "nowhere", .capability = 90, .why_not = "needs nvcc, and a GPU"};
VARIANT(broken, .what = "wrong", .flags = KNOWN_WRONG | UNIT_INPUT, .block_rule = BLOCK_WHOLE_WARPS, .max_block = 384);
VARIANT(copy, .what = "n words", .flags = ROOF | NOT_IN_GRAPH);
VARIANT(matrix, .what = "any rows", .task = &each);
VARIANT(tiled, .what = "whole tiles", .task = &tiles);
VARIANT(soft, .what = "rows", .task = &rows, .no_room = no_room);
static const struct variant *const sums[] = {&any, &tree, &cpu, &absent, &broken, &copy, NULL};
static const struct lesson ladder = {.name = "99_test", .idea = "an idea", .in_chinese = "一个想法", .variants = sums};
LESSON(matrices, &matrix);
LESSON(toolbox, &tiled, &soft);

#define HELP_OF(LESSON) PRINTED(stdout, print_help(LESSON, true))

static void helps(const char *locale) {
    setenv("LC_ALL", locale, 1);
    begin_program("some/folder/step99");
    const char *text = HELP_OF(&ladder);
    char names[] = "-n -v -b --repeat --pattern --seed --offset --csv --check --warm --counters --schedule --sms "
                   "--trace --list --trace-blocks --known-wrong --demo --device";
    EACH_WORD (name, names) {
        const char *found = strstr(text, name);
        ok(found != NULL && strncmp(found - 2, "  ", 2) == 0, "--help tells of %s", name);
    }
    ok((strncmp(text, "用法", 6) == 0) == (locale[0] == 'z') &&
           (strstr(text, "\n一个想法\n") != NULL) == (locale[0] == 'z'),
       "in the language of %s, the lesson's title too", locale);
    ok(strstr(text, "--row") == NULL, "but of no rows where there are none");
    text = HELP_OF(&toolbox);
    ok(strstr(text, "--row K") && !strstr(text, "--gap"), "of rows where there are some, but of no gaps");
    text = HELP_OF(&matrices);
    IS(strstr(text, "--gap G") && strstr(text, "--lengths L") && strstr(text, "--operator O"));
}

TEST(languages) {
    helps("zh_CN.UTF-8");
    helps("C");
}

TEST(lists) {
    int status;
    const char *text = PRINTED(stdout, status = print_list(&ladder, NULL));
    for (size_t i = 0; sums[i] != NULL; i++)
        ok(status == STATUS_OK && strstr(text, sums[i]->what), "--list tells of %s", sums[i]->name);
    ok(strstr(text, "needs nvcc, and a GPU\n") != NULL, "and why one cannot run here");
}

TEST(csv) {
    int status;
    same_text(PRINTED(stdout, status = print_list(&ladder, "-")),
              "step,variant,task,runs_here,known_wrong,overwrites_input,on_cpu,roof,many_gpus,in_graph,unit_input,"
              "block_rule,min_block,max_block,min_row,max_row,capability,asks_room,why_not,what\n"
              "99_test,any,sum,1,0,0,0,0,0,1,0,any,1,1024,0,0,0,0,,any block\n"
              "99_test,tree,sum,1,0,1,0,0,0,1,0,power_of_two,64,1024,0,0,0,0,,a tree  says  x \n"
              "99_test,cpu,sum,1,0,0,1,0,0,0,0,any,1,1024,0,0,0,0,,one core\n"
              "99_test,absent,sum,0,0,0,0,0,0,1,0,any,1,1024,0,0,90,0,needs nvcc  and a GPU,nowhere\n"
              "99_test,broken,sum,1,1,0,0,0,0,1,1,whole_warps,1,384,0,0,0,0,,wrong\n"
              "99_test,copy,roof,1,0,0,0,1,0,0,0,any,1,1024,0,0,0,0,,n words\n",
              "--list --csv -: a line for each variant, without a comma of its own");
    const char *text = PRINTED(stdout, status += print_list(&toolbox, "-"));
    ok(status == STATUS_OK && strstr(text, "\n99_test,tiled,scan,1,") != NULL &&
           strstr(text, "\n99_test,soft,softmax,1,0,0,0,0,0,1,0,any,1,1024,64,2048,0,1,,rows\n") != NULL,
       "the question that each answers, and the rows that it takes");
    text = PRINTED(stderr, status = print_list(&ladder, "/nowhere/at/all.csv"));
    ok(status == STATUS_USAGE && IS_ONE_LINE(text, "/nowhere/at/all.csv"), "a file that cannot be written: one line");
}
