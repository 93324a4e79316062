/* happens_before.c: what puts the accesses of different threads in order, for race.c, by the
   Programming Guide and PTX's "Memory Consistency Model": launches; barriers of grid, cluster,
   block; __syncwarp(), but no shuffle, vote or match; and release and acquire. There a thread
   passes a fence and writes a flag, by an atomic or volatile; another reads it and passes a fence.
   What the first knew at its fence the second knows then; barriers pass it on. Each fence reaches
   its scope: block, device, system (see the end). `now` counts these events. One time stands for
   all releases between blocks, so a wait for the wrong flag may pass unseen. */
#include "happens_before.h"
#include "fault.h"

/* What a thread knew at a fence: the flags that it writes from then on release it. */
struct release {
    const uint32_t *fences; /* of all threads of its block, before its last barrier; or NULL */
    uint32_t time;          /* of the first flag that it wrote afterwards, 0: none yet */
    uint32_t warp, barrier, lanes[WARP];
    uint32_t cluster_barriers[2]; /* for what others did before, and early */
    const uint32_t *phase;        /* as in knowledge, at the fence; and when it wrote the flag */
    const uint32_t *late_phase;
    unsigned threads; /* of a block: a phase has a time for each */
    uint32_t next;    /* the offer that its block made before: 1 + index into offers[], or 0 */
    enum simt_scope scope;
};

struct vector_clock {      /* of one thread */
    uint32_t lanes[WARP];  /* from its last __syncwarp() with each */
    uint32_t fenced[WARP]; /* the last fences that each had passed then; its own: the last */
    uint32_t flags;        /* the latest release that it read ... */
    const uint32_t *phase; /* of each thread of its block: from the last cuda::barrier; or NULL */
    uint32_t known[2];     /* ... and that it knows after a fence: in the device, in the block */
    bool releasing;
    bool read_flag, fenced_after_flag;
    struct release release;
};

struct hb_order hb_order = {.now = 1};
/* Of the launch of a device: of the one that is entered; of others. */
static struct of_launch {
    /* What each device did up to this time comes before all that the running launch does from now
       on: of its own device the last barrier of the grid, or its begin. */
    uint32_t ordered[MOST_DEVICES];        /* hb_order.all is the least of them */
    struct release *releases;              /* once handed over */
    uint32_t release_count, *last_release; /* last: of each block: 1 + index into releases, or 0 */
    size_t last_release_room;
    struct fences *all_fences;
} here, kept[MOST_DEVICES];

struct block_clocks {
    struct vector_clock of[MAX_BLOCK]; /* of each thread */
    struct device_clocks *devices;     /* the same, of other devices; NULL: there are none */
    bool uses_devices;                 /* there is something in it */
    uint32_t begun, last_barrier;      /* times */
    uint32_t flags;                    /* the latest release that a thread had read before that */
    const uint32_t *fences;            /* of its threads before that barrier, or NULL */
    bool fenced;                       /* one passed a fence since */
    uint32_t barrier_times[4];         /* of the last barriers of its cluster, in its first block */
};

/* The last fences of all threads: __threadfence() is PTX's fence.sc, and these are in one order. */
enum { SC_FENCES = 64 };
static struct sc_fence {
    uint32_t time, block, rank;
    bool block_only;
} sc_fences[SC_FENCES];
static uint32_t sc_fence_count;

/* Several devices: see the end of this file. */
enum reach_kind { KNOWN, UNFENCED, BY_BARRIER, ANY_SCOPE };
static void devices_forget(void);
static void devices_begin_block(struct block *b);
static void devices_pass_on(struct block *first, unsigned blocks, unsigned from, unsigned count,
                            unsigned mask);
static void devices_fence(const struct vector_clock *k, enum simt_scope scope);
static bool devices_read_flag(uint32_t released);
static uint32_t devices_write_flag(uint32_t time, uint32_t before, enum simt_scope scope);
static bool devices_released(uint32_t time, uint32_t block, unsigned rank, bool early,
                             enum reach_kind kind);

static uint32_t later(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

uint32_t hb_begun(const struct block *b)
{
    return b->clocks->begun;
}

/* Blocks run one after another: from each of these times on it is that one. With several devices
   since the last launch that came after everything. */
static struct run {
    uint32_t time, block;
} * runs;
static size_t run_count;

void hb_run_block(const struct block *b)
{
    hb_order.upto = later(b->clocks->last_barrier, here.ordered[simt_at]);
    if (run_count > 0 && runs[run_count - 1].block == b->number)
        return;
    runs = simt_grow(runs, run_count, sizeof *runs);
    runs[run_count++] = (struct run){++hb_order.now, b->number};
    hb_order.from = hb_order.now;
}

uint32_t hb_block_at(uint32_t time)
{
    size_t low = 0, high = run_count - 1; /* most often the last one's */
    if (time >= runs[high].time)
        return runs[high].block;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (time >= runs[middle].time)
            low = middle;
        else
            high = middle;
    }
    return runs[low].block;
}

/* The fences of a block's threads at one of its barriers. */
struct fences {
    struct fences *before;
    uint32_t of[];
};

/* ---- several devices: each has its launch ---- */

static unsigned entered;

static void set_ordered(unsigned device, uint32_t time)
{
    here.ordered[device] = time;
    hb_order.all = time;
    for (unsigned d = 0; d < simt_devices; d++)
        hb_order.all = here.ordered[d] < hb_order.all ? here.ordered[d] : hb_order.all;
}

void hb_enter(unsigned device)
{
    kept[entered] = here;
    entered = device;
    here = kept[device];
    set_ordered(device, here.ordered[device]);
}

static unsigned device_of(uint32_t block)
{
    return block >> DEVICE_SHIFT;
}

static void forget_releases(void)
{
    for (struct fences *f = here.all_fences, *before; f; f = before) {
        before = f->before;
        free(f);
    }
    here.all_fences = NULL;
    here.release_count = 0;
    free(here.last_release);
    here.last_release = NULL;
    here.last_release_room = 0;
}

/* With several devices earlier launches' stay: a thread of another may read their flags later. */
static void forget_all_releases(void)
{
    unsigned here = entered;
    for (unsigned d = 0; d < MOST_DEVICES && simt_devices > 1; d++) {
        hb_enter(d);
        forget_releases();
    }
    hb_enter(here);
    forget_releases();
    devices_forget();
}

bool hb_begin_launch(const uint32_t known[MOST_DEVICES])
{
    static uint32_t begun; /* the last launch that came after everything */
    bool restart = !known && hb_order.now > UINT32_MAX / 2; /* long before it wraps around */
    hb_order.now = restart ? 1 : hb_order.now;
    sc_fence_count = restart ? 0 : sc_fence_count;
    begun = known ? begun : hb_order.now;
    if (!known) {
        run_count = 0;
        forget_all_releases();
    }
    for (unsigned d = 0; d < MOST_DEVICES; d++)
        here.ordered[d] = known && known[d] > begun ? known[d] : begun;
    set_ordered(simt_at, hb_order.now++);
    return restart;
}

void hb_begin_block(struct block *b)
{
    if (!b->clocks)
        b->clocks = simt_zeroed(1, sizeof *b->clocks);
    struct block_clocks *c = b->clocks;
    c->begun = c->last_barrier = hb_order.now++;
    c->fences = NULL;
    c->fenced = false;
    c->flags = 0;
    memset(c->barrier_times, 0, sizeof c->barrier_times);
    for (unsigned i = 0; i < simt_now.threads; i++) {
        struct vector_clock *k = &c->of[i]; /* lanes[] hold times before this block's */
        k->flags = k->known[0] = k->known[1] = 0;
        k->fenced[i % WARP] = 0;
        k->releasing = false;
        k->phase = NULL;
    }
    if (simt_devices > 1)
        devices_begin_block(b);
}

/* A barrier of these threads, in one block or several: what one has acquired, all have. */
static void pass_on(struct block *first, unsigned blocks, unsigned from, unsigned count,
                    unsigned mask)
{
    uint32_t flags = 0, known[2] = {0, 0};
    for (unsigned pass = 0; here.release_count > 0 && pass < 2; pass++)
        for (unsigned i = 0; i < blocks * count; i++) {
            struct vector_clock *k = &first[i / count].clocks->of[from + i % count];
            if (!(mask >> i % count % WARP & 1))
                continue;
            k->flags = flags = later(flags, k->flags);
            k->known[0] = known[0] = later(known[0], k->known[0]);
            k->known[1] = known[1] = later(known[1], k->known[1]);
        }
    devices_pass_on(first, blocks, from, count, mask);
}

void hb_grid_barrier(void)
{
    set_ordered(simt_at, hb_order.now++);
    devices_pass_on(simt_slots, simt_now.open, 0, simt_now.threads, ~0u);
}

/* A barrier at which one arrived relaxed orders nothing. */
void hb_cluster_barrier(struct block *first, unsigned number, bool relaxed)
{
    uint32_t *times = first->clocks->barrier_times, before = times[(number - 1) % 4];
    times[number % 4] = relaxed ? before : hb_order.now++;
    if (!relaxed)
        pass_on(first, simt_now.cluster_blocks, 0, simt_now.threads, ~0u);
}

/* The last barrier of its cluster for which a thread has waited. What another did early, after
   it had arrived there, that barrier does not order, but the one before it did. */
static uint32_t last_cluster_barrier(const struct thread *t, bool early)
{
    return t->block->cluster->clocks->barrier_times[(t->cluster_waits - early) % 4];
}

/* A fence is cumulative: who knows of it by a barrier, and writes a flag, releases it as well. */
static void keep_fences(struct block *b)
{
    struct fences *f = simt_zeroed(1, sizeof *f + simt_now.threads * sizeof *f->of);
    for (unsigned i = 0; i < simt_now.threads; i++)
        f->of[i] = b->clocks->of[i].fenced[i % WARP];
    f->before = here.all_fences;
    here.all_fences = f;
    b->clocks->fences = f->of;
    b->clocks->fenced = false;
}

void hb_block_barrier(struct block *b)
{
    if (b->clocks->fenced)
        keep_fences(b);
    hb_order.upto = b->clocks->last_barrier = hb_order.now++;
    pass_on(b, 1, 0, simt_now.threads, ~0u);
    b->clocks->flags = b->clocks->of[0].flags;
}

void hb_warp_barrier(struct block *b, unsigned first, unsigned mask)
{
    struct vector_clock *k = &b->clocks->of[first];
    uint32_t lanes[WARP] = {0}, fenced[WARP] = {0};
    for (unsigned l = 0; l < WARP; l++)
        for (unsigned i = 0; (mask >> l & 1) && i < WARP; i++) {
            lanes[i] = mask >> i & 1 ? hb_order.now : later(lanes[i], k[l].lanes[i]);
            fenced[i] = later(fenced[i], k[l].fenced[i]);
        }
    for (unsigned l = 0; l < WARP; l++)
        if (mask >> l & 1) {
            memcpy(k[l].lanes, lanes, sizeof lanes);
            memcpy(k[l].fenced, fenced, sizeof fenced);
        }
    hb_order.now++;
    pass_on(b, 1, first, WARP, mask);
}

bool hb_by_fences(uint32_t time, uint32_t block)
{
    const struct thread *t = simt_self;
    bool passed = false, passed_wide = false; /* the running thread: any, one for the device */
    for (uint32_t i = sc_fence_count; i > 0 && sc_fence_count - i < SC_FENCES; i--) {
        const struct sc_fence *f = &sc_fences[(i - 1) % SC_FENCES];
        if (f->time < time)
            return false;
        if (f->block == block &&
            ((passed_wide && !f->block_only) || (passed && block == t->block->number)))
            return true;
        bool own = f->block == t->block->number && f->rank == t->rank;
        passed |= own;
        passed_wide |= own && !f->block_only;
    }
    return sc_fence_count > SC_FENCES; /* what is forgotten counts as in order */
}

void hb_fence(enum simt_scope scope, bool in_order)
{
    const struct thread *t = simt_self;
    if (in_order)
        sc_fences[sc_fence_count++ % SC_FENCES] =
            (struct sc_fence){hb_order.now, t->block->number, t->rank, scope == SIMT_OF_THE_BLOCK};
    struct vector_clock *k = &t->block->clocks->of[t->rank];
    bool block_only = scope == SIMT_OF_THE_BLOCK;
    k->known[block_only] = later(k->known[block_only], k->flags);
    k->fenced_after_flag |= k->read_flag && !block_only;
    /* Once it passed a fence for the device, its fences for the block count as such. */
    k->release.scope = block_only && (!k->releasing || k->release.scope == SIMT_OF_THE_BLOCK)
                           ? SIMT_OF_THE_BLOCK
                           : SIMT_OF_THE_DEVICE;
    k->release.threads = simt_now.threads;
    k->release.warp = t->rank / WARP;
    k->release.barrier = t->block->clocks->last_barrier;
    k->release.cluster_barriers[0] = last_cluster_barrier(t, false);
    k->release.cluster_barriers[1] = last_cluster_barrier(t, true);
    memcpy(k->release.lanes, k->lanes, sizeof k->lanes);
    k->release.lanes[t->lane] = hb_order.now++;
    if (!block_only) {
        k->fenced[t->lane] = hb_order.now - 1;
        t->block->clocks->fenced = true;
    }
    k->release.phase = k->phase;
    k->release.time = 0;
    k->releasing = true;
    if (simt_devices > 1)
        devices_fence(k, scope);
}

void hb_read_flag(uint32_t released)
{
    struct vector_clock *k = &simt_self->block->clocks->of[simt_self->rank];
    k->read_flag = true;
    if (simt_devices == 1 || devices_read_flag(released))
        k->flags = later(k->flags, released);
}

static uint32_t release(struct release *o)
{
    uint32_t block = block_in_grid_number(simt_self->block->number);
    if (block >= here.last_release_room) {
        here.last_release = realloc(here.last_release, simt_now.blocks * sizeof *here.last_release);
        if (!here.last_release)
            simt_fault(simt_self, NULL, "no memory left to look for races in");
        memset(here.last_release + here.last_release_room, 0,
               (simt_now.blocks - here.last_release_room) * sizeof *here.last_release);
        here.last_release_room = simt_now.blocks;
    }
    here.releases = simt_grow(here.releases, here.release_count, sizeof *here.releases);
    o->time = hb_order.now++;
    o->next = here.last_release[block];
    here.releases[here.release_count++] = *o;
    here.last_release[block] = here.release_count;
    return o->time;
}

static uint32_t write_flag(uint32_t released, bool atomic)
{
    struct vector_clock *k = &simt_self->block->clocks->of[simt_self->rank];
    if (!k->releasing) /* an atomic goes on with what it found, a store puts an end to it */
        return atomic ? released : 0;
    for (unsigned i = 0; i < WARP; i++) /* of those that it met at a __syncwarp() since */
        k->release.lanes[i] = later(k->release.lanes[i], k->fenced[i]);
    if (k->release.time != 0 && k->release.fences == simt_self->block->clocks->fences)
        return hb_order.now++; /* an earlier flag made the same offer */
    k->release.fences = simt_self->block->clocks->fences;
    k->release.late_phase = k->phase;
    return release(&k->release);
}

uint32_t hb_write_flag(uint32_t released, bool atomic, enum simt_scope scope)
{
    uint32_t time = write_flag(released, atomic);
    if (simt_devices > 1 && time != released && time != 0)
        time = devices_write_flag(time, atomic ? released : 0, scope);
    return time;
}

bool hb_before_barrier(uint32_t time, uint32_t block)
{
    const struct block *b = simt_self->block;
    return time <= here.ordered[device_of(block)] ||
           (block == b->number && time <= b->clocks->last_barrier);
}

/* Does it release what that thread did then? giver: a thread of the same block released it. */
static bool covers(const struct release *o, bool giver, uint32_t time, unsigned rank, bool early)
{
    if (time <= o->cluster_barriers[early])
        return true;
    return giver && (time <= o->barrier || (o->phase && time <= o->phase[rank]) ||
                     (o->late_phase && time <= o->late_phase[o->threads + rank]) ||
                     (o->fences && time <= o->fences[rank]) ||
                     (o->warp == rank / WARP && time <= o->lanes[rank % WARP]));
}

/* What arrivals at a cuda::barrier make known: a time for each thread of the block, the last fence
   of each, and what one of them had acquired. */
static size_t phase_flags(void)
{
    return 2 * simt_now.threads;
}

size_t hb_phase_words(void)
{
    return phase_flags() + 3;
}

/* Did a thread of this block release it? */
static bool released_by(uint32_t giver, uint32_t time, uint32_t block, unsigned rank, bool early,
                        enum reach_kind kind)
{
    const struct vector_clock *k = &simt_self->block->clocks->of[simt_self->rank];
    bool same_block = giver == simt_self->block->number;
    uint32_t known = kind == UNFENCED     ? k->flags
                     : kind == BY_BARRIER ? simt_self->block->clocks->flags
                     : same_block         ? later(k->known[0], k->known[1])
                                          : k->known[0];
    uint32_t first = known > 0 && block_in_grid_number(giver) < here.last_release_room
                         ? here.last_release[block_in_grid_number(giver)]
                         : 0;
    for (uint32_t i = first; i != 0; i = here.releases[i - 1].next) {
        const struct release *o = &here.releases[i - 1];
        if (covers(o, giver == block, time, rank, early) && o->time <= known &&
            (same_block || o->scope != SIMT_OF_THE_BLOCK))
            return true;
    }
    return false;
}

/* Did a thread of its cluster? UNFENCED: counts what the running thread has read, but no fence yet
   made known to it; BY_BARRIER: what its block had read before its last barrier. */
static bool released(uint32_t time, uint32_t block, unsigned rank, bool early, enum reach_kind kind)
{
    if (simt_devices > 1 && device_of(block) != simt_at)
        return devices_released(time, block, rank, early, kind);
    uint32_t blocks = simt_now.cluster_blocks, first = block - block_in_grid_number(block) % blocks;
    for (uint32_t giver = first; here.release_count > 0 && giver < first + blocks; giver++)
        if (released_by(giver, time, block, rank, early, kind))
            return true;
    return false;
}

bool hb_lacks_first_fence(uint32_t time, uint32_t block)
{
    uint32_t place = block_in_grid_number(block);
    if (simt_devices > 1 || block == simt_self->block->number ||
        !simt_self->block->clocks->of[simt_self->rank].fenced_after_flag)
        return false;
    for (uint32_t i = place < here.last_release_room ? here.last_release[place] : 0; i != 0;
         i = here.releases[i - 1].next)
        if (here.releases[i - 1].time >= time)
            return false;
    return true;
}

bool hb_lacks_second_fence(uint32_t time, uint32_t block, unsigned rank, bool early)
{
    return released(time, block, rank, early, UNFENCED);
}

bool hb_seen_at_barrier(uint32_t time, uint32_t block, unsigned rank)
{
    return released(time, block, rank, false, BY_BARRIER);
}

bool hb_known(uint32_t time, uint32_t block, unsigned rank, bool early)
{
    const struct thread *t = simt_self;
    uint32_t blocks = simt_now.cluster_blocks, first = block - block_in_grid_number(block) % blocks;
    if (hb_before_barrier(time, block))
        return true;
    if (block == t->block->number && rank / WARP == t->rank / WARP &&
        (rank == t->rank || time <= t->block->clocks->of[t->rank].lanes[rank % WARP]))
        return true;
    const uint32_t *phase = t->block->clocks->of[t->rank].phase;
    if (phase && block == t->block->number && time <= phase[rank])
        return true;
    if (t->block->number - first < blocks && time <= last_cluster_barrier(t, early))
        return true;
    return released(time, block, rank, early, KNOWN);
}

/* ---- cuda::barrier (async.c) ---- */

static void learn(uint32_t *times, const uint32_t *others)
{
    for (size_t i = 0; i < hb_phase_words(); i++)
        times[i] = later(times[i], others[i]);
}

void hb_arrive(uint32_t *arrived)
{
    const struct thread *t = simt_self;
    const struct vector_clock *k = &t->block->clocks->of[t->rank];
    uint32_t *of_warp = arrived + t->rank - t->lane, *flags_of_phase = arrived + phase_flags();
    for (unsigned l = 0; l < WARP && t->rank - t->lane + l < simt_now.threads; l++) {
        of_warp[l] = later(of_warp[l], k->lanes[l]);
        of_warp[simt_now.threads + l] = later(of_warp[simt_now.threads + l], k->fenced[l]);
    }
    if (k->phase)
        learn(arrived, k->phase);
    arrived[t->rank] = hb_order.now++;
    flags_of_phase[0] = later(flags_of_phase[0], k->flags);
    flags_of_phase[1] = later(flags_of_phase[1], k->known[0]);
    flags_of_phase[2] = later(flags_of_phase[2], k->known[1]);
}

const uint32_t *hb_end_phase(const uint32_t *arrived)
{
    size_t bytes = hb_phase_words() * sizeof *arrived;
    struct fences *f = simt_zeroed(1, sizeof *f + bytes);
    memcpy(f->of, arrived, bytes);
    f->before = here.all_fences; /* it goes when the launch ends */
    here.all_fences = f;
    return f->of;
}

/* Most often it arrived there itself, and so the barrier knows what it knew. */
void hb_pass_phase(const uint32_t *done)
{
    struct vector_clock *k = &simt_self->block->clocks->of[simt_self->rank];
    const uint32_t *flags_of_phase = done + phase_flags();
    bool all = true;
    if (k->phase == done)
        return;
    for (unsigned r = 0; k->phase && all && r < simt_now.threads; r++)
        all = k->phase[r] <= done[r];
    if (!all) {
        done = hb_end_phase(done);
        learn((uint32_t *)done, k->phase);
    }
    k->phase = done;
    devices_pass_on(simt_self->block, 1, 0, simt_now.threads, ~0u); /* too much, at times */
    k->flags = later(k->flags, flags_of_phase[0]);
    k->known[0] = later(k->known[0], flags_of_phase[1]);
    k->known[1] = later(k->known[1], flags_of_phase[2]);
}

bool hb_releases(void)
{
    return simt_self->block->clocks->of[simt_self->rank].releasing;
}

/* ---- between devices: three times for each. A release to another takes a __threadfence_system(),
   a flag that is volatile or an atomic of the system, and such a fence after the reading ---- */

struct reach {
    uint32_t ended[MOST_DEVICES];         /* up to this time all that the device did */
    uint32_t within_device[MOST_DEVICES]; /* what it had released within the device up to this */
    uint32_t to_devices[MOST_DEVICES];    /* ... and to other devices */
};

struct device_clocks {      /* what one thread has */
    struct reach near, far; /* from flags of its device, of others: a fence makes it known */
    struct reach known;
    struct reach seen;      /* whatever the scope of the fence and flag */
    struct release release; /* at its last __threadfence_system() */
    bool releasing;
};

/* What each flag brings, in the order of their times. */
static struct brought {
    uint32_t time;
    unsigned device;
    enum simt_scope scope;
    struct reach reach;
} * brought;
static size_t brought_count;

static void devices_forget(void)
{
    brought_count = 0;
}

static struct device_clocks *of_thread(const struct thread *t)
{
    t->block->clocks->uses_devices = true;
    return &t->block->clocks->devices[t->rank];
}

static void devices_begin_block(struct block *b)
{
    if (!b->clocks->devices)
        b->clocks->devices = simt_zeroed(MAX_BLOCK, sizeof *b->clocks->devices);
    if (b->clocks->uses_devices)
        memset(b->clocks->devices, 0, MAX_BLOCK * sizeof *b->clocks->devices);
    b->clocks->uses_devices = false;
}

static void extend(struct reach *r, const struct reach *more)
{
    for (unsigned d = 0; d < MOST_DEVICES; d++) {
        r->ended[d] = later(r->ended[d], more->ended[d]);
        r->within_device[d] = later(r->within_device[d], more->within_device[d]);
        r->to_devices[d] = later(r->to_devices[d], more->to_devices[d]);
    }
}

static void devices_pass_on(struct block *first, unsigned blocks, unsigned from, unsigned count,
                            unsigned mask)
{
    struct device_clocks all = {0};
    for (unsigned pass = 0; brought_count > 0 && pass < 2; pass++)
        for (unsigned i = 0; i < blocks * count; i++) {
            struct device_clocks *a = &first[i / count].clocks->devices[from + i % count];
            if (!(mask >> i % count % WARP & 1) || from + i % count >= simt_now.threads)
                continue;
            first[i / count].clocks->uses_devices = true;
            extend(pass == 0 ? &all.near : &a->near, pass == 0 ? &a->near : &all.near);
            extend(pass == 0 ? &all.far : &a->far, pass == 0 ? &a->far : &all.far);
            extend(pass == 0 ? &all.known : &a->known, pass == 0 ? &a->known : &all.known);
            extend(pass == 0 ? &all.seen : &a->seen, pass == 0 ? &a->seen : &all.seen);
        }
}

static void devices_fence(const struct vector_clock *k, enum simt_scope scope)
{
    struct device_clocks *a = of_thread(simt_self);
    struct vector_clock *own = &simt_self->block->clocks->of[simt_self->rank];
    extend(&a->known, &a->near);
    if (scope != SIMT_OF_THE_SYSTEM)
        return;
    extend(&a->known, &a->far);
    own->known[0] =
        later(own->known[0], later(a->known.within_device[simt_at], a->known.to_devices[simt_at]));
    a->release = k->release;
    a->release.scope = scope;
    a->releasing = true;
}

/* By the flag of that time, NULL: by none. */
static const struct brought *brought_by(uint32_t time)
{
    size_t low = 0, high = brought_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (brought[middle].time < time)
            low = middle + 1;
        else
            high = middle;
    }
    return low < brought_count && brought[low].time == time ? &brought[low] : NULL;
}

/* Is it a flag of the running device? */
static bool devices_read_flag(uint32_t released)
{
    const struct brought *b = brought_by(released);
    if (!b)
        return true;
    struct device_clocks *a = of_thread(simt_self);
    if (b->device == simt_at) {
        extend(&a->near, &b->reach);
        return true;
    }
    if (b->scope == SIMT_OF_THE_SYSTEM)
        extend(&a->far, &b->reach);
    a->seen.within_device[b->device] = a->seen.to_devices[b->device] =
        later(a->seen.within_device[b->device], released);
    return false;
}

/* The flag that was written then brings what the thread knows, and to other devices what it offers
   them; an atomic also what the flag before it brought. Reruns its time. */
static uint32_t devices_write_flag(uint32_t time, uint32_t before, enum simt_scope scope)
{
    const struct brought *last = brought_by(before);
    struct device_clocks *a = of_thread(simt_self);
    struct vector_clock *k = &simt_self->block->clocks->of[simt_self->rank];
    struct reach reach = a->known;
    bool system = a->releasing && scope == SIMT_OF_THE_SYSTEM;
    if (system && (a->release.time == 0 || a->release.fences != k->release.fences)) {
        a->release.fences = k->release.fences;
        a->release.late_phase = k->release.late_phase;
        time = release(&a->release);
    }
    for (unsigned d = 0; d < MOST_DEVICES; d++)
        reach.ended[d] = later(reach.ended[d], here.ordered[d]);
    reach.within_device[simt_at] = later(reach.within_device[simt_at], k->known[0]);
    reach.to_devices[simt_at] = later(reach.to_devices[simt_at], system ? time : 0);
    if (last && (last->device == simt_at || last->scope == SIMT_OF_THE_SYSTEM)) {
        extend(&reach, &last->reach);
        system |= last->scope == SIMT_OF_THE_SYSTEM;
    }
    brought = simt_grow(brought, brought_count, sizeof *brought);
    brought[brought_count++] =
        (struct brought){time, simt_at, system ? SIMT_OF_THE_SYSTEM : SIMT_OF_THE_DEVICE, reach};
    return time;
}

/* Of another device: did a thread of its cluster release it? */
static bool devices_released(uint32_t time, uint32_t block, unsigned rank, bool early,
                             enum reach_kind kind)
{
    const struct device_clocks *a = of_thread(simt_self);
    unsigned d = device_of(block), blocks = launch_of(d)->cluster_blocks;
    struct reach r = a->known;
    if (kind == UNFENCED) {
        extend(&r, &a->near);
        extend(&r, &a->far);
    } else if (kind == ANY_SCOPE) {
        extend(&r, &a->seen);
    }
    if (time <= r.ended[d])
        return true;
    uint32_t number = block_in_grid_number(block), first = number - number % (blocks ? blocks : 1);
    for (uint32_t giver = first; giver < first + blocks; giver++)
        for (uint32_t i = giver < kept[d].last_release_room ? kept[d].last_release[giver] : 0;
             i != 0; i = kept[d].releases[i - 1].next) {
            const struct release *o = &kept[d].releases[i - 1];
            if (o->scope != SIMT_OF_THE_BLOCK && covers(o, giver == number, time, rank, early) &&
                o->time <= (o->scope == SIMT_OF_THE_SYSTEM ? r.to_devices[d] : r.within_device[d]))
                return true;
        }
    return false;
}

bool hb_scope_too_narrow(uint32_t time, uint32_t block, unsigned rank, bool early)
{
    return device_of(block) != simt_at && devices_released(time, block, rank, early, ANY_SCOPE);
}
