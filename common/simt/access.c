/*
 * access.c: every load and store of a kernel. Kernels are compiled with
 * -fsanitize=thread but linked without that sanitizer's library; the functions it
 * would call are here, as the Linux kernel's KCSAN does it. Each names an address;
 * the source line is where the call returns to.
 */
#include "engine.h"
#include <link.h>
#include <string.h>

char *shared_start = ""; /* the __shared__ variables of this program, if it has any */
size_t shared_bytes, shared_room;

static int first_object(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size, (void)unused;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_TLS) {
            shared_start = info->dlpi_tls_data;
            shared_bytes = info->dlpi_phdr[i].p_memsz;
        }
    return 1; /* the program itself comes first: stop there */
}

/* Places in shared memory are as far as addresses are from multiples of SHARED_ALIGN. */
void shared_find(void)
{
    dl_iterate_phdr(first_object, NULL);
    shared_room = (uintptr_t)shared_start % SHARED_ALIGN + shared_bytes;
    shared_room = (shared_room + SHARED_ALIGN - 1) / SHARED_ALIGN * SHARED_ALIGN;
}

struct block *shared_owner(struct block *b, uintptr_t address, size_t *offset)
{
    uintptr_t in_static = address - (uintptr_t)shared_start;
    uintptr_t in_dynamic = address - (uintptr_t)simt_dynamic_shared;
    if (in_static < shared_bytes)
        *offset = (uintptr_t)shared_start % SHARED_ALIGN + in_static;
    else if (in_dynamic < SM_SHARED)
        *offset = shared_room + in_dynamic;
    else
        return cluster_owner(b, address, offset);
    return b;
}

static const char *verb(bool write)
{
    return write ? "writes" : "reads";
}

static void global_access(uintptr_t address, unsigned bytes, bool write, void *pc)
{
    uintptr_t start, end;
    if (!memory_find(address, &start, &end) || address + bytes > end) {
        if (start == end)
            simt_fault(simt_self, pc, "%s %u bytes of device memory that is not allocated",
                       verb(write), bytes);
        simt_fault(simt_self, pc, "%s %u bytes at byte %zu of an allocation of %zu bytes",
                   verb(write), bytes, (size_t)(address - start), (size_t)(end - start));
    }
    if (write) {
        simt_now.counts.global_store_bytes += bytes;
        simt_now.writes++;
    } else {
        simt_now.counts.global_load_bytes += bytes;
    }
}

static void shared_access(struct block *owner, bool remote, size_t offset, unsigned bytes,
                          bool write, void *pc)
{
    struct simt_counts *c = &simt_now.counts;
    if (offset >= shared_room && offset + bytes > shared_room + simt_now.dynamic_bytes)
        simt_fault(simt_self, pc,
                   "%s %u bytes at byte %zu of dynamic shared memory; the launch gave it %zu bytes",
                   verb(write), bytes, offset - shared_room, simt_now.dynamic_bytes);
    if (remote)
        cluster_visit(owner, write, pc);
    if (write) {
        memset(owner->written + offset, 1, bytes);
        *(remote ? &c->remote_store_bytes : &c->shared_store_bytes) += bytes;
        simt_now.writes++;
    } else {
        if (memchr(owner->written + offset, 0, bytes))
            simt_fault(simt_self, pc, "reads shared memory that no thread of %s has written",
                       simt_now.cluster_blocks > 1 ? "the cluster" : "its block");
        *(remote ? &c->remote_load_bytes : &c->shared_load_bytes) += bytes;
    }
}

/* Counts and checks one access; returns NULL for memory that is the thread's own,
   else what race.c knows about that word. */
static struct cell *check(uintptr_t address, unsigned bytes, bool write, enum strength strength,
                          void *pc)
{
    /* The linker's: where the program itself lies, and threadIdx and its kin in it. */
    extern char __executable_start, _end, __start_simt_builtin, __stop_simt_builtin;
    const struct thread *t = simt_self;
    struct block *owner = NULL;
    struct cell *cell;
    size_t offset;
    if (address - (uintptr_t)t->fibre.stack < STACK_BYTES)
        return NULL;
    if (address % bytes != 0)
        simt_fault(t, pc, "%s %u bytes at an address that is no multiple of %u: misaligned",
                   verb(write), bytes, bytes);
    bool global = memory_is_device(address), remote = false;
    if (global) {
        global_access(address, bytes, write, pc);
        cell = race_global(address);
    } else if ((owner = shared_owner(t->block, address, &offset)) != NULL) {
        remote = owner->shared + offset == (char *)address;
        shared_access(owner, remote, offset, bytes, write, pc);
        cell = race_shared(owner, offset);
    } else if (address - (uintptr_t)&__executable_start <
               (uintptr_t)(&_end - &__executable_start)) {
        if (address - (uintptr_t)&__start_simt_builtin <
            (uintptr_t)(&__stop_simt_builtin - &__start_simt_builtin))
            return NULL;             /* threadIdx and its kin */
        cell = race_global(address); /* __constant__ and __device__ variables, tables */
    } else if (address - (uintptr_t)simt_now.closure < simt_now.closure_bytes) {
        return NULL; /* the kernel's own arguments */
    } else {
        simt_fault(t, pc, "%s %u bytes at %p: neither device memory, shared memory nor its own",
                   verb(write), bytes, (void *)address);
    }
    if (simt_counting && (global || owner))
        count_access((global   ? GLOBAL_LOAD
                      : remote ? REMOTE_LOAD
                               : SHARED_LOAD) +
                         write,
                     address, bytes, pc);
    race_check(cell, owner, address, bytes, write, strength, pc);
    return cell;
}

/* Other threads may run before the access itself takes place. */
static void give_way(uintptr_t address, bool read, void *pc)
{
    if (read)
        watch_read(simt_self, address, pc);
    else
        watch_write(simt_self);
    /* A shuffled schedule also changes threads between accesses. */
    if (simt_seed != 0 && simt_random() % 8 == 0)
        simt_wait(READY, pc);
}

static void access(void *p, unsigned bytes, bool write, enum strength strength, void *pc)
{
    uintptr_t address = (uintptr_t)p;
    if (!simt_self) {
        uintptr_t start, end;
        if (memory_is_device(address) && !memory_find(address, &start, &end))
            simt_fault(NULL, pc, "host code %s device memory: copy it with cudaMemcpy()",
                       verb(write));
        return;
    }
    struct cell *cell = check(address, bytes, write, strength, pc);
    if (!cell)
        return;
    give_way(address, !write, pc);
    if (strength == VOLATILE && write)
        race_flag_written(cell, false);
    else if (strength == VOLATILE)
        race_flag_read(cell);
}

static struct cell *atomic_word; /* of the operation under way */

void simt_atomic_begin(void *p, size_t bytes, void *pc)
{
    if (!simt_self)
        return;
    struct simt_counts before = simt_now.counts;
    uint64_t writes = simt_now.writes;
    bool counting = simt_counting;
    simt_counting = false; /* checked like a store, counted as an atomic */
    struct cell *cell = check((uintptr_t)p, (unsigned)bytes, true, ATOMIC, pc);
    simt_counting = counting;
    before.atomics++;
    simt_now.counts = before;
    simt_now.writes = writes;
    if (counting)
        count_access(ATOMIC_OPERATION, (uintptr_t)p, (unsigned)bytes, pc);
    if (cell) {
        give_way((uintptr_t)p, true, pc); /* only now: what the others do is counted, too */
        race_flag_read(cell);
    }
    atomic_word = cell;
}

void simt_atomic_end(bool changed)
{
    if (!simt_self || !changed)
        return;
    simt_now.writes++;
    watch_write(simt_self);
    if (atomic_word)
        race_flag_written(atomic_word, true);
}

/* ---- what the compiler calls ---- */

#define HOOK(NAME, BYTES, WRITE, STRENGTH)                                                         \
    void __tsan_##NAME##BYTES(void *p)                                                             \
    {                                                                                              \
        access(p, BYTES, WRITE, STRENGTH, __builtin_return_address(0));                            \
    }
#define HOOKS(BYTES)                                                                               \
    HOOK(read, BYTES, false, PLAIN)                                                                \
    HOOK(write, BYTES, true, PLAIN)                                                                \
    HOOK(unaligned_read, BYTES, false, PLAIN)                                                      \
    HOOK(unaligned_write, BYTES, true, PLAIN)                                                      \
    HOOK(volatile_read, BYTES, false, VOLATILE)                                                    \
    HOOK(volatile_write, BYTES, true, VOLATILE)                                                    \
    HOOK(unaligned_volatile_read, BYTES, false, VOLATILE)                                          \
    HOOK(unaligned_volatile_write, BYTES, true, VOLATILE)
HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)
#undef HOOKS
#undef HOOK

/* A struct is copied word by word, or byte by byte where its size is odd. */
static void range(char *p, unsigned long bytes, bool write, void *pc)
{
    unsigned step = ((uintptr_t)p | bytes) % 4 == 0 ? 4 : 1;
    for (unsigned long i = 0; i < bytes; i += step)
        access(p + i, step, write, PLAIN, pc);
}

void __tsan_read_range(void *p, unsigned long bytes)
{
    range(p, bytes, false, __builtin_return_address(0));
}

void __tsan_write_range(void *p, unsigned long bytes)
{
    range(p, bytes, true, __builtin_return_address(0));
}

void __tsan_init(void)
{
}

void __tsan_func_entry(void *caller)
{
    (void)caller;
}

void __tsan_func_exit(void)
{
}

void __tsan_vptr_update(void **p, void *value)
{
    (void)p, (void)value;
}

/* -fsanitize-coverage=trace-pc: one call for each basic block. */
void __sanitizer_cov_trace_pc(void)
{
    if (!simt_self)
        return;
    if (watch_stuck)
        watch_give_up(__builtin_return_address(0));
    if (simt_now.entered_count < ENTRIES)
        simt_now.entered[simt_now.entered_count++] = __builtin_return_address(0);
    if (simt_counting)
        count_access(STEP, 0, 0, __builtin_return_address(0));
}
