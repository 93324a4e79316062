/* model.c: see simt.h. */
#include "time/model.h"
#include "devices.h"
#include "fault.h"
#include "queue.h"
#include "race.h"
#include "requests.h"
#include "time/gpu.h"
#include "time/price.h"
#include "time/record.h"
#include "time/replay.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

const char *const simt_limit_names[SIMT_LIMITS] = {
    [SIMT_LIMIT_LAUNCHES] = "launches", [SIMT_LIMIT_BYTES] = "bytes",      [SIMT_LIMIT_INSTRUCTIONS] = "instructions",
    [SIMT_LIMIT_LATENCY] = "latency",   [SIMT_LIMIT_BARRIERS] = "barriers", [SIMT_LIMIT_ATOMICS] = "atomics",
};
_Static_assert((int)LIMITS == (int)SIMT_LIMITS, "the same limits, in the same order");

static struct gpu gpu;

const char *simt_model_gpu(const char *name)
{
    const char *problem = gpu_read(&gpu, name);
    if (!problem)
        simt_device((unsigned)gpu.sms);
    return problem;
}

const char *simt_model_gpu_name(void)
{
    return gpu.name;
}

static bool races_were_off;

void simt_model_start(bool sample)
{
    queue_finish();
    record_clear();
    record_on = true;
    record_sampling = sample;
    races_were_off = race_off;
    race_off = race_off || sample;
}

bool simt_model_repeat(void *p, size_t bytes, const void *pattern, size_t pattern_bytes)
{
    int file = memfd_create("pattern", MFD_CLOEXEC);
    bool done = file >= 0 && write(file, pattern, pattern_bytes) == (ssize_t)pattern_bytes;
    for (size_t at = 0; done && at < bytes; at += pattern_bytes) {
        size_t some = bytes - at < pattern_bytes ? bytes - at : pattern_bytes;
        done = mmap((char *)p + at, some, PROT_READ | PROT_WRITE, MAP_FIXED | MAP_PRIVATE, file, 0) !=
               MAP_FAILED;
    }
    if (file >= 0)
        close(file);
    return done;
}

/* ---- launches one after another ---- */

static void add_launch(struct simt_time *sum, double us[LIMITS], const struct launch_record *l, bool first,
                       bool cold)
{
    us[LIMIT_LAUNCH] += first ? gpu.first_us : gpu.next_us;
    struct launch_time t = replay_launch(&gpu, l, cold);
    if (t.refused)
        sum->refused = t.refused;
    if (first)
        sum->instructions = t.instructions;
    for (int i = 0; i < LIMITS; i++)
        us[i] += t.share[i];
}

static struct simt_time time_of(const struct launch_record *launches, size_t count, bool cold)
{
    struct simt_time sum = {.refused = price_read()};
    double us[LIMITS] = {0};
    bool first = true;
    for (size_t i = 0; i < count && !sum.refused; i++) {
        if (launches[i].grid == 0) {
            us[LIMIT_LAUNCH] += gpu.memset_us;
            continue;
        }
        add_launch(&sum, us, &launches[i], first, cold && first);
        first = false;
    }
    if (!sum.refused && first)
        sum.refused = "no kernel was launched";
    if (sum.refused)
        return sum;
    for (int i = 0; i < LIMITS; i++)
        sum.middle += us[i];
    for (int i = 0; i < LIMITS; i++) {
        sum.share[i] = us[i] / sum.middle;
        if (sum.share[i] > sum.share[sum.limit])
            sum.limit = (enum simt_limit)i;
    }
    sum.low = sum.middle * (1 - gpu.uncertainty);
    sum.high = sum.middle * (1 + gpu.uncertainty);
    return sum;
}

struct simt_time simt_model_end(bool cold)
{
    size_t count;
    queue_finish();
    const struct launch_record *launches = record_launches(&count);
    struct simt_time time = time_of(launches, count, cold);
    record_clear();
    record_on = record_sampling = false;
    race_off = races_were_off;
    requests_choose(NULL);
    return time;
}
