/* barriers.c: barriers of a block and of the grid, without threads that have returned. */
#include "barriers.h"
#include "fault.h"
#include "hang_detector.h"
#include "happens_before.h"
#include "launch_counts.h"
#include "requests.h"
#include "scheduler.h"
#include "time/record.h"

bool simt_all_wanted, simt_barriers_wanted;

struct block_barrier {
    unsigned arrived;
    const struct thread *first; /* of those that have arrived */
    int predicates, result;     /* summed over the barrier under way, over the last */
    unsigned
        passed_by[MAX_BLOCK]; /* of each thread: branches with a barrier that it did not take */
};

void barriers_make_block(struct block *b)
{
    b->barrier = simt_zeroed(1, sizeof *b->barrier);
}

void barriers_begin_block(struct block *b)
{
    b->barrier->arrived = 0;
    memset(b->barrier->passed_by, 0, sizeof b->barrier->passed_by);
}

bool simt_branch(bool taken, unsigned barriers)
{
    if (simt_self && !(barriers & (taken ? 1 : 2)))
        simt_self->block->barrier->passed_by[simt_self->rank]++;
    return taken;
}

void simt_left(void)
{
    if (simt_self)
        simt_self->block->barrier->passed_by[simt_self->rank]++;
}

void barriers_release(struct block *b, enum thread_state state)
{
    unsigned waiting = 0, epoch = 0; /* one for all of them, later than any before */
    recorder_switch(b);
    requests_choose(b);
    if (simt_counting)
        epoch = requests_next_epoch(b);
    for (unsigned i = 0; simt_counting && i < simt_now.threads; i++)
        waiting += b->threads[i].state == state;
    if (waiting == simt_now.threads)
        recorder_flush(b);
    for (unsigned i = 0; i < simt_now.threads; i++)
        if (b->threads[i].state == state) {
            b->threads[i].state = READY;
            if (simt_counting)
                requests_set_epoch(&b->threads[i], epoch);
        }
    recorder_barrier(b, state, epoch);
    if (simt_counting)
        record_barrier(b, state, epoch);
}

/* One barrier of the source may be at several addresses. */
static bool other_place(void *a, void *b)
{
    const char *name = place_name(a);
    return strcmp(name, "?") == 0 || strcmp(name, place_name(b)) != 0;
}

/* PTX counts whole warps, so these may meet from several lines; lanes of one warp may not. Without
   lines, in a stripped program, nobody knows: a note. */
static void check_place(struct thread *t, void *site)
{
    const struct thread *first = t->block->barrier->first;
    if (site == first->site || first == t || !other_place(site, first->site))
        return;
    bool known = strcmp(place_name(site), "?") != 0;
    for (unsigned i = t->rank / WARP * WARP, end = i + WARP;
         known && i < end && i < simt_now.threads; i++) {
        const struct thread *lane = &t->block->threads[i];
        if (lane->state == AT_BARRIER && lane->site != site && other_place(site, lane->site))
            simt_fault(t, site, "__syncthreads() here, while thread %u waits at another, %s", i,
                       place_name(lane->site));
    }
    simt_note(t, site, "__syncthreads() here, while thread %u waits at another, %s: %s",
              first->rank, place_name(first->site),
              known ? "a GPU counts whole warps, and CUDA C++ asks for one barrier"
                    : "or at this one, which the compiler may have put at two addresses");
}

int simt_block_barrier(int predicate)
{
    struct thread *t = simt_self;
    struct block_barrier *barrier = t->block->barrier;
    void *site = __builtin_return_address(0);
    hang_step(t, site);
    if (barrier->arrived++ == 0) {
        barrier->first = t;
        barrier->predicates = 0;
    }
    check_place(t, site);
    barrier->predicates += predicate;
    simt_wait(AT_BARRIER, site);
    return barrier->result;
}

/* At `if (i >= n) return;` CUDA allows it. A barrier in a branch looks different: a thread came to
   the branch, did not take it, and went on (simt_branch()). */
static void report_skipped(const struct block *b)
{
    static const char skipped[] = "waits at __syncthreads(), but thread %u has returned without it";
    const struct thread *first = b->barrier->first;
    const unsigned *passed_by = b->barrier->passed_by;
    unsigned i = simt_now.threads;
    for (unsigned t = 0; t < simt_now.threads; t++)
        if (b->threads[t].state == DONE &&
            (i == simt_now.threads ||
             (passed_by[t] > passed_by[i] && passed_by[t] > passed_by[first->rank])))
            i = t;
    if (simt_all_wanted)
        simt_fault(first, first->site, skipped, i);
    if (simt_barriers_wanted || passed_by[i] > passed_by[first->rank])
        simt_note(first, first->site, skipped, i);
}

bool barriers_release_block(struct block *b)
{
    struct block_barrier *barrier = b->barrier;
    if (barrier->arrived == 0 || barrier->arrived != b->live)
        return false;
    if (b->live < simt_now.threads)
        report_skipped(b);
    hb_block_barrier(b);
    simt_now.counts.barriers++;
    barrier->arrived = 0;
    barrier->result = barrier->predicates;
    barriers_release(b, AT_BARRIER);
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

bool barriers_release_grid(void)
{
    if (simt_now.at_grid != simt_now.blocks * simt_now.threads)
        return false;
    hb_grid_barrier();
    simt_now.at_grid = simt_now.left_out * simt_now.threads;
    for (unsigned s = 0; s < simt_now.open; s++)
        barriers_release(&simt_slots[s], AT_GRID_BARRIER);
    recorder_switch(NULL);
    return true;
}
