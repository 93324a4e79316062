/* async.c: what waits without a barrier of the block. A cuda::barrier is 8 bytes of the program's
   memory: 20 bits for the arrivals that its phase lacks, 20 for those that each takes, 24 for its
   number. The bytes of an asynchronous copy come when a thread waits for it. Until then its target
   is closed (access.c). */
#include "access.h"
#include "allocations.h"
#include "barriers.h"
#include "fault.h"
#include "hang_detector.h"
#include "happens_before.h"
#include "race.h"
#include "requests.h"
#include "scheduler.h"
#include "shared_memory.h"
#include "time/record.h"

enum { COUNT_BITS = 20, COUNT_MASK = (1 << COUNT_BITS) - 1 };

struct async_copy {
    char *to;
    const char *from;
    unsigned bytes;
    unsigned batch; /* of its thread; of a barrier: the phase */
};

struct copies {
    struct async_copy *at;
    size_t count;
};

/* Of one thread: the copies for which it has not waited, and the batch of the next one. */
struct async {
    struct copies copies;
    size_t begin; /* of those that are no barrier's yet, and of no batch: the last ones */
    unsigned batch;
};

/* What is known of a barrier while its block runs. */
struct barrier_object {
    struct barrier_object *next;
    uintptr_t address;    /* as a block of its own sees it */
    uint32_t *arrived;    /* of each thread of the block: of all phases so far */
    const uint32_t *done; /* the same, when the last phase ended */
    struct copies copies;
    long long due;         /* bytes that this phase expects, less those of its bulk copies */
    unsigned count, phase; /* of those that have a number, and no memory of the program */
};

struct block_async {
    struct barrier_object *barriers; /* in its shared memory */
    char *exchange;                  /* what its warps put down for each other */
};

static struct async_copy *add_copy(struct copies *list, struct async_copy copy)
{
    list->at = simt_grow(list->at, list->count, sizeof *list->at);
    list->at[list->count] = copy;
    return &list->at[list->count++];
}

void async_begin_block(struct block *b)
{
    if (!b->async)
        b->async = simt_zeroed(1, sizeof *b->async);
    for (struct barrier_object *g = b->async->barriers, *next; g; g = next) {
        next = g->next;
        free(g->arrived);
        free(g->copies.at);
        free(g);
    }
    b->async->barriers = NULL;
    for (unsigned r = 0; r < simt_now.threads; r++)
        if (b->threads[r].async) {
            b->threads[r].async->copies.count = b->threads[r].async->begin = 0;
            b->threads[r].async->batch = 0;
        }
}

/* ---- copies ---- */

/* Those up to this batch arrive. */
static void land(struct copies *list, unsigned batch)
{
    size_t left = 0;
    for (size_t i = 0; i < list->count; i++) {
        struct async_copy *c = &list->at[i];
        if (c->batch > batch) {
            list->at[left++] = *c;
            continue;
        }
        if (memcmp(c->to, c->from, c->bytes) != 0)
            access_changed(simt_self);
        memcpy(c->to, c->from, c->bytes);
        access_open(c->to, c->bytes);
    }
    list->count = left;
}

static struct async *mine(void)
{
    struct thread *t = simt_self;
    if (!t->async)
        t->async = simt_zeroed(1, sizeof *t->async);
    return t->async;
}

/* Of 1 to 16 bytes, a power of two. From elsewhere, or to elsewhere, it is an ordinary one. */
void simt_async_copy(void *to, const void *from, size_t bytes)
{
    void *pc = __builtin_return_address(0);
    simt_read(from, bytes, pc);
    simt_write(to, bytes, pc);
    if (!is_device_address((uintptr_t)from) || !access_close(to, (unsigned)bytes)) {
        race_settle();
        memcpy(to, from, bytes);
        return;
    }
    struct async *a = mine();
    add_copy(&a->copies, (struct async_copy){to, from, (unsigned)bytes, a->batch});
}

void simt_async_commit(void)
{
    struct async *a = mine();
    a->batch++;
    a->begin = a->copies.count;
}

void simt_async_wait(unsigned left)
{
    struct async *a = mine();
    hang_step(simt_self, __builtin_return_address(0));
    if (a->batch > left)
        land(&a->copies, a->batch - left - 1);
    a->begin = 0;
    while (a->begin < a->copies.count && a->copies.at[a->begin].batch < a->batch)
        a->begin++;
}

/* ---- barriers ---- */

static struct barrier_object *barrier_object_of(struct block *owner, uintptr_t address)
{
    struct barrier_object *g = owner->async->barriers;
    while (g && g->address != address)
        g = g->next;
    if (!g) {
        g = simt_zeroed(1, sizeof *g);
        g->arrived = simt_zeroed(hb_phase_words(), sizeof *g->arrived);
        g->address = address;
        g->next = owner->async->barriers;
        owner->async->barriers = g;
    }
    return g;
}

/* The record of a barrier in the shared memory of the running block; NULL: it lies elsewhere. */
static struct barrier_object *own_barrier_object(const void *barrier)
{
    size_t offset;
    struct block *b = simt_self->block, *owner = NULL;
    if (!is_device_address((uintptr_t)barrier))
        owner = shared_owner(b, (uintptr_t)barrier, &offset);
    return owner == b ? barrier_object_of(b, offset) : NULL;
}

static unsigned phase_of(uint64_t word)
{
    return (unsigned)(word >> 2 * COUNT_BITS);
}

/* The threads that wait for a barrier look at it again. */
static void wake(void)
{
    simt_writes++;
    schedule_wake(AT_BARRIER_OBJECT);
}

/* Not a store of a warp: hardware has an instruction of its own for it. */
void simt_barrier_init(void *barrier, size_t count)
{
    uint64_t word = count << COUNT_BITS | count;
    requests_pause(true);
    simt_write(barrier, sizeof word, __builtin_return_address(0));
    requests_pause(false);
    memcpy(barrier, &word, sizeof word);
}

/* The word of a barrier, before it is read or changed: the program must have made it. */
static uint64_t look(void *barrier, bool change, void *pc)
{
    uint64_t word;
    access_barrier(barrier, change, pc);
    memcpy(&word, barrier, sizeof word);
    if ((word >> COUNT_BITS & COUNT_MASK) == 0 && (word & COUNT_MASK) == 0)
        simt_fault(simt_self, pc, "uses a cuda::barrier that has no count: call init() first");
    return word;
}

/* The word of a barrier whose last arrival has come: the next phase, once all bytes are there. */
static uint64_t end_phase(struct barrier_object *g, uint64_t word)
{
    uint64_t expected = word >> COUNT_BITS & COUNT_MASK;
    if (g && g->due != 0)
        return word;
    if (g)
        g->done = hb_end_phase(g->arrived);
    wake();
    return (uint64_t)(phase_of(word) + 1) << 2 * COUNT_BITS | expected << COUNT_BITS | expected;
}

/* The function that the last arrival calls comes after all that was done before the arrivals. What
   it refers to on the stack of who made the barrier lies on each thread's own stack in CUDA. */
static void complete(struct barrier_object *g, void *barrier, void (*then)(void *barrier), void *pc)
{
    if (g)
        hb_pass_phase(hb_end_phase(g->arrived));
    access_other_stacks(true);
    then(barrier);
    access_other_stacks(false);
    if (g)
        hb_arrive(g->arrived);
    else
        simt_fence(SIMT_OF_THE_DEVICE);
    access_barrier(barrier, true, pc);
}

static unsigned arrive(void *barrier, unsigned count, unsigned dropped, size_t due,
                       void (*then)(void *barrier), void *pc)
{
    struct thread *t = simt_self;
    hang_step(t, pc);
    struct barrier_object *g = own_barrier_object(barrier);
    if (!g) /* it lies elsewhere: as a flag after a fence */
        simt_fence(SIMT_OF_THE_DEVICE);
    uint64_t word = look(barrier, true, pc);
    unsigned pending = word & COUNT_MASK, expected = word >> COUNT_BITS & COUNT_MASK;
    unsigned phase = phase_of(word);
    if (count == 0 || count > pending)
        simt_fault(t, pc, "arrives %u times at a cuda::barrier whose phase lacks %u of %u", count,
                   pending, expected);
    pending -= count;
    expected -= dropped;
    if (g) {
        hb_arrive(g->arrived);
        g->due += (long long)due;
    }
    word = (uint64_t)phase << 2 * COUNT_BITS | (uint64_t)expected << COUNT_BITS | pending;
    if (pending == 0 && then) {
        memcpy(barrier, &word, sizeof word);
        access_barrier_end(barrier);
        complete(g, barrier, then, pc);
    }
    if (pending == 0)
        word = end_phase(g, word);
    memcpy(barrier, &word, sizeof word);
    access_barrier_end(barrier);
    return phase;
}

unsigned simt_barrier_arrive(void *barrier, unsigned count, unsigned dropped)
{
    return arrive(barrier, count, dropped, 0, NULL, __builtin_return_address(0));
}

unsigned simt_barrier_arrive_then(void *barrier, unsigned count, unsigned dropped,
                                  void (*then)(void *barrier))
{
    return arrive(barrier, count, dropped, 0, then, __builtin_return_address(0));
}

unsigned simt_barrier_arrive_due(void *barrier, unsigned count, size_t bytes)
{
    return arrive(barrier, count, 0, bytes, NULL, __builtin_return_address(0));
}

/* Is the phase over? Then what came before its arrivals is known, and its copies are there. */
static bool over(void *barrier, unsigned phase, bool parity, void *pc)
{
    struct barrier_object *g = own_barrier_object(barrier);
    unsigned now = phase_of(look(barrier, false, pc));
    if (parity ? (now & 1) == (phase & 1) : now == phase)
        return false;
    if (g && g->done) {
        hb_pass_phase(g->done);
        land(&g->copies, now - 1);
    }
    if (!g)
        simt_fence(SIMT_OF_THE_DEVICE);
    return true;
}

bool simt_barrier_over(void *barrier, unsigned phase, bool parity)
{
    hang_step(simt_self, __builtin_return_address(0));
    if (over(barrier, phase, parity, __builtin_return_address(0)))
        return true;
    simt_wait_for_write(__builtin_return_address(0)); /* it will ask again, most likely */
    return over(barrier, phase, parity, __builtin_return_address(0));
}

void simt_barrier_wait(void *barrier, unsigned phase, bool parity)
{
    void *pc = __builtin_return_address(0);
    hang_step(simt_self, pc);
    while (!over(barrier, phase, parity, pc)) {
        simt_self->writes_seen = simt_writes;
        simt_wait(own_barrier_object(barrier) ? AT_BARRIER_OBJECT : SPINNING,
                  pc); /* elsewhere others may end it, too */
    }
}

void simt_async_arrive(void *barrier)
{
    void *pc = __builtin_return_address(0);
    struct async *a = mine();
    struct barrier_object *g = own_barrier_object(barrier);
    unsigned phase = phase_of(look(barrier, false, pc));
    if (!g)
        simt_fault(simt_self, pc,
                   "an asynchronous copy ends at a cuda::barrier of the block's own "
                   "shared memory only");
    for (size_t i = a->begin; i < a->copies.count; i++) {
        a->copies.at[i].batch = phase;
        add_copy(&g->copies, a->copies.at[i]);
    }
    a->copies.count = a->begin;
    hb_arrive(g->arrived);
}

/* The copy engine makes no requests of a warp: only the bytes are counted. */
static void take_bulk(char *to, const char *from, size_t bytes, void *pc)
{
    record_refuse("it copies by the bulk copy engine");
    if (((uintptr_t)to | (uintptr_t)from | bytes) % 16 != 0)
        simt_fault(simt_self, pc,
                   "a bulk copy takes addresses and a size that are multiples of 16 bytes");
    requests_pause(true);
    for (size_t at = 0; at < bytes; at += 16) {
        simt_read(from + at, 16, pc);
        simt_write(to + at, 16, pc);
    }
    requests_pause(false);
}

void simt_async_bulk(void *barrier, void *to, const void *from, size_t bytes)
{
    void *pc = __builtin_return_address(0);
    struct barrier_object *g = own_barrier_object(barrier);
    take_bulk(to, from, bytes, pc);
    if (!g || !access_close(to, (unsigned)bytes))
        simt_fault(simt_self, pc,
                   "a bulk copy goes into the block's own shared memory, and ends "
                   "at a cuda::barrier there");
    uint64_t word = look(barrier, true, pc);
    add_copy(&g->copies, (struct async_copy){to, from, (unsigned)bytes, phase_of(word)});
    hb_arrive(g->arrived);
    g->due -= (long long)bytes;
    if ((word & COUNT_MASK) == 0)
        word = end_phase(g, word);
    memcpy(barrier, &word, sizeof word);
    access_barrier_end(barrier);
}

void simt_async_bulk_store(void *to, const void *from, size_t bytes)
{
    void *pc = __builtin_return_address(0);
    size_t offset;
    if (shared_owner(simt_self->block, (uintptr_t)from, &offset) != simt_self->block ||
        !is_device_address((uintptr_t)to))
        simt_fault(simt_self, pc,
                   "a bulk copy without a cuda::barrier goes out of the block's own shared memory, "
                   "into device memory");
    take_bulk(to, from, bytes, pc);
    race_settle();
    memcpy(to, from, bytes);
}

/* ---- barriers of a part of the block, by number: tiles of several warps ---- */

enum { EXCHANGED = 16 }; /* bytes that a warp can put down */

static struct barrier_object *part_barrier_object(unsigned id)
{
    return barrier_object_of(simt_self->block, (uintptr_t)1 << 32 | id);
}

unsigned simt_part_arrive(unsigned id, unsigned count)
{
    hang_step(simt_self, __builtin_return_address(0));
    struct barrier_object *g = part_barrier_object(id);
    unsigned phase = g->phase;
    hb_arrive(g->arrived);
    if (++g->count == count) {
        g->count = 0;
        g->phase++;
        g->done = hb_end_phase(g->arrived);
        wake();
    }
    return phase;
}

void simt_part_wait(unsigned id, unsigned phase)
{
    struct barrier_object *g = part_barrier_object(id);
    while (g->phase == phase)
        simt_wait(AT_BARRIER_OBJECT, __builtin_return_address(0));
    hb_pass_phase(g->done);
}

void simt_part_put(const void *value, size_t bytes)
{
    struct block *b = simt_self->block;
    if (!b->async->exchange)
        b->async->exchange = simt_zeroed(MAX_BLOCK / WARP, EXCHANGED);
    memcpy(b->async->exchange + simt_self->rank / WARP * EXCHANGED, value, bytes);
}

void simt_part_get(void *value, size_t bytes, unsigned warp)
{
    memcpy(value, simt_self->block->async->exchange + warp * EXCHANGED, bytes);
}
