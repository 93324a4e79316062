/*
 * access.c: every load and store of a kernel. Kernels are compiled with
 * -fsanitize=thread but linked without that sanitizer's library; the functions it
 * would call are here, as the Linux kernel's KCSAN does it. Each names an address;
 * the source line is where the call returns to.
 */
#include "engine.h"
#include <link.h>
#include <string.h>

static char *static_start; /* the __shared__ variables of this program */
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

/* A thread that reads one place over and over waits for somebody else: let them run. */
static void notice_polling(uintptr_t address, void *pc)
{
    struct thread *t = simt_self;
    if (t->polled != address || t->polled_from != pc) {
        t->polled = address;
        t->polled_from = pc;
        t->polls = 0;
    } else if (++t->polls >= 16) {
        t->polls = 0;
        t->writes_seen = simt_now.writes;
        simt_wait(SPINNING, pc);
    }
}

/* Counts and checks one access; returns false for memory that is the thread's own. */
static bool check(uintptr_t address, unsigned bytes, bool write, void *pc)
{
    /* The linker's: where the program itself lies, and threadIdx and its kin in it. */
    extern char __executable_start, _end, __start_simt_builtin, __stop_simt_builtin;
    const struct thread *t = simt_self;
    const struct block *b = t->block;
    if (address - (uintptr_t)t->fibre.stack < STACK_BYTES)
        return false;
    if (address % bytes != 0)
        simt_fault(t, pc, "%s %u bytes at an address that is no multiple of %u: misaligned",
                   verb(write), bytes, bytes);
    bool global = memory_is_device(address), shared = false;
    if (global) {
        global_access(address, bytes, write, pc);
    } else if (address - (uintptr_t)static_start < static_bytes) {
        shared_access(b->static_written + (address - (uintptr_t)static_start), bytes, write, pc);
        shared = true;
    } else if (address - (uintptr_t)b->dynamic_shared < simt_now.dynamic_bytes) {
        if (address + bytes > (uintptr_t)b->dynamic_shared + simt_now.dynamic_bytes)
            simt_fault(t, pc, "%s past the end of the launch's shared memory", verb(write));
        shared_access(b->dynamic_written + (address - (uintptr_t)b->dynamic_shared), bytes, write,
                      pc);
        shared = true;
    } else if (address - (uintptr_t)b->dynamic_shared < SM_SHARED) {
        simt_fault(t, pc, "%s byte %zu of dynamic shared memory; the launch gave it %zu bytes",
                   verb(write), (size_t)(address - (uintptr_t)b->dynamic_shared),
                   simt_now.dynamic_bytes);
    } else if (address - (uintptr_t)&__executable_start <
               (uintptr_t)(&_end - &__executable_start)) {
        /* __constant__ and __device__ variables, tables */
        return address - (uintptr_t)&__start_simt_builtin >=
               (uintptr_t)(&__stop_simt_builtin - &__start_simt_builtin);
    } else if (address - (uintptr_t)simt_now.closure < simt_now.closure_bytes) {
        return false; /* the kernel's own arguments */
    } else {
        simt_fault(t, pc, "%s %u bytes at %p: neither device memory, shared memory nor its own",
                   verb(write), bytes, (void *)address);
    }
    if (simt_counting && (global || shared))
        count_access(shared ? (write ? SHARED_STORE : SHARED_LOAD)
                            : (write ? GLOBAL_STORE : GLOBAL_LOAD),
                     address, bytes, pc);
    return true;
}

static void access(void *p, unsigned bytes, bool write, void *pc)
{
    uintptr_t address = (uintptr_t)p;
    if (!simt_self) {
        uintptr_t start, end;
        if (memory_is_device(address) && !memory_find(address, &start, &end))
            simt_fault(NULL, pc, "host code %s device memory: copy it with cudaMemcpy()",
                       verb(write));
        return;
    }
    if (!check(address, bytes, write, pc))
        return;
    if (!write)
        notice_polling(address, pc);
    /* A shuffled schedule also changes threads between accesses. */
    if (simt_seed != 0 && simt_random() % 8 == 0)
        simt_wait(READY, pc);
}

void simt_atomic_begin(void *p, size_t bytes, void *pc)
{
    if (!simt_self)
        return;
    struct simt_counts before = simt_now.counts;
    uint64_t writes = simt_now.writes;
    bool counting = simt_counting;
    simt_counting = false; /* checked like a store, counted as an atomic */
    access(p, (unsigned)bytes, true, pc);
    simt_counting = counting;
    notice_polling((uintptr_t)p, pc);
    before.atomics++;
    simt_now.counts = before;
    simt_now.writes = writes;
}

void simt_atomic_end(bool changed)
{
    if (simt_self && changed)
        simt_now.writes++;
}

/* ---- what the compiler calls ---- */

#define READ_WRITE(BYTES)                                                                          \
    void __tsan_read##BYTES(void *p)                                                               \
    {                                                                                              \
        access(p, BYTES, false, __builtin_return_address(0));                                      \
    }                                                                                              \
    void __tsan_write##BYTES(void *p)                                                              \
    {                                                                                              \
        access(p, BYTES, true, __builtin_return_address(0));                                       \
    }                                                                                              \
    void __tsan_unaligned_read##BYTES(void *p)                                                     \
    {                                                                                              \
        access(p, BYTES, false, __builtin_return_address(0));                                      \
    }                                                                                              \
    void __tsan_unaligned_write##BYTES(void *p)                                                    \
    {                                                                                              \
        access(p, BYTES, true, __builtin_return_address(0));                                       \
    }
READ_WRITE(1)
READ_WRITE(2)
READ_WRITE(4)
READ_WRITE(8)
READ_WRITE(16)
#undef READ_WRITE

/* A struct is copied word by word, or byte by byte where its size is odd. */
static void range(char *p, unsigned long bytes, bool write, void *pc)
{
    unsigned step = ((uintptr_t)p | bytes) % 4 == 0 ? 4 : 1;
    for (unsigned long i = 0; i < bytes; i += step)
        access(p + i, step, write, pc);
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
    if (simt_now.entered_count < ENTRIES)
        simt_now.entered[simt_now.entered_count++] = __builtin_return_address(0);
    if (simt_counting)
        count_access(STEP, 0, 0, __builtin_return_address(0));
}
