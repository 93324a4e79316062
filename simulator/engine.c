/*
 * engine.c: runs a launch. Blocks run one after another; a block's threads run in order,
 * each until it waits; then the next goes on. Only when a block cannot go on alone
 * (grid.sync(), or a thread that polls memory another block must write) do further blocks
 * come in beside it, as many as the simulated device holds. Blocks of a cluster come in
 * together.
 */
#include "engine.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct thread *simt_self;
struct launch simt_now;
uint64_t simt_seed;
bool simt_counting;
unsigned simt_sms = 4, simt_sm_blocks = SM_BLOCKS;
/* What kernels see; in a section of their own, for access.c to tell them apart. */
uint3 threadIdx SIMT_BUILTIN, blockIdx SIMT_BUILTIN;
dim3 blockDim SIMT_BUILTIN, gridDim SIMT_BUILTIN, simt_cluster_dim SIMT_BUILTIN;
_Alignas(SHARED_ALIGN) char simt_dynamic_shared[SM_SHARED]; /* of the running block */

/* Of each device, and kept from launch to launch. */
static struct block slots[MOST_DEVICES][SIMT_MAX_SMS * SM_BLOCKS];
struct block *simt_slots = slots[0];
static unsigned slots_made;
uint64_t simt_writes;
unsigned simt_at;
static struct block *swapped_in;              /* whose shared memory is in its place */
static struct fibre host = {.started = true}; /* the scheduler, outside all threads */

/* ---- the order in which warps and lanes run ---- */

static uint64_t random_state;
/* One round through a block's threads: how far it is, and in which order it goes. */
static struct {
    struct thread *threads;
    unsigned order[MAX_BLOCK], next;
} round;

uint64_t simt_random(void)
{
    random_state ^= random_state << 13; /* xorshift64: Marsaglia, "Xorshift RNGs", 2003 */
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

void engine_schedule(uint64_t seed)
{
    const char *text = getenv("SIMT_SCHEDULE"); /* for programs that do not choose a seed */
    char *end = NULL;
    if (seed == 0 && text && *text) {
        seed = isdigit((unsigned char)*text) ? strtoull(text, &end, 10) : 0;
        if (!end || *end != '\0')
            simt_fault(NULL, NULL, "SIMT_SCHEDULE=%s: a whole number from 0 is needed", text);
    }
    simt_seed = seed;
    random_state = simt_seed * 0x9e3779b97f4a7c15u | 1;
}

void simt_schedule(uint64_t seed)
{
    queue_finish();
    engine_schedule(seed);
}

static void shuffle(unsigned *order, unsigned count)
{
    for (unsigned i = count; i > 1; i--) {
        unsigned j = (unsigned)(simt_random() % i), swap = order[i - 1];
        order[i - 1] = order[j];
        order[j] = swap;
    }
}

/* Warps in any order, but each as a whole, and the lanes in it in any order. */
static void begin_round(struct block *b)
{
    static unsigned warps[MAX_BLOCK / WARP], lanes[WARP], in_order;
    round.threads = b->threads;
    round.next = 0;
    if (simt_seed == 0 && in_order == simt_now.threads)
        return;
    in_order = simt_seed == 0 ? simt_now.threads : 0;
    for (unsigned i = 0; i < WARP; i++)
        warps[i] = lanes[i] = i;
    if (simt_seed != 0)
        shuffle(warps, simt_now.warps);
    unsigned count = 0;
    for (unsigned w = 0; w < simt_now.warps; w++) {
        if (simt_seed != 0)
            shuffle(lanes, WARP);
        for (unsigned l = 0; l < WARP; l++)
            if (warps[w] * WARP + lanes[l] < simt_now.threads)
                round.order[count++] = warps[w] * WARP + lanes[l];
    }
}

/* The next thread that can go on, or NULL at the end of the round. */
static struct thread *next_ready(void)
{
    while (round.next < simt_now.threads) {
        struct thread *t = &round.threads[round.order[round.next++]];
        if (t->state == READY)
            return t;
    }
    return NULL;
}

/* ---- a thread ---- */

/* From a fibre to that of a thread, or to the scheduler: NULL. */
static void change(struct fibre *from, struct thread *to)
{
    simt_self = to;
    if (to)
        threadIdx = to->index;
    fibre_switch(from, to ? &to->fibre : &host);
}

void simt_wait(enum thread_state state, void *site)
{
    struct thread *t = simt_self;
    access_settle();
    t->state = state;
    t->site = site;
    if (state != READY && state != SPINNING) /* those are between a look and the access itself */
        race_settle();
    if (state != READY)
        deadlock_note_state(t, site);
    change(&t->fibre, next_ready());
}

void simt_thread_main(void)
{
    struct thread *t = simt_self;
    simt_now.call(simt_now.closure);
    t->block->live--;
    hang_write(t);
    cluster_thread_done(t);
    simt_wait(DONE, NULL);
}

bool simt_runs_kernel(void)
{
    return simt_running();
}

void simt_yield(void)
{
    simt_self->writes_seen = simt_writes;
    simt_wait(SPINNING, __builtin_return_address(0));
}

long long simt_clock(void)
{
    return hang_clock(simt_self, __builtin_return_address(0));
}

/* The kernel has done nothing yet: the launch can begin anew, in clusters. */
void simt_cluster_dims(dim3 cluster)
{
    struct thread *t = simt_self;
    dim3 now = simt_now.cluster_size;
    if (now.x == cluster.x && now.y == cluster.y && now.z == cluster.z)
        return;
    simt_now.cluster_size = cluster;
    simt_now.again = true;
    t->fibre.started = false;
    t->records.count = 0;
    change(&t->fibre, NULL);
}

/* ---- barriers ---- */

void simt_release(struct block *b, enum thread_state state)
{
    unsigned waiting = 0, epoch = 0; /* one for all of them, later than any before */
    recorder_switch(b);
    for (unsigned i = 0; simt_counting && i < simt_now.threads; i++) {
        waiting += b->threads[i].state == state;
        epoch = b->threads[i].epoch >= epoch ? b->threads[i].epoch + 1 : epoch;
    }
    if (waiting == simt_now.threads)
        requests_flush(b);
    for (unsigned i = 0; i < simt_now.threads; i++)
        if (b->threads[i].state == state) {
            b->threads[i].state = READY;
            b->threads[i].epoch = epoch;
        }
    recorder_barrier(b, state, epoch);
}

/* One barrier of the source may be at several addresses. */
static bool other_place(void *a, void *b)
{
    const char *name = place_name(a);
    return strcmp(name, "?") == 0 || strcmp(name, place_name(b)) != 0;
}

int simt_block_barrier(int predicate)
{
    struct thread *t = simt_self;
    struct block *b = t->block;
    void *site = __builtin_return_address(0);
    hang_step(t, site);
    if (b->at_barrier++ == 0) {
        b->first = t;
        b->predicates = 0;
    }
    if (site != b->first->site && b->first != t && other_place(site, b->first->site))
        simt_fault(t, site, "__syncthreads() here, while thread %u waits at another, %s",
                   b->first->rank, place_name(b->first->site));
    b->predicates += predicate;
    simt_wait(AT_BARRIER, site);
    return b->result;
}

bool simt_all_wanted;

void simt_want_all(void)
{
    simt_all_wanted = true;
}

/* Threads that have returned are not waited for. */
static bool release_block_barrier(struct block *b)
{
    if (b->at_barrier == 0 || b->at_barrier != b->live)
        return false;
    for (unsigned i = 0; simt_all_wanted && b->live < simt_now.threads && i < simt_now.threads; i++)
        if (b->threads[i].state == DONE)
            simt_fault(b->first, b->first->site,
                       "waits at __syncthreads(), but thread %u has returned", i);
    hb_block_barrier(b);
    simt_now.counts.barriers++;
    b->at_barrier = 0;
    b->result = b->predicates;
    simt_release(b, AT_BARRIER);
    return true;
}

void simt_grid_barrier(void)
{
    if (!simt_now.cooperative)
        simt_fault(simt_self, __builtin_return_address(0),
                   "grid.sync() in an ordinary launch: use cudaLaunchCooperativeKernel()");
    hang_step(simt_self, __builtin_return_address(0));
    simt_now.at_grid++;
    simt_wait(AT_GRID_BARRIER, __builtin_return_address(0));
}

static bool release_grid_barrier(void)
{
    if (simt_now.at_grid != simt_now.blocks * simt_now.threads)
        return false;
    hb_grid_barrier();
    simt_now.at_grid = 0;
    for (unsigned s = 0; s < simt_now.open; s++)
        simt_release(&simt_slots[s], AT_GRID_BARRIER);
    recorder_switch(NULL);
    return true;
}

/* ---- a block ---- */

static void make_slot(struct block *b)
{
    b->threads = calloc(MAX_BLOCK, sizeof *b->threads);
    /* In another thread of the host its beginning may lie otherwise. */
    b->shared = aligned_alloc(SHARED_ALIGN, shared_room + SHARED_ALIGN + SM_SHARED);
    b->written = malloc(shared_room + SHARED_ALIGN + SM_SHARED);
    if (!b->threads || !b->shared || !b->written)
        simt_fault(NULL, NULL, "no memory for another resident block");
}

/* Counted cluster by cluster, x first in each. */
uint3 block_index_in(const struct launch *launch, unsigned long long number)
{
    dim3 c = launch->cluster_size, g = launch->grid_size;
    unsigned rank = (unsigned)(number % launch->cluster_blocks);
    number /= launch->cluster_blocks;
    g = (dim3){g.x / c.x, g.y / c.y, g.z / c.z}; /* in clusters */
    return (uint3){
        (unsigned)(number % g.x) * c.x + rank % c.x,
        (unsigned)(number / g.x % g.y) * c.y + rank / c.x % c.y,
        (unsigned)(number / g.x / g.y) * c.z + rank / c.x / c.y,
    };
}

uint3 block_index(unsigned long long number)
{
    return block_index_in(&simt_now, number);
}

static void start_block(struct block *b)
{
    dim3 size = simt_now.block_size;
    b->index = block_index(simt_now.started);
    b->number = (uint32_t)simt_now.started++ | simt_at << DEVICE_SHIFT;
    b->active = true;
    b->live = simt_now.threads;
    b->at_barrier = 0;
    b->steps = 0;
    memset(b->written, 0, shared_room + simt_now.dynamic_bytes);
    cluster_begin_block(b);
    race_begin_block(b);
    async_begin_block(b);
    for (unsigned r = 0; r < simt_now.threads; r++) {
        struct thread *t = &b->threads[r];
        fibre_create(&t->fibre);
        t->block = b;
        t->index = (uint3){r % size.x, r / size.x % size.y, r / size.x / size.y};
        t->rank = r;
        t->lane = r % WARP;
        t->state = READY;
        t->epoch = t->cluster_waits = 0;
        t->arrived = t->apart = t->uncounted = false;
        t->counted_site = NULL;
        hang_begin_thread(t);
    }
}

/* NULL: that of nobody. */
static void swap_shared(struct block *b)
{
    size_t start = (uintptr_t)shared_start % SHARED_ALIGN;
    if (swapped_in == b)
        return;
    if (swapped_in) {
        memcpy(swapped_in->shared + start, shared_start, shared_bytes);
        memcpy(swapped_in->shared + shared_room, simt_dynamic_shared, simt_now.dynamic_bytes);
    }
    if (b) {
        memcpy(shared_start, b->shared + start, shared_bytes);
        memcpy(simt_dynamic_shared, b->shared + shared_room, simt_now.dynamic_bytes);
    }
    swapped_in = b;
}

/* A polling thread is worth resuming once somebody has written something. */
static bool wake_spinning(struct block *b)
{
    bool woke = false;
    for (unsigned i = 0; i < simt_now.threads; i++) {
        struct thread *t = &b->threads[i];
        if (t->state == SPINNING && t->writes_seen != simt_writes) {
            t->state = READY;
            woke = true;
        }
    }
    return woke;
}

enum { BLOCK_SLICE = 1 << 16 }; /* volatile reads and atomics */
static bool slice_over;         /* some block; so others come in beside it */

/* Runs the block until nothing in it can go on, or until it has had its turn: a block that looks
   very often may wait for others. Returns whether anything ran. */
static bool run_block(struct block *b)
{
    bool ran = false;
    uint64_t turns = hang_slices;
    recorder_switch(b);
    swap_shared(b);
    hb_run_block(b->number);
    blockIdx = b->index;
    while (b->live > 0 && !simt_now.again) {
        if (b->crowded)
            requests_ahead(b);
        begin_round(b);
        struct thread *first = next_ready();
        if (first)
            change(&host, first); /* each goes on to the next; the last of the round comes back */
        else if (!release_block_barrier(b) && !warp_resolve(b) && !wake_spinning(b))
            break;
        ran |= first != NULL;
        if (hang_slices - turns > BLOCK_SLICE) {
            slice_over = true;
            break;
        }
        /* Under a shuffled schedule another device comes between, too. */
        if (simt_devices > 1 && first && simt_seed != 0 && simt_random() % 4 == 0)
            break;
    }
    if (b->live == 0) {
        requests_flush(b);
        b->active = false;
        simt_now.finished++;
    }
    return ran;
}

/* ---- all blocks ---- */

const char *engine_state(const struct thread *t)
{
    if (t->state == SPINNING && t->polled == 0) /* it has read nothing since its last write */
        return "loops and reads nothing";
    static const char *const texts[] = {
        [READY] = "is ready",
        [AT_BARRIER] = "waits at __syncthreads()",
        [AT_WARP_OP] = "waits at a warp operation",
        [AT_ACTIVE_MASK] = "waits at __activemask()",
        [AT_GRID_BARRIER] = "waits at grid.sync()",
        [AT_CLUSTER_BARRIER] = "waits at a barrier of its cluster",
        [AT_BARRIER_OBJECT] = "waits at a cuda::barrier or a tile's",
        [SPINNING] = "reads the same place again and again",
        [DONE] = "has returned",
    };
    return texts[t->state];
}

static void report_deadlock(void)
{
    const struct thread *t = engine_waiting(simt_at);
    const struct thread *other = t->state == AT_CLUSTER_BARRIER ? cluster_missing(t) : NULL;
    unsigned long long absent = simt_now.blocks - simt_now.started;
    if (t->state == SPINNING && absent > 0)
        simt_fault(t, t->site,
                   "deadlock: this thread %s, and %llu of %llu blocks have not begun: there is "
                   "room for %u at once",
                   engine_state(t), absent, simt_now.blocks, simt_now.slot_count);
    if (other)
        simt_fault(t, t->site, "deadlock: this thread %s, thread %u of block (%u,%u,%u) %s",
                   engine_state(t), other->rank, other->block->index.x, other->block->index.y,
                   other->block->index.z, engine_state(other));
    /* Another thread of the block that waits elsewhere says what is missing. */
    for (unsigned i = 0; i < simt_now.threads; i++) {
        other = &t->block->threads[i];
        if (other->state != t->state && other->state != DONE)
            simt_fault(t, t->site, "deadlock: this thread %s, thread %u %s", engine_state(t),
                       other->rank, engine_state(other));
    }
    simt_fault(t, t->site, "deadlock: this thread %s, and no thread is left to end it",
               engine_state(t));
}

static bool start_cluster(struct block *first)
{
    for (unsigned i = 0; i < simt_now.cluster_blocks; i++)
        if (first[i].active)
            return false;
    for (unsigned i = 0; i < simt_now.cluster_blocks && simt_now.started < simt_now.blocks; i++)
        start_block(&first[i]);
    return true;
}

/* Takes in one more cluster: without clusters, one more block. */
static bool open_cluster(void)
{
    struct block *first = &simt_slots[simt_now.open];
    if (simt_now.open == simt_now.slot_count || simt_now.started == simt_now.blocks)
        return false;
    simt_now.open += simt_now.cluster_blocks;
    for (; slots_made < simt_now.open; slots_made++)
        make_slot(&simt_slots[slots_made]);
    return start_cluster(first);
}

/* Shared variables lie among the host's thread_local ones, which the host will find as they were.
 */
static void keep_thread_locals(bool restore)
{
    static char *kept;
    static size_t room;
    if (shared_bytes == 0)
        return;
    if (room < shared_bytes)
        kept = realloc(kept, room = shared_bytes);
    if (!kept)
        simt_fault(NULL, NULL, "no memory left");
    if (restore)
        memcpy(shared_start, kept, shared_bytes);
    else
        memcpy(kept, shared_start, shared_bytes);
}

void engine_reset(void)
{
    simt_self = NULL;
    access_reset();
    recorder_switch(NULL);
    for (unsigned s = 0; s < slots_made; s++)
        for (unsigned i = 0; i < MAX_BLOCK; i++) {
            simt_slots[s].threads[i].fibre.started = false;
            simt_slots[s].threads[i].records.count = simt_slots[s].threads[i].records.next = 0;
        }
    if (simt_devices == 1)
        keep_thread_locals(true);
}

static void set_sizes(void)
{
    blockDim = simt_now.block_size;
    gridDim = simt_now.grid_size;
    simt_cluster_dim = simt_now.cluster_size;
}

void engine_begin(void)
{
    swapped_in = NULL;
    set_sizes();
    for (unsigned s = 0; s < slots_made; s++)
        simt_slots[s].active = false; /* a launch may have begun anew */
    do
        open_cluster();
    while (simt_now.cooperative && simt_now.open < simt_now.blocks);
}

bool engine_step(void)
{
    bool ran = false;
    slice_over = false;
    for (unsigned s = 0; s < simt_now.open; s++) {
        struct block *b = &simt_slots[s];
        if (s % simt_now.cluster_blocks == 0) {
            start_cluster(b);
            ran |= cluster_release(b);
        }
        if (b->active)
            ran |= run_block(b);
    }
    recorder_switch(NULL);
    if (slice_over)
        open_cluster();
    return ran || simt_now.again || release_grid_barrier() || open_cluster();
}

void simt_run_launch(void)
{
    keep_thread_locals(false);
    engine_begin();
    while (simt_now.finished < simt_now.blocks && !simt_now.again)
        if (!engine_step() && !deadlock_retry())
            report_deadlock();
    keep_thread_locals(true);
}

/* ---- several devices: each has its launch, its blocks, and its __device__ variables ---- */

static struct {
    struct launch launch;
    unsigned slots_made;
} kept[MOST_DEVICES]; /* while another is entered */

void engine_enter(unsigned device)
{
    if (device == simt_at)
        return;
    swap_shared(NULL);
    device_variables(simt_at, device);
    kept[simt_at].launch = simt_now;
    kept[simt_at].slots_made = slots_made;
    simt_now = kept[device].launch;
    slots_made = kept[device].slots_made;
    simt_slots = slots[device];
    simt_at = device;
    hb_enter(device);
    set_sizes();
}

const struct launch *engine_launch(unsigned device)
{
    return device == simt_at ? &simt_now : &kept[device].launch;
}

const struct thread *engine_waiting(unsigned device)
{
    const struct launch *l = engine_launch(device);
    const struct thread *waiting = NULL;
    for (unsigned s = 0; s < l->open; s++)
        for (unsigned i = 0; slots[device][s].active && i < l->threads; i++) {
            const struct thread *t = &slots[device][s].threads[i];
            if (t->state == SPINNING)
                return t;
            waiting = waiting || t->state == DONE ? waiting : t;
        }
    return waiting;
}
