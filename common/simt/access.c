/*
 * access.c: every load and store of a kernel. Kernels are compiled with
 * -fsanitize=thread but linked without that sanitizer's library; the functions it
 * would call are here, as the Linux kernel's KCSAN does it. Each names an address;
 * the source line is where the call returns to.
 */
#include "engine.h"
#include <link.h>
#include <string.h>

static char *static_start = ""; /* the __shared__ variables of this program, if it has any */
static size_t static_bytes;

static int first_object(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size, (void)unused;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_TLS) {
            static_start = info->dlpi_tls_data;
            static_bytes = info->dlpi_phdr[i].p_memsz;
        }
    return 1; /* the program itself comes first: stop there */
}

void shared_range(char **start, size_t *bytes)
{
    dl_iterate_phdr(first_object, NULL);
    *start = static_start;
    *bytes = static_bytes;
}

bool shared_offset(const struct block *b, uintptr_t address, uintptr_t *offset)
{
    uintptr_t in_static = address - (uintptr_t)static_start;
    uintptr_t in_dynamic = address - (uintptr_t)b->dynamic_shared;
    if (in_static < static_bytes)
        *offset = in_static;
    else if (in_dynamic < simt_now.dynamic_bytes)
        *offset = static_bytes + in_dynamic;
    else
        return false;
    return true;
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

static void shared_access(unsigned char *written, unsigned bytes, bool write, void *pc)
{
    if (write) {
        memset(written, 1, bytes);
        simt_now.counts.shared_store_bytes += bytes;
        simt_now.writes++;
    } else {
        if (memchr(written, 0, bytes))
            simt_fault(simt_self, pc,
                       "reads shared memory that no thread of its block has written");
        simt_now.counts.shared_load_bytes += bytes;
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
    const struct block *b = t->block;
    struct cell *cell;
    if (address - (uintptr_t)t->fibre.stack < STACK_BYTES)
        return NULL;
    if (address % bytes != 0)
        simt_fault(t, pc, "%s %u bytes at an address that is no multiple of %u: misaligned",
                   verb(write), bytes, bytes);
    bool global = memory_is_device(address), shared = false;
    if (global) {
        global_access(address, bytes, write, pc);
        cell = race_global(address);
    } else if (address - (uintptr_t)static_start < static_bytes) {
        shared_access(b->static_written + (address - (uintptr_t)static_start), bytes, write, pc);
        cell = race_shared(b, (simt_now.dynamic_bytes + 3) / 4 + address / 4 -
                                  (uintptr_t)static_start / 4);
        shared = true;
    } else if (address - (uintptr_t)b->dynamic_shared < simt_now.dynamic_bytes) {
        if (address + bytes > (uintptr_t)b->dynamic_shared + simt_now.dynamic_bytes)
            simt_fault(t, pc, "%s past the end of the launch's shared memory", verb(write));
        shared_access(b->dynamic_written + (address - (uintptr_t)b->dynamic_shared), bytes, write,
                      pc);
        cell = race_shared(b, (address - (uintptr_t)b->dynamic_shared) / 4);
        shared = true;
    } else if (address - (uintptr_t)b->dynamic_shared < SM_SHARED) {
        simt_fault(t, pc, "%s byte %zu of dynamic shared memory; the launch gave it %zu bytes",
                   verb(write), (size_t)(address - (uintptr_t)b->dynamic_shared),
                   simt_now.dynamic_bytes);
    } else if (address - (uintptr_t)&__executable_start <
               (uintptr_t)(&_end - &__executable_start)) {
        if (address - (uintptr_t)&__start_simt_builtin <
            (uintptr_t)(&__stop_simt_builtin - &__start_simt_builtin))
            return NULL; /* threadIdx and its kin */
        cell = race_global(address); /* __constant__ and __device__ variables, tables */
    } else if (address - (uintptr_t)simt_now.closure < simt_now.closure_bytes) {
        return NULL; /* the kernel's own arguments */
    } else {
        simt_fault(t, pc, "%s %u bytes at %p: neither device memory, shared memory nor its own",
                   verb(write), bytes, (void *)address);
    }
    if (simt_counting && (global || shared))
        count_access(shared ? (write ? SHARED_STORE : SHARED_LOAD)
                            : (write ? GLOBAL_STORE : GLOBAL_LOAD),
                     address, bytes, pc);
    race_check(cell, shared, address, bytes, write, strength, pc);
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
