#include "plan.h"

#include "blocks.h"
#include "gpu.h"
#include "memory.h"
#include "message.h"
#include "numbers.h"

#include <stdio.h>
#include <unistd.h>

static const double GIB = 1024.0 * 1024 * 1024;

/* Host memory that can be had without swapping, in bytes: Linux tells it as
   MemAvailable, in KiB (proc(5)); elsewhere, all there is. */
static size_t available_memory(void)
{
    char line[256];
    unsigned long long kib = 0;
    FILE *file = fopen("/proc/meminfo", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "MemAvailable: %llu", &kib) == 1)
            break;
    }
    if (file != NULL)
        fclose(file);
    if (kib > 0)
        return (size_t)kib * 1024;
    return (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
}

struct room {
    const struct lesson *lesson;
    const struct options *options;
    unsigned sms;
    size_t device, host; /* bytes free */
};

/* On the simulator device memory is host memory too, and it remembers of each word who
   used it last, in ten times as much (simulator/race.c). */
static size_t host_bytes(const struct room *room, size_t n)
{
    size_t device = device_bytes(room->lesson, room->options, room->sms, n);
    return data_bytes(room->options, n) + (ON_SIMULATOR ? 11 * device : 0);
}

static bool fits(const struct room *room, size_t n)
{
    return device_bytes(room->lesson, room->options, room->sms, n) <= room->device &&
           host_bytes(room, n) <= room->host;
}

static int refuse_memory(const struct room *room, size_t n)
{
    char size[SIZE_TEXT], smaller[SIZE_TEXT];
    size_t device = device_bytes(room->lesson, room->options, room->sms, n);
    bool on_host = device <= room->device;
    size_t power = 1;
    while (power <= n / 2)
        power *= 2;
    while (power > 1 && !fits(room, power))
        power /= 2;
    return complain(
        STATUS_USAGE, "%s numbers need %.1f GiB of %s memory, %.1f are free: take -n %s or less",
        format_size(n, size), (double)(on_host ? host_bytes(room, n) : device) / GIB,
        on_host ? "host" : "device", (double)(on_host ? room->host : room->device) / GIB,
        format_size(power, smaller));
}

static int check_grid(const struct variant *variant, unsigned block, size_t n)
{
    char size[SIZE_TEXT];
    size_t per_block = (size_t)block * variant->per_thread;
    size_t blocks = per_block == 0 || n == 0 ? 1 : (n - 1) / per_block + 1;
    if (blocks <= MAX_GRID || (variant->flags & ON_CPU))
        return STATUS_OK;
    return complain(STATUS_USAGE,
                    "%s needs %zu blocks of %u threads for %s numbers, a grid has at most %u: "
                    "take a larger -b or a smaller -n",
                    variant->name, blocks, block, format_size(n, size), MAX_GRID);
}

int check_sizes(const struct lesson *lesson, const struct options *options, unsigned sms)
{
    size_t total;
    struct room room = {lesson, options, sms, 0, available_memory()};
    CUDA_CHECK(cudaMemGetInfo(&room.device, &total));
    for (size_t k = 0; k < options->size_count; k++) {
        size_t n = options->sizes[k];
        for (size_t i = 0; i < lesson->variant_count; i++) {
            if (will_run(lesson, options, i) &&
                check_grid(&lesson->variants[i], options->block, n) != STATUS_OK)
                return STATUS_USAGE;
        }
        if (!fits(&room, n))
            return refuse_memory(&room, n);
    }
    return STATUS_OK;
}
