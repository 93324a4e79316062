/*
 * requests.c: groups what the lanes of a warp did into requests, and counts those as the
 * hardware does. The lanes of a warp run one after another here, so what they do is noted
 * down, and put together at the next barrier. There the lanes go through it in step, as in
 * hardware: of those that are not at the same place, the ones furthest behind go first, and
 * so they meet again where their ways join (S. Collange, "Stack-less SIMT reconvergence at
 * low cost", 2011: the lowest program counter first). Accesses made in one step are one
 * request. It costs the different 32-byte sectors it touches (global memory) or the words it
 * needs from its busiest bank (shared memory: 32 banks of 4 bytes, one word a wavefront each).
 */
#include "engine.h"
#include <stdlib.h>
#include <string.h>

enum { MANY = 512 }; /* records of one thread, before they are put together early */

void requests_note(enum access_kind kind, uintptr_t address, unsigned bytes, void *pc)
{
    struct thread *t = simt_self;
    struct records *r = &t->records;
    if (r->count == r->room) {
        r->room = r->room ? 2 * r->room : 32;
        r->at = realloc(r->at, r->room * sizeof *r->at);
        if (!r->at)
            simt_fault(t, NULL, "no memory left to count in");
    }
    r->at[r->count++] = (struct record){
        .pc = pc,
        .address = address,
        .epoch = t->epoch,
        .kind = (unsigned char)kind,
        .bytes = (unsigned char)bytes,
    };
    if (r->count % MANY == 0 && !recorder_wants(t->block)) {
        t->block->crowded = true;
        simt_wait(READY, pc); /* the other lanes shall catch up */
    }
}

/* Is a further behind than b? */
static bool before(const struct record *a, const struct record *b)
{
    if (a->epoch != b->epoch)
        return a->epoch < b->epoch;
    return a->pc != b->pc ? a->pc < b->pc : a->kind < b->kind;
}

unsigned requests_step(struct thread *threads, unsigned count, struct thread **here)
{
    const struct record *first = NULL;
    unsigned together = 0;
    for (unsigned i = 0; i < count; i++) {
        const struct records *r = &threads[i].records;
        if (r->next == r->count)
            continue;
        const struct record *record = &r->at[r->next];
        if (!first || before(record, first)) {
            first = record;
            together = 0;
        }
        if (!before(first, record))
            here[together++] = &threads[i];
    }
    for (unsigned i = 0; i < together; i++)
        here[i]->records.next++;
    return together;
}

/* One request: the accesses of up to 32 lanes, in lane order. */
struct request {
    const struct record *lane[WARP];
    unsigned lanes;
};

static unsigned sectors(const struct request *q)
{
    uintptr_t seen[2 * WARP];
    unsigned count = 0;
    for (unsigned l = 0; l < q->lanes; l++) {
        uintptr_t first = q->lane[l]->address / 32;
        uintptr_t last = (q->lane[l]->address + q->lane[l]->bytes - 1) / 32;
        for (uintptr_t s = first; s <= last; s++) {
            unsigned i = 0;
            while (i < count && seen[i] != s)
                i++;
            if (i == count)
                seen[count++] = s;
        }
    }
    return count;
}

/* Wavefronts for accesses that go together: the words of the busiest bank. */
static unsigned busiest_bank(const uintptr_t *address, unsigned count, unsigned words)
{
    uintptr_t word[WARP][WARP];
    unsigned in_bank[WARP] = {0}, worst = 1;
    for (unsigned l = 0; l < count; l++)
        for (unsigned k = 0; k < words; k++) {
            uintptr_t w = address[l] / 4 + k;
            unsigned bank = w % WARP, i = 0;
            while (i < in_bank[bank] && word[bank][i] != w)
                i++; /* lanes that read the same word share it */
            if (i == in_bank[bank])
                word[bank][in_bank[bank]++] = w;
            if (in_bank[bank] > worst)
                worst = in_bank[bank];
        }
    return worst;
}

/* 8-byte accesses go half a warp at a time, 16-byte ones a quarter. A lane that wants just what
   another one wants comes with it: of 8 bytes in the whole warp, of 16 in its half, as an H200
   counts them (the toolbox's scan_array and broadcast_shared in results/h200/counters.csv). */
static unsigned wavefronts(const struct request *q)
{
    unsigned bytes = q->lane[0]->bytes, words = bytes > 4 ? bytes / 4 : 1, group = WARP / words;
    unsigned total = 0, together = bytes == 16 ? WARP / 2 : WARP;
    for (unsigned begin = 0; begin < q->lanes; begin += together) {
        uintptr_t address[WARP];
        unsigned count = 0;
        for (unsigned l = begin, i; l < q->lanes && l < begin + together; l++) {
            for (i = 0; i < count && address[i] != q->lane[l]->address; i++)
                ;
            address[i] = q->lane[l]->address;
            count += i == count;
        }
        for (unsigned first = 0; first < count; first += group)
            total +=
                busiest_bank(&address[first], count - first < group ? count - first : group, words);
    }
    return total;
}

static uint64_t steps, lanes_in_steps;

static void add_request(const struct request *q)
{
    struct simt_counts *c = &simt_now.counts;
    unsigned cost = 0; /* in wavefronts */
    switch (q->lane[0]->kind) {
    case GLOBAL_LOAD:
        c->gld_requests++;
        c->gld_sectors += sectors(q);
        break;
    case GLOBAL_STORE:
        c->gst_requests++;
        c->gst_sectors += sectors(q);
        break;
    case SHARED_LOAD:
        c->shared_ld_wavefronts += cost = wavefronts(q);
        break;
    case SHARED_STORE:
        c->shared_st_wavefronts += cost = wavefronts(q);
        break;
    case REMOTE_LOAD:
        c->remote_ld_requests++;
        break;
    case REMOTE_STORE:
        c->remote_st_requests++;
        break;
    case STEP:
        if (c->simt_efficiency == 0)
            steps = lanes_in_steps = 0; /* the launch's first */
        steps++;
        lanes_in_steps += q->lanes;
        c->simt_efficiency = (double)lanes_in_steps / (double)(steps * WARP);
        break;
    }
    if (cost > c->worst_conflict)
        c->worst_conflict = cost;
}

/* Could a lane that has nothing noted down still come to the next step? Not one that has
   ended, nor one that waits for its warp or block: it goes on in a later epoch. */
static bool all_there(const struct thread *lanes, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (lanes[i].records.next == lanes[i].records.count &&
            (lanes[i].state == READY || lanes[i].state == SPINNING))
            return false;
    return true;
}

static void count_warp(struct thread *lanes, unsigned count, bool ahead)
{
    struct thread *here[WARP];
    struct request q;
    while ((!ahead || all_there(lanes, count)) &&
           (q.lanes = requests_step(lanes, count, here)) > 0) {
        for (unsigned l = 0; l < q.lanes; l++)
            q.lane[l] = &here[l]->records.at[here[l]->records.next - 1];
        add_request(&q);
    }
}

static void count_block(struct block *b, bool ahead)
{
    for (unsigned first = 0; first < simt_now.threads; first += WARP) {
        unsigned left = simt_now.threads - first;
        count_warp(&b->threads[first], left < WARP ? left : WARP, ahead);
    }
    for (unsigned i = 0; i < simt_now.threads; i++) {
        struct records *r = &b->threads[i].records;
        r->count -= r->next;
        if (r->next > 0)
            memmove(r->at, r->at + r->next, r->count * sizeof *r->at);
        r->next = 0;
    }
}

void requests_flush(struct block *b)
{
    if (!simt_counting)
        return;
    recorder_block(b);
    count_block(b, false);
}

void requests_ahead(struct block *b)
{
    count_block(b, true);
    b->crowded = false;
}
