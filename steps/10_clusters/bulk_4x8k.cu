/*
 * bulk_4x8k: bulk copies, 4 stages of 8 KB.
 *
 * New:     one thread asks for whole kilobytes; see ring.h.
 * Look at: ./step10 -n 256M, on a GPU of compute capability 9.0; on the simulator
 *          ./step10 -v bulk_4x8k --counters
 */
#include "ring.h"

#define STAGES      4
#define STAGE_BYTES (8 * 1024)

static void launch(struct sum *s)
{
    launch_ring<STAGES>(s, STAGE_BYTES);
}

extern const struct variant variant_bulk_4x8k = {
    .name = "bulk_4x8k",
    .what = "bulk copies, a ring of 4 stages of 8 KB",
    .launch = launch,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .capability = 90,
};
