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
#include "recorder.h"
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

void simt_device(unsigned sms)
{
    queue_finish();
    simt_sms = sms;
}

void simt_schedule(uint64_t seed)
{
    queue_finish();
    schedule_begin(seed);
}

void simt_last_block_first(bool on)
{
    queue_finish();
    simt_backwards = on;
}

void simt_run_kernels(bool on)
{
    queue_finish();
    launch_none = !on;
}

void simt_want_all(void)
{
    simt_all_wanted = true;
}

void simt_want_barriers(void)
{
    simt_barriers_wanted = true;
}

/* ---- what was counted ---- */

void simt_count_requests(bool on)
{
    queue_finish();
    simt_counting = requests_wanted = on;
}

size_t simt_launch_count(void)
{
    queue_finish();
    return counts_kept();
}

void simt_launches_clear(void)
{
    queue_finish();
    counts_clear();
    recorder_clear();
}

void simt_trace(const unsigned *blocks, size_t count)
{
    queue_finish();
    recorder_choose(blocks, count);
}

size_t simt_traced(void)
{
    queue_finish();
    return recorder_end();
}

const char *simt_place(void *pc)
{
    return place_name(pc);
}
