/*
 * recorder.c: keeps what the threads of chosen blocks do, in the first launch after
 * simt_launches_clear(). The steps are those of requests.c, but of all warps together.
 */
#include "engine.h"

static const unsigned *wanted; /* blocks */
static size_t wanted_count;
static struct simt_access *accesses;
static size_t access_count;

struct passed {
    unsigned block, epoch; /* the first after it */
    enum simt_barrier kind;
};
static struct passed *barriers;
static size_t barrier_count;

void simt_trace(const unsigned *blocks, size_t count)
{
    queue_finish();
    wanted = blocks;
    wanted_count = count;
}

void recorder_clear(void)
{
    access_count = barrier_count = 0;
}

static unsigned block_number(const struct block *b)
{
    dim3 g = simt_now.grid_size;
    return b->index.x + g.x * (b->index.y + g.y * b->index.z);
}

bool recorder_wants(const struct block *b)
{
    for (size_t i = 0; i < wanted_count; i++)
        if (wanted[i] == block_number(b))
            return launches_counted() == 0 && simt_at == 0;
    return false;
}

void recorder_barrier(const struct block *b, enum thread_state at, unsigned epoch)
{
    if (!simt_counting || !recorder_wants(b))
        return;
    barriers = simt_grow(barriers, barrier_count, sizeof *barriers);
    barriers[barrier_count++] = (struct passed){
        .block = block_number(b),
        .epoch = epoch,
        .kind = at == AT_GRID_BARRIER      ? SIMT_OF_GRID
                : at == AT_CLUSTER_BARRIER ? SIMT_OF_CLUSTER
                                           : SIMT_OF_BLOCK,
    };
}

static void keep(struct thread *t, unsigned step)
{
    static const enum simt_access_kind kinds[] = {
        [GLOBAL_LOAD] = SIMT_LOAD,        [GLOBAL_STORE] = SIMT_STORE, [SHARED_LOAD] = SIMT_LOAD,
        [SHARED_STORE] = SIMT_STORE,      [REMOTE_LOAD] = SIMT_LOAD,   [REMOTE_STORE] = SIMT_STORE,
        [ATOMIC_OPERATION] = SIMT_ATOMIC, [LANE_READ] = SIMT_SHUFFLE,
    };
    const struct record *r = &t->records.at[t->records.next - 1];
    accesses = simt_grow(accesses, access_count, sizeof *accesses);
    struct simt_access *a = &accesses[access_count++];
    *a = (struct simt_access){
        .line = place_name(r->pc),
        .block = block_number(t->block),
        .thread = t->rank,
        .step = step,
        .epoch = r->epoch,
        .kind = kinds[r->kind],
        .bytes = r->bytes,
    };
    for (size_t i = 0; i < barrier_count; i++)
        a->barriers[barriers[i].kind] +=
            barriers[i].block == a->block && barriers[i].epoch <= a->epoch;
    size_t offset;
    a->in_shared = r->kind != LANE_READ && shared_owner(t->block, r->address, &offset);
    a->address = a->in_shared ? offset : r->address;
}

void recorder_block(struct block *b)
{
    struct thread *here[MAX_BLOCK];
    unsigned together;
    if (!recorder_wants(b))
        return;
    while ((together = requests_step(b->threads, simt_now.threads, here)) > 0) {
        if (here[0]->records.at[here[0]->records.next - 1].kind == STEP)
            continue;
        b->steps++;
        for (unsigned i = 0; i < together; i++)
            keep(here[i], b->steps);
    }
    for (unsigned i = 0; i < simt_now.threads; i++)
        b->threads[i].records.next = 0; /* requests.c goes through them, too */
}

size_t simt_traced(void)
{
    uintptr_t lowest = UINTPTR_MAX; /* of shared memory */
    queue_finish();
    for (size_t i = 0; i < access_count; i++)
        if (accesses[i].in_shared && accesses[i].address < lowest)
            lowest = accesses[i].address;
    for (size_t i = 0; i < access_count; i++)
        accesses[i].address -= accesses[i].in_shared ? lowest : 0;
    return access_count;
}

const struct simt_access *simt_access(size_t i)
{
    return &accesses[i];
}
