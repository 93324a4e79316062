/*
 * engine.c: a launch. Blocks run one after another; a block's threads run in
 * order, each until it waits. Only when a block cannot go on alone (grid.sync(),
 * or a thread that polls memory another block must write) do further blocks come
 * in beside it, as many as the simulated device holds.
 */
#include "engine.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct thread *simt_self;
struct launch simt_now;
uint64_t simt_seed;
bool simt_counting;
/* What kernels see; in a section of their own, for access.c to tell them apart. */
uint3 threadIdx SIMT_BUILTIN, blockIdx SIMT_BUILTIN;
dim3 blockDim SIMT_BUILTIN, gridDim SIMT_BUILTIN, simt_cluster_dim SIMT_BUILTIN;
_Alignas(256) char simt_dynamic_shared[SM_SHARED]; /* of the running block */
unsigned simt_sms = 4;

static struct block *slots; /* kept from launch to launch, with their fibres */
static unsigned slots_made;
static struct block *swapped_in; /* whose values they hold now */

static uint64_t random_state;

uint64_t simt_random(void)
{
    random_state ^= random_state << 13; /* xorshift64: Marsaglia, "Xorshift RNGs", 2003 */
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

/* The seed for programs that do not choose one: SIMT_SCHEDULE=SEED in the environment. */
static uint64_t seed_of_environment(void)
{
    const char *text = getenv("SIMT_SCHEDULE");
    char *end = NULL;
    uint64_t seed = text && isdigit((unsigned char)*text) ? strtoull(text, &end, 10) : 0;
    if (text && *text && (!end || *end != '\0'))
        simt_fault(NULL, NULL, "SIMT_SCHEDULE=%s: a whole number from 0 is needed", text);
    return seed;
}

void simt_schedule(uint64_t seed)
{
    simt_seed = seed != 0 ? seed : seed_of_environment();
    random_state = simt_seed * 0x9e3779b97f4a7c15u | 1;
}

/* ---- a thread ---- */

void simt_thread_main(void)
{
    struct thread *t = simt_self;
    simt_now.call(simt_now.closure);
    t->state = DONE;
    t->block->live--;
    watch_write(t);
    cluster_thread_done(t);
    warp_lane_done(t);
}

void simt_wait(enum thread_state state, void *site)
{
    struct thread *t = simt_self;
    t->state = state;
    t->site = site;
    fibre_leave(&t->fibre);
}

void simt_yield(void)
{
    simt_self->writes_seen = simt_now.writes;
    simt_wait(SPINNING, __builtin_return_address(0));
}

long long simt_clock(void)
{
    static long long ticks; /* no time: it only moves forward */
    if (simt_self)
        watch_write(simt_self);
    return ++ticks;
}

/* ---- barriers ---- */

/* The threads are together: one epoch for all, later than any before. */
static void next_epoch(struct block *b)
{
    unsigned latest = 0;
    for (unsigned i = 0; i < simt_now.threads; i++)
        if (b->threads[i].epoch > latest)
            latest = b->threads[i].epoch;
    for (unsigned i = 0; i < simt_now.threads; i++)
        b->threads[i].epoch = latest + 1;
}

static void release_barrier(struct block *b)
{
    const struct thread *first = b->threads;
    while (first->state != AT_BARRIER)
        first++;
    for (unsigned i = 0; i < simt_now.threads; i++) {
        const struct thread *t = &b->threads[i];
        if (t->state == DONE)
            simt_fault(first, first->site, "waits at __syncthreads(), but thread %u has returned",
                       t->rank);
        if (t->site != first->site && strcmp(place_name(t->site), place_name(first->site)) != 0)
            simt_fault(t, t->site, "__syncthreads() here, while thread %u waits at another, %s",
                       first->rank, place_name(first->site));
    }
    count_flush(b);
    order_block_barrier(b);
    simt_now.counts.barriers++;
    for (unsigned i = 0; i < simt_now.threads; i++) {
        b->threads[i].value = (uint64_t)b->predicates;
        b->threads[i].state = READY;
    }
    next_epoch(b);
    b->at_barrier = 0;
    b->predicates = 0;
}

int simt_block_barrier(int predicate)
{
    struct thread *t = simt_self;
    watch_step(t);
    t->block->predicates += predicate;
    t->block->at_barrier++;
    simt_wait(AT_BARRIER, __builtin_return_address(0));
    return (int)t->value;
}

void simt_grid_barrier(void)
{
    if (!simt_now.cooperative)
        simt_fault(simt_self, __builtin_return_address(0),
                   "grid.sync() in an ordinary launch: use cudaLaunchCooperativeKernel()");
    watch_step(simt_self);
    simt_self->block->at_grid++;
    simt_wait(AT_GRID_BARRIER, __builtin_return_address(0));
}

static bool release_grid_barrier(void)
{
    unsigned long long waiting = 0;
    for (unsigned s = 0; s < simt_now.open; s++)
        waiting += simt_now.slots[s].at_grid;
    if (waiting == 0 || waiting != simt_now.blocks * simt_now.threads)
        return false;
    order_grid_barrier();
    for (unsigned s = 0; s < simt_now.open; s++) {
        struct block *b = &simt_now.slots[s];
        count_flush(b);
        b->at_grid = 0;
        for (unsigned i = 0; i < simt_now.threads; i++)
            b->threads[i].state = READY;
        next_epoch(b);
    }
    return true;
}

/* ---- a block ---- */

static void make_slot(struct block *b)
{
    b->threads = calloc(MAX_BLOCK, sizeof *b->threads);
    b->shared = aligned_alloc(SHARED_ALIGN, shared_room + SM_SHARED);
    b->written = malloc(shared_room + SM_SHARED);
    if (!b->threads || !b->shared || !b->written)
        simt_fault(NULL, NULL, "no memory for another resident block");
}

/* Counted cluster by cluster, x first in each. */
uint3 block_index(unsigned long long number)
{
    dim3 c = simt_now.cluster_size, g = simt_now.grid_size;
    unsigned rank = (unsigned)(number % simt_now.cluster_blocks);
    number /= simt_now.cluster_blocks;
    g = (dim3){g.x / c.x, g.y / c.y, g.z / c.z}; /* in clusters */
    return (uint3){
        (unsigned)(number % g.x) * c.x + rank % c.x,
        (unsigned)(number / g.x % g.y) * c.y + rank / c.x % c.y,
        (unsigned)(number / g.x / g.y) * c.z + rank / c.x / c.y,
    };
}

static void start_block(struct block *b)
{
    dim3 size = simt_now.block_size;
    b->number = (uint32_t)simt_now.started++;
    b->index = block_index(b->number);
    b->active = true;
    b->live = simt_now.threads;
    b->at_barrier = b->at_grid = 0;
    b->predicates = 0;
    memset(b->written, 0, shared_room + simt_now.dynamic_bytes);
    cluster_begin_block(b);
    race_begin_block(b);
    for (unsigned r = 0; r < simt_now.threads; r++) {
        struct thread *t = &b->threads[r];
        fibre_create(&t->fibre);
        t->block = b;
        t->index = (uint3){r % size.x, r / size.x % size.y, r / size.x / size.y};
        t->rank = r;
        t->lane = r % WARP;
        t->state = READY;
        t->site = NULL;
        watch_start(t);
    }
    next_epoch(b); /* what the fibres counted for an earlier block is over */
    b->first_epoch = b->threads->epoch;
    b->steps = 0;
}

static void swap_shared(struct block *b)
{
    if (swapped_in == b)
        return;
    size_t start = (uintptr_t)shared_start % SHARED_ALIGN;
    if (swapped_in) {
        memcpy(swapped_in->shared + start, shared_start, shared_bytes);
        memcpy(swapped_in->shared + shared_room, simt_dynamic_shared, simt_now.dynamic_bytes);
    }
    memcpy(shared_start, b->shared + start, shared_bytes);
    memcpy(simt_dynamic_shared, b->shared + shared_room, simt_now.dynamic_bytes);
    swapped_in = b;
}

static void resume(struct thread *t)
{
    simt_self = t;
    threadIdx = t->index;
    blockIdx = t->block->index;
    fibre_enter(&t->fibre);
    simt_self = NULL;
}

static void shuffle(unsigned *order, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        order[i] = i;
    for (unsigned i = count; simt_seed != 0 && i > 1; i--) {
        unsigned j = (unsigned)(simt_random() % i), swap = order[i - 1];
        order[i - 1] = order[j];
        order[j] = swap;
    }
}

/* Runs every ready thread once. Returns whether there was one. */
static bool sweep(struct block *b)
{
    unsigned warps[MAX_BLOCK / WARP], lanes[WARP];
    bool ran = false;
    shuffle(warps, simt_now.warps);
    for (unsigned w = 0; w < simt_now.warps; w++) {
        shuffle(lanes, WARP);
        for (unsigned l = 0; l < WARP; l++) {
            unsigned rank = warps[w] * WARP + lanes[l];
            if (rank < simt_now.threads && b->threads[rank].state == READY) {
                resume(&b->threads[rank]);
                ran = true;
                if (simt_now.again)
                    return true;
            }
        }
    }
    return ran;
}

/* A polling thread is worth resuming once somebody has written something. */
static bool wake_spinning(struct block *b)
{
    bool woke = false;
    for (unsigned i = 0; i < simt_now.threads; i++) {
        struct thread *t = &b->threads[i];
        if (t->state == SPINNING && t->writes_seen != simt_now.writes) {
            t->state = READY;
            woke = true;
        }
    }
    return woke;
}

/* Runs the block until nothing in it can go on. Returns whether anything ran. */
static bool run_block(struct block *b)
{
    bool ran = false;
    swap_shared(b);
    while (b->live > 0 && !simt_now.again) {
        if (b->crowded)
            count_ahead(b);
        if (sweep(b))
            ran = true;
        else if (b->at_barrier > 0 && b->at_barrier == b->live)
            release_barrier(b);
        else if (!warp_resolve_active_masks(b) && !wake_spinning(b))
            break;
    }
    if (b->live == 0) {
        count_flush(b);
        b->active = false;
        simt_now.finished++;
    }
    return ran;
}

/* ---- a launch ---- */

const char *state_text(const struct thread *t)
{
    switch (t->state) {
    case AT_BARRIER:
        return "waits at __syncthreads()";
    case AT_WARP_OP:
        return "waits at a warp operation";
    case AT_GRID_BARRIER:
        return "waits at grid.sync()";
    case AT_CLUSTER_BARRIER:
        return "waits at a barrier of its cluster";
    case SPINNING:
        return "reads the same place again and again";
    case DONE:
        return "has returned";
    default:
        return "is ready";
    }
}

static void report_deadlock(void)
{
    for (unsigned s = 0; s < simt_now.open; s++) {
        struct block *b = &simt_now.slots[s];
        for (unsigned i = 0; b->active && i < simt_now.threads; i++) {
            struct thread *t = &b->threads[i];
            if (t->state == DONE)
                continue;
            const struct thread *missing =
                t->state == AT_CLUSTER_BARRIER ? cluster_missing(t) : NULL;
            if (missing)
                simt_fault(t, t->site, "deadlock: this thread %s, thread %u of block (%u,%u,%u) %s",
                           state_text(t), missing->rank, missing->block->index.x,
                           missing->block->index.y, missing->block->index.z, state_text(missing));
            /* Another thread of the block that waits elsewhere says what is missing. */
            for (unsigned j = i + 1; j < simt_now.threads; j++) {
                struct thread *other = &b->threads[j];
                if (other->state != t->state)
                    simt_fault(t, t->site, "deadlock: this thread %s, thread %u %s", state_text(t),
                               other->rank, state_text(other));
            }
            simt_fault(t, t->site, "deadlock: this thread %s, and nobody is left to end it",
                       state_text(t));
        }
    }
}

static void start_cluster(struct block *first)
{
    for (unsigned i = 0; i < simt_now.cluster_blocks; i++)
        start_block(&first[i]);
}

static bool cluster_active(const struct block *first)
{
    for (unsigned i = 0; i < simt_now.cluster_blocks; i++)
        if (first[i].active)
            return true;
    return false;
}

/* Room for one more cluster: without clusters, for one more block. */
static bool open_slots(void)
{
    if (simt_now.open == simt_now.slot_count || simt_now.started == simt_now.blocks)
        return false;
    struct block *first = &slots[simt_now.open];
    simt_now.open += simt_now.cluster_blocks;
    for (; slots_made < simt_now.open; slots_made++)
        make_slot(&slots[slots_made]);
    start_cluster(first);
    return true;
}

static void run_launch(void)
{
    swapped_in = NULL;
    for (unsigned s = 0; s < slots_made; s++)
        slots[s].active = false; /* a launch may have begun anew */
    do
        open_slots();
    while (simt_now.cooperative && simt_now.open < simt_now.blocks);
    while (simt_now.finished < simt_now.blocks && !simt_now.again) {
        bool ran = false;
        for (unsigned s = 0; s < simt_now.open; s++) {
            struct block *b = &slots[s];
            if (b->cluster == b && !cluster_active(b) && simt_now.started < simt_now.blocks)
                start_cluster(b);
            if (b->active)
                ran |= run_block(b);
            if (b->cluster == b)
                ran |= cluster_release(b);
        }
        if (simt_now.again)
            return;
        if (!ran && !release_grid_barrier() && !open_slots() && !watch_retry())
            report_deadlock();
    }
}

int simt_blocks_per_sm(int block, size_t shared)
{
    if (block < 1 || block > MAX_BLOCK)
        return 0;
    unsigned by_threads = SM_THREADS / (((unsigned)block + WARP - 1) / WARP * WARP);
    /* The hardware keeps 1 KiB of shared memory for itself in each block. */
    unsigned by_shared = (unsigned)(SM_SHARED / (shared + shared_bytes + 1024));
    unsigned blocks = by_threads < by_shared ? by_threads : by_shared;
    return (int)(blocks < SM_BLOCKS ? blocks : SM_BLOCKS);
}

static cudaError_t refuse(const struct simt_how *how)
{
    dim3 g = how->grid, b = how->block;
    size_t shared = how->shared;
    unsigned long long threads = (unsigned long long)b.x * b.y * b.z;
    if (g.x == 0 || g.y == 0 || g.z == 0 || g.x > 0x7fffffff || g.y > 65535 || g.z > 65535)
        return cudaErrorInvalidConfiguration;
    if (threads == 0 || threads > MAX_BLOCK || b.x > 1024 || b.y > 1024 || b.z > 64)
        return cudaErrorInvalidConfiguration;
    if (shared + shared_bytes > BLOCK_SHARED)
        return cudaErrorInvalidValue;
    unsigned long long resident = (unsigned long long)simt_blocks_per_sm((int)threads, shared);
    if (how->cooperative && (unsigned long long)g.x * g.y * g.z > resident * simt_sms)
        return cudaErrorCooperativeLaunchTooLarge;
    return cluster_refuse(how);
}

static struct simt_counts *launches;
static size_t launch_count, launch_room;
static void *(*entered)[ENTRIES];

/* As many blocks as are there at once; a cluster always fits, even on a small device. */
static unsigned resident_blocks(const struct simt_how *how, unsigned cluster_blocks)
{
    unsigned threads = how->block.x * how->block.y * how->block.z;
    unsigned blocks = (unsigned)simt_blocks_per_sm((int)threads, how->shared) * simt_sms;
    return blocks < cluster_blocks ? cluster_blocks : blocks / cluster_blocks * cluster_blocks;
}

int simt_resident_clusters(const struct simt_how *how)
{
    unsigned blocks = how->cluster.x * how->cluster.y * how->cluster.z;
    return refuse(how) == cudaSuccess ? (int)(resident_blocks(how, blocks) / blocks) : 0;
}

/* The kernel has done nothing yet: the launch can begin anew, in clusters. */
void simt_cluster_dims(dim3 cluster)
{
    dim3 now = simt_now.cluster_size;
    if (now.x == cluster.x && now.y == cluster.y && now.z == cluster.z)
        return;
    simt_now.cluster_size = cluster;
    simt_now.again = true;
    simt_self->fibre.started = false;
    simt_self->records.count = 0;
    simt_wait(READY, __builtin_return_address(0));
}

cudaError_t simt_launch_grid(const struct simt_how *how, void (*call)(const void *),
                             const void *closure, size_t bytes)
{
    if (simt_self)
        simt_fault(simt_self, __builtin_return_address(0),
                   "a launch inside a kernel (dynamic parallelism) is not supported");
    if (!slots) {
        slots = calloc(SIMT_MAX_SMS * SM_BLOCKS, sizeof *slots);
        shared_find();
        simt_schedule(simt_seed);
        fault_catch_signals();
        watch_begin();
    }
    cudaError_t error = refuse(how);
    if (error != cudaSuccess) {
        simt_error(error);
        return error;
    }
    dim3 grid = how->grid, block = how->block;
    unsigned threads = block.x * block.y * block.z;
    unsigned cluster_blocks = how->cluster.x * how->cluster.y * how->cluster.z;
    simt_now = (struct launch){
        .grid_size = grid,
        .block_size = block,
        .cluster_size = how->cluster,
        .cluster_blocks = cluster_blocks,
        .blocks = (unsigned long long)grid.x * grid.y * grid.z,
        .threads = threads,
        .warps = (threads + WARP - 1) / WARP,
        .dynamic_bytes = how->shared,
        .cooperative = how->cooperative,
        .call = call,
        .closure = closure,
        .closure_bytes = bytes,
        .slots = slots,
        .slot_count = resident_blocks(how, cluster_blocks),
        .counts = {.grid = grid.x * grid.y * grid.z, .block = threads},
    };
    blockDim = block;
    gridDim = grid;
    simt_cluster_dim = how->cluster;
    race_begin_launch();
    run_launch();
    if (simt_now.again) {
        struct simt_how in_clusters = *how;
        in_clusters.cluster = simt_now.cluster_size;
        if (cluster_blocks > 1) /* the launch says otherwise */
            return simt_error(cudaErrorInvalidClusterSize);
        return simt_launch_grid(&in_clusters, call, closure, bytes);
    }
    race_report();

    if (launch_count == launch_room) {
        launch_room = launch_room ? 2 * launch_room : 64;
        launches = realloc(launches, launch_room * sizeof *launches);
        entered = realloc(entered, launch_room * sizeof *entered);
    }
    memcpy(entered[launch_count], simt_now.entered, sizeof simt_now.entered);
    launches[launch_count++] = simt_now.counts;
    return cudaSuccess;
}

size_t simt_launch_count(void)
{
    return launch_count;
}

const struct simt_counts *simt_launch(size_t i)
{
    launches[i].kernel = kernel_name(entered[i]);
    return &launches[i];
}

void simt_launches_clear(void)
{
    launch_count = 0;
    trace_clear();
}

void simt_device(unsigned sms)
{
    simt_sms = sms;
}

void simt_count_requests(bool on)
{
    simt_counting = on;
}
