/* recorder.c: keeps what the threads of chosen blocks do, in the first launch after
   simt_launches_clear(), their share in what is counted, and the races reported. Steps are those of
   requests.c, of all warps together. */
#include "fault.h"
#include "launch_counts.h"
#include "requests.h"
#include "shared_memory.h"

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
static struct simt_race *races;
static size_t race_count;

static struct share { /* of a block, in what was counted */
    unsigned block;
    unsigned steps; /* taken so far */
    struct simt_counts counts;
} * shares;
static size_t share_count;
static struct simt_counts at_switch; /* what the launch had counted when this block began to run */
static unsigned running;             /* 1 + index into shares of the block that runs; 0: of none */

void recorder_choose(const unsigned *blocks, size_t count)
{
    wanted = blocks;
    wanted_count = count;
}

void recorder_clear(void)
{
    for (size_t i = 0; i < race_count; i++)
        free((char *)races[i].text);
    access_count = barrier_count = race_count = share_count = 0;
    running = 0;
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
            return counts_kept() == 0 && simt_at == 0;
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

/* Adds what the launch has counted since the block began to run: of what is summed up. */
static void add_since(struct simt_counts *share)
{
    static const struct {
        size_t first, last;
    } sums[] = {
        {offsetof(struct simt_counts, global_load_bytes),
         offsetof(struct simt_counts, global_atomics)},
        {offsetof(struct simt_counts, barriers), offsetof(struct simt_counts, barriers)},
        {offsetof(struct simt_counts, shuffles), offsetof(struct simt_counts, shuffles)},
        {offsetof(struct simt_counts, gld_requests),
         offsetof(struct simt_counts, remote_st_requests)},
    };
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
        for (size_t at = sums[i].first; at <= sums[i].last; at += sizeof(uint64_t))
            *(uint64_t *)((char *)share + at) += *(uint64_t *)((char *)&simt_now.counts + at) -
                                                 *(uint64_t *)((char *)&at_switch + at);
}

static unsigned share_of(unsigned block)
{
    for (unsigned i = 0; i < share_count; i++)
        if (shares[i].block == block)
            return i;
    shares = simt_grow(shares, share_count, sizeof *shares);
    shares[share_count] = (struct share){
        .block = block,
        .counts = {.grid = simt_now.counts.grid, .block = simt_now.counts.block},
    };
    return (unsigned)share_count++;
}

void recorder_switch(const struct block *b)
{
    if (running > 0)
        add_since(&shares[running - 1].counts);
    running = b && simt_counting && recorder_wants(b) ? 1 + share_of(block_number(b)) : 0;
    if (running > 0)
        at_switch = simt_now.counts;
}

const struct simt_counts *simt_block_counts(unsigned block)
{
    for (size_t i = 0; i < share_count; i++)
        if (shares[i].block == block)
            return &shares[i].counts;
    return NULL;
}

void recorder_race(const struct simt_race *race)
{
    if (wanted_count == 0 || counts_kept() > 0 || simt_at != 0)
        return;
    races = simt_grow(races, race_count, sizeof *races);
    races[race_count] = *race;
    races[race_count].text = strdup(race->text);
    if (races[race_count++].text == NULL)
        simt_fault(NULL, NULL, "no memory left");
}

static void keep(struct thread *t, unsigned step)
{
    static const enum simt_access_kind kinds[] = {
        [GLOBAL_LOAD] = SIMT_LOAD,        [GLOBAL_STORE] = SIMT_STORE, [SHARED_LOAD] = SIMT_LOAD,
        [SHARED_STORE] = SIMT_STORE,      [REMOTE_LOAD] = SIMT_LOAD,   [REMOTE_STORE] = SIMT_STORE,
        [ATOMIC_OPERATION] = SIMT_ATOMIC, [LANE_READ] = SIMT_SHUFFLE,
    };
    const struct record *r = requests_current(t);
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
    a->remote = r->kind == REMOTE_LOAD || r->kind == REMOTE_STORE;
    a->address = a->in_shared ? offset : r->address;
}

static void record(struct block *b)
{
    struct thread *here[MAX_BLOCK];
    unsigned together, share = share_of(block_number(b));
    while ((together = requests_step(b->threads, simt_now.threads, here)) > 0) {
        if (requests_current(here[0])->kind > LANE_READ)
            continue;
        shares[share].steps++;
        for (unsigned i = 0; i < together; i++)
            keep(here[i], shares[share].steps);
    }
    requests_rewind(b);
}

void recorder_flush(struct block *b)
{
    if (!simt_counting)
        return;
    if (recorder_wants(b))
        record(b);
    requests_flush(b);
}

size_t recorder_end(void)
{
    uintptr_t lowest = UINTPTR_MAX; /* of shared memory */
    for (size_t i = 0; i < access_count; i++)
        if (accesses[i].in_shared && accesses[i].address < lowest)
            lowest = accesses[i].address;
    for (size_t i = 0; i < access_count; i++)
        accesses[i].address -= accesses[i].in_shared ? lowest : 0;
    for (size_t i = 0; i < race_count; i++)
        races[i].address -= races[i].in_shared ? lowest : 0;
    return access_count;
}

const struct simt_access *simt_access(size_t i)
{
    return &accesses[i];
}

size_t simt_races(void)
{
    return race_count;
}

const struct simt_race *simt_race(size_t i)
{
    return &races[i];
}
