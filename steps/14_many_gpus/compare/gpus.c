/* gpus.c: the slots over NVLink against NCCL, the host, the local sums alone, and one GPU with the
   whole array: make compare-gpus. library/compare has the program. */
#include "library/compare/harness.h"

#include "check.h"
#include "cuda_errors.h"

#include <string.h>

extern const struct variant variant_local, variant_one_gpu, variant_host, variant_nccl,
    variant_nvlink_slots;

#define IN_ALL_WAYS                                                                                \
    {                                                                                              \
        [GRAPH] = BOTH, [ONE_GRAPH] = COLD, [STREAM] = COLD, [SINGLE] = COLD                       \
    }

static const struct rival rivals[] = {
    {&variant_local, IN_ALL_WAYS, ABOVE, false},
    {&variant_nccl, IN_ALL_WAYS, FIRST, false},
    {&variant_one_gpu, IN_ALL_WAYS, FIRST, false},
    {&variant_host, {[SINGLE] = COLD}, NOTHING, false},
};

/* The sum of all shares. Each was rounded once more than it should be: the check allows for that.
 */
static struct exact_sum exact_of(const struct comparison *c, size_t n)
{
    struct exact_sum all = {0};
    for (unsigned g = 0; g < c->gpus.count; g++) {
        const float *share = c->host + g * (c->bytes / sizeof(float));
        struct exact_sum one = sum_exactly(share, share_size(&c->options, c->gpus.count, n, g));
        all.sum += one.sum;
        all.sum_abs += one.sum_abs;
    }
    return all;
}

/* Every GPU has the right sum, and all have the same. Says so if not. */
static void check_way(struct comparison *c, size_t n, const struct variant *way)
{
    struct exact_sum exact = exact_of(c, n);
    const struct setting setting = {.n = n};
    float sums[MAX_GPUS];
    poison_outputs(&c->gpus);
    queue_sum(c, &setting, way, 0, 0);
    for (unsigned g = 0; g < c->gpus.count; g++) {
        const struct share *share = &c->gpus.shares[g];
        CUDA_CHECK(cudaStreamSynchronize(share->stream));
        CUDA_CHECK(cudaMemcpy(&sums[g], share->out, sizeof(float), cudaMemcpyDeviceToHost));
        struct verdict verdict = check_sum(sums[g], &exact, 1000);
        bool same = memcmp(&sums[g], &sums[0], sizeof(float)) == 0;
        c->wrong += !verdict.ok || !same;
        if (!verdict.ok || !same)
            printf("%s, n = %zu, GPU %u: %s\n", way->name, n, g,
                   verdict.ok ? "not the bits of GPU 0" : verdict.reason);
    }
}

static void check(struct comparison *c, size_t n, unsigned offset)
{
    (void)offset; /* always 0 */
    check_way(c, n, &variant_nvlink_slots);
    check_way(c, n, &variant_host);
    if (variant_nccl.launch != NULL)
        check_way(c, n, &variant_nccl);
}

static void compare_gpus(struct comparison *c)
{
    for (size_t n = 1; n <= c->most; n *= c->quick ? 4 : 2)
        compare_at(c, n, 0, c->subject->rival_count);
}

const struct subject subject_gpus = {
    .name = "gpus",
    .what = "nvlink_slots on several GPUs: its time over that of others, and above the local sums.",
    .columns = "gpus,n,cache,launch,way,rival,way_us,rival_us,ratio,low,high,above,above_low,"
               "above_high,rounds",
    .launches = {"graphs", "graph", "stream", "single"},
    .ours = &variant_nvlink_slots,
    ROWS(rivals),
    .run = compare_gpus,
    .check = check,
    .most = (size_t)1 << 31,
    .room = sizeof(float),
    .many_gpus = true,
};
