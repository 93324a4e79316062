/*
 * bulk_4x16k: bulk copies, 4 stages of 16 KB.
 *
 * New:     against bulk_4x8k.cu: stages of 16 KB.
 * Look at: ./step10 -n 256M, on a GPU of compute capability 9.0; on the simulator
 *          ./step10 -v bulk_4x16k --counters
 */
#include "ring.h"

#define STAGES      4
#define STAGE_BYTES (16 * 1024)

static void launch(struct sum *s)
{
    launch_ring<STAGES>(s, STAGE_BYTES);
}

extern const struct variant variant_bulk_4x16k = {
    .name = "bulk_4x16k",
    .what = "4 stages of 16 KB",
    .launch = launch,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .capability = 90,
};
