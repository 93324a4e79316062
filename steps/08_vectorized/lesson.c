/* lesson.c: the variants of step 08, in the order of the table. */
#include "lesson.h"

extern const struct variant variant_vector_x1, variant_vector_x2, variant_vector_x4,
    variant_vector_x8, variant_vector_x16;

int sweep(void); /* sweep.cu: how many bytes must be in flight? */

static const struct variant *const variants[] = {
    &variant_vector_x1, &variant_vector_x2,  &variant_vector_x4,
    &variant_vector_x8, &variant_vector_x16, NULL,
};

const struct lesson lesson = {
    .name = "08_vectorized",
    .idea = "16-byte loads, many in flight: to the memory roof",
    .in_chinese = "足够的在途字节数",
    .variants = variants,
    .demo = sweep,
};
