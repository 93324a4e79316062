/* launch.c: a launch before it begins, and after it has ended: what CUDA would refuse, how many
   blocks are there at once, the attributes of launches and kernels, what was counted. */
#include "launch.h"
#include "access.h"
#include "devices.h"
#include "fault.h"
#include "grid.h"
#include "hang_detector.h"
#include "launch_counts.h"
#include "lock.h"
#include "race.h"
#include "scheduler.h"
#include "shared_memory.h"
#include "time/predict.h"
#include "time/record.h"
#include "trial.h"

enum { PORTABLE_BLOCKS = 8 }; /* of a cluster whose kernel does not allow more */

/* ---- what a kernel and a launch ask for ---- */

enum { SHARED_UNASKED = 48 * 1024 }; /* dynamic shared memory that no attribute must allow */
static struct allowance {
    const void *kernel;
    size_t bytes;
} * allowances; /* cudaFuncAttributeMaxDynamicSharedMemorySize, the last of a kernel's counts */
static size_t allowance_count;

static size_t most_dynamic_shared(const void *kernel)
{
    size_t any = SHARED_UNASKED, own = SHARED_UNASKED;
    for (size_t i = 0; i < allowance_count; i++) {
        any = allowances[i].bytes > any ? allowances[i].bytes : any;
        own = allowances[i].kernel == kernel ? allowances[i].bytes : own;
    }
    return !kernel ? any : own > SHARED_UNASKED ? own : SHARED_UNASKED;
}

/* Before any launch, or from another thread of the host than the one that runs them. */
static void know_shared(void)
{
    if (shared_room == 0)
        shared_find();
}

/* It has no registers, and no code for a GPU. Static shared memory: that of all kernels
   together, as it is not known which kernel uses which. */
cudaError_t simt_get_attributes(struct cudaFuncAttributes *attributes, const void *kernel)
{
    know_shared();
    *attributes = (struct cudaFuncAttributes){
        .sharedSizeBytes = shared_bytes,
        .maxThreadsPerBlock = MAX_BLOCK,
        .ptxVersion = 90,
        .binaryVersion = 90,
        .maxDynamicSharedSizeBytes = (int)most_dynamic_shared(kernel),
    };
    return cudaSuccess;
}

static const void **large; /* kernels with cudaFuncAttributeNonPortableClusterSizeAllowed */
static size_t large_count;

cudaError_t simt_set_attribute(const void *kernel, enum cudaFuncAttribute attribute, int value)
{
    if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) {
        know_shared();
        if (value < 0 || (unsigned)value + shared_bytes > simt_block_shared)
            return simt_error(cudaErrorInvalidValue);
        allowances = simt_grow(allowances, allowance_count, sizeof *allowances);
        allowances[allowance_count++] = (struct allowance){kernel, (size_t)value};
    } else if (attribute == cudaFuncAttributeNonPortableClusterSizeAllowed) {
        for (size_t i = 0; i < large_count; i++)
            if (large[i] == kernel)
                large[i] = NULL;
        large = simt_grow(large, large_count, sizeof *large);
        large[large_count++] = value ? kernel : NULL;
    }
    return cudaSuccess;
}

/* A launch by <<< >>> does not say which kernel it is: any that may be large will do. */
unsigned simt_most_cluster_blocks(const void *kernel)
{
    for (size_t i = 0; i < large_count; i++)
        if (large[i] && (!kernel || large[i] == kernel))
            return CLUSTER_BLOCKS;
    return PORTABLE_BLOCKS;
}

void simt_configure(struct simt_how *how, const cudaLaunchConfig_t *config, const void *kernel)
{
    *how = (struct simt_how){
        .grid = config->gridDim,
        .block = config->blockDim,
        .cluster = {1, 1, 1},
        .shared = config->dynamicSmemBytes,
        .kernel = kernel,
        .stream = config->stream,
    };
    for (unsigned i = 0; i < config->numAttrs; i++) {
        const cudaLaunchAttributeValue *value = &config->attrs[i].val;
        if (config->attrs[i].id == cudaLaunchAttributeClusterDimension)
            how->cluster = (dim3){value->clusterDim.x, value->clusterDim.y, value->clusterDim.z};
        else if (config->attrs[i].id == cudaLaunchAttributeCooperative)
            how->cooperative = value->cooperative != 0;
    }
}

/* ---- what the device has room for ---- */

static unsigned long long volume(dim3 d)
{
    return (unsigned long long)d.x * d.y * d.z;
}

int simt_blocks_per_sm(int block, size_t shared)
{
    if (block < 1 || block > MAX_BLOCK)
        return 0;
    unsigned by_threads = SM_THREADS / (((unsigned)block + WARP - 1) / WARP * WARP);
    unsigned by_shared =
        (unsigned)((simt_block_shared + SYSTEM_SHARED) / (shared + shared_bytes + SYSTEM_SHARED));
    unsigned blocks = by_threads < by_shared ? by_threads : by_shared;
    return (int)(blocks < simt_sm_blocks ? blocks : simt_sm_blocks);
}

/* As many blocks as are there at once; a cluster always fits, even on a small device. */
static unsigned resident_blocks(const struct simt_how *how)
{
    unsigned cluster = (unsigned)volume(how->cluster);
    unsigned blocks = (unsigned)simt_blocks_per_sm((int)volume(how->block), how->shared) * simt_sms;
    return blocks < cluster ? cluster : blocks / cluster * cluster;
}

static cudaError_t refuse(const struct simt_how *how)
{
    dim3 g = how->grid, b = how->block, c = how->cluster;
    if (volume(g) == 0 || g.x > 0x7fffffff || g.y > 65535 || g.z > 65535)
        return cudaErrorInvalidConfiguration;
    if (volume(b) == 0 || volume(b) > MAX_BLOCK || b.x > 1024 || b.y > 1024 || b.z > 64)
        return cudaErrorInvalidConfiguration;
    if (how->shared + shared_bytes > simt_block_shared ||
        how->shared > most_dynamic_shared(how->kernel))
        return cudaErrorInvalidValue;
    if (volume(c) == 0 || volume(c) > simt_most_cluster_blocks(how->kernel) ||
        volume(c) > simt_cluster_most)
        return cudaErrorInvalidClusterSize;
    if (g.x % c.x != 0 || g.y % c.y != 0 || g.z % c.z != 0)
        return cudaErrorInvalidClusterSize;
    if (how->cooperative && volume(g) > resident_blocks(how))
        return cudaErrorCooperativeLaunchTooLarge;
    return cudaSuccess;
}

int simt_resident_clusters(const struct simt_how *how)
{
    return refuse(how) == cudaSuccess ? (int)(resident_blocks(how) / volume(how->cluster)) : 0;
}

/* ---- the launch ---- */

static void *way_out[5]; /* of a launch that goes wrong */

static void abandon(void)
{
    __builtin_longjmp(way_out, 1);
}

/* Once for the program, and once for each thread of the host. */
void launch_thread(void)
{
    static bool begun;
    static pthread_t before;
    if (!begun || !pthread_equal(before, pthread_self())) {
        shared_find();
        fault_catch_signals();
        hang_begin();
    }
    if (!begun) {
        fault_begin();
        fault_explain = race_report;
        fault_abandon = abandon;
        schedule_begin(simt_seed);
    }
    begun = true;
    before = pthread_self();
}

enum outcome { ENDED, SUSPENDED, FAILED };

static enum outcome run(bool may_suspend)
{
    if (__builtin_setjmp(way_out) == 0)
        return grid_run(may_suspend) ? ENDED : SUSPENDED;
    grid_reset();
    return FAILED;
}

static void prepare(const struct simt_how *how, void (*call)(const void *), const void *closure,
                    size_t bytes)
{
    unsigned threads = (unsigned)volume(how->block);
    simt_now = (struct launch){
        .grid_size = how->grid,
        .block_size = how->block,
        .cluster_size = how->cluster,
        .cluster_blocks = (unsigned)volume(how->cluster),
        .blocks = volume(how->grid),
        .threads = threads,
        .warps = (threads + WARP - 1) / WARP,
        .dynamic_bytes = how->shared,
        .cooperative = how->cooperative,
        .call = call,
        .closure = closure,
        .closure_bytes = bytes,
        .kernel = how->kernel,
        .slot_count = resident_blocks(how),
        .counts = {.grid = (unsigned)volume(how->grid), .block = threads, .device = simt_at},
    };
}

/* The kernel asks for clusters, and the launch did not. */
static cudaError_t in_clusters(struct simt_how *how)
{
    if (simt_now.cluster_blocks > 1) /* it did, and says otherwise */
        return simt_error(cudaErrorInvalidClusterSize);
    how->cluster = simt_now.cluster_size;
    return simt_error(refuse(how));
}

/* ---- launches by kernels: they run when the grid that made them has ended ---- */

static struct child {
    struct child *next;
    struct kernel_launch *launch;
} * children, **last_child = &children;

struct kernel_launch *launch_copy(const struct simt_how *how, void (*call)(const void *),
                                  const void *closure, size_t bytes)
{
    struct kernel_launch *l = simt_zeroed(1, sizeof *l + bytes);
    *l = (struct kernel_launch){*how, call, bytes};
    memcpy(l->closure, closure, bytes);
    return l;
}

cudaError_t launch_child(const struct simt_how *how, void (*call)(const void *),
                         const void *closure, size_t bytes)
{
    cudaError_t error = refuse(how);
    record_refuse("it launches kernels");
    if (simt_devices > 1)
        simt_fault(simt_self, __builtin_return_address(0),
                   "a launch inside a kernel is not supported with several devices");
    SIMT_REFUSE_IF(error != cudaSuccess, error);
    struct child *c = simt_zeroed(1, sizeof *c);
    c->launch = launch_copy(how, call, closure, bytes);
    *last_child = c;
    last_child = &c->next;
    return cudaSuccess;
}

static cudaError_t launch(struct kernel_launch *l);

static cudaError_t launch_children(void)
{
    cudaError_t error = cudaSuccess;
    while (children && !launch_suspended) {
        struct child *c = children;
        children = c->next;
        last_child = children ? last_child : &children;
        if (error == cudaSuccess)
            error = launch(c->launch);
        else
            free(c->launch);
        free(c);
    }
    return error;
}

/* ---- with one device: a launch runs at once; it is suspended where it waits for the host ---- */

bool launch_suspended;
bool launch_none;
static struct kernel_launch *running; /* threads have addresses in it until they end */
static pthread_t runs_in;             /* the thread of the host that has its shared memory */

static cudaError_t end(cudaError_t error)
{
    free(running);
    running = NULL;
    return simt_error(error);
}

static void begin(void)
{
    prepare(&running->how, running->call, running->closure, running->bytes);
    race_begin_launch(NULL);
}

cudaError_t launch_go_on(bool may_suspend)
{
    launch_thread();
    stats_run();
    enum outcome outcome = run(may_suspend);
    stats_pause();
    trial_end_of_launch(outcome == ENDED && !simt_now.again);
    launch_suspended = outcome == SUSPENDED;
    access_not_awaited |= outcome != FAILED ? LAUNCH_NOT_AWAITED : 0;
    if (outcome == SUSPENDED)
        return cudaSuccess;
    if (outcome == FAILED) {
        children = NULL;
        last_child = &children;
        return end(fault_asserted ? cudaErrorAssert : cudaErrorLaunchFailure);
    }
    if (simt_now.again) {
        cudaError_t error = in_clusters(&running->how);
        if (error != cudaSuccess)
            return end(error);
        begin();
        return launch_go_on(may_suspend);
    }
    race_report();
    record_end_launch();
    environment_launch_ended();
    counts_keep();
    end(cudaSuccess);
    return launch_children();
}

bool launch_is_ours(void)
{
    return pthread_equal(runs_in, pthread_self());
}

/* Frees it when it has ended. */
static cudaError_t launch(struct kernel_launch *l)
{
    launch_thread();
    running = l;
    runs_in = pthread_self();
    cudaError_t error = refuse(&l->how);
    if (error != cudaSuccess || launch_none)
        return end(error);
    begin();
    return launch_go_on(true);
}

cudaError_t launch_now(const void *data)
{
    const struct kernel_launch *l = data;
    simt_lock();
    cudaError_t error = launch(launch_copy(&l->how, l->call, l->closure, l->bytes));
    simt_unlock();
    return error;
}

/* ---- with several devices (queue.c) ---- */

cudaError_t launch_error(const struct simt_how *how)
{
    simt_lock();
    know_shared();
    cudaError_t error = simt_error(refuse(how));
    simt_unlock();
    return error;
}

void launch_begin(const struct kernel_launch *l, const uint32_t known[MOST_DEVICES])
{
    prepare(&l->how, l->call, l->closure, l->bytes);
    race_begin_launch(known);
    grid_begin();
}

static void begin_in_clusters(void)
{
    struct simt_how how = {simt_now.grid_size,
                           simt_now.block_size,
                           simt_now.cluster_size,
                           simt_now.dynamic_bytes,
                           simt_now.cooperative,
                           simt_now.kernel,
                           NULL};
    if (in_clusters(&how) != cudaSuccess)
        return;
    prepare(&how, simt_now.call, simt_now.closure, simt_now.closure_bytes);
    grid_begin();
}

enum launch_state launch_step(uint64_t order)
{
    bool moved = false;
    if (__builtin_setjmp(way_out) != 0) {
        grid_reset();
        return LAUNCH_FAILED;
    }
    stats_run();
    moved = grid_step();
    stats_pause();
    if (simt_now.again) {
        begin_in_clusters();
        return simt_now.again ? LAUNCH_FAILED : LAUNCH_MOVED;
    }
    if (simt_now.finished < simt_now.blocks)
        return moved ? LAUNCH_MOVED : LAUNCH_WAITS;
    race_report();
    record_end_launch();
    environment_launch_ended();
    counts_keep_in_order(order);
    return LAUNCH_ENDED;
}

bool launch_guarded(void (*find)(void))
{
    if (__builtin_setjmp(way_out) != 0) {
        grid_reset();
        return true;
    }
    find();
    return false;
}
