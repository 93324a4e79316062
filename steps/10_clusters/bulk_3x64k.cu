/*
 * bulk_3x64k: bulk copies, 3 stages of 64 KB.
 *
 * New:     against bulk_6x32k.cu: 3 stages of 64 KB, as many bytes in flight.
 * Look at: ./step10 -n 256M, on a GPU of compute capability 9.0; on the simulator
 *          ./step10 -v bulk_3x64k --counters
 */
#include "ring.h"

#define STAGES      3
#define STAGE_BYTES (64 * 1024)

static void launch(struct sum *s)
{
    launch_ring<STAGES>(s, STAGE_BYTES);
}

extern const struct variant variant_bulk_3x64k = {
    .name = "bulk_3x64k",
    .what = "3 stages of 64 KB",
    .launch = launch,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .capability = 90,
};
