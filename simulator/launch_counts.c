/* launch_counts.c: what launches have counted, kept for simt_launch(). */
#include "launch_counts.h"
#include "fault.h"
#include <time.h>

static struct simt_counts *launches;
static size_t launch_count;
static uint64_t *orders; /* of each */
static size_t orders_room;

/* ---- SIMT_STATS=1 ---- */

uint64_t stats_accesses;
static struct {
    bool known, wanted;
    uint64_t launches, threads;
    double seconds, since;
} stats;

static double processor_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void print_stats(void)
{
    fflush(stdout);
    fprintf(stderr,
            "simulator: %llu launches of %llu threads; %llu accesses in %.3g s of the processor, "
            "%.3g million a second\n",
            (unsigned long long)stats.launches, (unsigned long long)stats.threads,
            (unsigned long long)stats_accesses, stats.seconds,
            stats.seconds > 0 ? (double)stats_accesses / stats.seconds * 1e-6 : 0);
}

void stats_run(void)
{
    const char *value = getenv("SIMT_STATS");
    if (!stats.known && value && *value && strcmp(value, "0") != 0) {
        stats.wanted = true;
        atexit(print_stats);
    }
    stats.known = true;
    if (stats.wanted)
        stats.since = processor_time();
}

void stats_pause(void)
{
    if (stats.wanted)
        stats.seconds += processor_time() - stats.since;
}

/* ---- what is kept ---- */

void counts_keep(void)
{
    stats.launches++;
    stats.threads += simt_now.blocks * simt_now.threads;
    launches = simt_grow(launches, launch_count, sizeof *launches);
    launches[launch_count++] = simt_now.counts;
}

void counts_keep_in_order(uint64_t order)
{
    counts_keep();
    if (launch_count > orders_room) {
        orders_room = 2 * launch_count;
        orders = realloc(orders, orders_room * sizeof *orders);
        if (!orders)
            simt_fault(NULL, NULL, "no memory left");
    }
    size_t i = launch_count - 1;
    for (; i > 0 && orders[i - 1] > order; i--) {
        orders[i] = orders[i - 1];
        launches[i] = launches[i - 1];
    }
    orders[i] = order;
    launches[i] = simt_now.counts;
}

size_t counts_kept(void)
{
    return launch_count;
}

void counts_clear(void)
{
    launch_count = 0;
}

const struct simt_counts *simt_launch(size_t i)
{
    return &launches[i];
}
