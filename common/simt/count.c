/*
 * count.c: what the hardware counts. The lanes of a warp run one after another
 * here, so their accesses are noted down and put together at the next barrier:
 * those made at the same place, at the same visit to it, since the same barrier
 * or warp operation, are one request. A request costs the different 32-byte
 * sectors it touches (global memory) or the words it needs from its busiest bank
 * (shared memory: 32 banks of 4 bytes, one word a wavefront each).
 */
#include "engine.h"
#include <stdlib.h>
#include <string.h>

struct record {
    void *pc;
    uintptr_t address;
    unsigned epoch, visit, next;
    unsigned char kind, bytes;
};

struct records {
    struct record *at;
    size_t count, room;
};

/* How often a thread has been at each place in its present epoch. */
struct visits {
    void **pc;
    unsigned *epoch, *count;
    size_t room, used;
};

static void *more(void *old, size_t bytes)
{
    void *p = realloc(old, bytes);
    if (!p)
        simt_fault(simt_self, NULL, "no memory left to count in");
    return p;
}

static size_t hash(const void *pc, size_t room)
{
    return (size_t)((uintptr_t)pc * 0x9e3779b97f4a7c15u >> 32) & (room - 1);
}

static size_t find(const struct visits *v, const void *pc)
{
    size_t i = hash(pc, v->room);
    while (v->pc[i] && v->pc[i] != pc)
        i = (i + 1) & (v->room - 1);
    return i;
}

static void grow(struct visits *v)
{
    struct visits old = *v;
    v->room = old.room ? 2 * old.room : 64;
    v->pc = calloc(v->room, sizeof *v->pc);
    v->epoch = more(NULL, v->room * sizeof *v->epoch);
    v->count = more(NULL, v->room * sizeof *v->count);
    for (size_t i = 0; i < old.room; i++)
        if (old.pc[i]) {
            size_t j = find(v, old.pc[i]);
            v->pc[j] = old.pc[i];
            v->epoch[j] = old.epoch[i];
            v->count[j] = old.count[i];
        }
    free(old.pc);
    free(old.epoch);
    free(old.count);
}

static unsigned visit(struct thread *t, void *pc)
{
    if (!t->visits)
        t->visits = calloc(1, sizeof *t->visits);
    struct visits *v = t->visits;
    if (2 * v->used >= v->room)
        grow(v);
    size_t i = find(v, pc);
    if (!v->pc[i]) {
        v->pc[i] = pc;
        v->epoch[i] = t->epoch - 1;
        v->used++;
    }
    if (v->epoch[i] != t->epoch) {
        v->epoch[i] = t->epoch;
        v->count[i] = 0;
    }
    return v->count[i]++;
}

void count_access(enum access_kind kind, uintptr_t address, unsigned bytes, void *pc)
{
    struct thread *t = simt_self;
    struct block *b = t->block;
    if (kind != STEP)
        trace_note(t, kind == GLOBAL_LOAD || kind == SHARED_LOAD ? SIMT_LOAD : SIMT_STORE, address,
                   bytes, pc);
    if (!b->records)
        b->records = calloc(MAX_BLOCK / WARP, sizeof *b->records);
    struct records *r = &b->records[t->rank / WARP];
    if (r->count == r->room) {
        r->room = r->room ? 2 * r->room : 256;
        r->at = more(r->at, r->room * sizeof *r->at);
    }
    r->at[r->count++] = (struct record){
        .pc = pc,
        .address = address,
        .epoch = t->epoch,
        .visit = visit(t, pc),
        .kind = (unsigned char)kind,
        .bytes = (unsigned char)bytes,
    };
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

/* 8-byte accesses go half a warp at a time, 16-byte ones a quarter. */
static unsigned wavefronts(const struct request *q)
{
    unsigned bytes = q->lane[0]->bytes, words = bytes > 4 ? bytes / 4 : 1, group = WARP / words;
    unsigned total = 0;
    for (unsigned begin = 0; begin < q->lanes; begin += group) {
        uintptr_t word[WARP][WARP];
        unsigned in_bank[WARP] = {0}, worst = 1;
        unsigned end = begin + group < q->lanes ? begin + group : q->lanes;
        for (unsigned l = begin; l < end; l++)
            for (unsigned k = 0; k < words; k++) {
                uintptr_t w = q->lane[l]->address / 4 + k;
                unsigned bank = w % WARP, i = 0;
                while (i < in_bank[bank] && word[bank][i] != w)
                    i++; /* lanes that read the same word share it */
                if (i == in_bank[bank])
                    word[bank][in_bank[bank]++] = w;
                if (in_bank[bank] > worst)
                    worst = in_bank[bank];
            }
        total += worst;
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

static bool same(const struct record *a, const struct record *b)
{
    return a->pc == b->pc && a->epoch == b->epoch && a->visit == b->visit && a->kind == b->kind;
}

/* Puts one warp's records together: chains of equal (place, epoch, visit, kind)
   through a hash table, then one request for each chain. */
static void flush_warp(struct records *r)
{
    static unsigned *heads, *tails;
    static size_t room;
    size_t need = 64;
    while (need < 2 * r->count)
        need *= 2;
    if (need > room) {
        room = need;
        heads = more(heads, room * sizeof *heads);
        tails = more(tails, room * sizeof *tails);
    }
    memset(heads, 0, need * sizeof *heads); /* 0: empty; else 1 + index of a chain's first */
    for (size_t i = 0; i < r->count; i++) {
        struct record *e = &r->at[i];
        e->next = 0;
        size_t h = hash((char *)e->pc + ((size_t)e->visit << 20) + ((size_t)e->epoch << 44), need);
        while (heads[h] && !same(&r->at[heads[h] - 1], e))
            h = (h + 1) & (need - 1);
        if (heads[h])
            r->at[tails[h] - 1].next = (unsigned)i + 1;
        else
            heads[h] = (unsigned)i + 1;
        tails[h] = (unsigned)i + 1;
    }
    for (size_t h = 0; h < need; h++) {
        struct request q = {.lanes = 0};
        for (unsigned i = heads[h]; i != 0; i = r->at[i - 1].next)
            q.lane[q.lanes++] = &r->at[i - 1];
        if (q.lanes > 0)
            add_request(&q);
    }
    r->count = 0;
}

void count_flush(struct block *b)
{
    for (unsigned w = 0; b->records && w < simt_now.warps; w++)
        if (b->records[w].count > 0)
            flush_warp(&b->records[w]);
}
