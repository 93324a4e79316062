/* shared_memory.c: where the shared memory of a block is, and what is known of its bytes. */
#include "shared_memory.h"
#include "fault.h"
#include <link.h>

char *shared_start = ""; /* the __shared__ variables of this program, if it has any */
size_t shared_bytes, shared_room;
unsigned char *shared_states;
_Alignas(SHARED_ALIGN) char simt_dynamic_shared[SM_SHARED]; /* of the running block */
static struct block *swapped_in; /* whose shared memory is in its place */

static int first_object(struct dl_phdr_info *info, size_t size, void *unused)
{
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

/* In the copy of another block of the cluster. */
static struct block *owner_in_cluster(struct block *b, uintptr_t address, size_t *offset)
{
    if (simt_now.cluster_blocks == 1)
        return NULL;
    for (struct block *o = b->cluster; o < b->cluster + simt_now.cluster_blocks; o++) {
        *offset = address - (uintptr_t)o->shared;
        if (*offset < shared_room + SM_SHARED)
            return o;
    }
    return NULL;
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
        return owner_in_cluster(b, address, offset);
    return b;
}

void *shared_address(size_t offset)
{
    size_t first = (uintptr_t)shared_start % SHARED_ALIGN;
    if (offset >= first && offset < first + shared_bytes)
        return shared_start + (offset - first);
    if (offset < shared_room || offset >= shared_room + SM_SHARED)
        return NULL;
    return simt_dynamic_shared + (offset - shared_room);
}

/* As PTX has addresses of shared memory. */
size_t simt_to_shared(const void *p)
{
    size_t offset = 0;
    if (shared_owner(simt_self->block, (uintptr_t)p, &offset) != simt_self->block)
        simt_fault(simt_self, __builtin_return_address(0),
                   "asks for the shared address of %p, which is no shared memory of its block", p);
    return offset;
}

void *simt_from_shared(size_t address)
{
    void *p = shared_address(address);
    if (!p)
        simt_fault(simt_self, __builtin_return_address(0),
                   "0x%zx is no address of shared memory: __cvta_generic_to_shared() gives one",
                   address);
    return p;
}

/* ---- blocks ---- */

void shared_make_block(struct block *b)
{
    /* In another thread of the host its beginning may lie otherwise. */
    b->shared = aligned_alloc(SHARED_ALIGN, shared_room + SHARED_ALIGN + SM_SHARED);
    b->written = malloc(shared_room + SHARED_ALIGN + SM_SHARED);
    if (!b->shared || !b->written)
        simt_fault(NULL, NULL, "no memory for another resident block");
}

void shared_begin_block(struct block *b)
{
    memset(b->written, UNWRITTEN, shared_room + simt_now.dynamic_bytes);
}

void shared_begin_launch(void)
{
    swapped_in = NULL;
}

void shared_swap_in(struct block *b)
{
    size_t start = (uintptr_t)shared_start % SHARED_ALIGN;
    shared_states = b ? b->written + start : NULL;
    if (swapped_in == b)
        return;
    if (swapped_in) {
        memcpy(swapped_in->shared + start, shared_start, shared_bytes);
        memcpy(swapped_in->shared + shared_room, simt_dynamic_shared, simt_now.dynamic_bytes);
    }
    if (b) {
        memcpy(shared_start, b->shared + start, shared_bytes);
        memcpy(simt_dynamic_shared, b->shared + shared_room, simt_now.dynamic_bytes);
    }
    swapped_in = b;
}

void shared_keep_host(bool restore)
{
    static char *kept;
    static size_t room;
    if (shared_bytes == 0)
        return;
    if (room < shared_bytes)
        kept = realloc(kept, room = shared_bytes);
    if (!kept)
        simt_fault(NULL, NULL, "no memory left");
    if (restore)
        memcpy(shared_start, kept, shared_bytes);
    else
        memcpy(kept, shared_start, shared_bytes);
}
