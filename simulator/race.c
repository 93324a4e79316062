/* race.c: finds races: accesses to one word by different threads, at least one a write, that
   nothing puts in order (happens_before.c). Each word remembers its last write and two readers, as
   far apart in the grid as possible: so nothing in order is reported, but a race of an access that
   the word has forgotten may be missed, or one of bytes after others wrote the word's other bytes.
   Atomics race with plain accesses, not with each other nor with volatile ones. Two volatile
   accesses of one width do not race in global memory: PTX calls them relaxed (what such a flag says
   of other words is weak_memory.c's). In shared memory they do, as in compute-sanitizer's
   racecheck. Between devices an atomic is one only if it is of the system. */
#include "race.h"
#include "allocations.h"
#include "devices.h"
#include "fault.h"
#include "happens_before.h"
#include "launch_counts.h"
#include "shared_memory.h"
#include "trial.h"
#include <sys/mman.h>
#include <unistd.h>

enum { MOST_SHOWN = 20, MOST_NOTED = 256 };

/* Eight bytes: there are two or three for each word of memory. The time tells the block. */
struct event {
    uint32_t time;
    union {
        struct {
            uint32_t rank : 10;
            uint32_t bytes : 4;      /* one bit for each byte of the word */
            uint32_t strength : 2;   /* enum strength */
            uint32_t early : 1;      /* hb_known() */
            uint32_t flag : 1;       /* written after a fence; an atomic: of the system */
            uint32_t block_only : 1; /* an atomic for its block alone */
            uint32_t has_more : 1;   /* of the cell's read: struct more is in use */
            uint32_t place : 12;     /* pc_of() */
        };
        uint32_t bits; /* all of these, from the lowest on: quicker than one by one */
    };
};
enum { RANK = (1 << 10) - 1, ALL_BYTES = 15 << 10, HAS_MORE = 1 << 19 };

struct cell {
    struct event write, read;
};
/* What few words need: memory of its own, which most often stays untouched. */
struct more {
    struct event read; /* by another than the first */
    uint32_t released; /* when something was handed over through this word, or 0 */
};

/* Races by the memory model alone, which are common: reported as notes. */
enum severity {
    IS_RACE,
    SAME_VALUE,   /* both wrote the same */
    SECOND_FENCE, /* the writer fenced before its flag, the reader not after it */
    BLOCK_FLAG,   /* a volatile flag, after a fence, between warps of a block */
    BEFORE_CAS,   /* the first read of a loop that compares and swaps */
    ONE_WAY,      /* a read before an atomicMin() or its kin, of what others change by such */
    SAME_RESULT,  /* whatever was read, the launch left the same */
};
struct race {
    struct event before, after;
    uint32_t before_block, after_block;
    uintptr_t address; /* of the word */
    bool before_wrote, after_wrote, shared;
    bool lacks_first_fence;
    enum severity severity;
    enum narrow { NOT_NARROW, NARROW_FENCE, NARROW_ATOMIC } narrow; /* right within one device */
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

static struct race races[MOST_NOTED];
static unsigned race_count;

bool race_off; /* SIMT_RACES=0: for data so large that there is no memory to look for races in */

/* ---- places: 12 bits for an address in the program ---- */

enum { PLACES = 1 << 12 };
static void *places[PLACES]; /* 0: there were too many */
static uint16_t place_numbers[2 * PLACES];
static unsigned place_count = 1;
/* An atomic that moves a word one way; a plain read after which such an atomic was the first thing
   that its thread changed, in the same allocation; one after which it was another thing. */
enum { MOVES_ONE_WAY = 1, READ_FOR_ONE_WAY = 2, READ_FOR_OTHERS = 4 };
static unsigned char place_facts[PLACES];

static inline unsigned place_index(void *pc)
{
    return (unsigned)(((uintptr_t)pc * 0x9e3779b97f4a7c15u) >> 51);
}

static __attribute__((noinline)) unsigned new_place_of(void *pc)
{
    unsigned i = place_index(pc);
    while (place_numbers[i] != 0 && places[place_numbers[i]] != pc)
        i = (i + 1) % (2 * PLACES);
    if (place_numbers[i] == 0 && place_count < PLACES) {
        places[place_count] = pc;
        place_numbers[i] = (uint16_t)place_count++;
    }
    return place_numbers[i];
}

static inline unsigned place_of(void *pc)
{
    unsigned place = place_numbers[place_index(pc)];
    return places[place] == pc ? place : new_place_of(pc);
}

static void *pc_of(const struct event *e)
{
    return places[e->place];
}

/* Between two launches: what came before is not needed any more. */
static void forget_places(void)
{
    if (place_count < PLACES / 2)
        return;
    memset(place_numbers, 0, sizeof place_numbers);
    memset(place_facts, 0, sizeof place_facts);
    place_count = 1;
}

/* ---- cells: 16 MiB of addresses at a time, in memory that costs nothing until touched ---- */

enum { CHUNK_BITS = 24, CHUNK_WORDS = (1 << CHUNK_BITS) / 4 };
enum { CHUNKS = 1 << (48 - CHUNK_BITS) };
static struct cell **chunks; /* in the program's own data the system might not load them */

static void *map(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                   -1, 0);
    if (p == MAP_FAILED)
        simt_fault(simt_self, NULL, "no memory left to look for races in");
    return p;
}

__attribute__((constructor(102))) static void map_chunks(void) /* after the check of limits */
{
    chunks = map(CHUNKS * sizeof *chunks);
}

/* Of that many words the cells, then what few need. */
static struct cell *map_cells(size_t words)
{
    return map(words * (sizeof(struct cell) + sizeof(struct more)));
}

static inline struct word word_of(struct cell *cells, size_t words, size_t i)
{
    return (struct word){cells + i, (struct more *)(cells + words) + i};
}

/* The system would end the program without a word, long after it gave the addresses. */
static void need_memory(size_t bytes)
{
    unsigned long long available = 0;
    char line[128];
    FILE *file = fopen("/proc/meminfo", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %llu kB", &available) == 1 && available * 1024 < bytes)
            simt_fault(simt_self, NULL,
                       "no memory left to look for races in, which takes four times the memory of "
                       "the device that is used: SIMT_RACES=0 does without");
    if (file)
        fclose(file);
}

struct word race_global(uintptr_t address)
{
    static struct cell untouched;
    static struct more untouched_too;
    if (race_off)
        return (struct word){&untouched, &untouched_too};
    struct cell **chunk = &chunks[address >> CHUNK_BITS];
    if (!*chunk) {
        need_memory(2 * CHUNK_WORDS * sizeof **chunk);
        *chunk = map_cells(CHUNK_WORDS);
        madvise(*chunk, CHUNK_WORDS * sizeof **chunk, MADV_HUGEPAGE); /* a third of the time */
    }
    return word_of(*chunk, CHUNK_WORDS, address / 4 % CHUNK_WORDS);
}

/* Each device has its own variables at one address: others' have cells where no memory is. */
struct word race_variable(uintptr_t address)
{
    extern char __executable_start; /* the linker's: where the program begins */
    static uintptr_t lowest;
    if (simt_at == 0 || !is_device_variable(address))
        return race_global(address);
    if (lowest == 0)
        lowest = (uintptr_t)&__executable_start & -(uintptr_t)4;
    return race_global(((uintptr_t)1 << 47) + ((uintptr_t)simt_at << 42) + (address - lowest));
}

static inline size_t shared_words(void)
{
    return (shared_room + SHARED_ALIGN + SM_SHARED) / 4;
}

static inline struct word shared_word(const struct block *b, size_t offset)
{
    return word_of(b->cells, shared_words(), offset / 4);
}

struct word race_shared(const struct block *b, size_t offset)
{
    return race_off ? race_global(0) : shared_word(b, offset);
}

void race_forget(uintptr_t start, uintptr_t end)
{
    for (uintptr_t next; start < end; start = next) {
        next = ((start >> CHUNK_BITS) + 1) << CHUNK_BITS;
        size_t words = ((next < end ? next : end) - start) / 4;
        if (!chunks[start >> CHUNK_BITS] || race_off)
            continue;
        struct word first =
            race_global(start); /* a page of memory has four of cells, three of more */
        madvise(first.cell, words * sizeof *first.cell, MADV_DONTNEED);
        madvise(first.more, words * sizeof *first.more, MADV_DONTNEED);
    }
}

static void read_environment(void)
{
    const char *text = getenv("SIMT_RACES");
    race_off |= text && strcmp(text, "0") == 0;
    if (text && *text && !race_off && strcmp(text, "1") != 0)
        simt_fault(NULL, NULL, "SIMT_RACES=%s: 0 or 1 is needed", text);
}

static uint32_t launch_begun[MOST_DEVICES];

/* With several devices, the launches since the last that came after everything. */
static struct past {
    uint32_t begun;
    unsigned device;
    struct launch launch;
} * pasts;
static size_t past_count;

static void keep_past(bool anew)
{
    if (simt_devices == 1)
        return;
    past_count = anew ? 0 : past_count;
    pasts = simt_grow(pasts, past_count, sizeof *pasts);
    pasts[past_count++] = (struct past){hb_now(), simt_at, simt_now};
}

/* The launch that this block belonged to then. */
static const struct launch *launch_at(uint32_t time, uint32_t block)
{
    for (size_t i = simt_devices == 1 ? 0 : past_count; i-- > 0;)
        if (pasts[i].begun <= time && pasts[i].device == block >> DEVICE_SHIFT)
            return &pasts[i].launch;
    return &simt_now;
}

void race_begin_launch(const uint32_t known[MOST_DEVICES])
{
    bool anew = hb_begin_launch(known);
    launch_begun[simt_at] = hb_now() - 1;
    if (!known)
        forget_places();
    keep_past(!known);
    read_environment();
    if (anew) /* times begin anew */
        for (size_t i = 0; i < CHUNKS; i++)
            race_forget(i << CHUNK_BITS, (i + 1) << CHUNK_BITS);
}

/* A thread's last plain reads of global memory since it changed something, place and address. */
enum { READS = 15, PLACE_SHIFT = 48 };
struct reads {
    uint64_t count, read[READS];
};
static bool one_way_seen; /* an atomic that moves a word one way, in this program */

void race_make_block(struct block *b)
{
    struct reads *of_all = simt_zeroed_lines(MAX_BLOCK, sizeof *of_all);
    for (unsigned i = 0; i < MAX_BLOCK; i++)
        b->threads[i].reads = &of_all[i];
}

void race_begin_block(struct block *b)
{
    if (race_off)
        return;
    for (unsigned i = 0; i < simt_now.threads; i++)
        b->threads[i].reads->count = 0;
    if (!b->cells)
        b->cells = map_cells(shared_words());
    memset(b->cells, 0, (shared_room + simt_now.dynamic_bytes + 3) / 4 * sizeof *b->cells);
}

/* ---- accesses ---- */

static bool is_narrow(const struct event *e)
{
    return e->strength == ATOMIC && !e->flag;
}

static bool may_meet(const struct event *a, const struct event *b, bool one_block, bool one_device,
                     bool shared)
{
    if (a->strength == PLAIN || b->strength == PLAIN)
        return false;
    if (!one_device && (is_narrow(a) || is_narrow(b)))
        return false;
    if ((a->block_only || b->block_only) && !one_block)
        return false;
    return a->strength == ATOMIC || b->strength == ATOMIC ||
           (a->strength == b->strength && !(one_block && shared));
}

void race_settle(void)
{
    for (unsigned i = 0; i < race_unsettled; i++) {
        struct unsettled *u = &unsettled[i];
        if (memcmp(u->address, u->before, u->bytes) != 0)
            u->race->severity = IS_RACE;
    }
    race_unsettled = 0;
}

/* Now, for the second write is still to come. */
static void settle_later(struct race *race, uintptr_t address, unsigned bytes)
{
    if (race_unsettled == sizeof unsettled / sizeof *unsettled)
        return;
    struct unsettled *u = &unsettled[race_unsettled++];
    *u = (struct unsettled){race, (void *)address, bytes, {0}};
    memcpy(u->before, u->address, bytes);
}

static enum severity severity_of(const struct race *r)
{
    const struct event *before = &r->before, *after = &r->after;
    const struct event *write = r->before_wrote ? before : after;
    if (hb_lacks_second_fence(before->time, r->before_block, before->rank, before->early))
        return SECOND_FENCE;
    if (r->before_wrote && r->after_wrote)
        return before->strength == ATOMIC || after->strength == ATOMIC ? IS_RACE : SAME_VALUE;
    if (write->flag && (before->strength == VOLATILE || before->strength == VOLATILE_WIDE) &&
        before->strength == after->strength && before->rank / WARP != after->rank / WARP)
        return BLOCK_FLAG;
    return IS_RACE;
}

static enum narrow narrow_of(const struct race *r)
{
    const struct event *before = &r->before, *after = &r->after;
    if (r->before_block >> DEVICE_SHIFT == simt_at || simt_devices == 1)
        return NOT_NARROW;
    if (before->strength != PLAIN && after->strength != PLAIN &&
        (is_narrow(before) || is_narrow(after)))
        return NARROW_ATOMIC;
    return hb_scope_too_narrow(before->time, r->before_block, before->rank, before->early)
               ? NARROW_FENCE
               : NOT_NARROW;
}

/* One for each pair of places, the worst. */
static struct race *note_down(const struct race *found)
{
    for (unsigned i = 0; i < race_count; i++) {
        struct race *r = &races[i];
        if (r->before.place != found->before.place || r->after.place != found->after.place)
            continue;
        if (r->severity != IS_RACE && found->severity < r->severity)
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
            return races[i].severity == IS_RACE;
    return false;
}

/* As a struct simt_access tells it: in shared memory how far from its beginning. */
static uintptr_t place_in_memory(uintptr_t address, bool shared)
{
    size_t offset;
    return shared && shared_owner(simt_self->block, address, &offset) ? offset : address;
}

/* An access, with the word of it that is being looked at. */
struct look {
    uintptr_t address, word;
    unsigned bytes;
    bool write, shared;
};

/* ---- what a plain read may have got as well: what was there before the write ---- */

enum { OVERWRITTEN = 1 << 14 };
static struct overwritten {
    uintptr_t address;
    uint64_t before;
    uint32_t launch, bytes;
} overwritten[OVERWRITTEN];

void race_overwritten(uintptr_t address, unsigned bytes, uint64_t before)
{
    struct overwritten *o = &overwritten[address / 4 % OVERWRITTEN];
    if (!race_off && bytes <= 8)
        *o = (struct overwritten){address, before, launch_begun[simt_at], bytes};
}

/* Does it matter to the launch which of the two values was read? */
static bool leaves_the_same(const struct race *r, const struct look *at)
{
    const struct overwritten *o = &overwritten[at->address / 4 % OVERWRITTEN];
    uint64_t now = 0;
    if (!r->before_wrote || r->after_wrote || r->shared || r->before.strength != PLAIN ||
        r->after.strength != PLAIN || simt_devices > 1 || o->address != at->address ||
        o->bytes != at->bytes || o->launch != launch_begun[simt_at])
        return false;
    memcpy(&now, (const void *)at->address, at->bytes);
    if (now == o->before || !trial_same(pc_of(&r->before), pc_of(&r->after)))
        return false;
    if (trial_is_altered(pc_of(&r->before), pc_of(&r->after)))
        trial_lend((void *)at->address, o->before, at->bytes);
    return true;
}

static __attribute__((noinline)) void compare_further(struct event before, bool before_wrote,
                                                      struct event after, const struct look *at)
{
    uint32_t block = hb_block_at(before.time), here = simt_self->block->number;
    if ((block == here && before.rank == after.rank) || hb_before_barrier(before.time, block) ||
        may_meet(&before, &after, block == here,
                 (block ^ here) >> DEVICE_SHIFT == 0 || simt_devices == 1, at->shared) ||
        (is_known_race(&before, &after) && trial_role == TRIAL_NONE) ||
        hb_known(before.time, block, before.rank, before.early))
        return;
    struct race found = {
        .before = before,
        .after = after,
        .before_block = block,
        .after_block = here,
        .address = place_in_memory(at->word, at->shared),
        .before_wrote = before_wrote,
        .after_wrote = at->write,
        .shared = at->shared,
    };
    found.severity = severity_of(&found);
    if (found.severity == IS_RACE && leaves_the_same(&found, at))
        found.severity = SAME_RESULT;
    found.narrow = narrow_of(&found);
    found.lacks_first_fence = hb_lacks_first_fence(before.time, block);
    struct race *r = note_down(&found);
    if (r && r->severity == SAME_VALUE)
        settle_later(r, at->address, at->bytes);
}

/* Is it in order before all that the running block does now, by barriers of block or grid? */
static inline bool is_settled(struct event before)
{
    return before.time <= hb_order.upto
               ? before.time >= hb_order.from || before.time <= hb_order.all
               : before.time <= hb_order.all;
}

/* Or did the running thread do it, since its block runs? Most often it is so. */
static inline bool in_order(struct event before, struct event after)
{
    return is_settled(before) ||
           (((before.bits ^ after.bits) & RANK) == 0 && before.time >= hb_order.from);
}

static inline bool is_free(struct event before, struct event after)
{
    return (before.bits & after.bits & ALL_BYTES) == 0 || in_order(before, after);
}

static inline void compare(struct event before, bool before_wrote, struct event after,
                           const struct look *at)
{
    if (!is_free(before, after))
        compare_further(before, before_wrote, after, at);
}

/* Of two readers the one nearer to a third makes room. FURTHER: of a block that ran before. */
enum { FURTHER = 3 };

static inline unsigned distance(struct event a, struct event b)
{
    if ((a.bits & ALL_BYTES) == 0 || in_order(a, b))
        return 0;
    if (a.time < hb_order.from)
        return FURTHER;
    return ((a.bits ^ b.bits) & RANK) >= WARP ? 2 : 1;
}

static inline void remember(struct event *slot, struct event e)
{
    if (((slot->bits ^ e.bits) & RANK) == 0 && slot->time == e.time)
        e.bits |= slot->bits & ALL_BYTES; /* it goes through the word byte by byte */
    e.bits |= slot->bits & HAS_MORE;
    *slot = e;
}

static inline struct more *more_of(struct word word)
{
    if ((word.cell->read.bits & HAS_MORE) == 0) {
        *word.more = (struct more){0};
        word.cell->read.bits |= HAS_MORE;
    }
    return word.more;
}

static unsigned exact_distance(struct event a, struct event b)
{
    unsigned first = distance(a, b);
    if (first != FURTHER || hb_block_at(a.time) != simt_self->block->number)
        return first;
    if (a.time <= hb_order.upto || a.rank == b.rank)
        return 0;
    return a.rank / WARP != b.rank / WARP ? 2 : 1;
}

static void note_reader(struct word word, struct event e)
{
    unsigned from_first = exact_distance(word.cell->read, e);
    struct event *slot = &word.cell->read;
    if (from_first > 0) {
        struct event *second = &more_of(word)->read;
        if (from_first > exact_distance(*second, e))
            slot = second;
    }
    remember(slot, e);
}

/* The thread's own plain write stays when its atomic follows: others' atomics race with it. */
static inline bool outlasts(struct event before, struct event e)
{
    return e.strength == ATOMIC && before.strength == PLAIN && before.time == e.time &&
           ((before.bits ^ e.bits) & RANK) == 0 && (e.bits & ALL_BYTES & ~before.bits) == 0;
}

static inline void note_writer(struct word word, struct event e)
{
    struct cell *cell = word.cell;
    if (cell->read.bits & HAS_MORE) {
        word.more->read.bits &= ~(e.bits & ALL_BYTES);
        if (e.strength == PLAIN)
            word.more->released = 0;
    }
    if (!outlasts(cell->write, e))
        remember(&cell->write, e);
    cell->read.bits &= ~(e.bits & ALL_BYTES);
}

static __attribute__((noinline)) void check_word(struct word word, struct event e,
                                                 const struct look *at)
{
    compare(word.cell->write, true, e, at);
    if (!at->write) {
        note_reader(word, e);
        return;
    }
    compare(word.cell->read, false, e, at);
    if (word.cell->read.bits & HAS_MORE)
        compare(word.more->read, false, e, at);
    note_writer(word, e);
}

/* ---- what a thread has read before it changes something ---- */

static inline void note_read(uintptr_t address, unsigned place)
{
    struct reads *r = simt_self->reads;
    r->read[r->count++ % READS] = address | (uint64_t)place << PLACE_SHIFT;
}

/* In one allocation, or both in the program's variables? */
static bool in_one_allocation(uintptr_t a, uintptr_t b)
{
    uintptr_t start, end;
    if (is_device_variable(a))
        return is_device_variable(b);
    return allocation_find(a, &start, &end) && b - start < end - start;
}

static __attribute__((noinline)) void note_reads_as(unsigned fact, uintptr_t address)
{
    struct reads *r = simt_self->reads;
    for (uint64_t i = 0; i < r->count && i < READS; i++) {
        uintptr_t of_read = r->read[i] & (((uint64_t)1 << PLACE_SHIFT) - 1);
        if (fact == READ_FOR_OTHERS || in_one_allocation(address, of_read))
            place_facts[r->read[i] >> PLACE_SHIFT] |= fact;
    }
}

/* The thread changes something, other than by an atomic that moves a word one way. */
static inline void note_change(void)
{
    struct reads *r = simt_self->reads;
    if (one_way_seen && r->count > 0)
        note_reads_as(READ_FOR_OTHERS, 0);
    r->count = 0;
}

static void note_one_way(const struct access *a)
{
    one_way_seen = true;
    place_facts[place_of(a->pc)] |= MOVES_ONE_WAY;
    note_reads_as(READ_FOR_ONE_WAY, a->address);
    simt_self->reads->count = 0;
}

/* A bit for each byte of a word. */
static inline uint32_t bytes_of(uintptr_t address, unsigned bytes)
{
    return bytes >= 4 ? 15 : (((1u << bytes) - 1) << address % 4) & 15;
}

void race_check(struct word word, bool shared, const struct access *a)
{
    if (race_off)
        return;
    const struct thread *t = simt_self;
    if (a->one_way && !shared)
        note_one_way(a);
    else if (a->write)
        note_change();
    else if (!shared && a->strength == PLAIN)
        note_read(a->address, place_of(a->pc));
    enum strength strength = a->bytes > 8 ? PLAIN : a->strength;
    if (a->strength == VOLATILE && a->bytes == 8)
        strength = VOLATILE_WIDE;
    bool flag = a->strength == ATOMIC ? a->scope == SIMT_OF_THE_SYSTEM
                                      : a->write && a->strength == VOLATILE && hb_releases();
    unsigned bytes = bytes_of(a->address, a->bytes);
    /* By hand: as bits of a structure they would go through memory one by one. */
    struct event e = {.time = hb_now(),
                      .bits = t->rank | bytes << 10 | strength << 14 | (unsigned)t->arrived << 16 |
                              (unsigned)flag << 17 |
                              (unsigned)(a->scope == SIMT_OF_THE_BLOCK) << 18 |
                              place_of(a->pc) << 20};
    struct look at = {a->address, a->address / 4 * 4, a->bytes, a->write, shared};
    for (const struct cell *end = word.cell + (a->bytes + 3) / 4; word.cell < end;
         word.cell++, word.more++, at.word += 4)
        check_word(word, e, &at);
}

/* ---- a plain access to one word: most often there is nothing to look at closely ---- */

enum plain { READ_GLOBAL, WRITE_GLOBAL, READ_SHARED, WRITE_SHARED };

static __attribute__((noinline)) void check_closely(uintptr_t address, unsigned bytes, void *pc,
                                                    size_t offset, enum plain plain)
{
    bool shared = plain >= READ_SHARED, write = plain == WRITE_GLOBAL || plain == WRITE_SHARED;
    struct access a = {address, pc, bytes, write, !write, SIMT_OF_THE_SYSTEM, PLAIN, false};
    race_check(shared ? shared_word(simt_self->block, offset) : race_global(address), shared, &a);
}

/* Does the access come after all that the word remembers? If not, nothing is done. */
static inline __attribute__((always_inline)) bool
passes_at_once(struct word word, uintptr_t address, enum plain plain, void *pc)
{
    bool write = plain == WRITE_GLOBAL || plain == WRITE_SHARED;
    struct cell *cell = word.cell;
    unsigned place = place_numbers[place_index(pc)];
    struct event e = {.time = hb_now(),
                      .bits = simt_self->rank | ALL_BYTES | (uint32_t)simt_self->arrived << 16 |
                              place << 20};
    if (places[place] != pc || !is_free(cell->write, e))
        return false;
    if (write) {
        if (!is_free(cell->read, e) ||
            ((cell->read.bits & HAS_MORE) && !is_free(word.more->read, e)))
            return false;
        note_change();
        note_writer(word, e);
        return true;
    }
    struct event *slot = &cell->read;
    unsigned from_first = distance(cell->read, e);
    if (from_first == FURTHER)
        return false;
    if (from_first > 0) {
        struct event *second = &more_of(word)->read;
        unsigned from_second = distance(*second, e);
        if (from_second == FURTHER)
            return false;
        slot = from_first <= from_second ? slot : second;
    }
    slot->time = e.time;
    slot->bits = e.bits | (slot->bits & HAS_MORE);
    if (plain == READ_GLOBAL)
        note_read(address, place);
    return true;
}

#define CHECKS(NAME, KIND)                                                                         \
    void race_##NAME##_global(uintptr_t address, unsigned bytes, void *pc)                         \
    {                                                                                              \
        if (bytes != 4 || !passes_at_once(race_global(address), address, KIND##_GLOBAL, pc))       \
            check_closely(address, bytes, pc, 0, KIND##_GLOBAL);                                   \
    }                                                                                              \
    void race_##NAME##_shared(uintptr_t address, unsigned bytes, void *pc, size_t offset)          \
    {                                                                                              \
        if (bytes != 4 ||                                                                          \
            !passes_at_once(shared_word(simt_self->block, offset), address, KIND##_SHARED, pc))    \
            check_closely(address, bytes, pc, offset, KIND##_SHARED);                              \
    }
CHECKS(read, READ)
CHECKS(write, WRITE)

bool race_written_now(uintptr_t address, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += 4) {
        const struct event *write = &race_global(address + i).cell->write;
        if (write->bytes != 0 && write->time > launch_begun[simt_at] &&
            hb_block_at(write->time) >> DEVICE_SHIFT == simt_at)
            return true;
    }
    return false;
}

void race_flag_read(struct word word)
{
    hb_read_flag(word.cell->read.has_more ? word.more->released : 0);
}

uint32_t race_flag_written(struct word word, bool atomic, enum simt_scope scope)
{
    uint32_t before = word.cell->read.has_more ? word.more->released : 0;
    uint32_t after = hb_write_flag(before, atomic, scope);
    if (after != before && !race_off)
        more_of(word)->released = after;
    return after;
}

/* ---- reports ---- */

static const char *thread_name(const struct event *e, uint32_t block, char text[128])
{
    const struct launch *launch = launch_at(e->time, block);
    dim3 b = launch->block_size;
    uint3 at = block_index_in(launch, block_in_grid_number(block));
    int length = snprintf(text, 128, "thread (%u,%u,%u) of block (%u,%u,%u)", e->rank % b.x,
                          e->rank / b.x % b.y, e->rank / b.x / b.y, at.x, at.y, at.z);
    if (simt_devices > 1)
        snprintf(text + length, 128 - (size_t)length, " of device %u", block >> DEVICE_SHIFT);
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
static const char *const formal_only[] = {
    [SAME_VALUE] =
        "a race by the memory model alone: both write the same value, and so hardware does no harm",
    [SECOND_FENCE] = "a race by the memory model alone: the writer fenced before its flag, but the "
                     "reader must fence after "
                     "it, too; hardware seldom reads so early",
    [BLOCK_FLAG] = "a race by the memory model alone: a flag between warps must be atomic; on "
                   "hardware a volatile "
                   "word arrives whole",
    [BEFORE_CAS] = "a race by the memory model alone: the read before atomicCAS() must be volatile "
                   "or atomic; on "
                   "hardware an old value costs another round",
    [ONE_WAY] =
        "a race by the memory model alone: atomicMin(), atomicMax(), atomicAnd(), atomicOr() move "
        "the word one way, and such an atomic follows the read; on hardware an old value costs one "
        "more of them",
    [SAME_RESULT] = "a race by the memory model alone: tried with the value from before the write, "
                    "too, the launch left the same",
};

/* As far as the thread's next change tells. In shared memory a barrier is near. */
static bool is_one_way(const struct race *r)
{
    const struct event *read = r->before_wrote ? &r->after : &r->before;
    const struct event *write = r->before_wrote ? &r->before : &r->after;
    return r->before_wrote != r->after_wrote && !r->shared && read->strength == PLAIN &&
           write->strength == ATOMIC && place_facts[write->place] & MOVES_ONE_WAY &&
           (place_facts[read->place] & (READ_FOR_ONE_WAY | READ_FOR_OTHERS)) == READ_FOR_ONE_WAY;
}

/* A read that came before the write is as harmless as those that came after. */
static enum severity severity_to_report(const struct race *r)
{
    if (is_before_cas(r))
        return BEFORE_CAS;
    if (r->severity == IS_RACE && is_one_way(r))
        return ONE_WAY;
    bool same = r->severity == IS_RACE && !r->before_wrote && r->after_wrote && !r->shared &&
                r->before.strength == PLAIN && r->after.strength == PLAIN &&
                trial_said_same(pc_of(&r->after), pc_of(&r->before));
    return same ? SAME_RESULT : r->severity;
}

/* For the trace, which counts blocks along the grid: x first. */
static unsigned block_in_grid(uint32_t block)
{
    uint3 at = block_index(block_in_grid_number(block));
    dim3 g = simt_now.grid_size;
    return at.x + g.x * (at.y + g.y * at.z);
}

static void hand_to_recorder(const struct race *r, const char *text)
{
    recorder_race(&(struct simt_race){
        .text = text,
        .line = {place_name(pc_of(&r->before)), place_name(pc_of(&r->after))},
        .block = {block_in_grid(r->before_block), block_in_grid(r->after_block)},
        .thread = {r->before.rank, r->after.rank},
        .wrote = {r->before_wrote, r->after_wrote},
        .in_shared = r->shared,
        .address = r->address,
    });
}

/* Old code for the last warp, which counted on lanes in step? Of the block it is one. */
static bool of_volatile_warp(const struct race *r)
{
    return r->before.rank / WARP == r->after.rank / WARP && r->before.strength != ATOMIC &&
           r->after.strength != ATOMIC &&
           (r->before.strength != PLAIN || r->after.strength != PLAIN);
}

/* What lies not between the two. */
static const char *missing_between(const struct race *r, char text[256])
{
    unsigned before = simt_devices == 1 ? 0 : r->before_block >> DEVICE_SHIFT;
    unsigned after = simt_devices == 1 ? 0 : r->after_block >> DEVICE_SHIFT;
    unsigned blocks = launch_of(after)->cluster_blocks;
    uint32_t first = block_in_grid_number(r->before_block),
             second = block_in_grid_number(r->after_block);
    if (before != after && r->narrow == NARROW_ATOMIC)
        return "no system-wide atomic: atomicAdd() and its kin are atomic within a device only, "
               "atomicAdd_system() everywhere";
    if (before != after && r->severity == SECOND_FENCE)
        return "no __threadfence_system() after the flag between";
    if (before != after && r->narrow == NARROW_FENCE) {
        snprintf(
            text, 256,
            "no fence for it between: __threadfence() orders within a device only; device %u %s: "
            "__threadfence_system()",
            after, r->after_wrote ? "writes" : "reads");
        return text;
    }
    if (before != after)
        return "no __threadfence_system() and flag between";
    if (first == second && of_volatile_warp(r))
        return "no barrier between: volatile makes no lane wait, __syncwarp() between them does";
    if (first == second)
        return "no barrier between";
    if (blocks > 1 && first / blocks == second / blocks)
        return "no barrier of the cluster between";
    if (r->severity == SECOND_FENCE && simt_strict) /* else a note says so */
        return "which is half in order: its writer has a fence before the flag, and this thread "
               "none "
               "after it";
    if (r->lacks_first_fence && r->before_wrote)
        return "which is half in order: this thread has a fence after the flag, and its writer "
               "none "
               "before it";
    return "no barrier of the grid and no flag with fences between";
}

/* Once for each pair of lines, whichever came first. */
static void report(const struct race *r)
{
    static const char *shown[2 * MOST_SHOWN][2];
    static bool noted[2 * MOST_SHOWN]; /* as harmless: another time it may do harm */
    static unsigned count, races_shown;
    enum severity severity = severity_to_report(r);
    bool note = severity != IS_RACE && !simt_strict;
    unsigned device = simt_devices == 1 ? 0 : r->after_block >> DEVICE_SHIFT;
    void *places[2 + ENTRIES] = {pc_of(&r->before), pc_of(&r->after)};
    memcpy(places + 2, launch_of(device)->entered, ENTRIES * sizeof *places);
    places_look_up(places, 2 + ENTRIES);
    const char *before = place_name(pc_of(&r->before));
    const char *after = place_name(pc_of(&r->after));
    char first[128], second[128], missing[256];
    for (unsigned i = 0; i < count; i++)
        if (((strcmp(shown[i][0], before) == 0 && strcmp(shown[i][1], after) == 0) ||
             (strcmp(shown[i][0], after) == 0 && strcmp(shown[i][1], before) == 0)) &&
            (!noted[i] || note))
            return;
    if (races_shown == MOST_SHOWN || (note && count - races_shown == MOST_SHOWN))
        return;
    noted[count] = note;
    shown[count][0] = before;
    shown[count++][1] = after;
    char *line;
    if (asprintf(&line, "%s: %s: %s race in %s memory: %s %s what %s %s at %s, %s", after,
                 kernel_name(launch_of(device)->entered),
                 r->before_wrote && r->after_wrote ? "write-write" : "read-write",
                 r->shared ? "shared" : "global", thread_name(&r->after, r->after_block, second),
                 r->after_wrote ? "overwrites" : "reads",
                 thread_name(&r->before, r->before_block, first),
                 r->before_wrote ? "wrote" : "read", before, missing_between(r, missing)) < 0)
        abort();
    fflush(stdout);
    if (note)
        fprintf(stderr, "simulator: note: %s (%s)\n", line, formal_only[severity]);
    else
        fault_found(line);
    if (!note && (simt_devices == 1 || (r->before_block | r->after_block) >> DEVICE_SHIFT == 0))
        hand_to_recorder(r, line);
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
