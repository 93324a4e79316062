/*
 * replay.c: see replay.h. A program of events: each warp's next operation is an event, in order of
 * time. Warps share four issue queues, the load-store unit, the L1, the SM's share of L2 and of the
 * banks of DRAM. Many blocks: the first ones are replayed, and what follows goes on at their pace.
 */
#include "time/replay.h"
#include "fault.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const limit_names[LIMITS] = {
    [LIMIT_LAUNCH] = "launches", [LIMIT_BYTES] = "bytes",      [LIMIT_ISSUE] = "instructions",
    [LIMIT_LATENCY] = "latency", [LIMIT_BARRIER] = "barriers", [LIMIT_ATOMIC] = "atomics",
};

/* ---- events, the earliest first ---- */

struct event {
    double t, ready,
        queued,       /* loads in flight are there at ready; queued: of that, behind others */
        written;      /* its last store has come to L2 */
    long long serial; /* of events at the same time the lowest goes first */
    unsigned block, warp;
    unsigned scheduler;
    size_t next; /* operation */
};
struct heap {
    struct event *at;
    size_t count;
};

static bool earlier(const struct event *a, const struct event *b)
{
    return a->t != b->t ? a->t < b->t : a->serial < b->serial;
}

static void push(struct heap *h, struct event e)
{
    h->at = simt_grow(h->at, h->count, sizeof *h->at);
    size_t i = h->count++;
    for (; i > 0 && earlier(&e, &h->at[(i - 1) / 2]); i = (i - 1) / 2)
        h->at[i] = h->at[(i - 1) / 2];
    h->at[i] = e;
}

static struct event pop(struct heap *h)
{
    struct event first = h->at[0], last = h->at[--h->count];
    size_t i = 0, child;
    while ((child = 2 * i + 1) < h->count) {
        child += child + 1 < h->count && earlier(&h->at[child + 1], &h->at[child]);
        if (!earlier(&h->at[child], &last))
            break;
        h->at[i] = h->at[child];
        i = child;
    }
    h->at[i] = last;
    if ((h->count & (h->count - 1)) == 0 && h->count > 0) /* simt_grow() takes room at each power */
        h->at = realloc(h->at, 2 * h->count * sizeof *h->at);
    return first;
}

/* ---- memory, as one of `active` SMs has it ---- */

enum { MOST_BANKS = 4096, DECK = 32 };
struct memory {
    const struct gpu *g;
    bool cold, cold_polls;
    double bank[MOST_BANKS], service; /* cycles for a line */
    unsigned banks;
    unsigned *deck, deck_left; /* random, but even in the long run, as a hash of addresses is */
    uint64_t random;
    double l2_rate, l2_free, l2_store, lsu, atomics;
    double written; /* share of stored bytes that must leave L2 */
    double loaded;  /* when all that the SM has asked for is there */
    double other_gap;
    bool contended; /* atomics of different blocks change the same words */
    double active;
};

static unsigned random_below(struct memory *m, unsigned n)
{
    m->random = m->random * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((m->random >> 33) % n);
}

static struct memory make_memory(const struct gpu *g, double active, bool cold, double footprint)
{
    struct memory m = {.g = g, .cold = cold, .cold_polls = cold, .random = 1};
    double per_cycle = g->gbps / g->mhz * 1e3 / active; /* bytes, of each SM that works */
    double cycles = g->bank_ns * g->mhz / 1e3, banks = round(per_cycle * cycles / 128);
    m.banks = banks < 1 ? 1 : banks > MOST_BANKS ? MOST_BANKS : (unsigned)banks;
    m.service = m.banks * 128 / per_cycle; /* so that the bandwidth is right */
    m.deck = simt_zeroed((size_t)m.banks * DECK, sizeof *m.deck);
    m.l2_rate = fmin(g->l2_sm, g->l2_gbps / g->mhz * 1e3 / active);
    m.written = fmax(0, 1 - g->l2_mb * 1e6 / 2 / fmax(footprint, 1));
    m.active = active;
    m.other_gap = g->mhz / 1e3 / g->l2_atomics * active;
    return m;
}

static unsigned next_bank(struct memory *m)
{
    if (m->deck_left == 0) {
        m->deck_left = m->banks * DECK;
        for (unsigned i = 0; i < m->deck_left; i++)
            m->deck[i] = i % m->banks;
        for (unsigned i = m->deck_left - 1; i > 0; i--) {
            unsigned j = random_below(m, i + 1), kept = m->deck[i];
            m->deck[i] = m->deck[j];
            m->deck[j] = kept;
        }
    }
    return m->deck[--m->deck_left];
}

static double use_bank(struct memory *m, double t, double sectors, double cost)
{
    unsigned b = next_bank(m);
    m->bank[b] = fmax(m->bank[b], t) + m->service * cost * sectors / 4;
    return m->bank[b];
}

static double lsu(struct memory *m, double t, const struct op *op)
{
    return m->lsu = fmax(m->lsu, t) + fmax(op->lines, op->sectors / 4.0);
}

/* Returns when it is there; *alone: when it would be if nothing else were under way. */
static double memory_load(struct memory *m, double t, const struct op *op, bool cold, double *alone)
{
    const struct gpu *g = m->g;
    double begun = t;
    t = lsu(m, t, op);
    double ready = t + g->l1;
    *alone = begun + g->l1;
    double fresh = op->sectors - op->known, missing = g->l1_caches ? fresh : op->sectors;
    if (missing <= 0)
        return ready;
    m->l2_free = fmax(m->l2_free, t) + 32 * missing / m->l2_rate;
    if (missing > fresh || !cold)
        ready = fmax(ready, m->l2_free + g->l2);
    *alone = begun + (fresh > 0 && cold ? g->dram : g->l2);
    if (fresh > 0 && cold) {
        unsigned lines = (unsigned)ceil(op->lines * fresh / op->sectors);
        for (unsigned i = 0; i < lines; i++)
            ready = fmax(ready, use_bank(m, t, fresh / lines, 1) + g->dram - m->service);
        ready = fmax(ready, m->l2_free + g->dram);
    }
    return ready;
}

static void memory_store(struct memory *m, double t, const struct op *op)
{
    t = lsu(m, t, op);
    m->l2_store = fmax(m->l2_store, t) + 32 * op->sectors / m->l2_rate;
    double fresh = op->sectors - op->known;
    unsigned lines = (unsigned)ceil(op->lines * fresh / op->sectors);
    for (unsigned i = 0; i < lines && m->written > 0; i++)
        use_bank(m, t, fresh / lines, m->g->write_cost * m->written);
}

/* ---- the blocks of one SM ---- */

struct resident {
    const struct block_ops *ops;
    unsigned live, waiting;
    struct event *at_barrier; /* of each warp that waits */
};

struct sm {
    const struct gpu *g;
    struct memory *memory;
    const struct block_ops *const *blocks; /* what each does */
    unsigned count, started, ended;
    double *end; /* when each ended, in that order */
    double gap, last_start, barrier_unit;
    double scheduler[16], integer_unit[16], special_unit[16], vote_unit[16];
    struct heap heap;
    struct resident *block;
    long long serial;
    double spent[LIMITS], begun; /* of all warps together */
};

static void start_block(struct sm *sm, double t)
{
    if (sm->started == sm->count)
        return;
    t = sm->last_start = fmax(t, sm->last_start + sm->gap);
    unsigned b = sm->started++;
    const struct block_ops *ops = sm->blocks[b];
    sm->block[b] = (struct resident){.ops = ops,
                                     .live = ops->warps,
                                     .at_barrier = simt_zeroed(ops->warps, sizeof(struct event))};
    for (unsigned w = 0; w < ops->warps; w++) {
        sm->serial++;
        push(&sm->heap,
             (struct event){.t = t + sm->g->block_start,
                            .serial = sm->serial,
                            .block = b,
                            .warp = w,
                            .scheduler = (unsigned)(sm->serial % (long long)sm->g->issue)});
    }
    sm->spent[LIMIT_LAUNCH] += sm->g->block_start * ops->warps;
}

static void release(struct sm *sm, struct resident *r, double t)
{
    for (unsigned i = 0; i < r->waiting; i++) {
        struct event e = r->at_barrier[i];
        sm->spent[LIMIT_BARRIER] += t - e.t;
        e.t = t;
        e.serial = -(long long)e.warp;
        push(&sm->heap, e);
    }
    r->waiting = 0;
}

static void end_warp(struct sm *sm, const struct event *e)
{
    struct resident *r = &sm->block[e->block];
    if (--r->live == r->waiting && r->waiting > 0)
        release(sm, r, e->t);
    if (r->live > 0)
        return;
    free(r->at_barrier);
    sm->end[sm->ended++] = e->t;
    start_block(sm, e->t);
}

static void arrive(struct sm *sm, struct event *e, const struct op *op)
{
    struct resident *r = &sm->block[e->block];
    sm->barrier_unit = fmax(sm->barrier_unit, e->t) + sm->g->barrier_warp;
    e->next++;
    r->at_barrier[r->waiting++] = *e;
    if (r->waiting == r->live)
        release(sm, r, sm->barrier_unit + (op->cluster ? sm->g->cluster : sm->g->barrier));
}

/* How long an atomic keeps sectors that other blocks change, too: they follow one another. Further
   lanes at a word take a part of it; nvcc adds up first where all change one by whole numbers. */
static double atomic_ns(const struct gpu *g, const struct op *op)
{
    double each = op->real ? g->atomic_ns : g->atomic_integer_ns, more = op->lanes - op->words;
    return each * (op->in_sectors + (op->words > 1 || op->real ? more * g->atomic_lane : 0));
}

/* Many atomics in one place are waited for only where their results are used. */
static double do_atomic(struct memory *m, double t, const struct op *op)
{
    m->atomics =
        fmax(m->atomics, t) + (m->contended ? atomic_ns(m->g, op) * m->g->mhz / 1e3 * m->active
                                            : m->other_gap * op->words);
    return op->used ? m->atomics + m->g->l2 : t;
}

/* Instructions of units that have so many lanes on an SM: returns when those of this scheduler are
   done with them. */
static double occupy(double *unit, double t, float instructions, double lanes, const struct gpu *g)
{
    return *unit = fmax(*unit, t) + (double)instructions * WARP * g->issue / lanes;
}

static double vote(struct sm *sm, const struct event *e, float turns)
{
    return occupy(&sm->vote_unit[e->scheduler], e->t, turns, 64, sm->g);
}

/* One operation; returns when the warp goes on, and adds to what it waited for. */
static double step(struct sm *sm, struct event *e, const struct op *op)
{
    const struct gpu *g = sm->g;
    struct memory *m = sm->memory;
    double t = e->t, *free_at = &sm->scheduler[e->scheduler], alone, ready;
    if (op->kind == OP_WAIT) {
        double there = fmax(t, e->ready), behind = fmin(there - t, e->queued);
        sm->spent[LIMIT_BYTES] += behind;
        sm->spent[LIMIT_LATENCY] += there - t - behind;
        e->ready = e->queued = 0;
        return there;
    }
    double n = op->kind == OP_INSTRUCTIONS
                   ? (double)op->amount + (double)op->products * (g->product - 1)
                   : 1;
    double issued = *free_at = fmax(*free_at, t) + n;
    if (op->kind == OP_INSTRUCTIONS) {
        double integers = occupy(&sm->integer_unit[e->scheduler], t, op->integer, g->integers, g);
        double specials = occupy(&sm->special_unit[e->scheduler], t, op->special, g->specials, g);
        issued = fmax(fmax(issued, t + n * g->alu + (double)op->special * (g->special - g->alu) +
                                       (double)op->stall),
                      fmax(integers, specials));
    }
    sm->spent[LIMIT_ISSUE] += issued - t;
    t = issued;
    switch (op->kind) {
    case OP_LOAD:
    case OP_POLL:
        ready = memory_load(m, t, op, op->kind == OP_POLL ? m->cold_polls : m->cold, &alone);
        m->loaded = fmax(m->loaded, ready);
        e->queued = fmax(e->queued, ready - alone);
        e->ready = fmax(e->ready, ready);
        break;
    case OP_STORE:
        memory_store(m, t, op);
        e->written = m->l2_store + g->l2;
        break;
    case OP_SHARED_LOAD:
    case OP_SHARED_STORE:
    case OP_SHARED_ATOMIC:
        m->lsu = fmax(m->lsu, t) + (double)op->amount * (op->kind == OP_SHARED_ATOMIC ? 2 : 1);
        if (op->kind != OP_SHARED_STORE)
            e->ready = fmax(e->ready, m->lsu - 1 + g->shared);
        break;
    case OP_FENCE: /* of the block: what was written is in the SM */
        t = op->amount > SIMT_OF_THE_BLOCK ? fmax(t, fmax(e->written, m->loaded)) + g->fence
                                           : t + 2 * g->alu;
        break;
    case OP_SHUFFLE:
        m->lsu = fmax(m->lsu, t) + 1;
        t = m->lsu - 1 + g->shuffle + g->alu;
        break;
    case OP_VOTE: /* 64 lanes a cycle; a ballot takes two turns, one value of a match four */
        t = fmax(t + g->vote, vote(sm, e, op->amount));
        break;
    case OP_MATCH:
        t = fmax(t + g->match + (double)(op->amount - 1) * g->match_value,
                 vote(sm, e, 4 * op->amount));
        break;
    case OP_REDUCE:
        t = fmax(t + g->reduce, vote(sm, e, 4));
        break;
    case OP_REMOTE:
        t += 2;
        break;
    case OP_ATOMIC:
        t = do_atomic(m, t, op);
        sm->spent[LIMIT_ATOMIC] += t - issued;
        return t;
    }
    sm->spent[LIMIT_LATENCY] += t - issued;
    return t;
}

static void run(struct sm *sm, unsigned resident)
{
    sm->end = simt_zeroed(sm->count, sizeof *sm->end);
    sm->block = simt_zeroed(sm->count, sizeof *sm->block);
    sm->last_start = -sm->gap;
    for (unsigned i = 0; i < resident && i < sm->count; i++)
        start_block(sm, 0);
    while (sm->heap.count > 0) {
        struct event e = pop(&sm->heap);
        const struct warp_ops *ops = &sm->block[e.block].ops->warp[e.warp];
        if (e.next == ops->count) {
            end_warp(sm, &e);
            continue;
        }
        const struct op *op = &ops->at[e.next];
        if (op->kind == OP_BARRIER) {
            arrive(sm, &e, op);
            continue;
        }
        e.t = step(sm, &e, op);
        e.next++;
        e.serial = ++sm->serial;
        push(&sm->heap, e);
    }
    free(sm->heap.at);
    free(sm->block);
}

/* ---- a launch ---- */

/* Registers of a thread are guessed: 16, and one for each word that it has in flight at once.
   (nvcc 13.0 gives vector_x8 48, vector_x16 79, the kernels of step 09 48: their READMEs.) */
static unsigned resident_blocks(const struct gpu *g, const struct launch_record *l,
                                const struct block_ops *ops)
{
    double registers = ceil((16.0 + ops->in_flight) / 8) * 8;
    double by_warps = floor(g->warps / l->warps);
    double by_registers = floor(g->registers / (registers * 32 * l->warps));
    double by_shared = floor(g->sm_shared_kb / ((double)l->shared_bytes / 1024 + 1));
    double blocks = fmin(fmin(g->blocks, by_warps), fmin(by_registers, by_shared));
    return blocks < 1 ? 1 : (unsigned)blocks;
}

static bool is_kind(const struct op *op, enum op_kind kind)
{
    return op->kind == kind;
}

static bool has(const struct block_ops *b, enum op_kind kind)
{
    for (unsigned w = 0; w < b->warps; w++)
        for (size_t i = 0; i < b->warp[w].count; i++)
            if (is_kind(&b->warp[w].at[i], kind))
                return true;
    return false;
}

static double instructions(const struct block_ops *b)
{
    double sum = 0;
    for (unsigned w = 0; w < b->warps; w++)
        sum += b->warp[w].instructions;
    return sum;
}

/* Of one block that finishes for all: what comes after it waited for them. The operations from
   there on, for each warp; false if it is no such block. */
static bool cut_finish(const struct block_ops *special, const struct block_ops *plain,
                       struct block_ops *finish)
{
    bool any = false, counted = has(plain, OP_ATOMIC);
    *finish = (struct block_ops){.warps = special->warps};
    finish->warp = simt_zeroed(special->warps, sizeof *finish->warp);
    for (unsigned w = 0; w < special->warps; w++) {
        const struct warp_ops *ops = &special->warp[w];
        size_t from = 0;
        while (from < ops->count && !is_kind(&ops->at[from], OP_POLL) &&
               !is_kind(&ops->at[from], OP_GRID_BARRIER))
            from++;
        if (from == ops->count && counted && ops->count > plain->warp[w].count + 4)
            from = plain->warp[w].count;
        any |= from < ops->count;
        finish->warp[w] = (struct warp_ops){ops->at + from, ops->count - from, 0};
    }
    return any;
}

/* Barriers of the grid are no part of what one SM does alone. */
static void drop_grid_barriers(struct block_ops *b)
{
    for (unsigned w = 0; w < b->warps; w++) {
        struct warp_ops *ops = &b->warp[w];
        size_t kept = 0;
        for (size_t i = 0; i < ops->count; i++)
            if (ops->at[i].kind != OP_GRID_BARRIER)
                ops->at[kept++] = ops->at[i];
        ops->count = kept;
    }
}

static double sectors_of(const struct block_ops *b)
{
    double sum = 0;
    for (unsigned w = 0; w < b->warps; w++)
        for (size_t i = 0; i < b->warp[w].count; i++) {
            const struct op *op = &b->warp[w].at[i];
            if (op->kind == OP_LOAD || op->kind == OP_STORE)
                sum += op->sectors - op->known;
        }
    return sum;
}

static bool changes(const struct block_ops *b, uintptr_t sector)
{
    for (unsigned w = 0; w < b->warps; w++)
        for (size_t i = 0; i < b->warp[w].count; i++)
            if (b->warp[w].at[i].kind == OP_ATOMIC && b->warp[w].at[i].word / 32 == sector)
                return true;
    return false;
}

/* ns */
static double atomics_of(const struct gpu *g, const struct block_ops *b)
{
    double sum = 0;
    for (unsigned w = 0; w < b->warps; w++)
        for (size_t i = 0; i < b->warp[w].count; i++)
            sum += b->warp[w].at[i].kind == OP_ATOMIC ? atomic_ns(g, &b->warp[w].at[i]) : 0;
    return sum;
}

/* Do other recorded blocks change sectors, by atomics, that the plain one does? */
static bool are_contended(const struct block_ops *block, int plain, bool *compares)
{
    const struct block_ops *p = &block[plain];
    bool found = false;
    *compares = false;
    for (unsigned w = 0; w < p->warps; w++)
        for (size_t i = 0; i < p->warp[w].count; i++) {
            const struct op *op = &p->warp[w].at[i];
            if (op->kind != OP_ATOMIC)
                continue;
            *compares |= op->compares;
            for (int b = 0; b < RECORDED_BLOCKS && !found; b++)
                found = b != plain && block[b].warp && changes(&block[b], op->word / 32);
        }
    return found;
}

static void add_share(struct launch_time *time, const struct sm *sm, double us)
{
    double sum = 0;
    for (int i = 0; i < LIMITS; i++)
        sum += sm->spent[i];
    for (int i = 0; i < LIMITS && sum > 0; i++)
        time->share[i] += us * sm->spent[i] / sum;
    time->us += us;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The blocks of the SM that has most: those beyond `most` at the pace of the ones before. */
static void time_blocks(const struct gpu *g, const struct launch_record *l,
                        const struct block_ops *plain, bool cold, bool contended,
                        struct launch_time *time)
{
    unsigned resident = resident_blocks(g, l, plain);
    double active = fmin(g->sms, (double)l->grid);
    unsigned long long mine = (unsigned long long)ceil((double)l->grid / active);
    unsigned most = 12 * resident > 64 ? 12 * resident : 64;
    unsigned count = mine < most ? (unsigned)mine : most;
    struct memory memory = make_memory(g, active, cold, 32.0 * (double)l->grid * sectors_of(plain));
    memory.contended = contended;
    const struct block_ops **blocks = simt_zeroed(count, sizeof *blocks);
    for (unsigned i = 0; i < count; i++)
        blocks[i] = plain;
    struct sm sm = {.g = g, .memory = &memory, .blocks = blocks, .count = count, .gap = active};
    if (l->cluster_blocks > 1) /* one cluster after another on the whole GPU */
        sm.gap = fmax(active, active / l->cluster_blocks * g->cluster_start);
    run(&sm, resident);
    qsort(sm.end, count, sizeof *sm.end, compare);
    double cycles = sm.end[count - 1];
    if (mine > most) {
        unsigned a = 2 * resident, b = most - resident;
        cycles += (double)(mine - most) * (sm.end[b] - sm.end[a]) / (b - a);
    }
    double us = cycles / g->mhz, atomics = contended ? atomics_of(g, plain) : 0;
    if (atomics > 0) {
        double queue = mine <= most ? memory.atomics / g->mhz
                                    : g->block_start / g->mhz + atomics * (double)l->grid / 1e3;
        if (queue > us)
            time->share[LIMIT_ATOMIC] += queue - us, time->us += queue - us;
        time->share[LIMIT_ATOMIC] += g->l2 / 2 / g->mhz, time->us += g->l2 / 2 / g->mhz;
    }
    add_share(time, &sm, us);
    free(sm.end);
    free(blocks);
    free(memory.deck);
}

/* From a store on its way to the poll that sees it, in latencies of L2. */
static const double until_seen = 1.5;

static void time_finish(const struct gpu *g, const struct launch_record *l,
                        const struct block_ops *finish, bool cold, bool sync,
                        struct launch_time *time)
{
    const struct block_ops *blocks[1] = {finish};
    struct memory memory = make_memory(g, 1, false, 1);
    struct sm sm = {.g = g, .memory = &memory, .blocks = blocks, .count = 1, .gap = 1};
    memory.cold_polls =
        cold && (double)l->grid <= g->sms; /* else the slots have been looked at before */
    run(&sm, 1);
    sm.spent[LIMIT_LAUNCH] = 0;
    add_share(time, &sm, (sm.end[0] - g->block_start) / g->mhz);
    if (!sync) {
        time->us += until_seen * g->l2 / g->mhz;
        time->share[LIMIT_LATENCY] += until_seen * g->l2 / g->mhz;
    }
    free(sm.end);
    free(memory.deck);
}

struct launch_time replay_launch(const struct gpu *gpu, const struct launch_record *l, bool cold,
                                 enum assumption assumption)
{
    struct launch_time time = {.refused = l->refused ? l->refused : operations_look_up(l)};
    struct block_ops block[RECORDED_BLOCKS] = {0}, finish = {0};
    int special = -1, plain = 0;
    static char call[100];
    if (time.refused)
        return time;
    for (int b = 0; b < RECORDED_BLOCKS; b++)
        if (l->warp[b])
            block[b] = operations_of(l, b, assumption);
    if (!l->warp[0]) {
        time.refused = "no block was recorded";
        return time;
    }
    for (int b = 0; b < RECORDED_BLOCKS; b++) {
        time.in_doubt |= block[b].in_doubt;
        time.divides |= block[b].divides;
        time.doubtful |= block[b].doubtful > 0.2 * instructions(&block[b]);
        time.empty |= block[b].empty > block[b].full;
    }
    for (int b = 0; b < RECORDED_BLOCKS; b++)
        if (block[b].unknown) {
            snprintf(call, sizeof call, "it calls %.60s(), which has no price", block[b].unknown);
            time.refused = call;
            return time;
        }
    if (l->grid > 1 && l->warp[1])
        plain = 1;
    for (int b = 0; b < RECORDED_BLOCKS; b++)
        if (b != plain && block[b].warp &&
            (special < 0 || instructions(&block[b]) > instructions(&block[special])))
            special = b;
    bool sync = has(&block[plain], OP_GRID_BARRIER), finishes = false;
    if (special >= 0 && instructions(&block[special]) > instructions(&block[plain]))
        finishes = cut_finish(&block[special], &block[plain], &finish);
    drop_grid_barriers(&block[plain]);
    time.instructions = instructions(&block[plain]) / l->warps;
    bool compares, contended = are_contended(block, plain, &compares);
    if (contended && compares) {
        time.refused = "its blocks repeat a compare-and-swap that others disturb";
        return time;
    }
    time_blocks(gpu, l, &block[plain], cold, contended, &time);
    if (sync) {
        double us = gpu->sync_us + (double)l->grid * gpu->sync_block_ns / 1e3;
        time.us += us;
        time.share[LIMIT_BARRIER] += us;
    }
    if (finishes) {
        drop_grid_barriers(&finish);
        time_finish(gpu, l, &finish, cold, sync, &time);
    }
    free(finish.warp);
    for (int b = 0; b < RECORDED_BLOCKS; b++)
        if (block[b].warp)
            operations_free(&block[b]);
    return time;
}
