/* cluster.c: blocks that run together and reach each other's shared memory: by an address in the
   copy that is kept while others run (shared_memory.c). Hardware lets a block reach for another
   that has not begun, or is gone. Here a barrier, a hand-over or a poll must be between. */
#include "barriers.h"
#include "fault.h"
#include "hang_detector.h"
#include "happens_before.h"
#include "scheduler.h"
#include "shared_memory.h"

struct cluster_state {
    unsigned arrived;  /* in the first block: threads at the cluster's barrier ... */
    bool relaxed;      /* ... one of them relaxed */
    unsigned barriers; /* so far */
    struct visit {     /* the last access from another block to its shared memory */
        const struct thread *thread;
        void *pc;
        size_t offset;
        uint32_t time;
        bool early, wrote, known; /* known: a thread of this block comes after it */
    } visit;
};

static struct thread *cluster_thread(const struct thread *t, unsigned i)
{
    return &t->block->cluster[i / simt_now.threads].threads[i % simt_now.threads];
}

static unsigned cluster_threads(void)
{
    return simt_now.cluster_blocks * simt_now.threads;
}

void cluster_make_block(struct block *b)
{
    b->cluster_state = simt_zeroed(1, sizeof *b->cluster_state);
}

void cluster_begin_block(struct block *b)
{
    b->cluster = b - block_in_grid_number(b->number) % simt_now.cluster_blocks;
    *b->cluster_state = (struct cluster_state){0};
    for (unsigned i = 0; i < simt_now.threads; i++) {
        b->threads[i].arrived = false;
        b->threads[i].cluster_waits = 0;
    }
}

/* ---- the barrier ---- */

void simt_cluster_arrive(bool relaxed)
{
    struct thread *t = simt_self;
    if (t->arrived)
        simt_fault(t, __builtin_return_address(0),
                   "arrives at a barrier of its cluster again before it waited for the last");
    hang_step(t, __builtin_return_address(0));
    t->arrived = true;
    t->block->cluster->cluster_state->arrived++;
    t->block->cluster->cluster_state->relaxed |= relaxed;
}

void simt_cluster_wait(void)
{
    struct thread *t = simt_self;
    if (!t->arrived)
        simt_fault(t, __builtin_return_address(0),
                   "waits at a barrier of its cluster without having arrived there");
    if (t->cluster_waits == t->block->cluster->cluster_state->barriers)
        simt_wait(AT_CLUSTER_BARRIER, __builtin_return_address(0));
    t->arrived = false;
    t->cluster_waits++;
}

bool cluster_release(struct block *first)
{
    struct cluster_state *c = first->cluster_state;
    if (c->arrived != cluster_threads())
        return false;
    c->arrived = 0;
    c->barriers++;
    hb_cluster_barrier(first, c->barriers, c->relaxed);
    c->relaxed = false;
    simt_now.counts.cluster_barriers += simt_now.cluster_blocks;
    for (unsigned i = 0; i < simt_now.cluster_blocks; i++)
        barriers_release(&first[i], AT_CLUSTER_BARRIER);
    return true;
}

const struct thread *cluster_missing(const struct thread *t)
{
    for (unsigned i = 0; i < cluster_threads(); i++)
        if (!cluster_thread(t, i)->arrived)
            return cluster_thread(t, i);
    return NULL;
}

/* ---- shared memory of other blocks ---- */

unsigned simt_cluster_query(const void *p)
{
    size_t offset;
    struct block *b = simt_self->block, *owner = shared_owner(b, (uintptr_t)p, &offset);
    if (!owner)
        simt_fault(simt_self, __builtin_return_address(0),
                   "asks for the block of a pointer that leads to no shared memory");
    return (unsigned)(owner - b->cluster);
}

void *simt_cluster_map(const void *p, unsigned rank)
{
    void *pc = __builtin_return_address(0);
    size_t offset;
    struct block *b = simt_self->block, *owner = shared_owner(b, (uintptr_t)p, &offset);
    if (!owner)
        simt_fault(simt_self, pc, "maps a pointer that does not lead to shared memory");
    if (rank >= simt_now.cluster_blocks)
        simt_fault(simt_self, pc, "maps shared memory of block %u of a cluster that has %u", rank,
                   simt_now.cluster_blocks);
    if (&b->cluster[rank] != b)
        return b->cluster[rank].shared + offset;
    return shared_address(offset);
}

static void visited_too_late(const struct block *owner, const struct thread *t, bool write,
                             void *pc)
{
    simt_fault(t, pc,
               "%s shared memory of block (%u,%u,%u), which may have ended: it must wait for this "
               "at a cluster.sync()",
               write ? "writes" : "reads", owner->index.x, owner->index.y, owner->index.z);
}

void cluster_visit(struct block *owner, size_t offset, bool write, void *pc)
{
    const struct thread *t = simt_self;
    if (owner == t->block)
        simt_fault(t, pc,
                   "%s its own shared memory by a pointer that another block mapped: not "
                   "supported",
                   write ? "writes" : "reads");
    if (!owner->active)
        visited_too_late(owner, t, write, pc);
    if (t->cluster_waits == 0 && !hb_known(hb_begun(owner), owner->number, 0, false))
        simt_fault(t, pc,
                   "%s shared memory of block (%u,%u,%u), which may not have begun: a "
                   "cluster.sync() must come first",
                   write ? "writes" : "reads", owner->index.x, owner->index.y, owner->index.z);
    owner->cluster_state->visit = (struct visit){t, pc, offset, hb_now(), t->arrived, write, false};
}

/* A thread that reads a flag after it was written there has not ended before. */
void cluster_poll(uintptr_t address)
{
    size_t offset;
    struct block *b = simt_self->block;
    struct visit *v = &b->cluster_state->visit;
    if (v->thread && v->wrote && shared_owner(b, address, &offset) == b && v->offset == offset)
        v->known = true;
}

void cluster_thread_done(struct thread *t)
{
    struct visit *v = &t->block->cluster_state->visit;
    if (!v->thread)
        return;
    v->known |= hb_known(v->time, v->thread->block->number, v->thread->rank, v->early);
    if (t->block->live == 0 && !v->known)
        visited_too_late(t->block, v->thread, v->wrote, v->pc);
}
