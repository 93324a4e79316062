/*
 * bulk_6x32k: bulk copies, 6 stages of 32 KB.
 *
 * New:     against bulk_4x16k.cu: 6 stages of 32 KB.
 * Look at: ./step10 -n 256M, on a GPU of compute capability 9.0; on the simulator
 *          ./step10 -v bulk_6x32k --counters
 */
#include "ring.h"

#define STAGES      6
#define STAGE_BYTES (32 * 1024)

static void launch(struct sum *s)
{
    launch_ring<STAGES>(s, STAGE_BYTES);
}

extern const struct variant variant_bulk_6x32k = {
    .name = "bulk_6x32k",
    .what = "6 stages of 32 KB",
    .launch = launch,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .capability = 90,
};
