/* help.c: see report.h. */
#include "report.h"

#include "message.h"
#include "options.h"
#include "simt.h"
#include "task.h"
#include "variant_limits.h"
#include "whole_file.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const char usage[] =
    "usage: ./%s [options]\n"
    "\n"
    "%s\n"
    "\n"
    "What to run\n"
    "  -n, --size SIZE[,SIZE...]     how many numbers: 1000, 64K, 16M, 1G (powers of 1024),\n"
    "                                '1<<20'; 0 is a size too (default: %s)\n"
    "  -v, --variant NAME[,NAME...]  only these variants (default: all but the known wrong);\n"
    "                                'scan*' stands for all whose name begins with scan\n"
    "  -b, --block THREADS           threads per block, 1 to 1024 (default: 256; a plain read\n"
    "                                always has 512)\n"
    "      --known-wrong             also the variants that are wrong on purpose\n"
    "      --demo                    the lesson's demonstration, where it has one, and no more\n"
    "      --device D                which GPU (default: 0)\n"
    "%s"
    "\n"
    "The numbers\n"
    "      --pattern P               uniform   between -1 and 1 (default)\n"
    "                                positive  between 0 and 1\n"
    "                                ones      1 everywhere\n"
    "                                ramp      small whole numbers that repeat\n"
    "                                cancel    large terms that cancel, small ones that stay\n"
    "                                normal    mean 0, deviation 1\n"
    "                                lognormal e to the power of those\n"
    "                                wide      exponents over their whole range\n"
    "                                huge      positive, their sum just below the largest float\n"
    "                                far       near each other, far from 0\n"
    "                                nan       uniform, one of them not a number\n"
    "      --seed S                  another draw of them (default: 1)\n"
    "      --offset K                begin K elements past an aligned address, 0 to 31 (default: "
    "0)\n"
    "%s%s%s"
    "\n"
    "How to measure\n"
    "      --check                   take no times, only check the sums\n"
    "      --warm                    leave the L2 cache as it is (default: flush it before a run)\n"
    "      --repeat R                R runs of each, 1 to 100000 (default: until the median "
    "settles)\n"
    "\n"
    "On the simulator only\n"
    "      --counters                memory requests, sectors, wavefronts, pass by pass\n"
    "      --schedule SEED           another order of warps and lanes\n"
    "      --sms K                   a GPU of K SMs, 1 to 256 (default: 4)\n"
    "      --trace FILE              every access of block 0, in the first launch of each variant\n"
    "                                and n, as CSV; - is standard output. Lines with # hold\n"
    "                                what was counted and raced (docs/traces.md). Its columns:\n"
    "          variant,n,block   whose access it is\n"
    "          step,epoch        when: accesses of one step are made together; an epoch ends\n"
    "                            with a barrier, a shuffle or a vote\n"
    "          warp,lane,kind    who, and load, store, atomic or shuffle\n"
    "          array,element     in, scratch, out, shared or other (memory of the step's own),\n"
    "                            and which 4 bytes of it, from 0; a shuffle reads a register:\n"
    "                            array lane, element its number\n"
    "          bytes,line        how many, and where in the source\n"
    "          block_barriers,cluster_barriers,grid_barriers\n"
    "                            how many of each its thread came through before\n"
    "      --trace-blocks B[,B...]   of these blocks instead\n"
    "      --model GPU               what a model says of the time on this GPU: h200, gtx1060, "
    "...,\n"
    "                                or a file.toml (docs/time.md); no sum is checked\n"
    "\n"
    "What to print\n"
    "      --csv FILE                also write the results as CSV; - is standard output\n"
    "      --list                    the variants, and the blocks they take; with --csv FILE as "
    "CSV\n"
    "  -h, --help                    this text\n"
    "\n"
    "Exit status: 0 all right; 1 a wrong sum (on purpose, too), a race or a CUDA error; 2 a\n"
    "command line that cannot be obeyed; 77 nothing could run here.\n";

static const char usage_chinese[] =
    "用法：./%s [选项]\n"
    "\n"
    "%s\n"
    "\n"
    "运行什么\n"
    "  -n, --size SIZE[,SIZE...]     多少个数：1000、64K、16M、1G（1024 的幂），也可写 '1<<20'；\n"
    "                                可以是 0（默认 %s）\n"
    "  -v, --variant NAME[,NAME...]  只运行这些变体（默认：除错误示例外的全部）；\n"
    "                                'scan*' 表示名字以 scan 开头的全部变体\n"
    "  -b, --block THREADS           每块的线程数，1 到 1024（默认 256；单纯读取总是 512）\n"
    "      --known-wrong             也运行故意写错的变体\n"
    "      --demo                    只运行本课的演示（如果有）\n"
    "      --device D                用哪个 GPU（默认 0）\n"
    "%s"
    "\n"
    "用什么数\n"
    "      --pattern P               uniform -1 到 1（默认）；positive 0 到 1；ones 全是 1；\n"
    "                                ramp 重复的小整数；cancel 大数相消、小数留下；\n"
    "                                normal 正态分布；lognormal 对数正态分布；\n"
    "                                wide 指数遍布全部范围；huge 正数，总和略小于最大的 float；\n"
    "                                far 彼此接近、远离 0；nan 其中一个不是数\n"
    "      --seed S                  换一组随机数（默认 1）\n"
    "      --offset K                从对齐的地址之后第 K 个元素开始，0 到 31（默认 0）\n"
    "%s%s%s"
    "\n"
    "怎样测量\n"
    "      --check                   不计时，只检查总和\n"
    "      --warm                    不清空 L2 缓存（默认每次运行之前清空）\n"
    "      --repeat R                每个变体运行 R 次，1 到 100000（默认到中位数稳定为止）\n"
    "\n"
    "只用于模拟器\n"
    "      --counters                逐遍列出访存请求、扇区、波前\n"
    "      --schedule SEED           换一种线程束和泳道的次序\n"
    "      --sms K                   有 K 个 SM 的 GPU，1 到 256（默认 4）\n"
    "      --trace FILE              把线程块 0 的每次访问写成 CSV；- "
    "表示标准输出（docs/traces.md）\n"
    "      --trace-blocks B[,B...]   改为记录这些线程块\n"
    "      --model GPU               模型对这种 GPU 预测的用时：h200、gtx1060……，\n"
    "                                或者一个 file.toml（docs/time.md）；不检查总和\n"
    "\n"
    "输出什么\n"
    "      --csv FILE                另把结果写成 CSV；- 表示标准输出\n"
    "      --list                    列出变体和它们接受的线程块；加 --csv FILE 则写成 CSV\n"
    "  -h, --help                    本说明\n"
    "\n"
    "退出状态：0 全部正确；1 总和错误（包括故意写错的）、数据竞争或 CUDA 错误；\n"
    "2 命令行无法执行；77 这里什么都运行不了。\n";

static const char gpus_usage[] =
    "      --gpus K                  this one and those after it, 1 to 8 in all (default: all "
    "there "
    "are; 2\n"
    "                                on the simulator)\n"
    "      --shares S[,S...]         how the array is dealt out among them, as in 3,1 (default: "
    "evenly)\n";

static const char row_usage[] =
    "      --row K[,K...]            floats of a row, where they are a matrix (default: 1024)\n";
static const char gap_usage[] =
    "      --gap G                   floats between one row and the next, 0 to 4096 (default: 0)\n"
    "      --lengths L               where rows are ragged, and K is their average:\n"
    "                                one_long  3 floats each, all others in one row (default)\n"
    "                                random    a quarter of them empty\n"
    "                                equal     K, give or take one\n";
static const char operator_usage[] =
    "      --operator O              what is asked of each row or column: sum (default), maximum,\n"
    "                                argmax, mean_variance, log_sum_exp or norm\n";

const char *idea_of(const struct lesson *lesson)
{
    return simt_wants_chinese() && lesson->in_chinese != NULL ? lesson->in_chinese : lesson->idea;
}

void print_help(const struct lesson *lesson, bool simulator)
{
    bool rows = false, gaps = false, operators = false;
    for (size_t i = 0; lesson->variants[i] != NULL; i++) {
        rows |= has_rows(lesson->variants[i]);
        gaps |= takes_gap(lesson->variants[i]);
        operators |= has_operators(lesson->variants[i]);
    }
    printf(simt_wants_chinese() ? usage_chinese : usage, program_name(), idea_of(lesson),
           simulator ? SIMULATOR_SIZES : GPU_SIZES, about_many_gpus(lesson) ? gpus_usage : "",
           rows ? row_usage : "", gaps ? gap_usage : "", operators ? operator_usage : "");
}

static void print_flag(bool set, const char *text)
{
    if (set)
        printf("; %s", text);
}

/* A field of text; commas and quotes would end it. */
static void put_text(FILE *out, const char *text)
{
    for (; text != NULL && *text != '\0'; text++)
        fputc(strchr(",\"\n\r", *text) != NULL ? ' ' : *text, out);
}

static void put_variant(FILE *out, const struct lesson *lesson, const struct variant *v)
{
    static const char *const rules[] = {[BLOCK_ANY] = "any",
                                        [BLOCK_WHOLE_WARPS] = "whole_warps",
                                        [BLOCK_POWER_OF_TWO] = "power_of_two"};
    static const unsigned flags[] = {KNOWN_WRONG, OVERWRITES_INPUT, ON_CPU, ROOF, MANY_GPUS};
    fprintf(out, "%s,%s,%s,%d", lesson->name, v->name, task_name(v), v->launch != NULL);
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        fprintf(out, ",%d", (v->flags & flags[i]) != 0);
    fprintf(out, ",%d,%d,%s,%u,%u,%zu,%zu,%u,%d,", (v->flags & (ON_CPU | NOT_IN_GRAPH)) == 0,
            (v->flags & UNIT_INPUT) != 0, rules[v->block_rule], least_block(v), most_block(v),
            has_rows(v) ? v->task->min_row : 0, has_rows(v) ? v->task->max_row : 0, v->capability,
            v->no_room != NULL);
    put_text(out, v->why_not);
    fputc(',', out);
    put_text(out, v->what);
    fputc('\n', out);
}

static int list_as_csv(const struct lesson *lesson, const char *path)
{
    struct whole_file file;
    int status = whole_file_open(&file, "the list", path);
    if (status != STATUS_OK)
        return status;
    fputs("step,variant,task,runs_here,known_wrong,overwrites_input,on_cpu,roof,many_gpus,in_graph,"
          "unit_input,block_rule,min_block,max_block,min_row,max_row,capability,asks_room,why_not,"
          "what\n",
          file.lines);
    for (size_t i = 0; lesson->variants[i] != NULL; i++)
        put_variant(file.lines, lesson, lesson->variants[i]);
    return whole_file_close(&file);
}

static const char list_in_chinese[] =
    "第一行是变体的名字和做法（本课的页面用中文讲解），第二行是它的限制：\n"
    "  blocks of … threads 接受的线程块；in whole warps 线程束必须完整；rows 行；n 元素个数\n"
    "  overwrites its input 覆盖输入；wrong on purpose 故意写错，用 -v 指名才运行；roof "
    "上限，不求和\n"
    "  on several GPUs 用几个 GPU；not in a CUDA graph 不能放进 CUDA 图；cannot run here "
    "这里不能运行\n";

/* Two lines for each variant: what it does; the blocks it takes, and what is
   special about it. */
int print_list(const struct lesson *lesson, const char *csv)
{
    const int indent = 20;
    if (csv != NULL)
        return list_as_csv(lesson, csv);
    printf("%s: %s\n\n", lesson->name, idea_of(lesson));
    for (size_t i = 0; lesson->variants[i] != NULL; i++) {
        const struct variant *v = lesson->variants[i];
        char blocks[LIMITS_TEXT], shape[LIMITS_TEXT];
        printf("%-*s %s\n%*s", indent - 1, v->name, v->what, indent, "");
        if (v->launch == NULL) {
            printf("cannot run here: %s\n", v->why_not);
            continue;
        }
        printf("%s", describe_blocks(v, blocks));
        if (has_rows(v))
            printf("; %s", describe_rows(v, shape));
        else if (!takes_n(v, 1, 0) || !takes_n(v, SIZE_MAX, 0))
            printf("; %s", describe_n(v, 0, shape));
        print_flag(v->flags & KNOWN_WRONG, "wrong on purpose: runs only when named");
        print_flag(v->flags & OVERWRITES_INPUT, "overwrites its input");
        print_flag(v->flags & ROOF, "roof: sums nothing");
        print_flag(v->flags & MANY_GPUS, "on several GPUs");
        print_flag(v->flags & NOT_IN_GRAPH, "not in a CUDA graph");
        printf("\n");
    }
    if (simt_wants_chinese())
        printf("\n%s", list_in_chinese);
    return STATUS_OK;
}
