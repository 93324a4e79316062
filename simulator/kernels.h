/* kernels.h: kernels that are known by their address alone. */
#pragma once

#include "launch.h"

/* The launch with copies of these arguments, for free(); NULL: that kernel was never named. */
struct kernel_launch *kernels_launch(const struct simt_how *how, void **arguments);
