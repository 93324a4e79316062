/*
 * Experiment levels: how far away is each memory, and how much can be read from it?
 *
 * Asks:    latency and bandwidth of shared memory, L1, L2 and device memory.
 * How:     latency: one thread follows a ring, one index in each 128 bytes, in an order that
 *          is pseudo-random; each load waits for the one before. Bandwidth: all SMs read what fits
 *          there, 16 bytes at a time, over and over; the least of five times.
 * Expect:  (written before the first run; H200)
 *          - Shared memory and L1 are one memory of 32 banks of 4 bytes: 128 bytes a cycle, 132
 *            SMs, 1.98 GHz: 33 TB/s. Shared memory answers after 30 cycles, L1 some later.
 *          - L2: twice what device memory delivers at least, after 250 cycles.
 *          - Device memory: the roof of step 00, 4.7 TB/s; after 800 cycles, 400 ns, which
 *            step 06's bandwidth gives by Little's law.
 * Run:     make levels && ./levels
 * Prints a CSV. The simulator has no clock: there the values are checked, and no more.
 */
#include "cuda_errors.h"
#include "device.h"
#include "levels.h"
#include "message.h"
#include <stdio.h>

struct level {
    const char *name;
    double bytes; /* of one, as the device tells it; 0 if it does not */
    unsigned count;
    unsigned ring;           /* words to walk through: a power of two */
    unsigned untimed, steps; /* first to fill the cache, then to time */
    unsigned words;          /* to read ... */
    bool for_each_sm;        /* ... by each SM its own, or by all together ... */
    unsigned rounds;         /* ... so often */
};

/* Prints one line. Returns how much was wrong. */
template <bool SHARED> static unsigned measure(const struct level *level, unsigned sms)
{
    size_t words = (size_t)level->words * (level->for_each_sm ? sms : 1);
    size_t room = words > level->ring ? words : level->ring;
    unsigned lines = level->ring / LINE, at = 0, *array;
    struct outcome outcome = {}, *device_outcome;
    float ms[6] = {}, best = 0.0f;
    cudaEvent_t begin, end;

    CUDA_CHECK(cudaMalloc(&array, room * sizeof *array));
    CUDA_CHECK(cudaMalloc(&device_outcome, sizeof outcome));
    CUDA_CHECK(cudaMemset(device_outcome, 0, sizeof outcome));
    CUDA_CHECK(cudaEventCreate(&begin));
    CUDA_CHECK(cudaEventCreate(&end));
    make_ring<<<(lines + 255) / 256, 256>>>(array, lines);
    flush_l2(0);
    for (int run = 0; run < 6; run++) {
        CUDA_CHECK(cudaEventRecord(begin));
        if (run == 0)
            walk<SHARED><<<1, 1>>>(array, level->untimed, level->steps, device_outcome);
        else
            read_often<SHARED><<<level->for_each_sm ? sms : 2 * sms, THREADS>>>(
                (const uint4 *)array, level->words / 4, level->for_each_sm, level->rounds,
                device_outcome);
        CUDA_CHECK(cudaGetLastError());
        CUDA_CHECK(cudaEventRecord(end));
        CUDA_CHECK(cudaEventSynchronize(end));
        CUDA_CHECK(cudaEventElapsedTime(&ms[run], begin, end));
        best = run == 1 || (run > 1 && ms[run] < best) ? ms[run] : best;
        if (run == 0)
            CUDA_CHECK(cudaMemset(array, 1, words * sizeof *array));
    }
    CUDA_CHECK(cudaMemcpy(&outcome, device_outcome, sizeof outcome, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(array));
    CUDA_CHECK(cudaFree(device_outcome));

    for (unsigned i = 0; i < level->untimed + level->steps; i++)
        at = next_line(at, lines);
    unsigned wrong = (outcome.reached != at * LINE) + outcome.wrong;
    double cycles = (double)(outcome.clocks[2] - outcome.clocks[1]) / level->steps;
    double mhz = (double)(outcome.clocks[2] - outcome.clocks[0]) / (1e3 * ms[0]);
    printf("%s,%.0f,%u,%zu,%zu,%d,", level->name, level->bytes, level->count,
           level->ring * sizeof *array, words * sizeof *array, wrong == 0);
    if (ON_SIMULATOR)
        printf(",,\n");
    else
        printf("%.1f,%.1f,%.0f\n", cycles, cycles * 1e3 / mhz,
               (double)words * sizeof *array * level->rounds / (best * 1e6));
    return wrong;
}

static unsigned attribute(enum cudaDeviceAttr which)
{
    int value = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&value, which, 0));
    return (unsigned)value;
}

int main(int argc, char **argv)
{
    begin_program(argv[0]);
    if (argc > 1)
        return complain(STATUS_USAGE, "\"%s\": there are no options", argv[1]);
    int status = select_device(0);
    if (status >= 0)
        return status;
    size_t unused, memory;
    CUDA_CHECK(cudaMemGetInfo(&unused, &memory));
    unsigned sms = attribute(cudaDevAttrMultiProcessorCount), mega = ON_SIMULATOR ? 4096 : 1 << 20;
    unsigned shared = attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
    unsigned l2 = attribute(cudaDevAttrL2CacheSize), walked = 32 * SMALL / LINE;
    const struct level levels[] = {
        {"shared", (double)shared, sms, SMALL, SMALL, walked, SMALL, true, mega / 128},
        {"l1", 0, sms, SMALL, SMALL, walked, 4 * SMALL, true, mega / 512},
        {"l2", (double)l2, 1, 4 * mega, 4 * mega / LINE, walked, 4 * mega, false, mega / 16384 + 1},
        {"memory", (double)memory, 1, 64 * mega, 0, walked, 256 * mega, false, 1},
    };
    printf("level,bytes,count,walked_bytes,read_bytes,ok,cycles,ns,gbps\n");
    printf("registers,%u,%u,,,,,,\n", 4 * attribute(cudaDevAttrMaxRegistersPerMultiprocessor), sms);
    unsigned wrong = measure<true>(&levels[0], sms);
    for (int i = 1; i < 4; i++)
        wrong += measure<false>(&levels[i], sms);
    if (wrong > 0)
        fprintf(stderr, "levels: %u values are not what they must be\n", wrong);
    return wrong > 0 ? 1 : 0;
}
