/* host_copies.c: which memory of the device still holds what the host has copied there, perhaps by
   way of other memory of the device; and what the host has copied back. */
#include "allocations.h"
#include "devices.h"
#include "fault.h"
#include "lock.h"
#include "simt.h"
#include "summary.h"

/* Copied to this place, and what it was. */
struct copied {
    uintptr_t to;
    size_t bytes;
    char *values;
};

static bool watching;
static struct copied *copies;
static size_t copy_count, taken, moved;

void simt_watch_host(void)
{
    while (copy_count > 0)
        free(copies[--copy_count].values);
    taken = moved = 0;
    watching = true;
}

size_t simt_host_took(void)
{
    return taken;
}

size_t simt_device_moved(void)
{
    return moved;
}

/* Managed memory is the device's: a kernel may have written it. */
static bool is_of_device(const void *p)
{
    struct allocation_facts a;
    if (allocation_look_up(p, &a))
        return a.owner != HOST_TOO && a.owner != REGISTERED;
    return is_device_variable((uintptr_t)p);
}

static void add(uintptr_t to, const char *values, size_t bytes)
{
    char *kept = malloc(bytes);
    if (!kept)
        simt_fault(NULL, NULL, "no memory left");
    copies = simt_grow(copies, copy_count, sizeof *copies);
    copies[copy_count++] = (struct copied){to, bytes, memcpy(kept, values, bytes)};
}

/* What came from the host goes on to another place: noted there with what it was at first, so that
   what a kernel has changed meanwhile is not taken for the host's. */
static void pass_on(uintptr_t to, uintptr_t from, size_t bytes)
{
    for (size_t i = 0, count = copy_count; i < count; i++) {
        const struct copied c = copies[i];
        uintptr_t start = from > c.to ? from : c.to;
        uintptr_t end = from + bytes < c.to + c.bytes ? from + bytes : c.to + c.bytes;
        if (start < end)
            add(to + (start - from), c.values + (start - c.to), end - start);
    }
}

void host_copies_read(size_t bytes)
{
    taken += bytes; /* since simt_watch_host() */
}

void host_copies_note(void *to, const void *from, size_t bytes)
{
    if (!watching || bytes == 0)
        return;
    simt_lock();
    bool to_device = is_of_device(to), from_device = is_of_device(from);
    if (to_device && !from_device)
        add((uintptr_t)to, to, bytes);
    else if (to_device)
        pass_on((uintptr_t)to, (uintptr_t)from, bytes), moved += bytes;
    else if (from_device)
        taken += bytes;
    simt_unlock();
}

/* What the host has copied of an allocation: up to which address; the call that was noted. */
struct part {
    uintptr_t start, end, farthest;
    bool from_start, noted;
    void *pc;
};
static struct part *parts;
static size_t part_count;

static void note_part(const struct part *p)
{
    summary_add(PART_COPY, p->pc,
                "copies %zu bytes to the host of an allocation of %zu, and never the rest: a copy "
                "counts bytes, as n * sizeof(float)",
                (size_t)(p->farthest - p->start), (size_t)(p->end - p->start));
}

/* Elements of 4 or 8 bytes were counted. A few bytes may well be all that the host wants. */
static bool counts_elements(const struct part *p)
{
    size_t bytes = p->farthest - p->start, all = p->end - p->start;
    return p->from_start && bytes >= 64 && (all == 4 * bytes || all == 8 * bytes) &&
           allocation_unwritten(p->farthest, all - bytes) == 0;
}

void host_copies_took(const void *from, size_t bytes)
{
    const size_t many =
        1000; /* allocations; of a program that makes more the others are not seen */
    struct allocation_facts a;
    simt_lock();
    struct part *p = parts;
    if (part_count < many && allocation_look_up(from, &a) && a.owner == DEVICE_ALONE) {
        while (p < parts + part_count && (p->start != a.start || p->end != a.end))
            p++;
        if (p == parts + part_count) {
            parts = simt_grow(parts, part_count, sizeof *parts);
            p = &parts[part_count++];
            *p = (struct part){.start = a.start, .end = a.end, .farthest = a.start};
        }
        bool was = p->noted;
        p->from_start |= (uintptr_t)from == a.start;
        if ((uintptr_t)from + bytes > p->farthest)
            p->farthest = (uintptr_t)from + bytes;
        p->noted = counts_elements(p);
        if (p->noted && !was)
            p->pc = place_of_call();
        if (was != p->noted) { /* the others stay */
            summary_forget(PART_COPY);
            for (p = parts; p < parts + part_count; p++)
                if (p->noted)
                    note_part(p);
        }
    }
    simt_unlock();
}

bool simt_host_wrote(const void *p, size_t bytes)
{
    for (size_t i = 0; i < copy_count; i++) {
        size_t offset = (uintptr_t)p - copies[i].to;
        if (offset < copies[i].bytes && bytes <= copies[i].bytes - offset &&
            memcmp(p, copies[i].values + offset, bytes) == 0)
            return true;
    }
    return false;
}
