/* count.c: the simulator's counts of one call, summed over its launches. */
#include "runner.h"

const char *const count_names[COUNTS] = {
    [LAUNCHES] = "launches",
    [BLOCKS] = "blocks",
    [LOAD_REQUESTS] = "load requests",
    [LOAD_SECTORS] = "load sectors",
    [LOADED_FLOATS] = "floats loaded",
    [STORE_REQUESTS] = "store requests",
    [STORE_SECTORS] = "store sectors",
    [STORED_FLOATS] = "floats stored",
    [SHARED_FLOATS] = "floats of shared memory touched",
    [SHARED_LOAD_WAVEFRONTS] = "shared load wavefronts",
    [SHARED_STORE_WAVEFRONTS] = "shared store wavefronts",
    [WORST_CONFLICT] = "wavefronts of the worst shared request",
    [BARRIERS] = "barriers",
    [SHUFFLES] = "shuffles and votes",
    [ATOMICS] = "atomics",
    [BUSIEST_LOADS] = "floats that one thread loads",
    [LOADING_THREADS] = "threads that load",
    [MORE_SECTORS] = "load sectors beyond the first of each request",
    [MOVED_BYTES] = "bytes copied within the device",
    [GLOBAL_ATOMICS] = "atomics on global memory",
    [REMOTE_FLOATS] = "floats of other blocks' shared memory touched",
    [CLUSTER_BARRIERS] = "cluster barriers",
    [PEER_LOADED_BYTES] = "bytes read from other GPUs' memory",
    [PEER_STORED_BYTES] = "bytes stored into other GPUs' memory",
    [BUSIEST_ACCESSES] = "accesses of the busiest thread",
    [BUSIEST_PEER_BYTES] = "bytes that the busiest GPU stores into others' memory",
    [HOST_WORDS] = "words of the answer that the host wrote",
    [HOST_BYTES] = "bytes that the host saw",
    [UNFAIR_LOADS] = "floats of the least fair thread",
    [FAIR_LOADS] = "floats of a fair share",
    [THREADS] = "threads",
    [LONE_LOADS] = "floats that few threads load",
    [ALLOCATIONS] = "allocations never freed",
};

#ifdef SIMT_SIMULATOR
#include "simt.h"

#include <math.h>

void count_from_here(const struct call *call)
{
    if (call->sms > 0)
        simt_device(call->sms);
    simt_be_strict(); /* an answer is right by the memory model, too */
    if (call->how & STRICT)
        simt_want_all();
    simt_count_requests(call->how & COUNT_REQUESTS);
    simt_launches_clear();
    simt_schedule(call->schedule);
}

static double host_words, host_bytes, moved_bytes;

void watch_host(void)
{
    host_words = host_bytes = moved_bytes = 0;
    simt_watch_host();
}

double stored_for_host(void)
{
    double bytes = 0;
    for (size_t i = 0; i < simt_launch_count(); i++)
        bytes += (double)simt_launch(i)->host_store_bytes;
    return bytes;
}

void see_out(const struct call *call, const float *out, size_t words)
{
    host_bytes = (double)simt_host_took() + stored_for_host();
    moved_bytes = (double)simt_device_moved();
    for (size_t i = 0; i < words && i < call->kernel_words; i++)
        host_words += simt_host_wrote(&out[i], sizeof *out) && out[i] != 0;
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
    case MORE_SECTORS:
        return (double)(c->gld_sectors - c->gld_requests);
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
    case GLOBAL_ATOMICS:
        return (double)c->global_atomics;
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

/* The launch that loads most from global memory, or NULL. */
static const struct simt_counts *main_launch(void)
{
    const struct simt_counts *most = NULL;
    for (size_t i = 0; i < simt_launch_count(); i++)
        if (!most || simt_launch(i)->global_load_bytes > most->global_load_bytes)
            most = simt_launch(i);
    return most;
}

/* What a thread would load if all of the launch shared the elements, and each block added up its
   threads' by a tree, once for each share; and something for those who add up what blocks have
   left. */
static double fair_loads(const struct simt_counts *c, size_t n)
{
    double threads = (double)c->grid * c->block, rounds = 0;
    for (unsigned left = c->block; left > 1; left = (left + 1) / 2)
        rounds++;
    return 1 + ceil((double)n / threads) * (1 + rounds) + (double)c->grid / 4;
}

/* The launch in which a thread loads most beyond that. */
static const struct simt_counts *least_fair(size_t n)
{
    const struct simt_counts *least = NULL;
    double most = 0;
    for (size_t i = 0; i < simt_launch_count(); i++) {
        double times =
            (double)simt_launch(i)->busiest_load_bytes / 4 / fair_loads(simt_launch(i), n);
        if (times > most) {
            most = times;
            least = simt_launch(i);
        }
    }
    return least;
}

/* Floats of the launch where few threads load that many; 0: there is none. */
static double lone_loads(void)
{
    enum { MANY = 1000, FEW = 16 };
    for (size_t i = 0; i < simt_launch_count(); i++) {
        const struct simt_counts *c = simt_launch(i);
        if (c->loading_threads < FEW && c->global_load_bytes / 4 >= MANY)
            return (double)c->global_load_bytes / 4;
    }
    return 0;
}

static double over_launches(enum count what, size_t n)
{
    double total = 0;
    const struct simt_counts *of;
    switch (what) {
    case BUSIEST_PEER_BYTES:
        return of_busiest_gpu();
    case HOST_WORDS:
        return host_words;
    case MOVED_BYTES:
        return moved_bytes;
    case HOST_BYTES:
        return host_bytes;
    case LOADING_THREADS:
        of = main_launch();
        return of ? (double)of->loading_threads : 0;
    case THREADS:
        of = main_launch();
        return of ? (double)of->grid * of->block : 0;
    case LONE_LOADS:
        return lone_loads();
    case UNFAIR_LOADS:
        of = least_fair(n);
        return of ? (double)of->busiest_load_bytes / 4 : 0;
    case FAIR_LOADS:
        of = least_fair(n);
        return of ? fair_loads(of, n) : 0;
    default:
        break;
    }
    for (size_t i = 0; i < simt_launch_count(); i++) {
        const struct simt_counts *c = simt_launch(i);
        if (what == BLOCKS)
            total = i == 0 ? c->grid : total;
        else if (what == BUSIEST_ACCESSES)
            total = (double)c->busiest_accesses > total ? (double)c->busiest_accesses : total;
        else if (what == WORST_CONFLICT)
            total = (double)c->worst_conflict > total ? (double)c->worst_conflict : total;
        else if (what == BUSIEST_LOADS)
            total = fmax(total, (double)c->busiest_load_bytes / 4);
        else
            total += of_launch(what, c);
    }
    return total;
}

void counted(size_t n, double counts[COUNTS])
{
    for (enum count what = 0; what < COUNTS; what++)
        counts[what] = over_launches(what, n);
}

#endif
