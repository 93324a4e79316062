/*
 * read: the roof: a kernel that reads n floats and does nothing else.
 *
 * A sum of n floats has to read 4 n bytes, so a large one cannot be faster than this. The kernel is
 * the driver's own (common/device.cu): in every lesson it runs beside the sums.
 */
#include "device.h"

extern const struct variant variant_read = {
    .name = "read",
    .what = "roof: a kernel that reads and does nothing else",
    .launch = launch_read,
    .flags = ROOF,
};
