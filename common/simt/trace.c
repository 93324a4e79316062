/*
 * trace.c: writes down what each thread of chosen blocks does, in the first launch
 * after simt_launches_clear(). The threads of a block run one after another here, so
 * what they do is put side by side afterwards: steps that all share, between two
 * barriers or warp operations, in the order in which each thread took them.
 */
#include "engine.h"
#include <stdlib.h>

struct event {
    struct simt_access access;
    void *pc;
    size_t order; /* when it was noted */
    size_t step;  /* in steps[] below */
};

/* A place in the kernel, reached after that of the step before. */
struct step {
    void *pc;
    enum simt_access_kind kind;
    size_t next; /* 0: the last one */
    unsigned number;
};

static const unsigned *wanted; /* blocks */
static size_t wanted_count;
static struct event *events;
static size_t event_count, event_room;

static void *more(void *old, size_t bytes)
{
    void *p = realloc(old, bytes);
    if (!p)
        simt_fault(simt_self, NULL, "no memory left to trace in");
    return p;
}

void simt_trace(const unsigned *blocks, size_t count)
{
    wanted = blocks;
    wanted_count = count;
}

void trace_clear(void)
{
    event_count = 0;
}

static bool is_wanted(unsigned block)
{
    for (size_t i = 0; i < wanted_count; i++)
        if (wanted[i] == block)
            return true;
    return false;
}

void trace_note(const struct thread *t, enum simt_access_kind kind, uintptr_t address,
                unsigned bytes, void *pc)
{
    const struct block *b = t->block;
    dim3 g = simt_now.grid_size;
    unsigned block = b->index.x + g.x * (b->index.y + g.y * b->index.z);
    if (simt_launch_count() > 0 || !is_wanted(block))
        return;
    if (event_count == event_room) {
        event_room = event_room ? 2 * event_room : 1024;
        events = more(events, event_room * sizeof *events);
    }
    events[event_count] = (struct event){.pc = pc, .order = event_count};
    events[event_count++].access = (struct simt_access){
        .block = block,
        .thread = t->rank,
        .epoch = t->epoch - b->first_epoch,
        .kind = kind,
        .in_shared = kind != SIMT_SHUFFLE && shared_offset(b, address, &address),
        .address = address,
        .bytes = bytes,
    };
}

static int compare(size_t a, size_t b)
{
    return (a > b) - (a < b);
}

/* Steps are 0 until merge() has numbered them. */
static int in_order(const void *left, const void *right)
{
    const struct event *a = left, *b = right;
    int c = compare(a->access.block, b->access.block);
    c = c ? c : compare(a->access.step, b->access.step);
    c = c ? c : compare(a->access.epoch, b->access.epoch);
    c = c ? c : compare(a->access.thread, b->access.thread);
    return c ? c : compare(a->order, b->order);
}

/* The events of one block and epoch, thread by thread: a thread's next event belongs to
   the next step with its place; where there is none, a step is put in before the others
   go on. Then the steps are numbered, from first on. Returns the number after the last. */
static unsigned merge(struct event *e, size_t count, unsigned first)
{
    struct step *steps = more(NULL, (count + 1) * sizeof *steps);
    size_t used = 1, at = 0;
    steps[0].next = 0;
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || e[i].access.thread != e[i - 1].access.thread)
            at = 0;
        size_t s = steps[at].next;
        while (s && (steps[s].pc != e[i].pc || steps[s].kind != e[i].access.kind))
            s = steps[s].next;
        if (!s) {
            s = used++;
            steps[s] = (struct step){e[i].pc, e[i].access.kind, steps[at].next, 0};
            steps[at].next = s;
        }
        e[i].step = at = s;
    }
    for (size_t s = steps[0].next; s; s = steps[s].next)
        steps[s].number = first++;
    for (size_t i = 0; i < count; i++)
        e[i].access.step = steps[e[i].step].number;
    free(steps);
    return first;
}

size_t simt_traced(void)
{
    uintptr_t lowest = UINTPTR_MAX; /* of shared memory */
    unsigned step = 1;
    qsort(events, event_count, sizeof *events, in_order);
    for (size_t begin = 0, end; begin < event_count; begin = end) {
        const struct simt_access *a = &events[begin].access;
        for (end = begin; end < event_count && events[end].access.block == a->block &&
                          events[end].access.epoch == a->epoch;
             end++)
            if (events[end].access.in_shared && events[end].access.address < lowest)
                lowest = events[end].access.address;
        if (begin > 0 && a->block != events[begin - 1].access.block)
            step = 1;
        step = merge(&events[begin], end - begin, step);
    }
    for (size_t i = 0; i < event_count; i++) {
        events[i].access.line = place_name(events[i].pc);
        events[i].access.address -= events[i].access.in_shared ? lowest : 0;
    }
    qsort(events, event_count, sizeof *events, in_order);
    return event_count;
}

const struct simt_access *simt_access(size_t i)
{
    return &events[i].access;
}
