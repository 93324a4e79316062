/* warp.c: shuffles, votes, matches, reductions and __syncwarp(). Each lane leaves what it brings
   and waits; the last one that the mask names works out the result of all. Lanes that have returned
   are not waited for. */
#include "barriers.h"
#include "fault.h"
#include "hang_detector.h"
#include "happens_before.h"
#include "requests.h"
#include "scheduler.h"
#include "time/record.h"
#include "trial.h"

const char *const op_names[] = {
#define NAME_OF(OP, NAME) NAME,
    SIMT_WARP_OPS(NAME_OF)};

/* What a lane brings to an operation. */
struct warp_lane {
    int op; /* enum simt_op while AT_WARP_OP */
    unsigned mask, argument, width;
    warp_function *matrix; /* of an operation on matrices, or NULL */
    uint64_t value;        /* given to the operation, then its result */
    bool apart;            /* its last operation was of a part of the warp only, as a tile's is */
    /* Shuffles of tiles: an element of its warp's list of places, how often a lane was there at the
       most; and how often this one was at each of them. */
    void *counted_site;
    unsigned counted_visits, visits[WARP];
};

static struct thread *lane_of(const struct thread *t, unsigned lane)
{
    unsigned rank = t->rank - t->lane + lane;
    return rank < simt_now.threads ? &t->block->threads[rank] : NULL;
}

/* Does this lane exist, and has it not returned? Others that a mask names are not waited for. */
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

/* The lane a shuffle reads: past the edge of its segment of `width` lanes its own. */
static unsigned source_lane(const struct thread *t)
{
    unsigned first = t->lane & ~(t->warp->width - 1), last = first + t->warp->width - 1;
    switch (t->warp->op) {
    case SIMT_SHFL:
        return first + (t->warp->argument & (t->warp->width - 1));
    case SIMT_SHFL_UP:
        return t->warp->argument > t->lane - first ? t->lane : t->lane - t->warp->argument;
    case SIMT_SHFL_DOWN:
        return t->warp->argument > last - t->lane ? t->lane : t->lane + t->warp->argument;
    default:
        return (t->lane ^ t->warp->argument) > last ? t->lane : t->lane ^ t->warp->argument;
    }
}

/* What stands for an undefined value: a NaN as a float or a double, and a large whole number. Where
   it is tried, the largest numbers of both signs, and 0: a maximum, a sum and a test differ. */
#define UNDEFINED 0x7fffdead7fffdeadu
#define LARGEST   0x7effdead7effdeadu
#define LOWEST    0xfe812152fe812152u

/* Thrown away, as far as two copies of the program tell? */
static uint64_t value_from_outside(const struct thread *t, unsigned source)
{
    static unsigned count;
    bool there = is_there(t, source), same = trial_same(t->site, NULL);
    char which[64];
    if (trial_role_in(t->site, NULL) == TRIAL_AS_IS)
        return LARGEST;
    if (trial_is_altered(t->site, NULL))
        return count++ % 2 ? 0 : LOWEST;
    if (there)
        snprintf(which, sizeof which, "its mask 0x%08x does not name", t->warp->mask);
    else
        strcpy(which, lane_of(t, source) ? "has returned" : "does not exist");
    if (!same && (!there || trial_differs(t->site)))
        simt_wrong(t, t->site, "%s reads lane %u, which %s: undefined%s", op_names[t->warp->op],
                   source, which,
                   there ? ", and the value is used: with another this launch leaves something else"
                         : "");
    else
        simt_note(t, t->site,
                  "%s reads lane %u, which %s: undefined, and right only if the value is thrown "
                  "away%s",
                  op_names[t->warp->op], source, which,
                  same ? ", as it is here: with others this launch left the same" : "");
    return UNDEFINED;
}

static uint64_t shuffle_result(const struct thread *t)
{
    unsigned source = source_lane(t);
    return is_there(t, source) && (t->warp->mask >> source & 1) ? lane_of(t, source)->warp->value
                                                                : value_from_outside(t, source);
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
    uint64_t reduced = t->warp->value;
    if (t->warp->op >= SIMT_SHFL && t->warp->op <= SIMT_SHFL_XOR)
        return shuffle_result(t);
    for (unsigned l = 0; l < WARP; l++) {
        if (!(mask >> l & 1))
            continue;
        const struct thread *other = lane_of(t, l);
        lanes_true |= (unsigned)(other->warp->value != 0) << l;
        lanes_equal |= (unsigned)(other->warp->value == t->warp->value) << l;
        if (other != t)
            reduced = reduce(t->warp->op, (uint32_t)reduced, (uint32_t)other->warp->value);
    }
    switch (t->warp->op) {
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
    return a->warp->mask != b->warp->mask &&
           ((a->warp->mask ^ b->warp->mask) & lanes_there(a)) != 0;
}

/* Are all lanes of t's mask that there are here for the same operation? The highest lane comes
   last, if nothing is shuffled, so it is asked first. */
static bool all_here(const struct thread *t)
{
    for (unsigned l = WARP; l-- > 0;) {
        const struct thread *other = t->warp->mask >> l & 1 ? lane_of(t, l) : t;
        if ((!other || other->state == DONE) && !simt_all_wanted)
            continue;
        if (!other || other->state != AT_WARP_OP || other->warp->op != t->warp->op ||
            masks_differ(t, other))
            return false;
    }
    return true;
}

/* No thread of the block can go on. Does t wait for a lane that will never come? Lanes at an
   operation that does not name t may finish it and come. */
static void check_wait(const struct thread *t)
{
    for (unsigned l = 0; l < WARP; l++) {
        const struct thread *other = t->warp->mask >> l & 1 ? lane_of(t, l) : t;
        if (simt_all_wanted && (!other || other->state == DONE))
            simt_fault(t, t->site, "%s names lane %u in its mask 0x%08x, but it %s",
                       op_names[t->warp->op], l, t->warp->mask,
                       other ? "has returned" : "does not exist");
        if (other && other->state == AT_WARP_OP && (other->warp->mask >> t->lane & 1) &&
            (masks_differ(t, other) || other->warp->op != t->warp->op))
            simt_fault(t, t->site, "%s with mask 0x%08x, while lane %u is at %s with mask 0x%08x",
                       op_names[t->warp->op], t->warp->mask, l, op_names[other->warp->op],
                       other->warp->mask);
    }
}

/* Does the operation bring all lanes together that have not ended? A tile's does not, even if the
   other tiles of the warp have ended here: in hardware they run side by side. */
static bool whole_warp(const struct thread *t)
{
    for (unsigned l = 0; l < WARP; l++) {
        const struct thread *other = lane_of(t, l);
        if (other && !(t->warp->mask >> l & 1) && (other->state != DONE || other->warp->apart))
            return false;
    }
    return true;
}

/* Tiles of a warp that go the same way execute one instruction together: it counts when a lane has
   been here more often than any before. Element i of the warp's list of places is in its lane i. */
static bool counted_already(const struct thread *t, unsigned mask)
{
    struct thread *at = NULL;
    unsigned place = 0, visits = 0;
    while (place < WARP && lane_of(t, place)) {
        at = lane_of(t, place++);
        if (!at->warp->counted_site || at->warp->counted_site == t->site)
            break;
    }
    if (at->warp->counted_site != t->site) {
        at->warp->counted_site = t->site;
        at->warp->counted_visits = 0;
        for (unsigned l = 0; l < WARP && lane_of(t, l); l++)
            lane_of(t, l)->warp->visits[place - 1] = 0;
    }
    for (unsigned l = 0; l < WARP; l++)
        if (mask >> l & 1 && ++lane_of(t, l)->warp->visits[place - 1] > visits)
            visits = lane_of(t, l)->warp->visits[place - 1];
    if (visits <= at->warp->counted_visits)
        return true;
    at->warp->counted_visits = visits;
    return false;
}

static void complete(const struct thread *t)
{
    uint64_t results[WARP];
    bool together = whole_warp(t);
    unsigned mask = t->warp->mask & lanes_there(t);
    if (t->warp->matrix)
        t->warp->matrix(t, mask);
    for (unsigned l = 0; l < WARP; l++)
        if (mask >> l & 1)
            results[l] = result_for(lane_of(t, l), mask);
    if (simt_counting && record_on && together && t->warp->op > SIMT_SHFL_XOR)
        requests_record_vote(t, t->warp->op, mask, results);
    for (unsigned l = 0; l < WARP; l++)
        if (mask >> l & 1) {
            struct thread *other = lane_of(t, l);
            other->warp->value = results[l];
            other->state = READY;
            if (together && simt_counting)
                requests_advance_epoch(other);
            other->warp->apart = !together;
        }
    if (t->warp->op == SIMT_SYNC)
        hb_warp_barrier(t->block, t->rank - t->lane, mask);
    else if (t->warp->op < SIMT_LOAD_MATRIX)
        simt_now.counts.shuffles += together || !counted_already(t, mask);
}

static uint64_t warp_op(enum simt_op op, unsigned mask, uint64_t value, unsigned argument,
                        unsigned width, warp_function *matrix, void *site)
{
    struct thread *t = simt_self;
    hang_step(t, site);
    t->site = site;
    t->warp->op = op;
    t->warp->mask = mask;
    t->warp->value = value;
    t->warp->argument = argument;
    t->warp->width = width;
    t->warp->matrix = matrix;
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
    return t->warp->value;
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

/* ---- __activemask(): the lanes that happen to be together at this place; under half of the draws
   of a schedule they are parted into groups ---- */

unsigned simt_active_mask(void)
{
    simt_wait(AT_ACTIVE_MASK, __builtin_return_address(0));
    return simt_self->warp->mask;
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
                lane_of(t, l)->warp->mask = together;
                lane_of(t, l)->state = READY;
            }
        resolved = true;
    }
    return resolved;
}

/* ---- blocks; matrices (extras/wmma.c) ---- */

void warp_make_block(struct block *b)
{
    struct warp_lane *of_all = simt_zeroed(MAX_BLOCK, sizeof *of_all);
    for (unsigned i = 0; i < MAX_BLOCK; i++)
        b->threads[i].warp = &of_all[i];
}

void warp_begin_block(struct block *b)
{
    for (unsigned i = 0; i < simt_now.threads; i++) {
        b->threads[i].warp->apart = false;
        b->threads[i].warp->counted_site = NULL;
    }
}

enum simt_op warp_op_of(const struct thread *t)
{
    return (enum simt_op)t->warp->op;
}

uint64_t warp_value(const struct thread *t, unsigned lane)
{
    return lane_of(t, lane)->warp->value;
}

unsigned warp_argument(const struct thread *t, unsigned lane)
{
    return lane_of(t, lane)->warp->argument;
}
