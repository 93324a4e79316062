/*
 * bulk_4x8k, bulk_4x16k, bulk_6x32k, bulk_3x64k: bulk copies, 4 stages of 8 KB and so on.
 *
 * New:     one thread asks for whole kilobytes; see ring.h.
 * Look at: ./step10 -n 256M, on a GPU of compute capability 9.0; on the simulator
 *          ./step10 -v bulk_4x8k --counters
 */
#include "ring.h"

template <int STAGES, unsigned STAGE_KB> static void launch(struct sum *s)
{
    launch_ring<STAGES>(s, STAGE_KB * 1024);
}

template <int STAGES, unsigned STAGE_KB> static const char *no_room(unsigned)
{
    return no_room_for_ring<STAGES>(STAGE_KB * 1024);
}

template <int STAGES, unsigned STAGE_KB>
static constexpr struct variant bulk(const char *name, const char *what)
{
    return {.name = name,
            .what = what,
            .launch = launch<STAGES, STAGE_KB>,
            .block_rule = BLOCK_WHOLE_WARPS,
            .min_block = 32,
            .capability = 90,
            .no_room = no_room<STAGES, STAGE_KB>};
}

extern const struct variant variant_bulk_4x8k =
    bulk<4, 8>("bulk_4x8k", "bulk copies, a ring of 4 stages of 8 KB");
extern const struct variant variant_bulk_4x16k = bulk<4, 16>("bulk_4x16k", "4 stages of 16 KB");
extern const struct variant variant_bulk_6x32k = bulk<6, 32>("bulk_6x32k", "6 stages of 32 KB");
extern const struct variant variant_bulk_3x64k = bulk<3, 64>("bulk_3x64k", "3 stages of 64 KB");
