/*
 * race.c: finds races: two accesses to one word by different threads, at least one
 * a write, that nothing puts in order. What puts them in order (CUDA C++ Programming
 * Guide; PTX ISA, "Memory Consistency Model"):
 *
 * - The launches of a program, barriers of the grid and of the block, and
 *   __syncwarp() for the lanes in its mask. Not a shuffle, vote or match: "these
 *   intrinsics do not imply a memory barrier" (the Guide on each of them).
 * - A hand-over: a thread passes a fence, then writes a word by an atomic or through
 *   a volatile pointer; another reads that word in such a way, then passes a fence.
 *   What the first knew at its fence the second knows from then on, and a barrier
 *   passes it on. Through __threadfence_block() this holds inside one block only.
 *
 * Atomics race with plain accesses, not with each other nor with volatile ones. Two
 * volatile accesses of one width do not race if they come from different blocks: PTX
 * calls them relaxed, and the word arrives whole, so a flag, or a value and its flag
 * in one word, may travel so. Data that relies on such a flag, but is volatile too,
 * looks the same: a fence that is missing there is not seen. Inside a block volatile
 * is no excuse: there are barriers, and compute-sanitizer's racecheck says the same.
 *
 * How: `now` counts the events that put things in order. Each word remembers its
 * last write and two readers, as far apart in the grid as possible, with their times;
 * each thread, up to which time it knows what others did. An access later than that
 * is a race. So nothing is reported that is in order, but some races may be missed:
 * those of an access that the word has forgotten, if none that it remembers races
 * too; those between bytes of one word after others wrote its other bytes; and, as
 * one time stands for all hand-overs up to it, a wait for the wrong flag.
 */
#include "engine.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST_SHOWN = 20, MOST_NOTED = 256, PLACES = 65536 };

struct event {
    uint32_t time, block;
    uint16_t place;                              /* an index into places[] */
    uint16_t rank : 10, strength : 2, bytes : 4; /* one bit for each byte of the word */
};

struct cell {
    struct event write, read[2];
    uint32_t handed_over; /* when something was handed over through this word, or 0 */
};

/* What a thread knew at a fence, and what else it takes for others to know that. */
struct offer {
    uint32_t time; /* of the first flag it wrote afterwards */
    uint32_t warp, barrier, lanes[WARP];
    uint32_t next; /* the offer that its block made before: 1 + index into offers[], or 0 */
    bool block_only;
};

struct knowledge {        /* of one thread */
    uint32_t lanes[WARP]; /* from its last __syncwarp() with each */
    uint32_t flags;       /* the last hand-over that it read ... */
    uint32_t known[2];    /* ... and that it knows behind a fence: in the device, in the block */
    bool offering;
    struct offer offer;
};

struct race {
    struct event before, after;
    bool before_wrote, after_wrote, shared;
};

static uint32_t now = 1, last_grid_barrier;
static void *places[PLACES];
static struct race races[MOST_NOTED];
static unsigned race_count;
static struct offer *offers; /* of this launch */
static uint32_t offer_count, offer_room;
static uint32_t *last_offer; /* of each block: 1 + index into offers[], or 0 */

static uint32_t later(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* ---- cells: 16 MiB of addresses at a time, in memory that costs nothing until touched ---- */

enum { CHUNK_BITS = 24, CHUNK_WORDS = (1 << CHUNK_BITS) / 4 };
static struct cell *chunks[(size_t)1 << (48 - CHUNK_BITS)];

static void *need(void *memory)
{
    if (!memory || memory == MAP_FAILED)
        simt_fault(simt_self, NULL, "no memory left to look for races in");
    return memory;
}

static struct cell *map_cells(size_t words)
{
    return need(mmap(NULL, words * sizeof(struct cell), PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
}

struct cell *race_global(uintptr_t address)
{
    struct cell **chunk = &chunks[address >> CHUNK_BITS];
    if (!*chunk)
        *chunk = map_cells(CHUNK_WORDS);
    return *chunk + address / 4 % CHUNK_WORDS;
}

struct cell *race_shared(const struct block *b, size_t word)
{
    return b->cells + word;
}

void race_forget(uintptr_t start, uintptr_t end)
{
    for (uintptr_t next; start < end; start = next) {
        next = ((start >> CHUNK_BITS) + 1) << CHUNK_BITS;
        size_t words = ((next < end ? next : end) - start) / 4;
        if (chunks[start >> CHUNK_BITS]) /* a page of memory has ten pages of cells */
            madvise(race_global(start), words * sizeof(struct cell), MADV_DONTNEED);
    }
}

/* ---- what puts things in order ---- */

void race_begin_launch(void)
{
    if (now > UINT32_MAX / 2) { /* start again, long before it wraps around */
        for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++)
            race_forget(i << CHUNK_BITS, (i + 1) << CHUNK_BITS);
        now = 1;
    }
    last_grid_barrier = now++;
    offer_count = 0;
}

void race_begin_block(struct block *b, size_t shared_bytes)
{
    if (!b->cells)
        b->cells = map_cells(SM_SHARED / 4);
    if (!b->knowledge)
        b->knowledge = need(calloc(MAX_BLOCK, sizeof *b->knowledge));
    b->last_barrier = now++;
    memset(b->cells, 0, (shared_bytes / 4 + 2) * sizeof *b->cells);
    for (unsigned i = 0; i < simt_now.threads; i++) {
        struct knowledge *k = &b->knowledge[i]; /* lanes[] hold times before this block's */
        k->flags = k->known[0] = k->known[1] = 0;
        k->offering = false;
    }
}

/* A barrier of these threads: what was handed over to one, all have now. */
static void pass_on(struct knowledge *k, unsigned count, unsigned mask)
{
    uint32_t flags = 0, known[2] = {0, 0};
    if (offer_count == 0)
        return;
    for (unsigned i = 0; i < count; i++)
        if (mask >> i % WARP & 1) {
            flags = later(flags, k[i].flags);
            known[0] = later(known[0], k[i].known[0]);
            known[1] = later(known[1], k[i].known[1]);
        }
    for (unsigned i = 0; i < count; i++)
        if (mask >> i % WARP & 1) {
            k[i].flags = flags;
            memcpy(k[i].known, known, sizeof known);
        }
}

void race_block_barrier(struct block *b)
{
    b->last_barrier = now++;
    pass_on(b->knowledge, simt_now.threads, ~0u);
}

void race_grid_barrier(void)
{
    last_grid_barrier = now++;
}

void race_warp_barrier(struct block *b, unsigned first, unsigned mask)
{
    struct knowledge *k = &b->knowledge[first];
    uint32_t lanes[WARP] = {0};
    for (unsigned l = 0; l < WARP; l++)
        for (unsigned i = 0; (mask >> l & 1) && i < WARP; i++)
            lanes[i] = mask >> i & 1 ? now : later(lanes[i], k[l].lanes[i]);
    for (unsigned l = 0; l < WARP; l++)
        if (mask >> l & 1)
            memcpy(k[l].lanes, lanes, sizeof lanes);
    now++;
    pass_on(k, WARP, mask);
}

void simt_fence(bool block_only)
{
    const struct thread *t = simt_self;
    struct knowledge *k = &t->block->knowledge[t->rank];
    k->known[block_only] = later(k->known[block_only], k->flags);
    /* Once it passed a fence for the device, its fences for the block count as such. */
    k->offer.block_only = block_only && (!k->offering || k->offer.block_only);
    k->offer.warp = t->rank / WARP;
    k->offer.barrier = t->block->last_barrier;
    memcpy(k->offer.lanes, k->lanes, sizeof k->lanes);
    k->offer.lanes[t->lane] = now++;
    k->offer.time = 0;
    k->offering = true;
}

void race_flag_read(const struct cell *word)
{
    struct knowledge *k = &simt_self->block->knowledge[simt_self->rank];
    k->flags = later(k->flags, word->handed_over);
}

void race_flag_written(struct cell *word, bool atomic)
{
    const struct block *b = simt_self->block;
    struct knowledge *k = &b->knowledge[simt_self->rank];
    if (!k->offering) {
        if (!atomic) /* an atomic goes on with what it found, a store puts an end to it */
            word->handed_over = 0;
        return;
    }
    word->handed_over = now++;
    if (k->offer.time != 0)
        return; /* an earlier flag made the same offer */
    if (offer_count == offer_room)
        offers = need(realloc(offers, (offer_room = 2 * offer_room + 64) * sizeof *offers));
    if (offer_count == 0) {
        free(last_offer);
        last_offer = need(calloc(simt_now.blocks, sizeof *last_offer));
    }
    k->offer.time = word->handed_over;
    k->offer.next = last_offer[b->number];
    offers[offer_count++] = k->offer;
    last_offer[b->number] = offer_count;
}

/* Did the event's thread, or one that knew of it, hand that over to t? */
static bool handed_over(const struct thread *t, const struct event *e)
{
    const struct knowledge *k = &t->block->knowledge[t->rank];
    bool same_block = e->block == t->block->number;
    uint32_t known = same_block ? later(k->known[0], k->known[1]) : k->known[0];
    if (offer_count == 0 || known == 0)
        return false;
    for (uint32_t i = last_offer[e->block]; i != 0; i = offers[i - 1].next) {
        const struct offer *o = &offers[i - 1];
        bool covers = e->time <= o->barrier ||
                      (o->warp == e->rank / WARP && e->time <= o->lanes[e->rank % WARP]);
        if (covers && o->time <= known && (same_block || !o->block_only))
            return true;
    }
    return false;
}

/* ---- accesses ---- */

static uint16_t place_number(void *pc)
{
    static unsigned used;
    size_t i = (uintptr_t)pc * 0x9e3779b97f4a7c15u >> 48;
    while (places[i] && places[i] != pc)
        i = (i + 1) % PLACES;
    if (!places[i] && ++used == PLACES)
        simt_fault(simt_self, pc, "too many places in the program that touch memory");
    places[i] = pc;
    return (uint16_t)i;
}

/* Does a barrier of the grid, or of the running block, lie between the event and now? */
static bool before_barrier(const struct event *e)
{
    const struct block *b = simt_self->block;
    return e->time <= last_grid_barrier || (e->block == b->number && e->time <= b->last_barrier);
}

static bool may_meet(const struct event *a, const struct event *b)
{
    if (a->strength == PLAIN || b->strength == PLAIN)
        return false;
    return a->strength == ATOMIC || b->strength == ATOMIC ||
           (a->strength == b->strength && a->block != b->block);
}

static void compare(const struct event *before, bool before_wrote, const struct event *after,
                    bool after_wrote, bool shared)
{
    const struct thread *t = simt_self;
    if ((before->bytes & after->bytes) == 0 || before_barrier(before) || may_meet(before, after))
        return;
    if (before->block == after->block &&
        (before->rank == after->rank ||
         (before->rank / WARP == after->rank / WARP &&
          before->time <= t->block->knowledge[t->rank].lanes[before->rank % WARP])))
        return;
    for (unsigned i = 0; i < race_count; i++)
        if (races[i].before.place == before->place && races[i].after.place == after->place)
            return;
    if (race_count < MOST_NOTED && !handed_over(t, before))
        races[race_count++] = (struct race){*before, *after, before_wrote, after_wrote, shared};
}

/* Of two readers, the one nearer to a third makes room for it. */
static unsigned distance(const struct event *a, const struct event *b)
{
    if (a->bytes == 0 || before_barrier(a) || (a->block == b->block && a->rank == b->rank))
        return 0;
    return a->block != b->block ? 3 : a->rank / WARP != b->rank / WARP ? 2 : 1;
}

static void remember(struct event *slot, struct event e)
{
    if (slot->block == e.block && slot->rank == e.rank && slot->time == e.time)
        e.bytes |= slot->bytes; /* it goes through the word byte by byte */
    *slot = e;
}

void race_check(struct cell *cell, bool shared, uintptr_t address, unsigned bytes, bool write,
                enum strength strength, void *pc)
{
    const struct thread *t = simt_self;
    struct event e = {.time = now, .block = t->block->number, .place = place_number(pc)};
    e.rank = t->rank % MAX_BLOCK;
    e.strength = bytes > 8 ? PLAIN : strength == VOLATILE && bytes == 8 ? VOLATILE_WIDE : strength;
    e.bytes = bytes >= 4 ? 15 : ((1u << bytes) - 1) << address % 4;
    for (struct cell *end = cell + (bytes + 3) / 4; cell < end; cell++) {
        struct event *r = cell->read;
        compare(&cell->write, true, &e, write, shared);
        if (!write) {
            remember(distance(&r[0], &e) <= distance(&r[1], &e) ? &r[0] : &r[1], e);
            continue;
        }
        compare(&r[0], false, &e, true, shared);
        compare(&r[1], false, &e, true, shared);
        remember(&cell->write, e);
        r[0].bytes &= ~e.bytes;
        r[1].bytes &= ~e.bytes;
        if (e.strength == PLAIN)
            cell->handed_over = 0;
    }
}

/* ---- reports ---- */

static void fail_at_exit(void)
{
    fflush(NULL);
    _exit(1);
}

static const char *thread_name(const struct event *e, char text[96])
{
    dim3 b = simt_now.block_size, g = simt_now.grid_size;
    snprintf(text, 96, "thread (%u,%u,%u) of block (%u,%u,%u)", e->rank % b.x, e->rank / b.x % b.y,
             e->rank / b.x / b.y, e->block % g.x, e->block / g.x % g.y, e->block / g.x / g.y);
    return text;
}

/* Once for each pair of lines, whichever came first. */
static void report(const struct race *r)
{
    static const char *shown[MOST_SHOWN][2];
    static unsigned count;
    const char *before = place_name(places[r->before.place]);
    const char *after = place_name(places[r->after.place]);
    bool same_block = r->before.block == r->after.block;
    char first[96], second[96];
    for (unsigned i = 0; i < count; i++)
        if ((strcmp(shown[i][0], before) == 0 && strcmp(shown[i][1], after) == 0) ||
            (strcmp(shown[i][0], after) == 0 && strcmp(shown[i][1], before) == 0))
            return;
    if (count == MOST_SHOWN)
        return;
    if (count == 0)
        atexit(fail_at_exit);
    shown[count][0] = before;
    shown[count++][1] = after;
    fflush(stdout);
    fprintf(stderr,
            "simulator: %s: %s: %s race in %s memory: %s %s what %s %s at %s, no %s between\n",
            after, kernel_name(simt_now.entered),
            r->before_wrote && r->after_wrote ? "write-write" : "read-write",
            r->shared ? "shared" : "global", thread_name(&r->after, second),
            r->after_wrote ? "overwrites" : "reads", thread_name(&r->before, first),
            r->before_wrote ? "wrote" : "read", before,
            same_block ? "barrier" : "barrier of the grid and no fenced hand-over");
    if (count == MOST_SHOWN)
        fprintf(stderr, "simulator: %d races are enough: no more are shown\n", MOST_SHOWN);
}

void race_report(void)
{
    for (unsigned i = 0; i < race_count; i++)
        report(&races[i]);
    race_count = 0;
}
