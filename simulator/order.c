/*
 * order.c: what puts the accesses of different threads in order, for race.c. By the
 * CUDA C++ Programming Guide and PTX's "Memory Consistency Model" these things do:
 *
 * - The launches of a program, barriers of the grid, of the cluster (from the arrival of
 *   one thread to the end of another's waiting) and of the block, and __syncwarp() for
 *   the lanes in its mask. Not a shuffle, vote or match: "these
 *   intrinsics do not imply a memory barrier" (the Guide on each of them).
 * - A hand-over: a thread passes a fence, then writes a flag by an atomic or through
 *   a volatile pointer; another reads the flag in such a way, then passes a fence.
 *   What the first knew at its fence the second knows from then on, and a barrier
 *   passes it on, as it does with a fence: what the others wrote before theirs, and a
 *   barrier, is handed over, too. Through __threadfence_block() this holds inside one block only.
 *
 * `now` counts these events. A thread knows, for every other, the time up to which
 * all that the other did comes before what it does itself. One time stands for all
 * hand-overs between blocks: who waits for a flag is taken to know of every flag that
 * was written before that one. So a wait for the wrong flag may pass unseen.
 */
#include "engine.h"
#include <stdlib.h>
#include <string.h>

/* What a thread knew at a fence, and may hand over from then on. */
struct offer {
    const uint32_t *fences; /* of all threads of its block, before its last barrier; or NULL */
    uint32_t time;          /* of the first flag that it wrote afterwards, 0: none yet */
    uint32_t warp, barrier, lanes[WARP];
    uint32_t cluster_barriers[2]; /* for what others did before, and early */
    const uint32_t *gate;         /* as in knowledge, at the fence; and when it wrote the flag */
    const uint32_t *late_gate;
    uint32_t next; /* the offer that its block made before: 1 + index into offers[], or 0 */
    bool block_only;
};

struct knowledge {         /* of one thread */
    uint32_t lanes[WARP];  /* from its last __syncwarp() with each */
    uint32_t fenced[WARP]; /* the last fences that each had passed then; its own: the last */
    uint32_t flags;        /* the latest hand-over that it read ... */
    const uint32_t *gate;  /* of each thread of its block: from the last cuda::barrier; or NULL */
    uint32_t known[2];     /* ... and that it knows behind a fence: in the device, in the block */
    bool offering;
    struct offer offer;
};

static uint32_t now = 1;
/* What each device did up to this time comes before all that the running launch does from now on:
   of its own device the last barrier of the grid, or its begin. */
static uint32_t ordered[MOST_DEVICES], least; /* and the least of them */
static struct offer *offers;                  /* of this launch, once handed over */
static uint32_t offer_count;
static uint32_t *last_offer; /* of each block: 1 + index into offers[], or 0 */

static uint32_t later(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static void *need(void *memory)
{
    if (!memory)
        simt_fault(simt_self, NULL, "no memory left to look for races in");
    return memory;
}

uint32_t order_now(void)
{
    return now;
}

/* Blocks take turns: from each of these times on it is that one's. With several devices since the
   last launch that came after everything. */
static struct turn {
    uint32_t time, block;
} * turns;
static size_t turn_count;

void order_turn(uint32_t block)
{
    if (turn_count > 0 && turns[turn_count - 1].block == block)
        return;
    turns = simt_grow(turns, turn_count, sizeof *turns);
    turns[turn_count++] = (struct turn){++now, block};
}

uint32_t order_block_at(uint32_t time)
{
    size_t low = 0, high = turn_count - 1; /* most often the last one's */
    if (time >= turns[high].time)
        return turns[high].block;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (time >= turns[middle].time)
            low = middle;
        else
            high = middle;
    }
    return turns[low].block;
}

/* The fences of a block's threads at one of its barriers. */
struct fences {
    struct fences *before;
    uint32_t of[];
};
static struct fences *all_fences; /* of this launch */

/* ---- several devices: each has its launch ---- */

static struct {
    uint32_t ordered[MOST_DEVICES];
    struct offer *offers;
    uint32_t offer_count, *last_offer;
    struct fences *all_fences;
} kept[MOST_DEVICES]; /* while another is entered */
static unsigned entered;

static void set_ordered(unsigned device, uint32_t time)
{
    ordered[device] = time;
    least = time;
    for (unsigned d = 0; d < simt_devices; d++)
        least = ordered[d] < least ? ordered[d] : least;
}

void order_enter(unsigned device)
{
    memcpy(kept[entered].ordered, ordered, sizeof ordered);
    kept[entered].offers = offers;
    kept[entered].offer_count = offer_count;
    kept[entered].last_offer = last_offer;
    kept[entered].all_fences = all_fences;
    entered = device;
    memcpy(ordered, kept[entered].ordered, sizeof ordered);
    set_ordered(device, ordered[device]);
    offers = kept[entered].offers;
    offer_count = kept[entered].offer_count;
    last_offer = kept[entered].last_offer;
    all_fences = kept[entered].all_fences;
}

static unsigned device_of(uint32_t block)
{
    return block >> DEVICE_SHIFT;
}

uint32_t order_in_grid(uint32_t block)
{
    return simt_devices > 1 ? block & ((1u << DEVICE_SHIFT) - 1) : block;
}

static void forget_offers(void)
{
    for (struct fences *f = all_fences, *before; f; f = before) {
        before = f->before;
        free(f);
    }
    all_fences = NULL;
    offer_count = 0;
}

bool order_begin_launch(const uint32_t known[MOST_DEVICES])
{
    static uint32_t begun;                         /* the last launch that came after everything */
    bool restart = !known && now > UINT32_MAX / 2; /* long before it wraps around */
    now = restart ? 1 : now;
    forget_offers();
    begun = known ? begun : now;
    if (!known)
        turn_count = 0;
    for (unsigned d = 0; d < MOST_DEVICES; d++)
        ordered[d] = known && known[d] > begun ? known[d] : begun;
    set_ordered(simt_at, now++);
    return restart;
}

void order_begin_block(struct block *b)
{
    if (!b->knowledge)
        b->knowledge = need(calloc(MAX_BLOCK, sizeof *b->knowledge));
    b->begun = b->last_barrier = now++;
    b->fences = NULL;
    b->fenced = false;
    for (unsigned i = 0; i < simt_now.threads; i++) {
        struct knowledge *k = &b->knowledge[i]; /* lanes[] hold times before this block's */
        k->flags = k->known[0] = k->known[1] = 0;
        k->fenced[i % WARP] = 0;
        k->offering = false;
        k->gate = NULL;
    }
}

/* A barrier of these threads, in one block or several: what was handed over to one, all have. */
static void pass_on(struct block *first, unsigned blocks, unsigned from, unsigned count,
                    unsigned mask)
{
    uint32_t flags = 0, known[2] = {0, 0};
    for (unsigned pass = 0; offer_count > 0 && pass < 2; pass++)
        for (unsigned i = 0; i < blocks * count; i++) {
            struct knowledge *k = &first[i / count].knowledge[from + i % count];
            if (!(mask >> i % count % WARP & 1))
                continue;
            k->flags = flags = later(flags, k->flags);
            k->known[0] = known[0] = later(known[0], k->known[0]);
            k->known[1] = known[1] = later(known[1], k->known[1]);
        }
}

void order_grid_barrier(void)
{
    set_ordered(simt_at, now++);
}

/* A barrier at which one arrived relaxed orders nothing. */
void order_cluster_barrier(struct block *first)
{
    uint32_t *times = first->barrier_times, before = times[(first->barriers - 1) % 4];
    times[first->barriers % 4] = first->relaxed ? before : now++;
    if (!first->relaxed)
        pass_on(first, simt_now.cluster_blocks, 0, simt_now.threads, ~0u);
    first->relaxed = false;
}

/* The last barrier of its cluster for which a thread has waited. What another did early, after
   it had arrived there, that barrier does not order, but the one before it did. */
static uint32_t last_cluster_barrier(const struct thread *t, bool early)
{
    return t->block->cluster->barrier_times[(t->cluster_waits - early) % 4];
}

/* A fence is cumulative: who knows of it, by the barrier, and then writes a flag, hands over what
   came before it as well. */
static void keep_fences(struct block *b)
{
    struct fences *f = need(malloc(sizeof *f + simt_now.threads * sizeof *f->of));
    for (unsigned i = 0; i < simt_now.threads; i++)
        f->of[i] = b->knowledge[i].fenced[i % WARP];
    f->before = all_fences;
    all_fences = f;
    b->fences = f->of;
    b->fenced = false;
}

void order_block_barrier(struct block *b)
{
    if (b->fenced)
        keep_fences(b);
    b->last_barrier = now++;
    pass_on(b, 1, 0, simt_now.threads, ~0u);
}

void order_warp_barrier(struct block *b, unsigned first, unsigned mask)
{
    struct knowledge *k = &b->knowledge[first];
    uint32_t lanes[WARP] = {0}, fenced[WARP] = {0};
    for (unsigned l = 0; l < WARP; l++)
        for (unsigned i = 0; (mask >> l & 1) && i < WARP; i++) {
            lanes[i] = mask >> i & 1 ? now : later(lanes[i], k[l].lanes[i]);
            fenced[i] = later(fenced[i], k[l].fenced[i]);
        }
    for (unsigned l = 0; l < WARP; l++)
        if (mask >> l & 1) {
            memcpy(k[l].lanes, lanes, sizeof lanes);
            memcpy(k[l].fenced, fenced, sizeof fenced);
        }
    now++;
    pass_on(b, 1, first, WARP, mask);
}

void simt_fence(bool block_only)
{
    const struct thread *t = simt_self;
    struct knowledge *k = &t->block->knowledge[t->rank];
    k->known[block_only] = later(k->known[block_only], k->flags);
    /* Once it passed a fence for the device, its fences for the block count as such. */
    k->offer.block_only = block_only && (!k->offering || k->offer.block_only);
    k->offer.warp = t->rank / WARP;
    k->offer.barrier = t->block->last_barrier;
    k->offer.cluster_barriers[0] = last_cluster_barrier(t, false);
    k->offer.cluster_barriers[1] = last_cluster_barrier(t, true);
    memcpy(k->offer.lanes, k->lanes, sizeof k->lanes);
    k->offer.lanes[t->lane] = now++;
    if (!block_only) {
        k->fenced[t->lane] = now - 1;
        t->block->fenced = true;
    }
    k->offer.gate = k->gate;
    k->offer.time = 0;
    k->offering = true;
}

void order_read_flag(uint32_t handed_over)
{
    struct knowledge *k = &simt_self->block->knowledge[simt_self->rank];
    k->flags = later(k->flags, handed_over);
}

uint32_t order_write_flag(uint32_t handed_over, bool atomic)
{
    uint32_t block = order_in_grid(simt_self->block->number);
    struct knowledge *k = &simt_self->block->knowledge[simt_self->rank];
    if (!k->offering) /* an atomic goes on with what it found, a store puts an end to it */
        return atomic ? handed_over : 0;
    for (unsigned i = 0; i < WARP; i++) /* of those that it met at a __syncwarp() since */
        k->offer.lanes[i] = later(k->offer.lanes[i], k->fenced[i]);
    if (k->offer.time != 0 && k->offer.fences == simt_self->block->fences)
        return now++; /* an earlier flag made the same offer */
    k->offer.fences = simt_self->block->fences;
    k->offer.late_gate = k->gate;
    offers = simt_grow(offers, offer_count, sizeof *offers);
    if (offer_count == 0) {
        free(last_offer);
        last_offer = need(calloc(simt_now.blocks, sizeof *last_offer));
    }
    k->offer.time = now++;
    k->offer.next = last_offer[block];
    offers[offer_count++] = k->offer;
    last_offer[block] = offer_count;
    return k->offer.time;
}

bool order_before_grid_barrier(uint32_t time)
{
    return time <= least;
}

bool order_before_barrier(uint32_t time, uint32_t block)
{
    const struct block *b = simt_self->block;
    return time <= ordered[device_of(block)] || (block == b->number && time <= b->last_barrier);
}

/* What arrivals at a cuda::barrier make known: a time for each thread of the block, the last fence
   of each, and what was handed over to one of them. */
static const uint32_t *gate_fences(const uint32_t *gate)
{
    return gate + simt_now.threads;
}

static size_t gate_hand_over(void)
{
    return 2 * simt_now.threads;
}

size_t order_gate_words(void)
{
    return gate_hand_over() + 3;
}

/* Did a thread of this block hand it over? */
static bool handed_over_by(uint32_t giver, uint32_t time, uint32_t block, unsigned rank, bool early,
                           bool unfenced)
{
    const struct knowledge *k = &simt_self->block->knowledge[simt_self->rank];
    bool same_block = giver == simt_self->block->number;
    uint32_t known = unfenced     ? k->flags
                     : same_block ? later(k->known[0], k->known[1])
                                  : k->known[0];
    for (uint32_t i = known > 0 ? last_offer[order_in_grid(giver)] : 0; i != 0;
         i = offers[i - 1].next) {
        const struct offer *o = &offers[i - 1];
        bool covers = time <= o->cluster_barriers[early];
        if (giver == block)
            covers |= time <= o->barrier || (o->gate && time <= o->gate[rank]) ||
                      (o->late_gate && time <= gate_fences(o->late_gate)[rank]) ||
                      (o->fences && time <= o->fences[rank]) ||
                      (o->warp == rank / WARP && time <= o->lanes[rank % WARP]);
        if (covers && o->time <= known && (same_block || !o->block_only))
            return true;
    }
    return false;
}

/* Did a thread of its cluster? unfenced: counts what the running thread has read, but no fence yet
   made known to it. */
static bool handed_over(uint32_t time, uint32_t block, unsigned rank, bool early, bool unfenced)
{
    if (simt_devices > 1 && device_of(block) != simt_at)
        return false;
    uint32_t blocks = simt_now.cluster_blocks, first = block - order_in_grid(block) % blocks;
    for (uint32_t giver = first; offer_count > 0 && giver < first + blocks; giver++)
        if (handed_over_by(giver, time, block, rank, early, unfenced))
            return true;
    return false;
}

bool order_lacks_second_fence(uint32_t time, uint32_t block, unsigned rank, bool early)
{
    return handed_over(time, block, rank, early, true);
}

bool order_known(uint32_t time, uint32_t block, unsigned rank, bool early)
{
    const struct thread *t = simt_self;
    uint32_t blocks = simt_now.cluster_blocks, first = block - order_in_grid(block) % blocks;
    if (order_before_barrier(time, block))
        return true;
    if (block == t->block->number && rank / WARP == t->rank / WARP &&
        (rank == t->rank || time <= t->block->knowledge[t->rank].lanes[rank % WARP]))
        return true;
    const uint32_t *gate = t->block->knowledge[t->rank].gate;
    if (gate && block == t->block->number && time <= gate[rank])
        return true;
    if (t->block->number - first < blocks && time <= last_cluster_barrier(t, early))
        return true;
    return handed_over(time, block, rank, early, false);
}

/* ---- cuda::barrier (async.c) ---- */

static void learn(uint32_t *times, const uint32_t *others)
{
    for (size_t i = 0; i < order_gate_words(); i++)
        times[i] = later(times[i], others[i]);
}

void order_arrive(uint32_t *arrived)
{
    const struct thread *t = simt_self;
    const struct knowledge *k = &t->block->knowledge[t->rank];
    uint32_t *of_warp = arrived + t->rank - t->lane, *hand_over = arrived + gate_hand_over();
    for (unsigned l = 0; l < WARP && t->rank - t->lane + l < simt_now.threads; l++) {
        of_warp[l] = later(of_warp[l], k->lanes[l]);
        of_warp[simt_now.threads + l] = later(of_warp[simt_now.threads + l], k->fenced[l]);
    }
    if (k->gate)
        learn(arrived, k->gate);
    arrived[t->rank] = now++;
    hand_over[0] = later(hand_over[0], k->flags);
    hand_over[1] = later(hand_over[1], k->known[0]);
    hand_over[2] = later(hand_over[2], k->known[1]);
}

const uint32_t *order_gate(const uint32_t *arrived)
{
    size_t bytes = order_gate_words() * sizeof *arrived;
    struct fences *f = need(malloc(sizeof *f + bytes));
    memcpy(f->of, arrived, bytes);
    f->before = all_fences; /* it goes when the launch ends */
    all_fences = f;
    return f->of;
}

/* Most often it arrived there itself, and so the barrier knows what it knew. */
void order_pass_gate(const uint32_t *done)
{
    struct knowledge *k = &simt_self->block->knowledge[simt_self->rank];
    const uint32_t *hand_over = done + gate_hand_over();
    bool all = true;
    if (k->gate == done)
        return;
    for (unsigned r = 0; k->gate && all && r < simt_now.threads; r++)
        all = k->gate[r] <= done[r];
    if (!all) {
        done = order_gate(done);
        learn((uint32_t *)done, k->gate);
    }
    k->gate = done;
    k->flags = later(k->flags, hand_over[0]);
    k->known[0] = later(k->known[0], hand_over[1]);
    k->known[1] = later(k->known[1], hand_over[2]);
}

bool order_offers(void)
{
    return simt_self->block->knowledge[simt_self->rank].offering;
}
