/* launch_counts.c: what launches have counted, kept for simt_launch(). */
#include "launch_counts.h"
#include "fault.h"
#include <stdlib.h>

bool simt_counting;
static struct simt_counts *launches;
static size_t launch_count;
static uint64_t *orders; /* of each */
static size_t orders_room;

void counts_keep(void)
{
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
