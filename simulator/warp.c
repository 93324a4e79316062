/*
 * warp.c: shuffles, votes, matches, reductions and __syncwarp(). Each lane leaves
 * what it brings and waits; the last one named in the mask works out the result
 * of all. Nobody waits for lanes that have returned, or that the block does not have.
 */
#include "engine.h"

const char *const op_names[] = {
#define NAME_OF(OP, NAME) NAME,
    SIMT_WARP_OPS(NAME_OF)};

static struct thread *lane_of(const struct thread *t, unsigned lane)
{
    unsigned rank = t->rank - t->lane + lane;
    return rank < simt_now.threads ? &t->block->threads[rank] : NULL;
}

/* Does this lane exist, and has it not returned? Others a mask may name: nobody waits for them. */
static bool is_there(const struct thread *t, unsigned lane)
{
    const struct thread *other = lane_of(t, lane);
    return other && other->state != DONE;
}

static unsigned lanes_there(const struct thread *t)
{
    unsigned lanes = 0;
    for (unsigned l = 0; l < WARP; l++)
        lanes |= (unsigned)is_there(t, l) << l;
    return lanes;
}

/* The lane a shuffle reads, by CUDA's rules: past the edge of its segment of
   `width` lanes a lane keeps its own value. */
static unsigned source_lane(const struct thread *t)
{
    unsigned first = t->lane & ~(t->width - 1), last = first + t->width - 1;
    switch (t->op) {
    case SIMT_SHFL:
        return first + (t->argument & (t->width - 1));
    case SIMT_SHFL_UP:
        return t->argument > t->lane - first ? t->lane : t->lane - t->argument;
    case SIMT_SHFL_DOWN:
        return t->argument > last - t->lane ? t->lane : t->lane + t->argument;
    default:
        return (t->lane ^ t->argument) > last ? t->lane : t->lane ^ t->argument;
    }
}

/* What stands for an undefined value: a NaN as a float or a double, and a large whole number. */
#define UNDEFINED 0x7fffdead7fffdeadu

static uint64_t shuffle_result(const struct thread *t)
{
    unsigned source = source_lane(t);
    if (!is_there(t, source))
        simt_wrong(t, t->site, "%s reads lane %u, which %s: undefined", op_names[t->op], source,
                   lane_of(t, source) ? "has returned" : "does not exist");
    else if (!(t->mask >> source & 1))
        simt_note(
            t, t->site,
            "%s reads lane %u, which its mask 0x%08x does not name: undefined, and right only "
            "if the value is thrown away",
            op_names[t->op], source, t->mask);
    else
        return lane_of(t, source)->value;
    return UNDEFINED;
}

static uint64_t reduce(int op, uint32_t a, uint32_t b)
{
    switch (op) {
    case SIMT_REDUCE_ADD:
        return a + b;
    case SIMT_REDUCE_MIN:
        return a < b ? a : b;
    case SIMT_REDUCE_MAX:
        return a > b ? a : b;
    case SIMT_REDUCE_AND:
        return a & b;
    case SIMT_REDUCE_OR:
        return a | b;
    default:
        return a ^ b;
    }
}

/* mask: the lanes that take part. */
static uint64_t result_for(const struct thread *t, unsigned mask)
{
    unsigned lanes_true = 0, lanes_equal = 0;
    uint64_t reduced = t->value;
    if (t->op >= SIMT_SHFL && t->op <= SIMT_SHFL_XOR)
        return shuffle_result(t);
    for (unsigned l = 0; l < WARP; l++) {
        if (!(mask >> l & 1))
            continue;
        const struct thread *other = lane_of(t, l);
        lanes_true |= (unsigned)(other->value != 0) << l;
        lanes_equal |= (unsigned)(other->value == t->value) << l;
        if (other != t)
            reduced = reduce(t->op, (uint32_t)reduced, (uint32_t)other->value);
    }
    switch (t->op) {
    case SIMT_ANY:
        return lanes_true != 0;
    case SIMT_ALL:
        return lanes_true == mask;
    case SIMT_BALLOT:
        return lanes_true;
    case SIMT_MATCH_ANY:
        return lanes_equal;
    case SIMT_MATCH_ALL:
        return lanes_equal == mask ? mask : 0;
    default:
        return reduced;
    }
}

/* Lanes that are not there make no difference. */
static bool masks_differ(const struct thread *a, const struct thread *b)
{
    return a->mask != b->mask && ((a->mask ^ b->mask) & lanes_there(a)) != 0;
}

/* Are all lanes of t's mask that there are here for the same operation? The highest lane comes
   last, if nothing is shuffled, so it is asked first. */
static bool all_here(const struct thread *t)
{
    for (unsigned l = WARP; l-- > 0;) {
        const struct thread *other = t->mask >> l & 1 ? lane_of(t, l) : t;
        if ((!other || other->state == DONE) && !simt_all_wanted)
            continue;
        if (!other || other->state != AT_WARP_OP || other->op != t->op || masks_differ(t, other))
            return false;
    }
    return true;
}

/* Nobody in the block can go on. Does t wait for a lane that will never come? Lanes at an
   operation that does not name t may finish it and come. */
static void check_wait(const struct thread *t)
{
    for (unsigned l = 0; l < WARP; l++) {
        const struct thread *other = t->mask >> l & 1 ? lane_of(t, l) : t;
        if (simt_all_wanted && (!other || other->state == DONE))
            simt_fault(t, t->site, "%s names lane %u in its mask 0x%08x, but it %s",
                       op_names[t->op], l, t->mask, other ? "has returned" : "does not exist");
        if (other && other->state == AT_WARP_OP && (other->mask >> t->lane & 1) &&
            (masks_differ(t, other) || other->op != t->op))
            simt_fault(t, t->site, "%s with mask 0x%08x, while lane %u is at %s with mask 0x%08x",
                       op_names[t->op], t->mask, l, op_names[other->op], other->mask);
    }
}

/* Does the operation bring all lanes together that have not ended? A tile's does not, even if the
   other tiles of the warp have ended here: in hardware they run side by side. */
static bool whole_warp(const struct thread *t)
{
    for (unsigned l = 0; l < WARP; l++) {
        const struct thread *other = lane_of(t, l);
        if (other && !(t->mask >> l & 1) && (other->state != DONE || other->apart))
            return false;
    }
    return true;
}

/* Tiles of a warp that go the same way execute one instruction together, though each has a mask of
   its own and is completed for itself here, sooner or later: it counts when a lane has been at
   this place more often than any before. Element i of the warp's list of places is in its lane i;
   the last one gives way to others. */
static bool counted_already(const struct thread *t, unsigned mask)
{
    struct thread *at = NULL;
    unsigned place = 0, visits = 0;
    while (place < WARP && lane_of(t, place)) {
        at = lane_of(t, place++);
        if (!at->counted_site || at->counted_site == t->site)
            break;
    }
    if (at->counted_site != t->site) {
        at->counted_site = t->site;
        at->counted_visits = 0;
        for (unsigned l = 0; l < WARP && lane_of(t, l); l++)
            lane_of(t, l)->visits[place - 1] = 0;
    }
    for (unsigned l = 0; l < WARP; l++)
        if (mask >> l & 1 && ++lane_of(t, l)->visits[place - 1] > visits)
            visits = lane_of(t, l)->visits[place - 1];
    if (visits <= at->counted_visits)
        return true;
    at->counted_visits = visits;
    return false;
}

static void complete(const struct thread *t)
{
    uint64_t results[WARP];
    bool together = whole_warp(t);
    unsigned mask = t->mask & lanes_there(t);
    if (t->matrix)
        t->matrix(t, mask);
    for (unsigned l = 0; l < WARP; l++)
        if (mask >> l & 1)
            results[l] = result_for(lane_of(t, l), mask);
    for (unsigned l = 0; l < WARP; l++)
        if (mask >> l & 1) {
            struct thread *other = lane_of(t, l);
            other->value = results[l];
            other->state = READY;
            other->epoch += together;
            other->apart = !together;
        }
    if (t->op == SIMT_SYNC)
        hb_warp_barrier(t->block, t->rank - t->lane, mask);
    else if (t->op < SIMT_LOAD_MATRIX)
        simt_now.counts.shuffles += together || !counted_already(t, mask);
}

static uint64_t warp_op(enum simt_op op, unsigned mask, uint64_t value, unsigned argument,
                        unsigned width, warp_function *matrix, void *site)
{
    struct thread *t = simt_self;
    hang_step(t, site);
    t->site = site;
    t->op = op;
    t->mask = mask;
    t->value = value;
    t->argument = argument;
    t->width = width;
    t->matrix = matrix;
    if (!(mask >> t->lane & 1))
        simt_fault(t, t->site, "%s with mask 0x%08x, which does not name the calling lane %u",
                   op_names[op], mask, t->lane);
    if (width == 0 || width > WARP || (width & (width - 1)) != 0)
        simt_fault(t, t->site, "%s with width %u: it must be 1, 2, 4, 8, 16 or 32", op_names[op],
                   width);
    if (simt_counting && op >= SIMT_SHFL && op <= SIMT_SHFL_XOR)
        requests_note(LANE_READ, source_lane(t), sizeof(float), t->site);
    t->state = AT_WARP_OP;
    if (all_here(t))
        complete(t);
    else
        simt_wait(AT_WARP_OP, t->site);
    return t->value;
}

uint64_t simt_warp_op(enum simt_op op, unsigned mask, uint64_t value, unsigned argument,
                      unsigned width)
{
    return warp_op(op, mask, value, argument, width, NULL, __builtin_return_address(0));
}

void warp_matrix_op(enum simt_op op, uint64_t value, unsigned argument, warp_function *matrix,
                    void *site)
{
    warp_op(op, ~0u, value, argument, WARP, matrix, site);
}

/* ---- __activemask(): the lanes that happen to be together at this place. Hardware promises
   no more than the caller; the simulator gives all that wait there, or, under half of the
   draws of a schedule, parts them into groups. ---- */

unsigned simt_active_mask(void)
{
    simt_wait(AT_ACTIVE_MASK, __builtin_return_address(0));
    return simt_self->mask;
}

static unsigned lanes_together(const struct thread *t)
{
    unsigned together = 0;
    for (unsigned l = 0; l < WARP; l++) {
        const struct thread *other = lane_of(t, l);
        if (other && other->state == AT_ACTIVE_MASK && other->site == t->site)
            together |= 1u << l;
    }
    if (simt_seed != 0 && simt_random() % 2 == 0)
        together &= (unsigned)(simt_random() >> 16) | 1u << t->lane;
    return together;
}

bool warp_resolve(struct block *b)
{
    bool resolved = false;
    for (unsigned r = 0; r < simt_now.threads; r++) {
        struct thread *t = &b->threads[r];
        if (t->state == AT_WARP_OP && all_here(t)) { /* the others have returned meanwhile */
            complete(t);
            resolved = true;
        } else if (t->state == AT_WARP_OP) {
            check_wait(t);
        }
        if (t->state != AT_ACTIVE_MASK)
            continue;
        unsigned together = lanes_together(t);
        for (unsigned l = 0; l < WARP; l++)
            if (together >> l & 1) {
                lane_of(t, l)->mask = together;
                lane_of(t, l)->state = READY;
            }
        resolved = true;
    }
    return resolved;
}
