/* grid.c: runs a launch. Blocks run one after another. Only when one cannot go on alone do further
   ones run beside it, as many as the simulated device holds. Blocks of a cluster begin together. */
#include "grid.h"
#include "access.h"
#include "barriers.h"
#include "devices.h"
#include "fault.h"
#include "hang_detector.h"
#include "happens_before.h"
#include "launch_counts.h"
#include "race.h"
#include "requests.h"
#include "scheduler.h"
#include "shared_memory.h"
#include "time/record.h"

static unsigned slots_made[MOST_DEVICES]; /* of each device: blocks that have their memory */

/* The kernel has done nothing yet: the launch can start again, in clusters. */
void simt_cluster_dims(dim3 cluster)
{
    dim3 now = simt_now.cluster_size;
    if (now.x == cluster.x && now.y == cluster.y && now.z == cluster.z)
        return;
    simt_now.cluster_size = cluster;
    simt_now.again = true;
    requests_forget(simt_self);
    schedule_leave();
}

/* ---- what the scheduler reports ---- */

static void thread_waits(enum thread_state state, void *site)
{
    access_thread_waits(state);
    if (state != READY)
        deadlock_note_state(simt_self, site);
}

static void thread_ended(struct thread *t)
{
    hang_write(t);
    hang_ends++;
    access_end_thread(t);
    cluster_thread_done(t);
}

/* ---- a block ---- */

static void make_slot(struct block *b)
{
    scheduler_events = (struct scheduler_events){thread_waits, thread_ended};
    b->threads = simt_zeroed(MAX_BLOCK, sizeof *b->threads);
    shared_make_block(b);
    hang_make_block(b);
    requests_make_block(b);
    barriers_make_block(b);
    cluster_make_block(b);
    warp_make_block(b);
    access_make_block(b);
    race_make_block(b);
}

bool simt_backwards;

/* A sampled launch leaves these out: they are done, and wait at no barrier of the grid. */
static void leave_out(unsigned long long blocks)
{
    simt_now.started += blocks;
    simt_now.finished += blocks;
    simt_now.left_out += blocks;
    simt_now.at_grid += blocks * simt_now.threads;
}

static void start_block(struct block *b)
{
    leave_out(record_left_out());
    unsigned long long number = simt_now.started++;
    /* The last one first: in an odd schedule, too, where all fit at once, so that none waits for
       one that has not begun. */
    bool backwards =
        simt_backwards || (simt_seed % 2 == 1 && simt_now.blocks <= simt_now.slot_count);
    if (backwards && simt_now.cluster_blocks == 1)
        number = simt_now.blocks - 1 - number;
    b->index = block_index(number);
    b->number = (uint32_t)number | simt_at << DEVICE_SHIFT;
    b->active = true;
    b->live = simt_now.threads;
    shared_begin_block(b);
    access_begin_block(b);
    barriers_begin_block(b);
    cluster_begin_block(b);
    hb_begin_block(b);
    race_begin_block(b);
    async_begin_block(b);
    requests_begin_block(b, recorder_wants(b));
    warp_begin_block(b);
    access_begin_block(b);
    schedule_begin_block(b);
    for (unsigned r = 0; r < simt_now.threads; r++)
        hang_begin_thread(&b->threads[r]);
}

enum { BLOCK_SLICE = 1 << 16 }; /* volatile reads and atomics */
static bool slice_over;         /* of some block: so others run beside it */

/* Runs the block until nothing in it can go on, or until its time slice is over: a block that polls
   very often may wait for others. Returns whether anything ran. */
static bool run_block(struct block *b)
{
    bool ran = false;
    uint64_t before = hang_slices;
    recorder_switch(b);
    requests_choose(b);
    shared_swap_in(b);
    hb_run_block(b);
    while (b->live > 0 && !simt_now.again) {
        requests_ahead(b);
        bool some_ran = schedule_block(b);
        access_look_closely();
        if (!some_ran && !barriers_release_block(b) && !warp_resolve(b) &&
            !schedule_wake_spinning(b))
            break;
        ran |= some_ran;
        if (hang_slices - before > BLOCK_SLICE) {
            slice_over = true;
            break;
        }
        /* Under a shuffled schedule another device comes between, too. */
        if (simt_devices > 1 && some_ran && simt_seed != 0 && simt_random() % 4 == 0)
            break;
    }
    if (b->live == 0) {
        recorder_flush(b);
        b->active = false;
        simt_now.finished++;
    }
    return ran;
}

/* ---- all blocks ---- */

const char *grid_state(const struct thread *t)
{
    if (t->state == SPINNING && t->watch->polled == 0)
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
    const struct thread *t = grid_waiting(simt_at);
    const struct thread *other = t->state == AT_CLUSTER_BARRIER ? cluster_missing(t) : NULL;
    unsigned long long absent = simt_now.blocks - simt_now.started;
    if (t->state == SPINNING && absent > 0)
        simt_fault(t, t->site,
                   "deadlock: this thread %s, and %llu of %llu blocks have not begun: there is "
                   "room for %u at once",
                   grid_state(t), absent, simt_now.blocks, simt_now.slot_count);
    if (other)
        simt_fault(t, t->site, "deadlock: this thread %s, thread %u of block (%u,%u,%u) %s",
                   grid_state(t), other->rank, other->block->index.x, other->block->index.y,
                   other->block->index.z, grid_state(other));
    /* Another thread of the block that waits elsewhere says what is missing. */
    for (unsigned i = 0; i < simt_now.threads; i++) {
        other = &t->block->threads[i];
        if (other->state != t->state && other->state != DONE)
            simt_fault(t, t->site, "deadlock: this thread %s, thread %u %s", grid_state(t),
                       other->rank, grid_state(other));
    }
    simt_fault(t, t->site, "deadlock: this thread %s, and no thread is left to end it",
               grid_state(t));
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
    for (unsigned *made = &slots_made[simt_at]; *made < simt_now.open; ++*made)
        make_slot(&simt_slots[*made]);
    return start_cluster(first);
}

void grid_reset(void)
{
    simt_self = NULL;
    access_reset();
    recorder_switch(NULL);
    for (unsigned s = 0; s < slots_made[simt_at]; s++) {
        schedule_reset_block(&simt_slots[s]);
        for (unsigned i = 0; i < MAX_BLOCK; i++)
            requests_forget(&simt_slots[s].threads[i]);
    }
    if (simt_devices == 1)
        shared_keep_host(true);
}

void grid_begin(void)
{
    shared_begin_launch();
    schedule_begin_launch();
    access_begin_launch();
    for (unsigned s = 0; s < slots_made[simt_at]; s++)
        simt_slots[s].active = false; /* a launch may have started again */
    record_begin_launch();
    do
        open_cluster();
    while (simt_now.cooperative && simt_now.open < simt_now.blocks - simt_now.left_out);
}

bool grid_step(void)
{
    bool ran = false;
    slice_over = false;
    hang_running = true;
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
    hang_running = false;
    if (slice_over)
        open_cluster();
    return ran || simt_now.again || barriers_release_grid() || open_cluster();
}

/* Threads may wait for what the blocks left out would have written. */
static bool fill_left_out(void)
{
    if (simt_now.left_out == 0 || simt_now.filled || !record_fill())
        return false;
    simt_now.filled = true;
    simt_writes++;
    return true;
}

/* Volatile reads of memory that the host may write, after which a launch is suspended though it can
   go on: its threads may do other things while they wait. */
enum { MOST_HOST_READS = 1 << 20 };

bool grid_run(bool may_suspend)
{
    uint64_t reads_before = hang_host_reads;
    bool suspended = false;
    shared_keep_host(false);
    if (simt_now.started == 0)
        grid_begin();
    else
        simt_writes++; /* the host may have written what a thread polls */
    while (simt_now.finished < simt_now.blocks && !simt_now.again && !suspended) {
        bool moved = grid_step();
        suspended = may_suspend && hang_host_reads - reads_before > MOST_HOST_READS;
        if (moved || fill_left_out() || deadlock_retry(!may_suspend || !hang_reads_host))
            continue;
        if (simt_now.left_out > 0) { /* what they would have done is not known */
            record_refuse("its blocks wait for one another");
            grid_reset();
            break;
        }
        if (!may_suspend || !hang_reads_host)
            report_deadlock();
        suspended = true;
    }
    if (suspended) {
        hang_clear();
        shared_swap_in(NULL);
    }
    shared_keep_host(true);
    return !suspended;
}

/* ---- several devices: each has its launch, its blocks, and its __device__ variables ---- */

void grid_enter(unsigned device)
{
    if (device == simt_at)
        return;
    shared_swap_in(NULL);
    device_variables(simt_at, device);
    thread_enter(device);
    hb_enter(device);
    schedule_begin_launch();
}

const struct thread *grid_waiting(unsigned device)
{
    const struct launch *l = launch_of(device);
    const struct block *blocks = blocks_of(device);
    const struct thread *waiting = NULL;
    for (unsigned s = 0; s < l->open; s++)
        for (unsigned i = 0; blocks[s].active && i < l->threads; i++) {
            const struct thread *t = &blocks[s].threads[i];
            if (t->state == SPINNING)
                return t;
            waiting = waiting || t->state == DONE ? waiting : t;
        }
    return waiting;
}
