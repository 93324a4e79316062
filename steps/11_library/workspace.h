/* workspace.h: how the library's functions share out a workspace. */
#ifndef WORKSPACE_H
#define WORKSPACE_H

#include "13_exact/exact.h"
#include "sum_f32_plan.h"

/* Words of sum_f32_exact() for its blocks on a GPU with so many SMs. */
static inline unsigned exact_words(unsigned sms)
{
    return PARTIAL_WORDS * sms * EXACT_BLOCKS_PER_SM;
}

/* Bytes of the first part: the epoch and the slots of all sums but the exact one. That has its own
   behind them: its sets of limbs take turns, so no other sum may count its epochs. Where theirs end
   they zero all of the workspace, and the exact sum begins anew, too. */
static inline size_t bytes_of_slots(unsigned sms)
{
    return SLOT_BYTES(MOST_BLOCKS_PER_SM * sms);
}

static inline size_t bytes_of_workspace(unsigned sms)
{
    return bytes_of_slots(sms) + EXACT_BYTES(exact_words(sms));
}

#endif
