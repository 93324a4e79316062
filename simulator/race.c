/*
 * race.c: finds races: two accesses to one word by different threads, at least one a
 * write, that nothing puts in order (order.c). Each word remembers its last write and
 * two readers, as far apart in the grid as possible. So nothing is reported that is
 * in order, but a race may be missed: that of an access which the word has forgotten,
 * if none that it remembers races too; and one between bytes of a word after other
 * threads wrote its other bytes.
 *
 * Atomics race with plain accesses, not with each other nor with volatile ones. Two
 * volatile accesses of one width do not race if they come from different blocks: PTX
 * calls them relaxed, and the word arrives whole, so a flag, or a value and its flag
 * in one word, may travel so. Data that relies on such a flag, but is volatile too,
 * looks the same: a fence that is missing there is not seen. Inside a block volatile
 * is no excuse: there are barriers, and compute-sanitizer's racecheck says the same.
 */
#include "engine.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST_SHOWN = 20, MOST_NOTED = 256 };

struct event {
    uint32_t time, block;
    uint32_t place; /* in the program: pc_of() */
    uint16_t rank;
    uint8_t bytes;              /* one bit for each byte of the word */
    bool early : 1;             /* order_known() */
    unsigned char strength : 7; /* enum strength */
};

struct cell {
    struct event write, read[2];
    uint32_t handed_over; /* when something was handed over through this word, or 0 */
};

struct race {
    struct event before, after;
    bool before_wrote, after_wrote, shared;
};

extern char __executable_start; /* the linker's: where the program begins */
static struct race races[MOST_NOTED];
static unsigned race_count;

/* ---- cells: 16 MiB of addresses at a time, in memory that costs nothing until touched ---- */

enum { CHUNK_BITS = 24, CHUNK_WORDS = (1 << CHUNK_BITS) / 4 };
static struct cell *chunks[(size_t)1 << (48 - CHUNK_BITS)];

static struct cell *map_cells(size_t words)
{
    void *p = mmap(NULL, words * sizeof(struct cell), PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        simt_fault(simt_self, NULL, "no memory left to look for races in");
    return p;
}

struct cell *race_global(uintptr_t address)
{
    struct cell **chunk = &chunks[address >> CHUNK_BITS];
    if (!*chunk) {
        *chunk = map_cells(CHUNK_WORDS);
        madvise(*chunk, CHUNK_WORDS * sizeof **chunk, MADV_HUGEPAGE); /* a third of the time */
    }
    return *chunk + address / 4 % CHUNK_WORDS;
}

struct cell *race_shared(const struct block *b, size_t offset)
{
    return b->cells + offset / 4;
}

void race_forget(uintptr_t start, uintptr_t end)
{
    for (uintptr_t next; start < end; start = next) {
        next = ((start >> CHUNK_BITS) + 1) << CHUNK_BITS;
        size_t words = ((next < end ? next : end) - start) / 4;
        if (chunks[start >> CHUNK_BITS]) /* a page of memory has thirteen of cells */
            madvise(race_global(start), words * sizeof(struct cell), MADV_DONTNEED);
    }
}

void race_begin_launch(void)
{
    if (order_begin_launch()) /* times begin anew */
        for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++)
            race_forget(i << CHUNK_BITS, (i + 1) << CHUNK_BITS);
}

void race_begin_block(struct block *b)
{
    if (!b->cells)
        b->cells = map_cells((shared_room + SHARED_ALIGN + SM_SHARED) / 4);
    memset(b->cells, 0, (shared_room + simt_now.dynamic_bytes + 3) / 4 * sizeof *b->cells);
    order_begin_block(b);
}

/* ---- accesses ---- */

static bool may_meet(const struct event *a, const struct event *b)
{
    if (a->strength == PLAIN || b->strength == PLAIN)
        return false;
    return a->strength == ATOMIC || b->strength == ATOMIC ||
           (a->strength == b->strength && a->block != b->block);
}

static bool same_thread(const struct event *a, const struct event *b)
{
    return a->block == b->block && a->rank == b->rank;
}

static void compare(const struct event *before, bool before_wrote, const struct event *after,
                    bool after_wrote, bool shared)
{
    if ((before->bytes & after->bytes) == 0 || same_thread(before, after) ||
        order_before_barrier(before->time, before->block) || may_meet(before, after))
        return;
    for (unsigned i = 0; i < race_count; i++)
        if (races[i].before.place == before->place && races[i].after.place == after->place)
            return;
    if (race_count < MOST_NOTED &&
        !order_known(before->time, before->block, before->rank, before->early))
        races[race_count++] = (struct race){*before, *after, before_wrote, after_wrote, shared};
}

/* Of two readers, the one nearer to a third makes room for it. */
static unsigned distance(const struct event *a, const struct event *b)
{
    if (a->bytes == 0 || same_thread(a, b) || order_before_barrier(a->time, a->block))
        return 0;
    return a->block != b->block ? 3 : a->rank / WARP != b->rank / WARP ? 2 : 1;
}

static void remember(struct event *slot, struct event e)
{
    if (same_thread(slot, &e) && slot->time == e.time)
        e.bytes |= slot->bytes; /* it goes through the word byte by byte */
    *slot = e;
}

void race_check(struct cell *cell, bool shared, const struct access *a)
{
    const struct thread *t = simt_self;
    struct event e = {
        .time = order_now(),
        .block = t->block->number,
        .place = (uint32_t)((char *)a->pc - &__executable_start),
        .rank = (uint16_t)t->rank,
        .bytes = a->bytes >= 4 ? 15 : (((1u << a->bytes) - 1) << a->address % 4) & 15,
        .early = t->arrived,
    };
    e.strength = a->bytes > 8 ? PLAIN : a->strength;
    if (a->strength == VOLATILE && a->bytes == 8)
        e.strength = VOLATILE_WIDE;
    for (struct cell *end = cell + (a->bytes + 3) / 4; cell < end; cell++) {
        struct event *r = cell->read;
        compare(&cell->write, true, &e, a->write, shared);
        if (!a->write) {
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

void race_flag_read(const struct cell *word)
{
    order_read_flag(word->handed_over);
}

void race_flag_written(struct cell *word, bool atomic)
{
    word->handed_over = order_write_flag(word->handed_over, atomic);
}

/* ---- reports ---- */

static void *pc_of(const struct event *e)
{
    return &__executable_start + e->place;
}

static void fail_at_exit(void)
{
    fflush(NULL);
    _exit(1);
}

static const char *thread_name(const struct event *e, char text[96])
{
    dim3 b = simt_now.block_size;
    uint3 at = block_index(e->block);
    snprintf(text, 96, "thread (%u,%u,%u) of block (%u,%u,%u)", e->rank % b.x, e->rank / b.x % b.y,
             e->rank / b.x / b.y, at.x, at.y, at.z);
    return text;
}

/* Once for each pair of lines, whichever came first. */
static void report(const struct race *r)
{
    static const char *shown[MOST_SHOWN][2];
    static unsigned count;
    const char *before = place_name(pc_of(&r->before));
    const char *after = place_name(pc_of(&r->after));
    unsigned blocks = simt_now.cluster_blocks;
    const char *missing = "barrier of the grid and no fenced hand-over";
    if (r->before.block == r->after.block)
        missing = "barrier";
    else if (blocks > 1 && r->before.block / blocks == r->after.block / blocks)
        missing = "barrier of the cluster";
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
            r->before_wrote ? "wrote" : "read", before, missing);
    if (count == MOST_SHOWN)
        fprintf(stderr, "simulator: %d races are enough: no more are shown\n", MOST_SHOWN);
}

void race_report(void)
{
    for (unsigned i = 0; i < race_count; i++)
        report(&races[i]);
    race_count = 0;
}
