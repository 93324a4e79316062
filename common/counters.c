/* counters.c: see counters.h. */
#include "counters.h"

#include "cuda_errors.h"

uint64_t global_bytes(const struct simt_counts *counts)
{
    return counts->global_load_bytes + counts->global_store_bytes;
}

#ifdef SIMT_SIMULATOR

void counters_setup(const struct options *options)
{
    simt_count_requests(options->counters || options->trace != NULL);
    simt_trace(options->trace_blocks, options->trace != NULL ? options->trace_block_count : 0);
    simt_schedule(options->schedule);
    simt_be_strict(); /* a kernel of a lesson is right by the memory model, too */
    simt_want_barriers();
    if (options->model == NULL) /* its GPU has its own */
        simt_device(options->sms);
}

void counters_start(void)
{
    simt_launches_clear();
}

static void add(struct simt_counts *total, const struct simt_counts *launch)
{
    /* Launches have no common unit of time: their efficiencies are averaged by
       the number of threads that they had. */
    double threads = (double)launch->grid * launch->block;
    total->simt_efficiency += threads * launch->simt_efficiency;
    total->global_load_bytes += launch->global_load_bytes;
    total->global_store_bytes += launch->global_store_bytes;
    total->shared_load_bytes += launch->shared_load_bytes;
    total->shared_store_bytes += launch->shared_store_bytes;
    total->atomics += launch->atomics;
    total->barriers += launch->barriers;
    total->shuffles += launch->shuffles;
    total->gld_requests += launch->gld_requests;
    total->gld_sectors += launch->gld_sectors;
    total->gst_requests += launch->gst_requests;
    total->gst_sectors += launch->gst_sectors;
    total->shared_ld_wavefronts += launch->shared_ld_wavefronts;
    total->shared_st_wavefronts += launch->shared_st_wavefronts;
    if (launch->worst_conflict > total->worst_conflict)
        total->worst_conflict = launch->worst_conflict;
}

void counters_stop(struct counters *counters, bool requests)
{
    double threads = 0;
    *counters = (struct counters){.counted = true, .requests = requests};
    counters->launches = simt_launch_count();
    for (size_t i = 0; i < counters->launches; i++) {
        const struct simt_counts *launch = simt_launch(i);
        if (i < MAX_PASSES)
            counters->passes[i] = *launch;
        add(&counters->total, launch);
        threads += (double)launch->grid * launch->block;
    }
    if (threads > 0)
        counters->total.simt_efficiency /= threads;
}

#else

void counters_setup(const struct options *options)
{
    (void)options;
}

void counters_start(void)
{
}

void counters_stop(struct counters *counters, bool requests)
{
    (void)requests;
    counters->counted = counters->requests = false;
}

#endif
