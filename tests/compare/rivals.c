/* rivals.c: for tests/test_compare.py: stand-ins for all rivals that need a GPU's libraries. None sums.
 */
#include "library/compare/rivals.h"
#include "library/compare/rows.h"

#include "device.h"

#define STAND_IN(VARIABLE, NAME, ELEMENT)                                                                              \
    const struct variant VARIABLE = {.name = NAME, .launch = launch_read, .element = ELEMENT}

STAND_IN(cub_sum, "cub", ELEMENT_FLOAT);
STAND_IN(cub_elements, "cub", ELEMENT_FLOAT);
STAND_IN(cub_own_half, "cub_own_type", ELEMENT_HALF);
STAND_IN(cub_own_bfloat16, "cub_own_type", ELEMENT_BFLOAT16);
STAND_IN(newer_cub_sum, "cub_newer", ELEMENT_FLOAT);
STAND_IN(newer_cub_elements, "cub_newer", ELEMENT_FLOAT);
STAND_IN(newer_cub_unordered, "cub_not_guaranteed", ELEMENT_FLOAT);
STAND_IN(newer_cub_reproducible, "cub_gpu_to_gpu", ELEMENT_FLOAT);
STAND_IN(cublas_asum, "cublas_asum", ELEMENT_FLOAT);
STAND_IN(thrust_sum, "thrust", ELEMENT_FLOAT);
STAND_IN(cub_rows_by_offsets, "cub_offsets", ELEMENT_FLOAT);
STAND_IN(newer_cub_rows_by_offsets, "cub_newer_offsets", ELEMENT_FLOAT);
STAND_IN(newer_cub_rows, "cub_newer_rows", ELEMENT_FLOAT);
