/* count.c: the simulator's counts of one call of launch(), summed over its launches. */
#include "runner.h"

#include <cuda_runtime_api.h> /* SIMT_SIMULATOR */

#ifdef SIMT_SIMULATOR
#include "simt.h"

void count_from_here(bool requests, uint64_t schedule)
{
    simt_be_strict(); /* an answer is right by the memory model, too */
    simt_want_all();
    simt_count_requests(requests);
    simt_launches_clear();
    simt_schedule(schedule);
}

static double of_launch(enum count what, const struct simt_counts *c)
{
    switch (what) {
    case LAUNCHES:
        return 1;
    case LOAD_REQUESTS:
        return (double)c->gld_requests;
    case LOAD_SECTORS:
        return (double)c->gld_sectors;
    case LOADED_FLOATS:
        return (double)c->global_load_bytes / 4;
    case STORE_REQUESTS:
        return (double)c->gst_requests;
    case STORE_SECTORS:
        return (double)c->gst_sectors;
    case STORED_FLOATS:
        return (double)c->global_store_bytes / 4;
    case SHARED_FLOATS:
        return (double)(c->shared_load_bytes + c->shared_store_bytes) / 4;
    case SHARED_LOAD_WAVEFRONTS:
        return (double)c->shared_ld_wavefronts;
    case SHARED_STORE_WAVEFRONTS:
        return (double)c->shared_st_wavefronts;
    case BARRIERS:
        return (double)c->barriers;
    case SHUFFLES:
        return (double)c->shuffles;
    case ATOMICS:
        return (double)c->atomics;
    case REMOTE_FLOATS:
        return (double)(c->remote_load_bytes + c->remote_store_bytes) / 4;
    case CLUSTER_BARRIERS:
        return (double)c->cluster_barriers;
    case PEER_LOADED_BYTES:
        return (double)c->peer_load_bytes;
    case PEER_STORED_BYTES:
        return (double)c->peer_store_bytes;
    default:
        return 0;
    }
}

static double of_busiest_gpu(void)
{
    double of[SIMT_MAX_GPUS] = {0}, most = 0;
    for (size_t i = 0; i < simt_launch_count(); i++) {
        const struct simt_counts *c = simt_launch(i);
        of[c->device] += (double)c->peer_store_bytes;
        most = of[c->device] > most ? of[c->device] : most;
    }
    return most;
}

static double over_launches(enum count what)
{
    double total = 0;
    if (what == BUSIEST_PEER_BYTES)
        return of_busiest_gpu();
    for (size_t i = 0; i < simt_launch_count(); i++) {
        const struct simt_counts *c = simt_launch(i);
        if (what == BLOCKS)
            total = i == 0 ? c->grid : total;
        else if (what == WORST_CONFLICT)
            total = (double)c->worst_conflict > total ? (double)c->worst_conflict : total;
        else
            total += of_launch(what, c);
    }
    return total;
}

void counted(double counts[COUNTS])
{
    for (enum count what = 0; what < COUNTS; what++)
        counts[what] = over_launches(what);
}

#else

void count_from_here(bool requests, uint64_t schedule)
{
    (void)requests, (void)schedule;
}

void counted(double counts[COUNTS])
{
    (void)counts; /* zeros */
}

#endif
