/* kernels.h: kernels that are known by their address alone. */
#ifndef SIMT_KERNEL_TABLE_H
#define SIMT_KERNEL_TABLE_H

#include "launch.h"

/* The launch with copies of these arguments, for free(); NULL: the program never named such a
   kernel. */
struct kernel_launch *kernels_launch(const struct simt_how *how, void **arguments);

#endif
