/* sizes.h: the sizes of the simulated device. It is small, so that small examples meet its limits.
   devices.c says how many devices there are, and how many SMs each has. */
#pragma once

#include "simt.h"

enum { WARP = 32, MAX_BLOCK = 1024, SHARED_ALIGN = 256 };
enum {
    SM_THREADS = 2048,
    SM_BLOCKS = 32,
    SM_SHARED = 233472,
    BLOCK_SHARED = 232448,
    SYSTEM_SHARED = SM_SHARED - BLOCK_SHARED, /* of each block, which hardware keeps for itself */
    CLUSTER_BLOCKS = 16,
};
/* The number of a block has its device in the upper bits. */
enum { MOST_DEVICES = SIMT_MAX_GPUS, DEVICE_SHIFT = 29 };
#define DEVICE_BYTES ((size_t)16 << 30) /* memory of the host is taken only for what is written */
