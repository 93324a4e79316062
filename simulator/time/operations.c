/*
 * operations.c: see operations.h. Of a record's basic blocks it keeps how many instructions they
 * are. A load is in flight until something may use it: until the warp leaves the unrolled loop
 * that loads, since nvcc moves the loads of such a loop before their first use, or else the basic
 * block. A load at the same place of the same addresses, with nothing but a wait between, polls:
 * one time stands for all.
 */
#include "time/operations.h"
#include "allocations.h"
#include "barriers.h"
#include "fault.h"
#include "time/price.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Instructions beyond those of basic blocks: the kernel's parameters, its end. */
static const double prologue = 10;

/* Cycles that a division of floats may take beyond those of its instructions: 335 in all on a V100,
   Arafa et al. 2019, "Low Overhead Instruction Latency Characterization for NVIDIA GPGPUs". */
static const float slow_division = 275;

/* ---- sectors that the block has touched: a hash table ---- */

struct set {
    uintptr_t *at;
    size_t room, count;
};

static bool set_add(struct set *s, uintptr_t x);

static void set_widen(struct set *s)
{
    struct set old = *s;
    *s = (struct set){.room = old.room ? 2 * old.room : 1024};
    s->at = simt_zeroed(s->room, sizeof *s->at);
    for (size_t i = 0; i < old.room; i++)
        if (old.at[i])
            set_add(s, old.at[i]);
    free(old.at);
}

/* Returns whether it was there. x is not 0. */
static bool set_add(struct set *s, uintptr_t x)
{
    if (2 * s->count >= s->room)
        set_widen(s);
    size_t i = (x * 0x9e3779b97f4a7c15u >> 20) & (s->room - 1);
    while (s->at[i] && s->at[i] != x)
        i = (i + 1) & (s->room - 1);
    bool there = s->at[i] == x;
    s->count += !there;
    s->at[i] = x;
    return there;
}

/* Of each access of each warp: how many of its sectors the block has touched before; a store's:
   written before. The warps go on together, from epoch to epoch. */
static unsigned char **find_known(const struct launch_record *l, int block)
{
    struct set touched = {0}, written = {0};
    unsigned char **known = simt_zeroed(l->warps, sizeof *known);
    size_t *at = simt_zeroed(l->warps, sizeof *at);
    for (unsigned w = 0; w < l->warps; w++)
        known[w] = simt_zeroed(l->warp[block][w].count + 1, 1);
    for (bool any = true; any;) {
        unsigned epoch = UINT32_MAX;
        any = false;
        for (unsigned w = 0; w < l->warps; w++) {
            const struct recorded_warp *r = &l->warp[block][w];
            if (at[w] < r->count && r->at[at[w]].epoch < epoch)
                epoch = r->at[at[w]].epoch;
        }
        for (unsigned w = 0; w < l->warps; w++) {
            const struct recorded_warp *r = &l->warp[block][w];
            for (; at[w] < r->count && r->at[at[w]].epoch == epoch; at[w]++, any = true) {
                const struct recorded *one = &r->at[at[w]];
                if (one->kind != GLOBAL_LOAD && one->kind != GLOBAL_STORE)
                    continue;
                for (unsigned i = 0; i < one->count; i++) {
                    uintptr_t s = l->touched[one->first + i];
                    bool there = set_add(&touched, s);
                    known[w][at[w]] += one->kind == GLOBAL_STORE ? set_add(&written, s) : there;
                }
            }
        }
    }
    free(touched.at);
    free(written.at);
    free(at);
    return known;
}

/* ---- a warp ---- */

enum { MOST_PENDING = 64 };
struct maker {
    const struct launch_record *launch;
    const struct recorded *recorded, *end;
    const unsigned char *known; /* of each recorded access: sectors that the block had touched */
    struct warp_ops *ops;
    double instructions, integer, special, products; /* since the last operation */
    unsigned announced; /* accesses that the block has announced, and that have not come */
    struct pending {    /* loads in flight: where, and in which unrolled loops */
        const void *pc;
        uint64_t loops;
        size_t at; /* among ops */
        const struct recorded *load;
    } pending[MOST_PENDING];
    unsigned pending_count, words, in_flight;
    const char *unknown; /* a call without a price */
    bool one_by_one;     /* loads that nvcc may have in flight at once, or one after another */
    bool in_doubt;       /* there are such loads */
    bool divides;
    double doubtful;      /* instructions that nvcc may do without */
    bool slow;            /* divisions */
    double divisions;     /* since the last operation */
    unsigned full, empty; /* loads under a condition in which most lanes take part, or do not */
    struct seen {         /* loads that may poll, since it changed something */
        const struct recorded *load;
        size_t at; /* among ops */
    } seen[MOST_PENDING];
    unsigned seen_count;
    const struct recorded *merged; /* the last load of shared memory, of an unrolled loop */
};

static struct op *emit(struct maker *m, enum op_kind kind, float amount)
{
    struct warp_ops *o = m->ops;
    o->at = simt_grow(o->at, o->count, sizeof *o->at);
    o->at[o->count] = (struct op){.kind = (unsigned char)kind, .amount = amount};
    o->instructions += kind == OP_INSTRUCTIONS ? (double)amount : kind != OP_WAIT;
    return &o->at[o->count++];
}

static void flush(struct maker *m)
{
    if (m->instructions > 0) {
        struct op *op = emit(m, OP_INSTRUCTIONS, (float)m->instructions);
        op->integer = (float)m->integer;
        op->special = (float)m->special;
        op->products = (float)m->products;
        op->stall = m->slow ? (float)m->divisions * slow_division : 0;
    }
    m->divisions = m->instructions = m->integer = m->special = m->products = 0;
}

static void wait(struct maker *m)
{
    if (m->pending_count > 0) {
        flush(m);
        emit(m, OP_WAIT, 0);
    }
    m->in_flight = m->words > m->in_flight ? m->words : m->in_flight;
    m->pending_count = m->words = 0;
}

/* Loads in flight, if the next basic block is in a loop that nvcc may make one of with theirs. */
static void load_one_by_one(struct maker *m, const void *next)
{
    if (m->pending_count == 0 || !price_may_merge(m->pending[0].pc, next))
        return;
    for (unsigned i = 0; i < m->pending_count; i++)
        *(m->pending[i].load->lanes > WARP / 2 ? &m->full : &m->empty) += 1;
    if (m->pending_count < 2)
        return;
    m->in_doubt = true;
    if (!m->one_by_one)
        return;
    unsigned last = m->pending_count - 1;
    flush(m);
    for (unsigned i = 0; i < last; i++)
        emit(m, OP_WAIT, 0);
    for (unsigned i = last; i > 0; i--) { /* waits go before all but the first of them */
        size_t from = m->pending[i].at, to = i < last ? m->pending[i + 1].at : m->ops->count - last;
        memmove(&m->ops->at[from + i], &m->ops->at[from], (to - from) * sizeof *m->ops->at);
        m->ops->at[from + i - 1] = (struct op){.kind = OP_WAIT};
    }
    m->words /= m->pending_count;
}

/* A loop without #pragma unroll whose lanes each read word after word: nvcc has four of these loads
   in flight (seen in its machine code of row_thread). */
static bool reads_on(const struct maker *m, const struct recorded *r)
{
    const struct recorded *last = m->pending[m->pending_count - 1].load, *next = r;
    while (next < m->end && next->kind == STEP)
        next++;
    return m->pending_count < 4 && next < m->end && next->kind == last->kind &&
           next->pc == last->pc && next->lanes == last->lanes &&
           next->address == last->address + last->bytes;
}

static void go_on(struct maker *m, const struct recorded *r)
{
    uint64_t loops = m->pending_count > 0 ? price_loops(r->pc) : 0;
    for (unsigned i = 0; i < m->pending_count; i++)
        if (m->pending[i].loops && !(m->pending[i].loops & loops)) {
            load_one_by_one(m, r->pc);
            wait(m);
            break;
        }
    bool any_plain = false;
    for (unsigned i = 0; i < m->pending_count; i++)
        any_plain |= m->pending[i].loops == 0;
    if (any_plain && !reads_on(m, r))
        wait(m);
    struct price price = price_of_block(r->pc);
    if (!m->unknown)
        m->unknown = price_unknown_call(r->pc);
    m->instructions -=
        fmin(m->instructions, m->announced); /* they were of the thread's own arrays */
    m->announced = price.accesses;
    m->doubtful += price.doubtful;
    m->instructions += price.all;
    m->integer += price.integer;
    m->divisions += price.divisions;
    m->divides |= price.divisions > 0;
    m->special += price.special;
    m->products += price.products;
}

static void put_sectors(struct maker *m, struct op *op, const struct recorded *r)
{
    uintptr_t lines[4 * WARP];
    unsigned line_count = 0;
    for (unsigned i = 0; i < r->count; i++) {
        uintptr_t line = m->launch->touched[r->first + i] / 4;
        unsigned k = 0;
        while (k < line_count && lines[k] != line)
            k++;
        lines[k] = line;
        line_count += k == line_count;
    }
    op->lines = (unsigned char)line_count;
    op->sectors = (unsigned char)r->count;
    op->known = m->known[r - m->recorded];
}

static bool same_load(const struct maker *m, const struct recorded *a, const struct recorded *b)
{
    return a && a->pc == b->pc && a->lanes == b->lanes && a->count == b->count &&
           memcmp(&m->launch->touched[a->first], &m->launch->touched[b->first],
                  a->count * sizeof *m->launch->touched) == 0;
}

/* The warp asks again what it has asked before: once is enough. Goes back to where it did. */
static bool polls_again(struct maker *m, const struct recorded *r, uint64_t loops)
{
    for (unsigned i = 0; i < m->seen_count; i++) {
        if (!same_load(m, m->seen[i].load, r))
            continue;
        m->ops->count = m->seen[i].at + 1;
        m->ops->at[m->seen[i].at].kind = OP_POLL;
        m->divisions = m->instructions = m->integer = m->special = m->products = 0;
        m->pending_count = 1;
        m->pending[0] = (struct pending){r->pc, loops, m->seen[i].at, r};
        m->seen_count = i + 1;
        return true;
    }
    return false;
}

/* nvcc loads neighbouring words of shared memory at once, up to 16 bytes, where a loop is unrolled.
 */
static bool is_merged(struct maker *m, const struct recorded *r, uint64_t loops)
{
    const struct recorded *first = m->merged;
    if (loops && first && first->pc == r->pc && first->lanes == r->lanes &&
        first->apart == r->apart && first->address % 16 == 0 && first->apart % 16 == 0 &&
        first->apart != 0 && r->address > first->address && r->address - first->address < 16)
        return true;
    m->merged = r;
    return false;
}

static void load(struct maker *m, const struct recorded *r)
{
    uint64_t loops = price_loops(r->pc);
    bool shared = r->kind == SHARED_LOAD;
    if (!shared && polls_again(m, r, loops))
        return;
    if (shared && is_merged(m, r, loops))
        return;
    for (unsigned i = 0; i < m->pending_count; i++)
        if (m->pending[i].pc == r->pc && loops == 0 && !reads_on(m, r)) {
            wait(m);
            break;
        }
    flush(m);
    struct op *op = emit(m, shared ? OP_SHARED_LOAD : OP_LOAD, (float)r->wavefronts);
    if (!shared) {
        if (r->marks & MARK_POLLS && m->seen_count < MOST_PENDING)
            m->seen[m->seen_count++] = (struct seen){r, m->ops->count - 1};
        put_sectors(m, op, r);
    }
    if (m->pending_count == MOST_PENDING) {
        wait(m);
        return;
    }
    m->pending[m->pending_count++] = (struct pending){r->pc, loops, m->ops->count - 1, r};
    m->words += r->bytes > 4 ? r->bytes / 4 : 1;
}

static void atomic(struct maker *m, const struct recorded *r)
{
    bool global = is_device_address(r->address);
    struct op *op = emit(m, global ? OP_ATOMIC : OP_SHARED_ATOMIC, r->same);
    op->used = !price_is_unused(r->pc);
    op->lanes = r->lanes;
    op->in_sectors = (unsigned char)r->wavefronts;
    op->real = r->marks & MARK_FLOAT;
    op->compares = r->marks & MARK_COMPARES;
    op->words = (unsigned char)r->count;
    op->word = r->address;
}

static void vote(struct maker *m, const struct recorded *r)
{
    wait(m);
    flush(m);
    if (r->bytes == SIMT_SYNC) {
        m->instructions += 1;
        return;
    }
    const struct warp_ops *o = m->ops; /* of a poll, too, once is enough */
    if (o->count >= 3 && o->at[o->count - 1].kind == OP_VOTE &&
        o->at[o->count - 2].kind == OP_WAIT && o->at[o->count - 3].kind == OP_POLL)
        return;
    bool matches = r->bytes == SIMT_MATCH_ANY || r->bytes == SIMT_MATCH_ALL;
    bool reduces = r->bytes >= SIMT_REDUCE_ADD && r->bytes <= SIMT_REDUCE_XOR;
    emit(m,
         matches   ? OP_MATCH
         : reduces ? OP_REDUCE
                   : OP_VOTE,
         matches                   ? (float)r->wavefronts
         : r->bytes == SIMT_BALLOT ? 2
                                   : 1);
}

static void take(struct maker *m, const struct recorded *r)
{
    if (r->kind < ATOMIC_OPERATION && m->announced > 0)
        m->announced--;
    switch (r->kind) {
    case RECORD_BARRIER:
        flush(m);
        emit(m, r->bytes == AT_GRID_BARRIER ? OP_GRID_BARRIER : OP_BARRIER, 1)->cluster =
            r->bytes == AT_CLUSTER_BARRIER;
        m->seen_count = 0;
        return;
    case RECORD_VOTE:
        vote(m, r);
        return;
    case STEP:
        go_on(m, r);
        return;
    case GLOBAL_LOAD:
    case SHARED_LOAD:
        load(m, r);
        return;
    }
    wait(m);
    flush(m);
    if (r->kind != FENCE) /* a poll may have one */
        m->seen_count = 0;
    if (r->kind == GLOBAL_STORE)
        put_sectors(m, emit(m, OP_STORE, 1), r);
    else if (r->kind == SHARED_STORE)
        emit(m, OP_SHARED_STORE, (float)r->wavefronts);
    else if (r->kind == LANE_READ)
        emit(m, OP_SHUFFLE, 1);
    else if (r->kind == FENCE)
        emit(m, OP_FENCE, r->bytes);
    else if (r->kind == ATOMIC_OPERATION)
        atomic(m, r);
    else
        emit(m, OP_REMOTE, 1);
}

const char *operations_look_up(const struct launch_record *l)
{
    struct set seen = {0};
    const void **pcs = NULL;
    size_t count = 0;
    for (int b = 0; b < RECORDED_BLOCKS; b++)
        for (unsigned w = 0; l->warp[b] && w < l->warps; w++)
            for (size_t i = 0; i < l->warp[b][w].count; i++) {
                const void *pc = l->warp[b][w].at[i].pc;
                if (!pc || set_add(&seen, (uintptr_t)pc))
                    continue;
                pcs = simt_grow(pcs, count, sizeof *pcs);
                pcs[count++] = pc;
            }
    const char *problem = price_look_up(pcs, count);
    free(pcs);
    free(seen.at);
    return problem;
}

struct block_ops operations_of(const struct launch_record *launch, int block,
                               enum assumption assumption)
{
    unsigned char **known = find_known(launch, block);
    struct block_ops made = {.warps = launch->warps};
    made.warp = simt_zeroed(launch->warps, sizeof *made.warp);
    for (unsigned w = 0; w < launch->warps; w++) {
        struct maker m = {.launch = launch,
                          .recorded = launch->warp[block][w].at,
                          .end = launch->warp[block][w].at + launch->warp[block][w].count,
                          .known = known[w],
                          .ops = &made.warp[w],
                          .instructions = prologue,
                          .one_by_one = assumption == LOADS_ONE_BY_ONE,
                          .slow = assumption == SLOW_DIVISIONS};
        const struct recorded_warp *recorded = &launch->warp[block][w];
        for (size_t i = 0; i < recorded->count; i++)
            take(&m, &recorded->at[i]);
        wait(&m);
        flush(&m);
        if (made.warp[w].count > 0 && made.warp[w].at[made.warp[w].count - 1].kind == OP_ATOMIC)
            made.warp[w].at[made.warp[w].count - 1].used = false;
        made.in_doubt |= m.in_doubt;
        made.divides |= m.divides;
        made.full += m.full;
        made.empty += m.empty;
        made.doubtful += m.doubtful;
        made.unknown = made.unknown ? made.unknown : m.unknown;
        made.in_flight = m.in_flight > made.in_flight ? m.in_flight : made.in_flight;
        free(known[w]);
    }
    free(known);
    return made;
}

void operations_free(struct block_ops *block)
{
    for (unsigned w = 0; w < block->warps; w++)
        free(block->warp[w].at);
    free(block->warp);
}
