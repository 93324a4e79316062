/* model.c: what simt.h offers of the model of time. */
#include "devices.h"
#include "fault.h"
#include "queue.h"
#include "race.h"
#include "requests.h"
#include "simt.h"
#include "time/gpu.h"
#include "time/predict.h"
#include "time/price.h"
#include "time/record.h"
#include "time/replay.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static struct gpu gpu;

const char *simt_model_gpu(const char *name)
{
    const char *problem = gpu_read(&gpu, name);
    if (!problem) {
        queue_finish();
        simt_sms = (unsigned)gpu.sms;
    }
    return problem;
}

const char *simt_limit_name(enum simt_limit limit)
{
    return limit_names[limit];
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
    record_on = places_stay = true;
    record_entered = price_begin;
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
        done = mmap((char *)p + at, some, PROT_READ | PROT_WRITE, MAP_FIXED | MAP_PRIVATE, file,
                    0) != MAP_FAILED;
    }
    if (file >= 0)
        close(file);
    return done;
}

struct simt_time simt_model_end(bool cold)
{
    size_t count;
    queue_finish();
    const struct launch_record *launches = record_launches(&count);
    struct simt_time time = predict(&gpu, launches, count, cold);
    record_clear();
    record_on = record_sampling = false;
    race_off = races_were_off;
    requests_choose(NULL);
    return time;
}
