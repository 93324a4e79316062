/* simt.c: what simt.h offers to programs. All of it waits until the devices have done what they
   were given: what is set here holds from the next launch on. */
#include "simt.h"
#include "barriers.h"
#include "devices.h"
#include "fault.h"
#include "grid.h"
#include "launch.h"
#include "launch_counts.h"
#include "queue.h"
#include "requests.h"
#include "scheduler.h"

void simt_gpus(unsigned count)
{
    if (count < 1 || count > MOST_DEVICES)
        simt_fault(NULL, NULL, "simt_gpus(%u): a number of devices from 1 to %d is needed", count,
                   MOST_DEVICES);
    queue_finish();
    grid_enter(0);
    simt_devices = count;
}

#define WHEN_DONE(RESULT, NAME, PARAMETERS, ...)                                                   \
    RESULT NAME PARAMETERS                                                                         \
    {                                                                                              \
        queue_finish();                                                                            \
        __VA_ARGS__;                                                                               \
    }
WHEN_DONE(void, simt_device, (unsigned sms), simt_sms = simt_sms_stay ? simt_sms : sms)
WHEN_DONE(void, simt_schedule, (uint64_t seed), schedule_begin(seed))
WHEN_DONE(void, simt_last_block_first, (bool on), simt_backwards = on)
WHEN_DONE(void, simt_run_kernels, (bool on), launch_none = !on)
WHEN_DONE(void, simt_want_all, (void), simt_all_wanted = true)
WHEN_DONE(void, simt_want_barriers, (void), simt_barriers_wanted = true)
WHEN_DONE(void, simt_count_requests, (bool on), simt_counting = requests_wanted = on)
WHEN_DONE(size_t, simt_launch_count, (void), return counts_kept())
WHEN_DONE(void, simt_launches_clear, (void), counts_clear(); recorder_clear())
WHEN_DONE(void, simt_trace, (const unsigned *blocks, size_t count), recorder_choose(blocks, count))
WHEN_DONE(size_t, simt_traced, (void), return recorder_end())

const char *simt_place(void *pc)
{
    return place_name(pc);
}
