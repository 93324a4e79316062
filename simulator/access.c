/* access.c: every load and store of a kernel. Kernels are compiled with -fsanitize=thread and
   linked without that sanitizer's library: what it would call is here, as in the Linux kernel's
   KCSAN. Where a call returns to is the line. */
#include "access.h"
#include "allocations.h"
#include "barriers.h"
#include "devices.h"
#include "fault.h"
#include "hang_detector.h"
#include "launch_counts.h"
#include "lock.h"
#include "race.h"
#include "requests.h"
#include "scheduler.h"
#include "shared_memory.h"
#include "summary.h"
#include "time/record.h"
#include "trial.h"

/* Of one thread. The two counters are apart: of neighbours the compiler would make a vector, and
   wait. hang_watch.easy_reads is still missing in them. */
struct access_state {
    _Alignas(32) uint64_t loaded; /* bytes */
    enum simt_scope scope;        /* of the atomic under way */
    bool other_stacks;            /* it may read those of its block's other threads, now */
    uint64_t accesses;
    char *stored_upto; /* of clang's programs */
};

void access_make_block(struct block *b)
{
    struct access_state *of_all = simt_zeroed_lines(MAX_BLOCK, sizeof *of_all);
    for (unsigned i = 0; i < MAX_BLOCK; i++)
        b->threads[i].access = &of_all[i];
}

void access_begin_block(struct block *b)
{
    for (unsigned i = 0; i < simt_now.threads; i++)
        b->threads[i].access->loaded = b->threads[i].access->accesses =
            b->threads[i].watch->easy_reads = 0;
}

void access_other_stacks(bool may)
{
    simt_self->access->other_stacks = may;
}

static inline bool is_own_stack(const void *p)
{
    return simt_running() && (uintptr_t)p - (uintptr_t)simt_self->fibre.stack < STACK_BYTES;
}

static const char *verb(const struct access *a)
{
    return a->write ? "writes" : "reads";
}

/* Adds the bytes to what was loaded or stored. An atomic is counted for itself. */
static void add_bytes(const struct access *a, uint64_t *loaded, uint64_t *stored)
{
    if (a->strength == ATOMIC)
        return;
    *(a->write ? stored : loaded) += a->bytes;
}

/* Most plain reads of shared memory are counted by one addition: each adds its bytes and 2^32. */
enum { EASY_READ = 32, MANY_EASY_READS = 27 };

static void add_easy_reads(const struct thread *t)
{
    uint64_t bytes = t->watch->easy_reads & UINT32_MAX;
    t->access->accesses += t->watch->easy_reads >> EASY_READ;
    t->access->loaded += bytes;
    simt_now.counts.shared_load_bytes += bytes;
    t->watch->easy_reads = 0;
}

void access_end_thread(const struct thread *t)
{
    struct simt_counts *c = &simt_now.counts;
    add_easy_reads(t);
    if (trial_role != TRIAL_NONE) {
        weak_settle();
        weak_ended(t);
    }
    uint64_t loaded = t->access->loaded, accesses = t->access->accesses;
    stats_accesses += accesses;
    c->loading_threads += loaded > 0;
    c->busiest_load_bytes = loaded > c->busiest_load_bytes ? loaded : c->busiest_load_bytes;
    c->busiest_accesses = accesses > c->busiest_accesses ? accesses : c->busiest_accesses;
}

/* What the next access is a part of; and where it is copied to, NULL: elsewhere than to memory. */
static struct whole {
    uintptr_t start;
    unsigned long bytes; /* 0: it is the whole */
    void *to;
} whole;

static void outside_of_allocations(const struct access *a)
{
    struct allocation_facts near;
    unsigned size = whole.bytes > 0 && whole.start == a->address ? (unsigned)whole.bytes : a->bytes;
    if (allocation_was_freed(a->address, &near))
        simt_fault(
            simt_self, a->pc,
            "%s %u bytes of device memory that was freed: byte %zu of an allocation of %zu bytes%s",
            verb(a), size, (size_t)(a->address - near.start), near.end - near.start,
            allocation_made_at(near.start));
    if (!allocation_near(a->address, &near))
        simt_fault(simt_self, a->pc, "%s %u bytes of device memory that is not allocated", verb(a),
                   size);
    size_t bytes = near.end - near.start;
    if (a->address < near.start)
        simt_fault(simt_self, a->pc, "%s %u bytes, %zu before an allocation of %zu bytes%s",
                   verb(a), size, (size_t)(near.start - a->address), bytes,
                   allocation_made_at(near.start));
    simt_fault(simt_self, a->pc, "%s %u bytes at byte %zu of an allocation of %zu bytes%s", verb(a),
               size, (size_t)(a->address - near.start), bytes, allocation_made_at(near.start));
}

/* ---- bytes that nothing has written ---- */

static bool is_unwritten(uintptr_t address)
{
    size_t offset;
    if (is_device_address(address))
        return !allocation_is_written(address, 1);
    struct block *owner = shared_owner(simt_self->block, address, &offset);
    return owner && shared_any(owner, offset, 1, UNWRITTEN);
}

/* Where only a part of a structure was written, a copy of it is no mistake: the words of the other
   part get a mark, which tells wherever it is copied to; in a copy of the program another one. */
static const uint32_t marks[2] = {0x7fb1a5e3, 0x7fc96d2b};
static bool any_marks;

/* Marks the unwritten words: were there any? */
static bool mark_words(uintptr_t start, uintptr_t end, const uint32_t *mark)
{
    bool any = false;
    for (uintptr_t at = (start + 3) & -(uintptr_t)4; at + 4 <= end; at += 4)
        if (is_unwritten(at) && is_unwritten(at + 1) && is_unwritten(at + 2) &&
            is_unwritten(at + 3)) {
            memcpy((void *)at, mark, sizeof *mark);
            any = any_marks = true;
        }
    return any;
}

/* The store that is announced, or was last. */
static struct {
    struct thread *thread, *by; /* thread: NULL, there is none; by: of the last one */
    void *address;
    unsigned long bytes;
    bool next; /* just after the one before */
    uint64_t before[2];
} stored;

/* After a store: what came with a mark was not written. */
static void take_marks_along(uintptr_t start, size_t bytes)
{
    size_t offset;
    struct block *owner = NULL;
    bool in_global = is_device_address(start);
    if ((bytes < 8 && !stored.next) ||
        (!in_global && !(owner = shared_owner(simt_self->block, start, &offset))))
        return;
    for (uintptr_t at = (start + 3) & -(uintptr_t)4; at + 4 <= start + bytes; at += 4) {
        if (memcmp((void *)at, &marks[0], 4) != 0 && memcmp((void *)at, &marks[1], 4) != 0)
            continue;
        if (in_global)
            allocation_word_unwritten(at);
        else
            shared_set(owner, offset + (at - start), 4, UNWRITTEN);
    }
}

static bool is_partly_written(uintptr_t start, uintptr_t end)
{
    while (start < end && is_unwritten(start))
        start++;
    return start < end;
}

/* Of all files of the program, by simcc. */
extern const struct simt_class __start_simt_classes[] __attribute__((weak)),
    __stop_simt_classes[] __attribute__((weak));

bool simt_by_clang; /* which copies it by loads and stores of its parts, one after another */

static bool is_next_part(uintptr_t address)
{
    return simt_by_clang && (address - simt_self->watch->polled - 1 < 8 ||
                             address == (uintptr_t)simt_self->access->stored_upto);
}

/* It changes bits of a word by reading it all. */
static bool is_bit_field(const struct access *a)
{
    const struct trial_write *w = trial_later(a->pc);
    return simt_by_clang && w && w->itself && !trial_differs(a->pc) &&
           strcmp(place_name(a->pc), place_name(w->pc)) == 0;
}

/* A load of what nothing has written: would any other value do as well? */
static bool is_thrown_away(const struct access *a)
{
    uintptr_t end = whole.start + whole.bytes;
    trial_watch(a->address);
    if (a->strength != ATOMIC &&
        (is_partly_written(whole.start, end) || is_next_part(a->address))) {
        if (!mark_words(whole.start, end, &marks[0]) || whole.to)
            return true;
        if (trial_differs(a->pc))
            return false;
        if (trial_is_altered(a->pc, NULL))
            mark_words(whole.start, end, &marks[1]);
        return true;
    }
    bool same = trial_same(a->pc, NULL);
    if (is_bit_field(a))
        return true;
    if (!same || a->strength != PLAIN)
        return false;
    if (trial_is_altered(a->pc, NULL))
        trial_spoil((void *)a->address, a->bytes);
    simt_note(simt_self, a->pc,
              "reads memory that nothing has written, and does not use it: with another value "
              "there this launch left the same");
    return true;
}

/* Which thread writes it later, as tried; or whether none does. */
static const char *later(const struct access *a)
{
    static char text[512];
    const struct trial_write *w = trial_later(a->pc);
    if (!w)
        return "";
    if (!w->pc)
        return ", and none does later: it is not initialised";
    const struct thread *t = simt_self;
    const char *line = place_name(w->pc), *at = strcmp(line, "?") == 0 ? "" : ", at ";
    char block[64] = "";
    bool same_block = memcmp(&w->block, &t->block->index, sizeof w->block) == 0;
    line += strcmp(line, "?") == 0;
    if (w->itself) {
        snprintf(text, sizeof text, ": it writes it itself later%s%s", at, line);
        return text;
    }
    if (!same_block)
        snprintf(block, sizeof block, " of block (%u,%u,%u)", w->block.x, w->block.y, w->block.z);
    snprintf(text, sizeof text,
             ": thread (%u,%u,%u)%s writes it later%s%s, and no barrier%s is between", w->thread.x,
             w->thread.y, w->thread.z, block, at, line,
             same_block                      ? ""
             : is_device_address(a->address) ? " of the grid"
                                             : " of the cluster");
    return text;
}

static void global_access(const struct access *a)
{
    struct simt_counts *c = &simt_now.counts;
    uintptr_t start, end;
    if (!allocation_find(a->address, &start, &end) || a->address + a->bytes > end) {
        int device = allocation_device(a->address);
        if (device >= 0 && !device_reaches(simt_at, (unsigned)device))
            simt_fault(simt_self, a->pc,
                       "%s %u bytes of device %d's memory, and device %u was given no access to "
                       "it: cudaSetDevice(%u) and cudaDeviceEnablePeerAccess(%d, 0) do",
                       verb(a), a->bytes, device, simt_at, simt_at, device);
        outside_of_allocations(a);
    }
    if (a->read && !record_sampling && !allocation_is_written(a->address, a->bytes) &&
        !is_thrown_away(a))
        simt_wrong(simt_self, a->pc, "reads global memory that no thread or copy has written%s",
                   later(a));
    if (a->write)
        allocation_written(a->address, a->bytes);
    add_bytes(a, &c->global_load_bytes, &c->global_store_bytes);
    int owner = simt_devices > 1 ? allocation_device(a->address) : -1;
    if (owner >= 0 && owner != (int)simt_at)
        add_bytes(a, &c->peer_load_bytes, &c->peer_store_bytes);
}

/* remote: another block's. */
static void shared_access(const struct access *a, struct block *owner, size_t offset, bool remote)
{
    struct simt_counts *c = &simt_now.counts;
    if (offset >= shared_room && offset + a->bytes > shared_room + simt_now.dynamic_bytes)
        simt_fault(simt_self, a->pc,
                   "%s %u bytes at byte %zu of dynamic shared memory; the launch gave it %zu bytes",
                   verb(a), a->bytes, offset - shared_room, simt_now.dynamic_bytes);
    if (remote)
        cluster_visit(owner, offset, a->write, a->pc);
    if (shared_any(owner, offset, a->bytes, CLOSED))
        simt_wrong(simt_self, a->pc,
                   "%s shared memory that an asynchronous copy is to fill: wait for that first",
                   verb(a));
    if (a->read && shared_any(owner, offset, a->bytes, UNWRITTEN) && !is_thrown_away(a))
        simt_wrong(simt_self, a->pc, "reads shared memory that no thread of %s has written%s",
                   simt_now.cluster_blocks > 1 ? "the cluster" : "its block", later(a));
    if (a->write)
        shared_set(owner, offset, a->bytes, WRITTEN);
    if (remote)
        add_bytes(a, &c->remote_load_bytes, &c->remote_store_bytes);
    else
        add_bytes(a, &c->shared_load_bytes, &c->shared_store_bytes);
}

static bool is_stack_of(const struct block *b, uintptr_t address)
{
    for (unsigned i = 0; i < simt_now.threads; i++)
        if (address - (uintptr_t)b->threads[i].fibre.stack < STACK_BYTES)
            return true;
    return false;
}

static const struct word own_word; /* of memory that is the thread's own */

static bool next_compares; /* the next atomic */

static void mark_access(const struct access *a)
{
    if (!a->write)
        requests_mark(MARK_POLLS);
    else if (!a->read && a->strength == ATOMIC)
        requests_mark(MARK_STORES);
    else if (next_compares)
        requests_mark(MARK_COMPARES);
    next_compares = false;
}

/* The linker's: where the program itself lies, and threadIdx and its kin in it; and whether
   rewrite.c could not put all variables of the device into sections. */
extern char __executable_start, _end, __start_simt_builtin, __stop_simt_builtin;
extern char __start_simt_outside __attribute__((weak));

static bool is_builtin(uintptr_t address)
{
    return address - (uintptr_t)&__start_simt_builtin <
           (uintptr_t)(&__stop_simt_builtin - &__start_simt_builtin);
}

/* Is it in the program, and of no variable that the host alone has, as far as that is known? */
static bool is_in_program(uintptr_t address)
{
    return address - (uintptr_t)&__executable_start < (uintptr_t)(&_end - &__executable_start) &&
           (is_builtin(address) || &__start_simt_outside || !allocation_host_sees(address));
}

/* Checks and counts an access; returns what race.c knows of that word. in_shared: shared memory? */
static struct word check(const struct access *a, bool *in_shared)
{
    const struct thread *t = simt_self;
    struct block *owner = NULL;
    enum access_kind kind;
    struct word word;
    uintptr_t start, end;
    size_t offset;
    if (a->address - (uintptr_t)t->fibre.stack < STACK_BYTES)
        return own_word;
    if (a->write && trial_role != TRIAL_NONE)
        trial_wrote(a->address, a->bytes, a->pc);
    if ((a->address & (a->bytes - 1)) != 0) /* bytes is a power of 2 */
        simt_wrong(t, a->pc, "%s %u bytes at an address that is no multiple of %u: misaligned",
                   verb(a), a->bytes, a->bytes);
    if (is_device_address(a->address)) {
        word = race_global(a->address);
        global_access(a);
        kind = GLOBAL_LOAD;
    } else if ((owner = shared_owner(t->block, a->address, &offset)) != NULL) {
        bool remote = owner->shared + offset == (char *)a->address;
        shared_access(a, owner, offset, remote);
        word = race_shared(owner, offset);
        kind = remote ? REMOTE_LOAD : SHARED_LOAD;
    } else if (is_in_program(a->address)) {
        if (is_builtin(a->address))
            return own_word;
        word = race_variable(a->address);
        kind = NOT_COUNTED; /* __constant__ variables, tables */
        if (is_device_variable(a->address) && !is_constant_variable(a->address)) {
            add_bytes(a, &simt_now.counts.global_load_bytes, &simt_now.counts.global_store_bytes);
            kind = GLOBAL_LOAD;
        } else if (a->write) {
            simt_now.counts.host_store_bytes += a->bytes;
        }
    } else if (a->address - (uintptr_t)simt_now.closure < simt_now.closure_bytes) {
        return own_word;                                    /* the kernel's own arguments */
    } else if (allocation_find(a->address, &start, &end)) { /* by cudaHostRegister() */
        global_access(a);
        word = race_global(a->address);
        kind = GLOBAL_LOAD;
        if (a->write)
            simt_now.counts.host_store_bytes += a->bytes;
    } else if (t->access->other_stacks && is_stack_of(t->block, a->address)) {
        return own_word;
    } else {
        simt_fault(t, a->pc, "%s %u bytes at %p: neither device memory, shared memory nor its own",
                   verb(a), a->bytes, (void *)a->address);
    }
    if (kind != NOT_COUNTED && !a->write && a->strength == PLAIN)
        t->access->loaded += a->bytes;
    t->access->accesses++;
    if (simt_counting && a->strength == ATOMIC)
        requests_note(ATOMIC_OPERATION, a->address, a->bytes, a->pc);
    else if (simt_counting && kind != NOT_COUNTED)
        requests_note(kind + a->write, a->address, a->bytes, a->pc);
    if (simt_counting && a->strength != PLAIN && kind != NOT_COUNTED)
        mark_access(a);
    *in_shared = owner != NULL;
    return word;
}

/* What a block publishes may come late in hardware, when other blocks have begun and wait. So,
   under a shuffled schedule, it waits: mostly not at all, and at most until no other thread can go
   on. */
static void delay_publication(const struct access *a)
{
    struct thread *t = simt_self;
    unsigned most = 1024, waits = most / (unsigned)(1 + simt_random() % most) - 1;
    while (waits-- > 0) {
        simt_wait_for_write(a->pc);
        if (t->writes_seen == simt_writes)
            break;
    }
}

/* May the next plain access of the running thread go the shortest way? resting: it may when the
   store has been made that is announced. */
static bool at_ease, resting;
/* The same of basic blocks; COUNTED: they are noted down. */
static enum { CLOSELY, AT_EASE, COUNTED } blocks_look;

void access_look_closely(void)
{
    at_ease = resting = false;
    blocks_look = CLOSELY;
}

/* ---- a store, from its announcement until it has been made: does it change memory? ---- */

/* Each size by its own instruction: 8 bytes that were written as 4 make the processor wait. */
static inline void bytes_at(const void *p, unsigned long bytes, uint64_t value[2])
{
    typedef uint16_t __attribute__((may_alias, aligned(1))) of_2;
    typedef uint32_t __attribute__((may_alias, aligned(1))) of_4;
    typedef uint64_t __attribute__((may_alias, aligned(1))) of_8;
    value[1] = 0;
    switch (bytes) {
#define OF_SIZE(BYTES, T)                                                                          \
    case BYTES:                                                                                    \
        value[0] = *(const T *)p;                                                                  \
        break;
        OF_SIZE(1, uint8_t)
        OF_SIZE(2, of_2)
        OF_SIZE(4, of_4)
        OF_SIZE(8, of_8)
    case 16:
        memcpy(value, p, 16);
        break;
    default: /* a structure: taken for a change */
        value[0] = ~stored.before[0];
    }
}

void access_changed(struct thread *t)
{
    simt_writes++;
    hang_write(t);
}

void access_settle(void)
{
    uint64_t now[2];
    struct thread *t = stored.thread;
    if (trial_lends)
        trial_restore();
    if (trial_role != TRIAL_NONE)
        weak_settle();
    if (!t)
        return;
    stored.thread = NULL;
    bytes_at(stored.address, stored.bytes, now);
    if (now[0] != stored.before[0] || now[1] != stored.before[1]) {
        if (is_device_address((uintptr_t)stored.address) && stored.bytes <= 8)
            race_overwritten((uintptr_t)stored.address, (unsigned)stored.bytes, stored.before[0]);
        access_changed(t);
    }
    if (any_marks)
        take_marks_along((uintptr_t)stored.address, stored.bytes);
}

void access_reset(void)
{
    stored.thread = NULL;
    whole.bytes = 0;
    access_look_closely();
}

/* Its announcement is over: the store comes next. */
static inline void expect_store(void *address, unsigned long bytes)
{
    at_ease = false;
    if (simt_by_clang) {
        stored.next = simt_self->access->stored_upto == address;
        simt_self->access->stored_upto = (char *)address + bytes;
    }
    stored.thread = stored.by = simt_self;
    stored.address = address;
    stored.bytes = bytes;
    bytes_at(stored.address, stored.bytes, stored.before);
}

/* A shuffled schedule also changes threads between accesses. */
static inline void change_at_random(void *pc)
{
    if (simt_seed != 0 && simt_random() % 8 == 0)
        simt_wait(READY, pc);
}

/* Other threads may run before the access itself takes place. */
static void yield_before(const struct access *a)
{
    if (a->write && a->strength != ATOMIC)
        hang_store(simt_self, a->address);
    else
        hang_read(simt_self, a->address, a->pc);
    if (a->strength != PLAIN)
        hang_slice(simt_self, a->pc);
    change_at_random(a->pc);
    if (simt_seed != 0 && a->write && a->strength == VOLATILE && is_device_address(a->address))
        delay_publication(a);
}

unsigned access_not_awaited;
void (*access_host_polls)(const void *p);

static struct range {
    uintptr_t start, end;
} * arriving; /* by asynchronous copies, since the host last waited */
static size_t arriving_count;

void access_copy_arrives(const void *to, size_t bytes)
{
    simt_lock();
    if (!(access_not_awaited & COPY_NOT_AWAITED))
        arriving_count = 0;
    access_not_awaited |= COPY_NOT_AWAITED;
    arriving = simt_grow(arriving, arriving_count, sizeof *arriving);
    arriving[arriving_count++] = (struct range){(uintptr_t)to, (uintptr_t)to + bytes};
    simt_unlock();
}

static bool arrives(uintptr_t address)
{
    for (size_t i = 0; i < arriving_count; i++)
        if (address >= arriving[i].start && address < arriving[i].end)
            return true;
    return false;
}

/* What the last launch wrote or a copy brings, read by the host before it waits: one that polls has
   waited. */
static void look_for_early(const struct access *a)
{
    if (a->strength != PLAIN)
        access_not_awaited = false;
    if (!access_not_awaited || a->write || simt_devices > 1)
        return;
    if ((access_not_awaited & LAUNCH_NOT_AWAITED) && race_written_now(a->address, a->bytes))
        summary_add(READ_TOO_EARLY, a->pc,
                    "host code reads what a kernel writes, and has not waited for it: "
                    "cudaDeviceSynchronize() is needed before");
    else if ((access_not_awaited & COPY_NOT_AWAITED) && arrives(a->address))
        summary_add(READ_TOO_EARLY, a->pc,
                    "host code reads what cudaMemcpyAsync() brings, and has not waited for it: "
                    "cudaStreamSynchronize() is needed before");
}

static void host_access(const struct access *a)
{
    uintptr_t start, end;
    if (is_device_variable(a->address)) {
        simt_wrong(
            NULL, a->pc,
            "host code %s a __device__ or __constant__ variable, which lies on the device: use "
            "cudaMemcpyToSymbol() and cudaMemcpyFromSymbol()",
            verb(a));
        return;
    }
    simt_lock();
    if (!allocation_find(a->address, &start, &end))
        simt_wrong(NULL, a->pc, "host code %s device memory: copy it with cudaMemcpy()", verb(a));
    look_for_early(a);
    if (!a->write)
        host_copies_read(a->bytes);
    simt_unlock();
}

/* The compiler says first what a copy writes, then what it reads. */
static void whole_is(const void *p, unsigned long bytes, bool write)
{
    whole.start = (uintptr_t)p;
    whole.bytes = bytes;
    whole.to = !write && stored.by == simt_self && stored.bytes == bytes ? stored.address : NULL;
}

static void read_flag(const struct access *a, struct word word, bool may_be_older)
{
    if (may_be_older && weak_load(a))
        access_look_closely(); /* the next basic block puts back what is there */
    else
        race_flag_read(word);
}

static void access(void *p, unsigned bytes, bool write, enum strength strength, void *pc)
{
    struct access a = {(uintptr_t)p, pc, bytes, write, !write, SIMT_OF_THE_SYSTEM, strength, false};
    if (!simt_running()) {
        if (strength != PLAIN && !write && access_host_polls)
            access_host_polls(p);
        if (is_device_address(a.address) || is_device_variable(a.address))
            host_access(&a);
        return;
    }
    if ((char *)__builtin_frame_address(0) < (char *)simt_self->fibre.stack)
        fault_full_stack(pc);
    bool in_shared;
    if (is_own_stack(p))
        return;
    if (whole.bytes == 0)
        whole_is(p, bytes, write);
    const struct whole of = whole;
    access_settle();
    struct word word = check(&a, &in_shared);
    whole.bytes = 0;
    if (!word.cell)
        return;
    yield_before(&a);
    if (write)
        expect_store(p, bytes);
    else if (of.to && any_marks)
        expect_store(of.to, of.bytes);
    race_check(word, in_shared, &a); /* only now: no thread runs between this and the access */
    if (write && trial_role != TRIAL_NONE)
        weak_changes(a.address);
    if (strength == VOLATILE && write) {
        uint32_t released = race_flag_written(word, false, SIMT_OF_THE_SYSTEM);
        if (!in_shared)
            weak_store(&a, stored.before[0], released);
    } else if (strength == VOLATILE) {
        hang_poll(a.address);
        read_flag(&a, word, !in_shared);
        cluster_poll(a.address);
    }
}

/* Parts of so many bytes. to: where they are copied to, NULL: as the compiler has said. */
static void in_parts(char *p, unsigned long bytes, unsigned step, bool write,
                     enum strength strength, void *pc, void *to)
{
    if (is_own_stack(p))
        return;
    struct whole of = {(uintptr_t)p, bytes, is_own_stack(to) ? NULL : to};
    bool runs = simt_running();
    if (runs && !to) {
        whole_is(p, bytes, write);
        of = whole;
    }
    for (unsigned long i = 0; i < bytes; i += step) {
        if (runs)
            whole = of;
        access(p + i, step, write, strength, pc);
    }
    if (runs && stored.thread && write)
        expect_store(p, bytes);
}

/* ---- a structure: the GPU's compiler splits it by the alignment of its class ---- */

static void *copied_by; /* if it is known: the function that copies a class, for this place */

/* Of the class that is copied at this place. 0: of 16 bytes, and not known. */
static unsigned alignment_at(void *pc, unsigned long bytes)
{
    static struct {
        void *pc;
        unsigned long bytes;
        unsigned alignment;
    } known[256], *k;
    const char *copied = NULL;
    unsigned usual = bytes % 8 == 0 ? 8 : bytes & -bytes & 7;
    if (simt_by_clang) /* its 16 bytes lie where they must */
        return bytes == 16 ? 16 : usual;
    k = &known[(uintptr_t)pc / 4 % 256];
    if (k->pc == pc && k->bytes == bytes)
        return k->alignment;
    k->pc = pc;
    k->bytes = bytes;
    k->alignment = usual;
    for (const struct simt_class *c = __start_simt_classes; c < __stop_simt_classes; c++) {
        if (!c->name || c->bytes != bytes || c->alignment == usual)
            continue;
        copied = copied ? copied : place_copies(copied_by ? copied_by : pc);
        if (strcmp(copied, c->name) == 0)
            k->alignment = c->alignment > 16 ? 16 : (unsigned)c->alignment;
        else if (bytes == 16 && (!*copied || strncmp(copied, "simt_in_union<", 14) == 0))
            k->alignment = 0;
    }
    copied_by = NULL;
    return k->alignment;
}

/* The operation under way: its word, or none; what was there before. */
static struct word atomic_word;
static struct access atomic;
static uint64_t atomic_before;
static bool atomic_followed;

/* Before a compare-and-swap: did the thread just read that word plainly, to begin with? */
void simt_atomic_compares(const void *p)
{
    void *pc = simt_running() && simt_self->watch->polled == (uintptr_t)p
                   ? simt_self->watch->polled_from
                   : NULL;
    if (pc)
        race_read_for_cas(pc);
    next_compares = simt_running();
}

static bool next_one_way; /* the next atomic */

void simt_atomic_one_way(void)
{
    next_one_way = simt_running();
}

static int next_scope = -1; /* of the next one; -1: not given */

void simt_atomic_scope(enum simt_scope scope)
{
    next_scope = (int)scope;
}

enum simt_scope access_scope(enum simt_scope otherwise)
{
    enum simt_scope scope = next_scope < 0 ? otherwise : (enum simt_scope)next_scope;
    next_scope = -1;
    return scope;
}

enum simt_scope access_atomic_scope(void)
{
    return simt_self->access->scope;
}

void access_host_atomic(const void *p)
{
    if (access_host_polls)
        access_host_polls(p);
    if (!access_not_awaited)
        return;
    simt_lock();
    if (allocation_host_sees((uintptr_t)p))
        access_not_awaited = false;
    simt_unlock();
}

static bool is_load_or_store; /* the next one, and no read-modify-write */

void access_atomic_load_or_store(void)
{
    is_load_or_store = true;
}

static void atomic_access(void *p, size_t bytes, bool write, bool read, void *pc)
{
    enum simt_scope scope = access_scope(SIMT_OF_THE_DEVICE);
    struct access a = {(uintptr_t)p, pc, (unsigned)bytes, write, read, scope, ATOMIC, next_one_way};
    next_one_way = false;
    simt_self->access->scope = scope;
    bool in_shared;
    race_settle();
    access_settle();
    struct word word = check(&a, &in_shared);
    if (!is_load_or_store) {
        simt_now.counts.atomics++;
        simt_now.counts.global_atomics += !in_shared;
    } else if (!in_shared) {
        *(write ? &simt_now.counts.global_store_bytes : &simt_now.counts.global_load_bytes) +=
            bytes;
    }
    is_load_or_store = false;
    if (word.cell) {
        yield_before(&a);
        race_check(word, in_shared, &a);
        if (write && trial_role != TRIAL_NONE)
            weak_changes(a.address);
        if (write && read && !in_shared)
            weak_rmw(&a);
        read_flag(&a, word, !write && !in_shared);
        cluster_poll(a.address);
        if (!write)
            hang_poll(a.address);
    }
    atomic_word = word;
    atomic = a;
    atomic_followed = word.cell && write && !in_shared && bytes <= sizeof atomic_before;
    atomic_before = 0;
    if (bytes <= sizeof atomic_before)
        memcpy(&atomic_before, p, bytes);
}

void simt_atomic_begin(void *p, size_t bytes, bool write, bool read, void *pc)
{
    if (simt_running())
        atomic_access(p, bytes, write, read, pc);
    else
        access_host_atomic(p);
}

void simt_atomic_end(bool changed)
{
    if (!changed || !simt_running())
        return;
    record_atomic((void *)atomic.address, atomic.bytes, atomic_before);
    access_changed(simt_self);
    if (!atomic_word.cell)
        return;
    uint32_t released = race_flag_written(atomic_word, true, simt_self->access->scope);
    if (atomic_followed)
        weak_store(&atomic, atomic_before, released);
}

void simt_read_only(const void *p, size_t bytes)
{
    if (simt_running() && is_device_address((uintptr_t)p) && race_written_now((uintptr_t)p, bytes))
        simt_wrong(simt_self, __builtin_return_address(0),
                   "reads by __ldg() what this launch has written: it may be an old value");
}

void simt_read(const void *p, size_t bytes, void *pc)
{
    access((void *)p, (unsigned)bytes, false, PLAIN, pc);
}

void simt_write(void *p, size_t bytes, void *pc)
{
    access(p, (unsigned)bytes, true, PLAIN, pc);
}

char simt_memory(const void *p)
{
    uintptr_t address = (uintptr_t)p;
    size_t offset;
    if (is_constant_variable(address))
        return 'c';
    if (is_device_address(address) || is_device_variable(address))
        return 'g';
    return shared_owner(simt_self->block, address, &offset) ? 's' : 'l';
}

/* ---- cuda::barrier and asynchronous copies (async.c) ---- */

static void mark(void *p, unsigned bytes, enum shared_state as)
{
    size_t offset;
    struct block *owner = shared_owner(simt_self->block, (uintptr_t)p, &offset);
    shared_set(owner, offset, bytes, as);
}

bool access_close(void *p, unsigned bytes)
{
    size_t offset;
    if (is_device_address((uintptr_t)p) ||
        shared_owner(simt_self->block, (uintptr_t)p, &offset) != simt_self->block)
        return false;
    mark(p, bytes, CLOSED);
    return true;
}

void access_open(void *p, unsigned bytes)
{
    mark(p, bytes, WRITTEN);
}

void access_barrier(void *p, bool change, void *pc)
{
    struct simt_counts *c = &simt_now.counts;
    uint64_t atomics = c->atomics, in_global = c->global_atomics;
    atomic_access(p, sizeof(uint64_t), change, true, pc);
    c->atomics = atomics, c->global_atomics = in_global; /* hardware has instructions for it */
}

void access_barrier_end(void *p)
{
    hang_write(simt_self);
    if (atomic_word.cell)
        race_flag_written(atomic_word, true, simt_self->access->scope);
}

/* ---- what the compiler calls ---- */

/* What is not aligned to its size goes word by word, or byte by byte where that is odd. */
static void range(void *p, unsigned long bytes, bool write, enum strength strength, void *pc,
                  void *to)
{
    unsigned step = ((uintptr_t)p | bytes) % 4 == 0 ? 4 : 1;
    race_settle();
    if (simt_counting && simt_running() && !is_own_stack(p)) {
        unsigned alignment = alignment_at(pc, bytes);
        step = alignment > 0 && (uintptr_t)p % alignment == 0 ? alignment : step;
    }
    in_parts(p, bytes, step, write, strength, pc, to);
}

/* The compiler copies large structs by a call, too: after it has said what it reads and writes. */
static struct said {
    const void *start;
    size_t bytes;
} read_last, written_last;

static void said(struct said *last, const void *p, size_t bytes)
{
    *last = (struct said){p, bytes};
}

static void range_once(struct said *last, const void *p, size_t bytes, bool write, void *pc,
                       void *to)
{
    if (last->start != p || last->bytes != bytes)
        range((void *)p, bytes, write, PLAIN, pc, to);
    *last = (struct said){NULL, 0};
}

/* ---- the short way: what access() does for most accesses ---- */

static bool short_way; /* in this launch */
bool access_blocks_yield;
enum { BLOCKS_ALONE = 1 << 12 };

void access_begin_launch(void)
{
    short_way = simt_devices == 1 && simt_now.cluster_blocks == 1 && !access_blocks_yield;
    trial_begins = access_look_closely;
    access_look_closely();
}

/* May these bytes be read, or written, without a message? Then they are written now. */
static inline bool is_open_global(uintptr_t address, unsigned bytes, bool write)
{
    if (allocation_is_written(address, bytes)) /* and so it is allocated */
        return true;
    if (!write || address - allocation_last_start >= allocation_last_end - allocation_last_start ||
        allocation_last_end - address < bytes)
        return false;
    allocation_written(address, bytes);
    return true;
}

static const unsigned char written[] = {[0 ... 15] = WRITTEN};

static inline bool is_written_shared(const unsigned char *state, unsigned bytes)
{
    return memcmp(state, written, bytes) == 0;
}

static inline bool is_open_shared(unsigned char *state, unsigned bytes, bool write)
{
    if (is_written_shared(state, bytes))
        return true;
    if (!write || memchr(state, CLOSED, bytes))
        return false;
    memcpy(state, written, bytes);
    return true;
}

/* Notes it down; others may run before it takes place. */
static inline void before_access(struct thread *t, enum access_kind kind, uintptr_t address,
                                 unsigned bytes, void *pc)
{
    t->access->accesses++;
    if (simt_counting)
        requests_note(kind, address, bytes, pc);
    if (kind == GLOBAL_LOAD || kind == SHARED_LOAD) {
        t->access->loaded += bytes;
        hang_read(t, address, pc);
        change_at_random(pc);
    } else {
        hang_store(t, address);
        change_at_random(pc);
        expect_store((void *)address, bytes);
    }
}

/* A plain access by a kernel. Returns false, and has done nothing, if it must go the long way. */
static inline __attribute__((always_inline)) bool went_short_way(void *p, unsigned bytes,
                                                                 bool write, void *pc)
{
    const uintptr_t address = (uintptr_t)p;
    struct thread *t = simt_self;
    struct simt_counts *c = &simt_now.counts;
    if (!short_way || !t || race_unsettled > 0 ||
        (bytes == 16 && simt_counting && !is_own_stack(p) && alignment_at(pc, bytes) == 8) ||
        trial_role != TRIAL_NONE || trial_lends || address % bytes != 0 ||
        (uintptr_t)__builtin_frame_address(0) - (uintptr_t)t->fibre.stack >= STACK_BYTES)
        return false;
    if (stored.thread)
        access_settle();
    if (is_device_address(address)) {
        if (!is_open_global(address, bytes, write))
            return false;
        *(write ? &c->global_store_bytes : &c->global_load_bytes) += bytes;
        before_access(t, write ? GLOBAL_STORE : GLOBAL_LOAD, address, bytes, pc);
        if (!race_off)
            (write ? race_write_global : race_read_global)(address, bytes, pc);
        return true;
    }
    size_t offset, in_static = address - (uintptr_t)shared_start;
    size_t in_dynamic = address - (uintptr_t)simt_dynamic_shared;
    if (in_static < shared_bytes)
        offset = (uintptr_t)shared_start % SHARED_ALIGN + in_static;
    else if (in_dynamic < simt_now.dynamic_bytes && simt_now.dynamic_bytes - in_dynamic >= bytes)
        offset = shared_room + in_dynamic;
    else
        return false;
    if (!is_open_shared(t->block->written + offset, bytes, write))
        return false;
    *(write ? &c->shared_store_bytes : &c->shared_load_bytes) += bytes;
    before_access(t, write ? SHARED_STORE : SHARED_LOAD, address, bytes, pc);
    if (!race_off)
        (write ? race_write_shared : race_read_shared)(address, bytes, pc, offset);
    return true;
}

static __attribute__((noinline)) void long_way(void *p, unsigned bytes, bool write,
                                               enum strength strength, void *pc)
{
    if (race_unsettled)
        race_settle();
    unsigned alignment = 16;
    if (bytes == 16 && ((uintptr_t)p % 16 == 8 || simt_counting) && simt_running() &&
        !is_own_stack(p))
        alignment = alignment_at(pc, bytes);
    if (alignment == 8 || (alignment == 0 && (uintptr_t)p % 16 == 8))
        in_parts(p, 16, 8, write, strength, pc, NULL);
    else
        access(p, bytes, write, strength, pc);
}

static inline void be_at_ease(void)
{
    at_ease = short_way && simt_seed == 0 && trial_role == TRIAL_NONE && !simt_counting &&
              simt_running() && race_unsettled == 0 && !stored.thread && hang_retries == 0;
}

void access_thread_waits(enum thread_state state)
{
    access_settle();
    at_ease = resting = false;
    if (state == READY || state == SPINNING) /* between a look and the access itself */
        return;
    if (race_unsettled)
        race_settle();
    be_at_ease();
}

/* Is all that full() looks at first as it is most often? */
static inline bool is_easy(const struct thread *t, uintptr_t address, unsigned bytes, bool write,
                           const void *pc)
{
    const struct hang_watch *w = t->watch;
    return address % bytes == 0 && (write || (w->looks < HANG_LOOKS - 1 &&
                                              !(w->polled == address && w->polled_from == pc)));
}

static inline void note_easy(struct thread *t, uintptr_t address, unsigned bytes, bool write,
                             void *pc)
{
    if (write) {
        hang_store(t, address);
        expect_store((void *)address, bytes);
        resting = true;
    } else {
        hang_read_new(t->watch, address, pc);
    }
}

/* Of most plain accesses. They call nothing but as their last act, so they need no registers of the
   caller's. full: does the same for all others. */
typedef void way(void *p, void *pc);
static inline __attribute__((always_inline)) void to_global(void *p, unsigned bytes, bool write,
                                                            void *pc, way *full)
{
    const uintptr_t address = (uintptr_t)p;
    struct thread *t = simt_self;
    struct simt_counts *c = &simt_now.counts;
    /* Another thread of the host may come here: shared memory is this one's alone. */
    if (!at_ease || !t ||
        (uintptr_t)__builtin_frame_address(0) - (uintptr_t)t->fibre.stack >= STACK_BYTES)
        return full(p, pc);
    if (address - (uintptr_t)t->fibre.stack < STACK_BYTES)
        return;
    if (!is_easy(t, address, bytes, write, pc) || !is_device_address(address) ||
        !allocation_is_written(address, bytes))
        return full(p, pc);
    *(write ? &c->global_store_bytes : &c->global_load_bytes) += bytes;
    t->access->accesses++;
    if (!write)
        t->access->loaded += bytes;
    note_easy(t, address, bytes, write, pc);
    if (!race_off)
        (write ? race_write_global : race_read_global)(address, bytes, pc);
}

static inline __attribute__((always_inline)) void to_shared(void *p, unsigned bytes, bool write,
                                                            void *pc, way *full, way *elsewhere)
{
    const uintptr_t address = (uintptr_t)p;
    size_t in_static = address - (uintptr_t)shared_start;
    struct thread *t = simt_self;
    if (in_static >= shared_bytes)
        return elsewhere(p, pc);
    if (!at_ease || !is_easy(t, address, bytes, write, pc) ||
        !is_written_shared(shared_states + in_static, bytes))
        return full(p, pc);
    if (write) {
        simt_now.counts.shared_store_bytes += bytes;
        t->access->accesses++;
    } else {
        t->watch->easy_reads += bytes | 1ull << EASY_READ;
    }
    note_easy(t, address, bytes, write, pc);
    if (!race_off)
        (write ? race_write_shared : race_read_shared)(
            address, bytes, pc, (uintptr_t)shared_start % SHARED_ALIGN + in_static);
}

/* Can a plain access go the shortest way now that the store has been made that was announced? */
static bool has_rested(void)
{
    if (!simt_running())
        return false;
    if (simt_self->watch->easy_reads >> (EASY_READ + MANY_EASY_READS))
        add_easy_reads(simt_self);
    if (!resting || stored.thread != simt_self)
        return false;
    access_settle();
    resting = false;
    at_ease = race_unsettled == 0 && hang_retries == 0;
    return at_ease;
}

/* At -O0 a function copies a class, by calls of these names (simcc): its caller is the place. */
#define PLACE_OF_COPY                                                                              \
    (copied_by = __builtin_return_address(0), (*(void ***)__builtin_frame_address(0))[1])

#define HOOK(NAME, BYTES, WRITE)                                                                   \
    static void again_##NAME##BYTES(void *p, void *pc);                                            \
    static __attribute__((noinline)) void fuller_##NAME##BYTES(void *p, void *pc)                  \
    {                                                                                              \
        if (!went_short_way(p, BYTES, WRITE, pc))                                                  \
            long_way(p, BYTES, WRITE, PLAIN, pc);                                                  \
        be_at_ease();                                                                              \
    }                                                                                              \
    static __attribute__((noinline)) void full_##NAME##BYTES(void *p, void *pc)                    \
    {                                                                                              \
        if (is_own_stack(p)) /* what was announced may be a copy of it */                          \
            return;                                                                                \
        if (simt_seed == 0 && has_rested())                                                        \
            again_##NAME##BYTES(p, pc);                                                            \
        else                                                                                       \
            fuller_##NAME##BYTES(p, pc);                                                           \
    }                                                                                              \
    static __attribute__((noinline)) void global_##NAME##BYTES(void *p, void *pc)                  \
    {                                                                                              \
        to_global(p, BYTES, WRITE, pc, full_##NAME##BYTES);                                        \
    }                                                                                              \
    static void again_##NAME##BYTES(void *p, void *pc)                                             \
    {                                                                                              \
        to_shared(p, BYTES, WRITE, pc, full_##NAME##BYTES, global_##NAME##BYTES);                  \
    }                                                                                              \
    void __tsan_##NAME##BYTES(void *p)                                                             \
    {                                                                                              \
        to_shared(p, BYTES, WRITE, __builtin_return_address(0), full_##NAME##BYTES,                \
                  global_##NAME##BYTES);                                                           \
    }                                                                                              \
    void simt_copies_##NAME##BYTES(void *p)                                                        \
    {                                                                                              \
        long_way(p, BYTES, WRITE, PLAIN, PLACE_OF_COPY);                                           \
    }                                                                                              \
    void __tsan_unaligned_##NAME##BYTES(void *p)                                                   \
    {                                                                                              \
        range(p, BYTES, WRITE, PLAIN, __builtin_return_address(0), NULL);                          \
    }                                                                                              \
    void __tsan_volatile_##NAME##BYTES(void *p)                                                    \
    {                                                                                              \
        long_way(p, BYTES, WRITE, VOLATILE, __builtin_return_address(0));                          \
    }                                                                                              \
    void __tsan_unaligned_volatile_##NAME##BYTES(void *p)                                          \
    {                                                                                              \
        range(p, BYTES, WRITE, VOLATILE, __builtin_return_address(0), NULL);                       \
    }
#define HOOKS(BYTES)                                                                               \
    HOOK(read, BYTES, false)                                                                       \
    HOOK(write, BYTES, true)
HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)

#define RANGE(NAME, LAST, WRITE, PLACE)                                                            \
    void NAME(void *p, unsigned long bytes)                                                        \
    {                                                                                              \
        range(p, bytes, WRITE, PLAIN, PLACE, NULL);                                                \
        said(&LAST, p, bytes);                                                                     \
    }
RANGE(__tsan_read_range, read_last, false, __builtin_return_address(0))
RANGE(__tsan_write_range, written_last, true, __builtin_return_address(0))
RANGE(simt_copies_read_range, read_last, false, PLACE_OF_COPY)
RANGE(simt_copies_write_range, written_last, true, PLACE_OF_COPY)

/* clang: an argument that is a structure, which the call itself copies. */
void __asan_loadN(void *p, unsigned long bytes)
{
    range(p, bytes, false, PLAIN, __builtin_return_address(0), NULL);
}

/* memcpy() and its kin by the names that simcc gives the reader's, and clang from 16 on. */
void *__tsan_memmove(void *to, const void *from, size_t bytes)
{
    range_once(&read_last, from, bytes, false, __builtin_return_address(0), to);
    range_once(&written_last, to, bytes, true, __builtin_return_address(0), NULL);
    return memmove(to, from, bytes);
}

/* A struct is copied onto itself, at times. */
void *__tsan_memcpy(void *to, const void *from, size_t bytes)
    __attribute__((alias("__tsan_memmove")));

void *__tsan_memset(void *to, int byte, size_t bytes)
{
    range_once(&written_last, to, bytes, true, __builtin_return_address(0), NULL);
    return memset(to, byte, bytes);
}

void __tsan_init(void)
{
}

void __tsan_vptr_update(void **p, void *value)
{
    access(p, sizeof *p, true, PLAIN, __builtin_return_address(0));
}

void __tsan_vptr_read(void **p)
{
    access(p, sizeof *p, false, PLAIN, __builtin_return_address(0));
}

/* -fsanitize=bounds: an index beyond an array whose length the compiler knows. */
struct ubsan_type {
    uint16_t kind, info; /* info: bit 0 says that it is signed */
    char name[];
};
struct ubsan_bounds {
    const char *file;
    uint32_t line, column;
    const struct ubsan_type *array, *index;
};

void __ubsan_handle_out_of_bounds(const struct ubsan_bounds *at, unsigned long index)
{
    if (simt_running())
        simt_note(simt_self, __builtin_return_address(0),
                  "index %ld is outside of an array of type %s",
                  at->index->info & 1 ? (long)index : (long)(index & 0x7fffffffffffffff),
                  at->array->name);
}

static __attribute__((noinline)) void look_at_block(void *pc)
{
    if (!simt_running())
        return;
    if (trial_role != TRIAL_NONE || trial_lends)
        access_settle();
    hang_work++;
    if (hang_stuck)
        hang_look(pc);
    if (hang_stuck & HANG_COMPARE)
        deadlock_look(pc);
    if (access_blocks_yield && hang_work % BLOCKS_ALONE == 0)
        simt_wait(READY, pc);
    if (simt_now.entered_count < ENTRIES) {
        simt_now.entered[simt_now.entered_count++] = pc;
        if (record_on && simt_now.entered_count == ENTRIES)
            record_entered(simt_now.entered);
    } else
        blocks_look = trial_role != TRIAL_NONE || access_blocks_yield ? CLOSELY
                      : simt_counting                                 ? COUNTED
                                                                      : AT_EASE;
    if (simt_counting)
        requests_note(STEP, 0, 0, pc);
}

/* -fsanitize-coverage=trace-pc: one call for each basic block. */
void __sanitizer_cov_trace_pc(void)
{
    if (blocks_look == CLOSELY || hang_stuck) {
        look_at_block(__builtin_return_address(0));
        return;
    }
    hang_work++;
    if (blocks_look == COUNTED)
        requests_note(STEP, 0, 0, __builtin_return_address(0));
}
