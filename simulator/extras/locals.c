/* locals.c: accesses outside of a thread's local arrays, for simcc --locals. The compiler leaves
   room between them and calls a function here for each load and store, as for the kernel's
   AddressSanitizer. A shadow has for each 8 bytes 0, or how many may be touched, or more than 127.
 */
#include "access.h"
#include "fault.h"
#include <sys/mman.h>

enum { SCALE = 3 };
#define SHADOW      (1ul << 44) /* as simcc tells the compiler */
#define FRAME_MAGIC 0x41b58ab3ul
enum { FRAME_BEGINS = 0xf1 };

static unsigned char *shadow_of(uintptr_t address)
{
    return (unsigned char *)((address >> SCALE) + SHADOW);
}

/* A thread begins, or what is on its stack does not return. */
static void clear(const struct fibre *fibre)
{
    memset(shadow_of((uintptr_t)fibre->stack), 0, STACK_BYTES >> SCALE);
}

__attribute__((constructor(101))) static void map_shadow(void)
{
    void *p = mmap((void *)SHADOW, SHADOW, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (p != (void *)SHADOW) {
        fputs("simulator: no memory for --locals: it takes 16 TiB of addresses, of which little is "
              "used (ulimit -v)\n",
              stderr);
        exit(1);
    }
    setenv("SIMT_RACES", "0", 1);
    fibre_begins = clear;
    access_blocks_yield = true; /* the compiler leaves out a check that came just before */
}

/* ---- whose bytes are these ---- */

/* The frame's first bytes say what is in it: a number, and for each variable its place, size, the
   length of its name and the name with its line. The nearest one. */
static bool find_variable(uintptr_t address, uintptr_t *start, size_t *size, char name[64])
{
    const uintptr_t *frame = (const uintptr_t *)(address & -16ul);
    const uintptr_t *lowest = (const uintptr_t *)simt_self->fibre.stack;
    while (frame > lowest &&
           (frame[0] != FRAME_MAGIC || *shadow_of((uintptr_t)frame) != FRAME_BEGINS))
        frame -= 16 / sizeof *frame;
    if (frame <= lowest)
        return false;
    char *text = (char *)frame[1];
    unsigned long count = strtoul(text, &text, 10), nearest = -1ul;
    while (count-- > 0) {
        unsigned long offset = strtoul(text, &text, 10), bytes = strtoul(text, &text, 10);
        int length = (int)strtoul(text, &text, 10);
        uintptr_t begin = (uintptr_t)frame + offset, end = begin + bytes;
        unsigned long away = address >= end ? address - end : begin - address;
        if (away < nearest) {
            nearest = away;
            *start = begin;
            *size = bytes;
            snprintf(name, 64, "%.*s", (int)strcspn(text + 1, ":"), text + 1);
        }
        text += 1 + length;
    }
    return nearest != -1ul;
}

static void look(uintptr_t address, size_t bytes, bool write, void *pc)
{
    const char *verb = write ? "writes" : "reads";
    unsigned shadow, upto;
    uintptr_t start;
    size_t size;
    char name[64];
    if (!simt_running() || address - (uintptr_t)simt_self->fibre.stack >= STACK_BYTES)
        return;
    for (size_t i = 0; i < bytes; i += upto) {
        upto = 8 - (address + i) % 8;
        shadow = *shadow_of(address + i);
        if (shadow == 0 || (address + i) % 8 + (bytes - i < upto ? bytes - i : upto) <=
                               (shadow < 128 ? shadow : 0))
            continue;
        if (!find_variable(address, &start, &size, name))
            simt_wrong(simt_self, pc, "%s %zu bytes outside of its local variables", verb, bytes);
        else if (address < start)
            simt_wrong(simt_self, pc, "%s %zu bytes, %zu before its local variable %s of %zu bytes",
                       verb, bytes, (size_t)(start - address), name, size);
        else
            simt_wrong(simt_self, pc,
                       "%s %zu bytes at byte %zu of its local variable %s of %zu bytes", verb,
                       bytes, (size_t)(address - start), name, size);
        return;
    }
}

/* ---- what the compiler calls ---- */

static void touch(uintptr_t address, size_t bytes, bool write, void *pc)
{
    unsigned step = address % 4 == 0 && bytes % 4 == 0 ? 4 : 1;
    look(address, bytes, write, pc);
    if (bytes <= 16 && (bytes & (bytes - 1)) == 0 && address % bytes == 0)
        step = (unsigned)bytes;
    for (size_t i = 0; i < bytes; i += step)
        if (write)
            simt_write((void *)(address + i), step, pc);
        else
            simt_read((const void *)(address + i), step, pc);
}

#define HOOKS(OF, BYTES, ...)                                                                      \
    void __asan_load##OF##_noabort(uintptr_t address __VA_ARGS__)                                  \
    {                                                                                              \
        touch(address, BYTES, false, __builtin_return_address(0));                                 \
    }                                                                                              \
    void __asan_store##OF##_noabort(uintptr_t address __VA_ARGS__)                                 \
    {                                                                                              \
        touch(address, BYTES, true, __builtin_return_address(0));                                  \
    }
HOOKS(1, 1)
HOOKS(2, 2)
HOOKS(4, 4)
HOOKS(8, 8)
HOOKS(16, 16)
HOOKS(N, bytes, , size_t bytes)

void __asan_handle_no_return(void)
{
    if (simt_running())
        clear(&simt_self->fibre);
}

/* g++ calls them around what a program computes before main(). */
void __asan_before_dynamic_init(const char *file)
{
    (void)file;
}

void __asan_after_dynamic_init(void)
{
}
