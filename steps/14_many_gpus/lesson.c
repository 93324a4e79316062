/* lesson.c: the variants of step 14, in the order of the table. */
#include "lesson.h"

extern const struct variant variant_one_gpu, variant_host, variant_nccl, variant_nvlink_slots;

static const struct variant *const variants[] = {
    &variant_one_gpu, &variant_host, &variant_nccl, &variant_nvlink_slots, NULL,
};

int demo(void);

const struct lesson lesson = {
    .name = "14_many_gpus",
    .idea = "one sum over several GPUs: what it costs to bring their sums together",
    .in_chinese = "用几个 GPU 求一个和",
    .variants = variants,
    .demo = demo,
};
