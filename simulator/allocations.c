/* allocations.c: gives out device memory, and knows the allocation of each address. It lies in one
   reserved range of addresses, with closed room after each allocation. Memory of a kernel's
   malloc() lies there, too. */
#include "allocations.h"
#include "devices.h"
#include "fault.h"
#include <sys/mman.h>
#include <unistd.h>

enum { RED_ZONE = 512, HEAP_RED_ZONE = 16 }; /* unused bytes after every allocation */
enum { FRESH = 0x7f }; /* fills new memory: large finite numbers as float, double and int */
enum { BEFORE_ALL = 64 << 10 }; /* unused bytes before the first, for negative indices */
static size_t arena_bytes = (size_t)1 << 40; /* of addresses; less where the system has less */

struct allocation {
    uintptr_t start, end;
    enum allocation_owner owner;
    unsigned device;            /* that was chosen when it was made, or whose kernel made it */
    void *made_by[CALL_PLACES]; /* the host's call, see fault.h; in a kernel its place alone */
};

static struct allocation *allocations; /* in the order of their addresses */
static size_t allocation_count;
static struct allocation freed[1024]; /* the last ones */
static size_t freed_count;
struct arena arena;
uintptr_t allocation_last_start, allocation_last_end;
static size_t in_use[MOST_DEVICES];

static bool host_may(const struct allocation *a)
{
    return a->owner == HOST_TOO || a->owner == MANAGED || a->owner == REGISTERED;
}

/* An allocation's last page belongs to it, and so does the closed room after it. */
static uintptr_t padded_end(const struct allocation *a)
{
    static uintptr_t page;
    if (page == 0)
        page = (uintptr_t)sysconf(_SC_PAGESIZE);
    if (a->owner == REGISTERED)
        return a->end;
    if (a->owner == HEAP)
        return (a->end + 2 * HEAP_RED_ZONE - 1) / HEAP_RED_ZONE * HEAP_RED_ZONE;
    return a->start + (a->end - a->start + RED_ZONE + page - 1) / page * page;
}

/* The last allocation that begins at or before the address, or NULL. */
static const struct allocation *last_before(uintptr_t address)
{
    static size_t low; /* most often the same one as before */
    if (low < allocation_count &&
        address - allocations[low].start < allocations[low].end - allocations[low].start)
        return &allocations[low];
    low = 0;
    for (size_t high = allocation_count; low < high;) {
        size_t middle = (low + high) / 2;
        if (address >= allocations[middle].start)
            low = middle + 1;
        else
            high = middle;
    }
    return low == 0 ? NULL : &allocations[--low];
}

static const struct allocation *find(uintptr_t address)
{
    const struct allocation *a = last_before(address);
    return a && address < a->end ? a : NULL;
}

static const struct allocation *find_freed(uintptr_t address)
{
    for (size_t i = 0; i < sizeof freed / sizeof *freed; i++)
        if (address - freed[i].start < freed[i].end - freed[i].start)
            return &freed[i];
    return NULL;
}

bool allocation_host_sees(uintptr_t address)
{
    extern char __data_start __attribute__((weak)), _end; /* the linker's: of variables */
    const struct allocation *a = find(address);
    if (a || &__data_start == NULL)
        return a && host_may(a);
    return address - (uintptr_t)&__data_start < (uintptr_t)(&_end - &__data_start) &&
           !is_device_variable(address);
}

bool allocation_find(uintptr_t address, uintptr_t *start, uintptr_t *end)
{
    const struct allocation *a = last_before(address);
    bool near = a && address < padded_end(a);
    *start = near ? a->start : 0;
    *end = near ? a->end : 0;
    if (!near || address >= a->end ||
        (!host_may(a) &&
         ((a->device != simt_at && !device_reaches(simt_at, a->device)) || !simt_running())))
        return false;
    allocation_last_start = a->start;
    allocation_last_end = a->end;
    return true;
}

int allocation_device(uintptr_t address)
{
    const struct allocation *a = find(address);
    return !a || host_may(a) ? -1 : (int)a->device;
}

/* Keeps the list in the order of addresses. */
static void add_allocation(struct allocation added)
{
    allocations = simt_grow(allocations, allocation_count, sizeof *allocations);
    size_t i = allocation_count++;
    for (; i > 0 && allocations[i - 1].start > added.start; i--)
        allocations[i] = allocations[i - 1];
    allocations[i] = added;
}

/* ---- what was written ---- */

/* The bits of 8 bytes. */
static unsigned char *bits_at(uintptr_t address)
{
    return arena.written + (address - arena.start) / 8;
}

size_t allocation_unwritten(uintptr_t address, size_t bytes)
{
    size_t missing = 0, run = 0;
    if (!is_device_address(address))
        return 0;
    for (size_t i = 0; i <= bytes;) {
        if (i < bytes && !allocation_is_written(address + i, 1)) {
            run++;
            i++;
            continue;
        }
        if (run >= 8 || run == bytes) /* fewer may be a hole in a structure */
            missing += run;
        run = 0;
        bool whole = (address + i) % 8 == 0 && i + 8 <= bytes;
        i += whole && *bits_at(address + i) == 0xff ? 8 : 1;
    }
    return missing;
}

void allocation_copied(uintptr_t to, uintptr_t from, size_t bytes)
{
    if (!is_device_address(to))
        return;
    for (size_t i = 0; i < bytes;) {
        bool whole = (to + i) % 8 == 0 && bytes - i >= 8;
        if (whole && !is_device_address(from)) {
            memset(bits_at(to + i), 0xff, (bytes - i) / 8);
            i += (bytes - i) / 8 * 8;
        } else if (whole && from % 8 == to % 8) {
            memcpy(bits_at(to + i), bits_at(from + i), (bytes - i) / 8);
            i += (bytes - i) / 8 * 8;
        } else {
            unsigned char bit = (unsigned char)(1 << (to + i) % 8), *at = bits_at(to + i);
            *at = (unsigned char)(allocation_is_written(from + i, 1) ? *at | bit : *at & ~bit);
            i++;
        }
    }
}

uint64_t allocation_sum(uint64_t sum)
{
    for (size_t i = 0; i < allocation_count; i++) {
        const struct allocation *a = &allocations[i];
        bool all = a->owner != DEVICE_ALONE && a->owner != HEAP;
        for (uintptr_t at = a->start, end; at < a->end; at = end) {
            bool written = all || allocation_is_written(at, 1);
            for (end = at + 1; end < a->end && (all || allocation_is_written(end, 1) == written);)
                end += (all || *bits_at(end) == (written ? 0xff : 0)) && end % 8 == 0 &&
                               a->end - end >= 8
                           ? 8
                           : 1;
            sum = devices_sum(sum, &at, sizeof at);
            if (written)
                sum = devices_sum(sum, (const void *)at, end - at);
        }
    }
    return sum;
}

void allocation_unwrite(const void *p, size_t bytes)
{
    memset(bits_at((uintptr_t)p), 0, (bytes + 7) / 8);
}

/* ---- device memory ---- */

static void *reserve(size_t bytes, int protection)
{
    return mmap(NULL, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

static bool make_arena(void)
{
    if (arena.start != 0)
        return true;
    for (; arena_bytes >= (size_t)64 << 20; arena_bytes /= 2) {
        void *range = reserve(4 * arena_bytes, PROT_NONE); /* the rest stays for others */
        if (range == MAP_FAILED)
            continue;
        munmap(range, 4 * arena_bytes);
        range = reserve(arena_bytes, PROT_NONE);
        void *written = reserve(arena_bytes / 8, PROT_READ | PROT_WRITE);
        if (range == MAP_FAILED || written == MAP_FAILED)
            return false;
        arena = (struct arena){(uintptr_t)range, (uintptr_t)range + BEFORE_ALL, written};
        return true;
    }
    return false;
}

/* Addresses are never used again: a stale pointer is seen. */
static bool take(size_t length)
{
    if (!make_arena() || length > arena.start + arena_bytes - arena.top ||
        mprotect((void *)arena.top, length, PROT_READ | PROT_WRITE) != 0)
        return false;
    arena.top += length;
    return true;
}

/* Many pages of FRESH are those of one file, until one is written: they take no memory before. */
static void fill_fresh(char *start, size_t bytes)
{
    enum { FILE_BYTES = 8 << 20 };
    static int file = -1;
    if (bytes >= 2 * FILE_BYTES && file < 0 && (file = memfd_create("fresh", MFD_CLOEXEC)) >= 0) {
        char *page = malloc(FILE_BYTES);
        bool written_whole =
            page && write(file, memset(page, FRESH, FILE_BYTES), FILE_BYTES) == FILE_BYTES;
        free(page);
        if (!written_whole) {
            close(file);
            file = -1;
        }
    }
    for (size_t done = 0, length; done < bytes; done += length) {
        length = bytes - done < FILE_BYTES ? bytes - done : FILE_BYTES;
        if (bytes < 2 * FILE_BYTES || file < 0 || length < FILE_BYTES ||
            mmap(start + done, length, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, file, 0) == MAP_FAILED)
            memset(start + done, FRESH, length);
    }
}

/* Whole pages are given back: most may never have been touched. */
static void clear_bits(unsigned char *from, unsigned char *to)
{
    enum { PAGES = 64 << 10 };
    unsigned char *first = (unsigned char *)(((uintptr_t)from + PAGES - 1) / PAGES * PAGES);
    unsigned char *last = (unsigned char *)((uintptr_t)to / PAGES * PAGES);
    if (first < last && madvise(first, (size_t)(last - first), MADV_DONTNEED) == 0) {
        memset(from, 0, (size_t)(first - from));
        from = last;
    }
    memset(from, 0, (size_t)(to - from));
}

static void remove_allocation(const struct allocation *a)
{
    size_t i = (size_t)(a - allocations);
    allocation_last_start = allocation_last_end = 0;
    if (is_device_address(a->start)) {
        clear_bits(bits_at(a->start), bits_at(a->end + 7));
        freed[freed_count++ % (sizeof freed / sizeof *freed)] = *a;
    }
    memmove(&allocations[i], &allocations[i + 1], (allocation_count - i - 1) * sizeof *allocations);
    allocation_count--;
}

cudaError_t allocation_make(void **pointer, size_t bytes, enum allocation_owner owner,
                            unsigned device)
{
    *pointer = NULL;
    if (bytes == 0)
        return cudaSuccess;
    SIMT_REFUSE_IF(bytes > DEVICE_BYTES - in_use[device] || !make_arena(),
                   cudaErrorMemoryAllocation);
    struct allocation a = {arena.top, arena.top + bytes, owner, device, {NULL}};
    place_keep_call(a.made_by);
    SIMT_REFUSE_IF(!take(padded_end(&a) - a.start), cudaErrorMemoryAllocation);
    if (host_may(&a)) /* zeros, as in CUDA; the host writes unseen, at times */
        allocation_copied(a.start, 0, bytes);
    else
        fill_fresh((void *)a.start, bytes);
    add_allocation(a);
    *pointer = (void *)a.start;
    in_use[device] += bytes;
    return cudaSuccess;
}

void allocation_add(void *p, size_t bytes, enum allocation_owner owner, unsigned device)
{
    struct allocation a = {(uintptr_t)p, (uintptr_t)p + bytes, owner, device, {NULL}};
    place_keep_call(a.made_by);
    add_allocation(a);
}

void allocation_remove(const void *p)
{
    remove_allocation(find((uintptr_t)p));
}

static bool facts_of(const struct allocation *a, struct allocation_facts *facts)
{
    if (a)
        *facts = (struct allocation_facts){a->start, a->end, a->owner, a->device, host_may(a)};
    return a != NULL;
}

bool allocation_look_up(const void *p, struct allocation_facts *facts)
{
    return facts_of(find((uintptr_t)p), facts);
}

bool allocation_was_freed(uintptr_t address, struct allocation_facts *facts)
{
    return facts_of(find_freed(address), facts);
}

bool allocation_near(uintptr_t address, struct allocation_facts *facts)
{
    const struct allocation *before = last_before(address);
    const struct allocation *next = before ? before + 1 : allocations;
    uintptr_t past = before && address < padded_end(before) ? address - before->end : BEFORE_ALL;
    if (before && address < before->end)
        return facts_of(before, facts);
    if (next < allocations + allocation_count && next->start - address < past)
        return facts_of(next, facts);
    return facts_of(past < BEFORE_ALL ? before : NULL, facts);
}

const char *allocation_made_at(uintptr_t start)
{
    static char text[300];
    const struct allocation *a = find(start);
    if (!a)
        a = find_freed(start);
    if (!a)
        return "";
    const char *line =
        place_name(a->owner == HEAP ? a->made_by[0] : place_of_kept_call(a->made_by));
    if (strcmp(line, "?") == 0)
        return "";
    snprintf(text, sizeof text, ", made at %s", line);
    return text;
}

cudaError_t allocation_free(const void *p, uintptr_t *start, uintptr_t *end)
{
    const struct allocation *a = find((uintptr_t)p);
    if (!a || a->start != (uintptr_t)p || !is_device_address((uintptr_t)p) || a->owner == HEAP)
        return simt_error_because(cudaErrorInvalidValue, !is_device_address((uintptr_t)p)
                                                             ? "CUDA did not give this memory"
                                                         : a ? "an allocation does not begin there"
                                                             : "this memory was freed already");
    in_use[a->device] -= a->end - a->start;
    *start = a->start;
    *end = padded_end(a);
    mmap((void *)*start, *end - *start, PROT_NONE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    remove_allocation(a);
    return cudaSuccess;
}

size_t allocation_in_use(unsigned device)
{
    return in_use[device];
}

/* ---- malloc(), free(), new and delete: of a kernel here, of the host as ever ---- */

static uintptr_t heap_top, heap_end;
static size_t heap_in_use,
    heap_limit = 8 << 20; /* cudaLimitMallocHeapSize, CUDA's own to begin with */

/* NULL if the heap is full, as in CUDA. */
static void *heap_allocate(size_t bytes, void *pc)
{
    enum { CHUNK = 8 << 20 };
    struct allocation a = {heap_top, heap_top + bytes, HEAP, simt_at, {pc}};
    if (bytes == 0 || bytes > heap_limit - heap_in_use)
        return NULL;
    if (padded_end(&a) > heap_end) {
        size_t length = (bytes + HEAP_RED_ZONE) / CHUNK * CHUNK + CHUNK;
        if (!take(length))
            return NULL;
        heap_end = arena.top;
        a.start = heap_end - length;
        a.end = a.start + bytes;
    }
    memset((void *)a.start, FRESH, bytes);
    add_allocation(a);
    heap_top = padded_end(&a);
    heap_in_use += bytes;
    return (void *)a.start;
}

static void heap_free(void *p, void *pc)
{
    const struct allocation *a = find((uintptr_t)p);
    if (!a || a->start != (uintptr_t)p || a->owner != HEAP)
        simt_fault(simt_self, pc, "frees %p, which malloc() or new in a kernel did not give", p);
    heap_in_use -= a->end - a->start;
    remove_allocation(a);
}

static void *get(size_t bytes, void *pc)
{
    return simt_running() ? heap_allocate(bytes, pc) : malloc(bytes);
}

void *simt_malloc(size_t bytes)
{
    return get(bytes, __builtin_return_address(0));
}

static void release(void *p, void *pc)
{
    if (p && simt_running())
        heap_free(p, pc);
    else if (is_device_address((uintptr_t)p))
        simt_wrong(NULL, pc, "host code frees memory of the device");
    else
        free(p);
}

void simt_free(void *p)
{
    release(p, __builtin_return_address(0));
}

/* operator new and delete, by the names that g++ and clang give them. */
void *simt_new(size_t bytes) __asm__("_Znwm");
void *simt_new_array(size_t bytes) __asm__("_Znam");
void simt_delete(void *p) __asm__("_ZdlPv");
void simt_delete_array(void *p) __asm__("_ZdaPv");
void simt_delete_sized(void *p, size_t bytes) __asm__("_ZdlPvm");
void simt_delete_array_sized(void *p, size_t bytes) __asm__("_ZdaPvm");

/* In a kernel NULL if there is no room, as in CUDA, which has no exceptions there. */
static void *get_new(size_t bytes, void *pc)
{
    void *p = get(bytes == 0 ? 1 : bytes, pc);
    if (!p && !simt_running())
        simt_fault(NULL, NULL, "no memory left for a new of %zu bytes in host code", bytes);
    return p;
}

#define NEW_OR_DELETE(RESULT, NAME, PARAMETERS, CALL)                                              \
    RESULT NAME PARAMETERS                                                                         \
    {                                                                                              \
        CALL;                                                                                      \
    }
NEW_OR_DELETE(void *, simt_new, (size_t bytes), return get_new(bytes, __builtin_return_address(0)))
NEW_OR_DELETE(void *, simt_new_array, (size_t bytes),
              return get_new(bytes, __builtin_return_address(0)))
NEW_OR_DELETE(void, simt_delete, (void *p), release(p, __builtin_return_address(0)))
NEW_OR_DELETE(void, simt_delete_array, (void *p), release(p, __builtin_return_address(0)))
NEW_OR_DELETE(void, simt_delete_sized, (void *p, size_t bytes),
              release(p, __builtin_return_address(0)))
NEW_OR_DELETE(void, simt_delete_array_sized, (void *p, size_t bytes),
              release(p, __builtin_return_address(0)))

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    if (limit == cudaLimitMallocHeapSize)
        heap_limit = value < heap_in_use ? heap_in_use : value;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
    *value = limit == cudaLimitMallocHeapSize ? heap_limit
             : limit == cudaLimitStackSize    ? STACK_BYTES
                                              : 0;
    return cudaSuccess;
}
