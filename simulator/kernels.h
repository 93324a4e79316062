/* kernels.h: kernels that are known by their address alone. */
#pragma once

#include "launch.h"

/* The launch with copies of these arguments, for free(); NULL: the program never named such a
   kernel. */
struct kernel_launch *kernels_launch(const struct simt_how *how, void **arguments);
