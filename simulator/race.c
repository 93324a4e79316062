/*
 * race.c: finds races: two accesses to one word by different threads, at least one a
 * write, that nothing puts in order (order.c). Each word remembers its last write and
 * two readers, as far apart in the grid as possible. So nothing is reported that is
 * in order, but a race may be missed: that of an access which the word has forgotten,
 * if none that it remembers races too; and one between bytes of a word after other
 * threads wrote its other bytes.
 *
 * Some races are found on paper only; report() makes them notes, unless SIMT_STRICT=1.
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
    bool flag : 1;              /* written by one who had passed a fence */
    bool block_only : 1;        /* an atomic for its block alone */
    unsigned char strength : 5; /* enum strength */
};

struct cell {
    struct event write, read[2];
    uint32_t handed_over; /* when something was handed over through this word, or 0 */
};

/* What everyone writes, and what is a race by the memory model's word alone: a note says so. */
enum paper {
    NOT_ON_PAPER,
    SAME_VALUE,   /* both wrote the same */
    SECOND_FENCE, /* the one fenced before its flag, the other did not behind it */
    BLOCK_FLAG,   /* a volatile flag, behind a fence, between warps of a block */
    BEFORE_CAS,   /* the first read of a loop that compares and swaps */
};
struct race {
    struct event before, after;
    bool before_wrote, after_wrote, shared;
    enum paper paper;
};

/* Two wrote; whether the same shows only after the second write has been made. */
struct unsettled {
    struct race *race;
    void *address;
    unsigned bytes;
    char before[16];
};
static struct unsettled unsettled[8];
unsigned race_unsettled; /* how many of these there are */

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

/* Each device has its own variables, at one address: those of others have cells where no program's
   memory is. */
struct cell *race_variable(uintptr_t address)
{
    static uintptr_t lowest;
    if (simt_at == 0 || !is_device_variable(address))
        return race_global(address);
    if (lowest == 0)
        lowest = (uintptr_t)&__executable_start & -(uintptr_t)4;
    return race_global(((uintptr_t)1 << 47) + ((uintptr_t)simt_at << 42) + (address - lowest));
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

static uint32_t launch_begun[MOST_DEVICES];

void race_begin_launch(const uint32_t known[MOST_DEVICES])
{
    bool anew = order_begin_launch(known);
    launch_begun[simt_at] = order_now() - 1;
    if (anew) /* times begin anew */
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
    if ((a->block_only || b->block_only) && a->block != b->block)
        return false;
    return a->strength == ATOMIC || b->strength == ATOMIC ||
           (a->strength == b->strength && a->block != b->block);
}

static bool same_thread(const struct event *a, const struct event *b)
{
    return a->block == b->block && a->rank == b->rank;
}

void race_settle(void)
{
    for (unsigned i = 0; i < race_unsettled; i++) {
        struct unsettled *u = &unsettled[i];
        if (memcmp(u->address, u->before, u->bytes) != 0)
            u->race->paper = NOT_ON_PAPER;
    }
    race_unsettled = 0;
}

/* Now, for the second write is still to come. */
static void settle_later(struct race *race, const struct access *a)
{
    if (race_unsettled == sizeof unsettled / sizeof *unsettled)
        return;
    struct unsettled *u = &unsettled[race_unsettled++];
    *u = (struct unsettled){race, (void *)a->address, a->bytes, {0}};
    memcpy(u->before, u->address, a->bytes);
}

static enum paper paper_of(const struct race *r)
{
    const struct event *before = &r->before, *after = &r->after;
    const struct event *write = r->before_wrote ? before : after;
    if (order_lacks_second_fence(before->time, before->block, before->rank, before->early))
        return SECOND_FENCE;
    if (r->before_wrote && r->after_wrote)
        return before->strength == ATOMIC || after->strength == ATOMIC ? NOT_ON_PAPER : SAME_VALUE;
    if (write->flag && before->strength != PLAIN && before->strength == after->strength &&
        before->rank / WARP != after->rank / WARP)
        return BLOCK_FLAG;
    return NOT_ON_PAPER;
}

/* One for each pair of places, the worst. */
static struct race *note_down(const struct race *found)
{
    for (unsigned i = 0; i < race_count; i++) {
        struct race *r = &races[i];
        if (r->before.place != found->before.place || r->after.place != found->after.place)
            continue;
        if (r->paper != NOT_ON_PAPER && found->paper < r->paper)
            *r = *found;
        return r;
    }
    if (race_count == MOST_NOTED)
        return NULL;
    races[race_count] = *found;
    return &races[race_count++];
}

static bool is_known_race(const struct event *before, const struct event *after)
{
    for (unsigned i = 0; i < race_count; i++)
        if (races[i].before.place == before->place && races[i].after.place == after->place)
            return races[i].paper == NOT_ON_PAPER;
    return false;
}

static void compare(const struct event *before, bool before_wrote, const struct event *after,
                    const struct access *a, bool shared)
{
    if ((before->bytes & after->bytes) == 0 || same_thread(before, after) ||
        order_before_barrier(before->time, before->block) || may_meet(before, after) ||
        is_known_race(before, after) ||
        order_known(before->time, before->block, before->rank, before->early))
        return;
    struct race found = {*before, *after, before_wrote, a->write, shared, NOT_ON_PAPER};
    found.paper = paper_of(&found);
    struct race *r = note_down(&found);
    if (r && r->paper == SAME_VALUE)
        settle_later(r, a);
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
        .block_only = a->block_only,
    };
    e.flag = a->write && a->strength == VOLATILE && order_offers();
    e.strength = a->bytes > 8 ? PLAIN : a->strength;
    if (a->strength == VOLATILE && a->bytes == 8)
        e.strength = VOLATILE_WIDE;
    for (struct cell *end = cell + (a->bytes + 3) / 4; cell < end; cell++) {
        struct event *r = cell->read;
        compare(&cell->write, true, &e, a, shared);
        if (!a->write) {
            remember(distance(&r[0], &e) <= distance(&r[1], &e) ? &r[0] : &r[1], e);
            continue;
        }
        compare(&r[0], false, &e, a, shared);
        compare(&r[1], false, &e, a, shared);
        remember(&cell->write, e);
        r[0].bytes &= ~e.bytes;
        r[1].bytes &= ~e.bytes;
        if (e.strength == PLAIN)
            cell->handed_over = 0;
    }
}

bool race_written_now(uintptr_t address, size_t bytes)
{
    const struct cell *cell = race_global(address);
    for (size_t i = 0; i < bytes; i += 4, cell++)
        if (cell->write.bytes != 0 && cell->write.time > launch_begun[simt_at] &&
            cell->write.block >> DEVICE_SHIFT == simt_at)
            return true;
    return false;
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

static const char *thread_name(const struct event *e, char text[96])
{
    dim3 b = simt_now.block_size;
    uint3 at = block_index(order_in_grid(e->block));
    snprintf(text, 96, "thread (%u,%u,%u) of block (%u,%u,%u)", e->rank % b.x, e->rank / b.x % b.y,
             e->rank / b.x / b.y, at.x, at.y, at.z);
    return text;
}

/* Places whose plain read goes into a compare-and-swap by the same thread. */
static void *cas_reads[64];
static unsigned cas_read_count;

static bool is_cas_read(void *pc)
{
    for (unsigned i = 0; i < cas_read_count; i++)
        if (cas_reads[i] == pc)
            return true;
    return false;
}

void race_read_for_cas(void *pc)
{
    if (!is_cas_read(pc) && cas_read_count < sizeof cas_reads / sizeof *cas_reads)
        cas_reads[cas_read_count++] = pc;
}

static bool is_before_cas(const struct race *r)
{
    if (r->before_wrote)
        return !r->after_wrote && r->before.strength == ATOMIC && is_cas_read(pc_of(&r->after));
    return r->after.strength == ATOMIC && is_cas_read(pc_of(&r->before));
}

/* What the memory model asks for, and what hardware does. */
static const char *const on_paper[] = {
    [SAME_VALUE] = "a race on paper: both write the same value, and so hardware does no harm",
    [SECOND_FENCE] =
        "a race on paper: the writer fenced before its flag, but the reader must behind "
        "it, too; hardware seldom reads so early",
    [BLOCK_FLAG] = "a race on paper: a flag between warps must be atomic; on hardware a volatile "
                   "word arrives whole",
    [BEFORE_CAS] = "a race on paper: the read before atomicCAS() must be volatile or atomic; on "
                   "hardware an old value costs another round",
};

/* Once for each pair of lines, whichever came first. */
static void report(const struct race *r)
{
    static const char *shown[2 * MOST_SHOWN][2];
    static unsigned count, races_shown;
    enum paper paper = is_before_cas(r) ? BEFORE_CAS : r->paper;
    bool note = paper != NOT_ON_PAPER && !simt_strict;
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
    if (count == sizeof shown / sizeof *shown || races_shown == MOST_SHOWN)
        return;
    shown[count][0] = before;
    shown[count++][1] = after;
    char *line;
    if (asprintf(&line, "%s: %s: %s race in %s memory: %s %s what %s %s at %s, no %s between",
                 after, kernel_name(simt_now.entered),
                 r->before_wrote && r->after_wrote ? "write-write" : "read-write",
                 r->shared ? "shared" : "global", thread_name(&r->after, second),
                 r->after_wrote ? "overwrites" : "reads", thread_name(&r->before, first),
                 r->before_wrote ? "wrote" : "read", before, missing) < 0)
        abort();
    fflush(stdout);
    if (note)
        fprintf(stderr, "simulator: note: %s (%s)\n", line, on_paper[paper]);
    else
        fault_found(line);
    free(line);
    races_shown += !note;
    if (races_shown == MOST_SHOWN)
        fprintf(stderr, "simulator: %d races are enough: no more are shown\n", MOST_SHOWN);
}

void race_report(void)
{
    race_settle();
    for (unsigned i = 0; i < race_count; i++)
        report(&races[i]);
    race_count = 0;
}
