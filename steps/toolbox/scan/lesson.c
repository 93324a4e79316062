/* lesson.c: is a scan right? Each sum once more in double, and how far floats may be from it. Then
   the variants. */
#include "scan.h"

#include <math.h>

static const double unit_roundoff = 0x1p-24;

/* What is known of the floats since the sums began. */
struct run {
    double sum, sum_abs;
    double low, high; /* the least and the greatest of the sums so far, with that of nothing */
    bool whole;       /* all floats are whole numbers */
    size_t count;
};

static void add(struct run *run, double x)
{
    run->sum += x;
    run->sum_abs += fabs(x);
    run->low = run->sum < run->low ? run->sum : run->low;
    run->high = run->sum > run->high ? run->sum : run->high;
    run->whole &= x == rint(x);
    run->count++;
}

/* How far a float sum of the run may be from run->sum, which is itself rounded count times.
   An addition errs by at most u = 2^-24 of its result (Higham, see check.h). Within tiles, and
   from there to out[i], that makes depth * u * sum of |x|. Above them, whatever the order, as
   many additions as tiles, less one; each makes the sum of neighbouring tiles, a difference of
   two prefix sums, and so no more than high - low. The last factors are for the errors of
   the errors. Whole numbers up to 2^24 are not rounded at all. */
static double allowed(const struct run *run, size_t depth, size_t tiles)
{
    double local = (double)depth * unit_roundoff * run->sum_abs;
    double chain = (double)tiles * unit_roundoff;
    if (run->whole && run->sum_abs <= 0x1p24)
        return 0;
    return local + chain * (1 + chain) * (run->high - run->low + local) +
           (double)run->count * 0x1p-53 * run->sum_abs;
}

/* While all is right, only an error that is a new record, as a part of what is allowed, goes on. */
static void judge(const struct answer *a, struct verdict *verdict, size_t i, const struct run *run,
                  double bound)
{
    double error = fabs((double)a->out[i] - run->sum);
    bool record = verdict->ok && verdict->err_bound > 0;
    if (!(record ? error * verdict->err_bound <= verdict->rel_err * bound : error == 0))
        expect_near(verdict, a->out, i, run->sum, bound);
}

void check_scan(const struct answer *a, struct verdict *verdict, const struct scan_shape *shape)
{
    const struct run nothing = {.whole = true};
    size_t piece = shape->share > 0 ? shape->share : shape->tile;
    struct run run = nothing;
    for (size_t first = 0; first < a->n; first += piece) {
        size_t end = a->n - first < piece ? a->n : first + piece;
        size_t tiles = shape->share > 0 ? 0 : first / piece + 1; /* the first may be cut short */
        if (shape->share > 0)
            run = nothing;
        for (size_t i = first; i < end; i++) {
            if (shape->exclusive)
                judge(a, verdict, i, &run, allowed(&run, shape->depth, tiles));
            add(&run, (double)a->in[i]);
            if (!shape->exclusive)
                judge(a, verdict, i, &run, allowed(&run, shape->depth, tiles));
        }
    }
}

static void check_warp(const struct answer *a, struct verdict *verdict)
{
    const struct scan_shape shape = {.share = 32, .depth = 5};
    check_scan(a, verdict, &shape);
}

static void check_warp_library(const struct answer *a, struct verdict *verdict)
{
    const struct scan_shape shape = {.share = 32, .depth = 31}; /* 32 floats in any order */
    check_scan(a, verdict, &shape);
}

static void check_warp_exclusive(const struct answer *a, struct verdict *verdict)
{
    const struct scan_shape shape = {.share = 32, .exclusive = true, .depth = 5};
    check_scan(a, verdict, &shape);
}

/* Five additions for a warp, five for the warps, one for both; Hillis and Steele need log2 of
   1024. */
static void check_block(const struct answer *a, struct verdict *verdict)
{
    const struct scan_shape shape = {.share = a->block, .depth = 11};
    check_scan(a, verdict, &shape);
}

static void check_block_exclusive(const struct answer *a, struct verdict *verdict)
{
    const struct scan_shape shape = {.share = a->block, .exclusive = true, .depth = 11};
    check_scan(a, verdict, &shape);
}

const struct task scan_warp_task = {
    .name = "scan_warp",
    .words = n_words,
    .check = check_warp,
};
const struct task scan_warp_library_task = {
    .name = "scan_warp",
    .words = n_words,
    .check = check_warp_library,
};
const struct task scan_warp_exclusive_task = {
    .name = "scan_warp_exclusive",
    .words = n_words,
    .check = check_warp_exclusive,
};
const struct task scan_block_task = {
    .name = "scan_block",
    .words = n_words,
    .check = check_block,
};
const struct task scan_block_exclusive_task = {
    .name = "scan_block_exclusive",
    .words = n_words,
    .check = check_block_exclusive,
};

extern const struct variant variant_scan_warp, variant_scan_warp_exclusive,
    variant_scan_warp_shared, variant_scan_warp_groups, variant_scan_block,
    variant_scan_block_exclusive, variant_scan_block_shared, variant_scan_array,
    variant_scan_two_pass, variant_scan_cub;

static const struct variant *const variants[] = {
    &variant_scan_warp,
    &variant_scan_warp_exclusive,
    &variant_scan_warp_shared,
    &variant_scan_warp_groups,
    &variant_scan_block,
    &variant_scan_block_exclusive,
    &variant_scan_block_shared,
    &variant_scan_array,
    &variant_scan_two_pass,
    &variant_scan_cub,
    NULL,
};

const struct lesson lesson = {
    .name = "scan",
    .idea = "prefix sums of a warp, a block, the whole array",
    .in_chinese = "扫描：从线程束、线程块到整个数组",
    .variants = variants,
};
