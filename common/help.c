#include "help.h"

#include "blocks.h"
#include "message.h"
#include "shapes.h"

#include <stdint.h>
#include <stdio.h>

static const char usage[] =
    "usage: ./%s [options]\n"
    "\n"
    "%s\n"
    "\n"
    "What to run\n"
    "  -n, --size SIZE[,SIZE...]     how many numbers: 1000, 64K, 16M, 1G (powers of 1024),\n"
    "                                1<<20; 0 is a size too (default: %s)\n"
    "  -v, --variant NAME[,NAME...]  only these variants (default: all but the specimens);\n"
    "                                'scan*' stands for all whose name begins with scan\n"
    "  -b, --block THREADS           threads per block, 1 to 1024 (default: 256)\n"
    "      --specimens               also the variants that are wrong on purpose\n"
    "      --demo                    the lesson's demonstration, where it has one, and no more\n"
    "      --device D                which GPU (default: 0)\n"
    "\n"
    "The numbers\n"
    "      --pattern P               uniform   between -1 and 1 (default)\n"
    "                                positive  between 0 and 1\n"
    "                                ones      1 everywhere\n"
    "                                ramp      small whole numbers that repeat\n"
    "                                cancel    large terms that cancel, small ones that stay\n"
    "                                huge      positive, their sum just below the largest float\n"
    "                                nan       uniform, one of them not a number\n"
    "      --seed S                  another draw of them (default: 1)\n"
    "      --offset K                begin K floats past an aligned address, 0 to 31 (default: 0)\n"
    "%s"
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
    "                                and n, as CSV; - is standard output. Its columns:\n"
    "          variant,n,block   whose access it is\n"
    "          step,epoch        when: accesses of one step are made together; an epoch ends\n"
    "                            with a barrier, a shuffle or a vote\n"
    "          warp,lane,kind    who, and load, store, atomic or shuffle\n"
    "          array,element     in, scratch, out, shared or other (memory of the step's own),\n"
    "                            and which 4 bytes of it, from 0; a shuffle reads a register:\n"
    "                            array lane, element its number\n"
    "          bytes,line        how many, and where in the source\n"
    "      --trace-blocks B[,B...]   of these blocks instead\n"
    "\n"
    "What to print\n"
    "      --csv FILE                also write the results as CSV; - is standard output\n"
    "      --list                    the variants, and the blocks they take\n"
    "  -h, --help                    this text\n"
    "\n"
    "Exit status: 0 all right, 1 a wrong sum or a CUDA error, 2 a command line that cannot\n"
    "be obeyed, 77 nothing could run here.\n";

static const char row_usage[] =
    "      --row K[,K...]            floats of a row, where they are a matrix (default: 1024)\n";

void print_help(const struct lesson *lesson, bool simulator)
{
    bool rows = false;
    for (size_t i = 0; i < lesson->variant_count; i++)
        rows |= has_rows(&lesson->variants[i]);
    printf(usage, program_name(), lesson->idea, simulator ? SIMULATOR_SIZES : GPU_SIZES,
           rows ? row_usage : "");
}

static void print_flag(bool set, const char *text)
{
    if (set)
        printf("; %s", text);
}

/* Two lines for each variant: what it does; the blocks it takes, and what is
   special about it. */
void print_list(const struct lesson *lesson)
{
    const int indent = 20;
    printf("%s: %s\n\n", lesson->name, lesson->idea);
    for (size_t i = 0; i < lesson->variant_count; i++) {
        const struct variant *v = &lesson->variants[i];
        char blocks[BLOCKS_TEXT], shape[SHAPE_TEXT];
        printf("%-*s %s\n%*s", indent - 1, v->name, v->what, indent, "");
        if (v->launch == NULL) {
            printf("cannot run here: %s\n", v->why_not);
            continue;
        }
        printf("%s", describe_blocks(v, blocks));
        if (has_rows(v))
            printf("; %s", describe_rows(v, shape));
        else if (!admits_n(v, 1, 0) || !admits_n(v, SIZE_MAX, 0))
            printf("; %s", describe_n(v, 0, shape));
        print_flag(v->flags & SPECIMEN, "specimen: wrong on purpose, runs only when named");
        print_flag(v->flags & EATS_INPUT, "eats its input");
        print_flag(v->flags & ROOF, "roof: sums nothing");
        print_flag(v->flags & NOT_IN_GRAPH, "not in a CUDA graph");
        printf("\n");
    }
}
