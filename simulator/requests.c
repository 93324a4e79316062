/* requests.c: groups what the lanes of a warp did into requests, and counts those as the hardware
   does. Lanes run one after another, so what they do is noted down, and gone through in step at the
   next barrier: the lowest place goes first (S. Collange, "Stack-less SIMT reconvergence at low
   cost", 2011). But g++ puts some blocks at the end of a function: lanes where ways join wait for
   those that are there. */
#include "requests.h"
#include "allocations.h"
#include "fault.h"
#include "scheduler.h"
#include "time/record.h"

/* Of one thread: what it did since it was put together last. */
struct records {
    struct record *at;
    size_t count, room, next; /* next: of those being put together */
    bool paused;              /* what it does now is no request of a warp's */
    unsigned epoch;
};
struct block_records {
    bool crowded;  /* a thread has much that is not yet put together */
    bool keep_all; /* until requests_flush() */
};

enum {
    MANY = 512, /* records of one thread, before they are put together early */
    SOON = 64   /* records: so far a way leads that is out of the way */
};

void requests_note(enum access_kind kind, uintptr_t address, unsigned bytes, void *pc)
{
    struct thread *t = simt_self;
    struct records *r = t->records;
    if (r->paused)
        return;
    if (r->count == r->room) {
        r->room = r->room ? 4 * r->room : 32;
        r->at = realloc(r->at, r->room * sizeof *r->at);
        if (!r->at)
            simt_fault(t, NULL, "no memory left to count in");
    }
    r->at[r->count++] = (struct record){
        .pc = pc,
        .address = address,
        .epoch = r->epoch,
        .kind = (unsigned char)kind,
        .bytes = (unsigned char)bytes,
    };
    if (r->count % MANY == 0 && !t->block->records->keep_all) {
        t->block->records->crowded = true;
        simt_wait(READY, pc); /* the other lanes shall catch up */
    }
}

void requests_mark(enum request_mark mark)
{
    struct records *r = simt_self->records;
    if (simt_counting && !r->paused && r->count > 0)
        r->at[r->count - 1].marks |= (unsigned char)mark;
}

/* Does a come before b? */
static bool before(const struct record *a, const struct record *b)
{
    if (a->epoch != b->epoch)
        return a->epoch < b->epoch;
    return a->pc != b->pc ? a->pc < b->pc : a->kind < b->kind;
}

static bool together(const struct record *a, const struct record *b)
{
    return a->epoch == b->epoch && a->pc == b->pc && a->kind == b->kind;
}

const struct record *requests_current(const struct thread *t)
{
    return &t->records->at[t->records->next - 1];
}

/* Does the thread come to this place after the one where it is, within so many records? */
static bool comes_to(const struct records *r, const struct record *place, size_t within)
{
    const struct record *at = &r->at[r->next], *end = &r->at[r->count];
    if ((size_t)(end - at) > within)
        end = at + within;
    while (++at < end && at->epoch == place->epoch)
        if (together(at, place))
            return true;
    return false;
}

/* Are all lanes of a warp that have not ended at the same place, as most often? They go on. */
static unsigned step_together(struct thread *lanes, unsigned count, struct thread **here)
{
    const struct record *first = NULL;
    unsigned found = 0;
    for (unsigned i = 0; i < count; i++) {
        const struct records *r = lanes[i].records;
        if (r->next == r->count)
            continue;
        if (!first)
            first = &r->at[r->next];
        else if (!together(&r->at[r->next], first))
            return 0;
        here[found++] = &lanes[i];
        __builtin_prefetch(&r->at[r->next + 8]);
    }
    for (unsigned i = 0; i < found; i++)
        here[i]->records->next++;
    return found;
}

/* Of a warp's lanes, one of those that go next; or NULL. They are those at the lowest place: unless
   others come there soon, and they do not come to where those are, as in a loop's next round. */
static const struct records *next_of_warp(const struct thread *lanes, unsigned count)
{
    const struct records *next = NULL;
    for (unsigned i = 0; i < count; i++) {
        const struct records *r = lanes[i].records;
        if (r->next < r->count && (!next || before(&r->at[r->next], &next->at[next->next])))
            next = r;
    }
    const struct record *looked_at = next ? &next->at[next->next] : NULL;
    for (unsigned i = 0; i < count; i++) {
        const struct records *r = lanes[i].records;
        if (r->next == r->count || together(&r->at[r->next], looked_at))
            continue;
        looked_at = &r->at[r->next];
        if (comes_to(r, &next->at[next->next], SOON) && !comes_to(next, looked_at, SIZE_MAX))
            next = r;
    }
    return next;
}

unsigned requests_step(struct thread *threads, unsigned count, struct thread **here)
{
    const struct record *first = NULL;
    unsigned found = count <= WARP ? step_together(threads, count, here) : 0;
    if (found > 0)
        return found;
    for (unsigned w = 0; w < count; w += WARP) {
        unsigned lanes = count - w < WARP ? count - w : WARP;
        const struct records *next = next_of_warp(&threads[w], lanes);
        if (!next || (first && before(first, &next->at[next->next])))
            continue;
        if (!first || before(&next->at[next->next], first))
            found = 0;
        first = &next->at[next->next];
        for (unsigned i = w; i < w + lanes; i++) {
            const struct records *r = threads[i].records;
            if (r->next < r->count && together(&r->at[r->next], first))
                here[found++] = &threads[i];
        }
    }
    for (unsigned i = 0; i < found; i++)
        here[i]->records->next++;
    return found;
}

/* One request: the accesses of up to 32 lanes, in lane order. */
struct request {
    const struct record *lane[WARP];
    unsigned lanes;
};

/* Different units of memory that a request touches, in no order; of an atomic, too, how many lanes
   there are at the one that most of them change. */
static unsigned units(const struct request *q, unsigned unit, uintptr_t seen[], unsigned char *same)
{
    unsigned count = 0, lanes[4 * WARP] = {0};
    for (unsigned l = 0; l < q->lanes; l++) {
        const struct record *r = q->lane[l];
        for (uintptr_t u = r->address / unit; u <= (r->address + r->bytes - 1) / unit; u++) {
            unsigned i = count; /* most often it is the last one */
            while (i > 0 && seen[i - 1] != u)
                i--;
            i = i > 0 ? i - 1 : count++;
            seen[i] = u;
            if (++lanes[i] > *same)
                *same = (unsigned char)lanes[i];
        }
    }
    return count;
}

static unsigned sectors(const struct request *q)
{
    uintptr_t seen[4 * WARP];
    unsigned char same = 0;
    return units(q, 32, seen, &same);
}

/* Wavefronts for accesses that go together: the words of the busiest bank. */
static unsigned busiest_bank(const uintptr_t *address, unsigned count, unsigned words)
{
    uintptr_t word[WARP][WARP];
    unsigned in_bank[WARP] = {0}, worst = 1;
    for (unsigned l = 0; l < count; l++)
        for (unsigned k = 0; k < words; k++) {
            uintptr_t w = address[l] / 4 + k;
            unsigned bank = w % WARP, i = 0;
            while (i < in_bank[bank] && word[bank][i] != w)
                i++; /* lanes that read the same word share it */
            if (i == in_bank[bank])
                word[bank][in_bank[bank]++] = w;
            if (in_bank[bank] > worst)
                worst = in_bank[bank];
        }
    return worst;
}

/* 8-byte accesses go half a warp at a time, 16-byte ones a quarter. A lane that wants just what
   another wants comes with it: of 8 bytes in the warp, of 16 in its half, as an H200 counts
   (results/h200). */
static unsigned wavefronts(const struct request *q)
{
    unsigned bytes = q->lane[0]->bytes, words = bytes > 4 ? bytes / 4 : 1, group = WARP / words;
    unsigned total = 0, together = bytes == 16 ? WARP / 2 : WARP;
    for (unsigned begin = 0; begin < q->lanes; begin += together) {
        uintptr_t address[WARP];
        unsigned count = 0;
        for (unsigned l = begin, i; l < q->lanes && l < begin + together; l++) {
            for (i = 0; i < count && address[i] != q->lane[l]->address; i++)
                ;
            address[i] = q->lane[l]->address;
            count += i == count;
        }
        for (unsigned first = 0; first < count; first += group)
            total +=
                busiest_bank(&address[first], count - first < group ? count - first : group, words);
    }
    return total;
}

static uint64_t steps, lanes_in_steps;

static void add_request(const struct request *q)
{
    struct simt_counts *c = &simt_now.counts;
    unsigned cost = 0; /* in wavefronts */
    switch (q->lane[0]->kind) {
    case GLOBAL_LOAD:
        c->gld_requests++;
        c->gld_sectors += sectors(q);
        break;
    case GLOBAL_STORE:
        c->gst_requests++;
        c->gst_sectors += sectors(q);
        break;
    case SHARED_LOAD:
        c->shared_ld_wavefronts += cost = wavefronts(q);
        break;
    case SHARED_STORE:
        c->shared_st_wavefronts += cost = wavefronts(q);
        break;
    case REMOTE_LOAD:
        c->remote_ld_requests++;
        break;
    case REMOTE_STORE:
        c->remote_st_requests++;
        break;
    case STEP:
        if (c->simt_efficiency == 0)
            steps = lanes_in_steps = 0; /* the launch's first */
        steps++;
        lanes_in_steps += q->lanes;
        c->simt_efficiency = (double)lanes_in_steps / (double)(steps * WARP);
        break;
    }
    if (cost > c->worst_conflict)
        c->worst_conflict = cost;
}

/* ---- for the model of time ---- */

bool simt_counting, requests_wanted;

void requests_choose(const struct block *b)
{
    simt_counting = requests_wanted || (b && record_place(b) >= 0);
}

/* How far lanes are apart, if all are alike. */
static int apart(const struct request *q)
{
    long long all = q->lanes > 1 ? (long long)(q->lane[1]->address - q->lane[0]->address) : 0;
    for (unsigned l = 2; l < q->lanes; l++)
        if ((long long)(q->lane[l]->address - q->lane[l - 1]->address) != all)
            return 0;
    return all == (int)all ? (int)all : 0;
}

/* An atomic load or store is one like any other, but for its order. */
static unsigned char kind_of(const struct record *r)
{
    if (r->kind != ATOMIC_OPERATION || !is_device_address(r->address))
        return r->kind;
    return r->marks & MARK_POLLS ? GLOBAL_LOAD : r->marks & MARK_STORES ? GLOBAL_STORE : r->kind;
}

static void record_request(const struct request *q, const struct thread *t)
{
    const struct record *r = q->lane[0];
    uintptr_t seen[4 * WARP];
    struct recorded made = {.pc = r->pc,
                            .epoch = r->epoch,
                            .kind = kind_of(r),
                            .marks = r->marks,
                            .bytes = r->bytes,
                            .lanes = (unsigned char)q->lanes,
                            .address = r->address,
                            .apart = apart(q)};
    if (record_place(t->block) < 0 || r->kind == NOT_COUNTED)
        return;
    if (made.kind == SHARED_LOAD || made.kind == SHARED_STORE)
        made.wavefronts = wavefronts(q);
    else if (made.kind == GLOBAL_LOAD || made.kind == GLOBAL_STORE)
        made.count = units(q, 32, seen, &made.same);
    else if (made.kind == ATOMIC_OPERATION)
        made.wavefronts = sectors(q), made.count = units(q, r->bytes, seen, &made.same);
    record_add(t, &made, seen);
}

void requests_record_vote(const struct thread *t, enum simt_op op, unsigned mask,
                          const uint64_t results[WARP])
{
    unsigned values = 0; /* different ones of a match: each has a lowest lane */
    if (op >= SIMT_LOAD_MATRIX)
        record_refuse("it multiplies matrices");
    for (unsigned l = 0; l < WARP && op == SIMT_MATCH_ANY; l++)
        values += (mask >> l & 1) && results[l] >> l & 1 && (results[l] & ((1ull << l) - 1)) == 0;
    record_add(t,
               &(struct recorded){.pc = t->site,
                                  .epoch = t->records->epoch,
                                  .kind = RECORD_VOTE,
                                  .bytes = (unsigned char)op,
                                  .lanes = (unsigned char)__builtin_popcount(mask),
                                  .wavefronts = values ? values : 1},
               NULL);
}

/* Could a lane that has little noted down still come to the next step, or say where it goes soon?
   Not one that has ended, nor one that waits for its warp or block: it goes on in a later epoch. */
static bool all_there(const struct thread *lanes, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (lanes[i].records->count - lanes[i].records->next <= SOON &&
            (lanes[i].state == READY || lanes[i].state == SPINNING))
            return false;
    return true;
}

static void count_warp(struct thread *lanes, unsigned count, bool ahead)
{
    struct thread *here[WARP];
    struct request q;
    while ((!ahead || all_there(lanes, count)) &&
           (q.lanes = requests_step(lanes, count, here)) > 0) {
        for (unsigned l = 0; l < q.lanes; l++)
            q.lane[l] = requests_current(here[l]);
        if (requests_wanted)
            add_request(&q);
        if (record_on)
            record_request(&q, here[0]);
    }
}

static void count_block(struct block *b, bool ahead)
{
    for (unsigned first = 0; first < simt_now.threads; first += WARP) {
        unsigned left = simt_now.threads - first;
        count_warp(&b->threads[first], left < WARP ? left : WARP, ahead);
    }
    for (unsigned i = 0; i < simt_now.threads; i++) {
        struct records *r = b->threads[i].records;
        r->count -= r->next;
        if (r->next > 0)
            memmove(r->at, r->at + r->next, r->count * sizeof *r->at);
        r->next = 0;
    }
}

void requests_flush(struct block *b)
{
    count_block(b, false);
}

void requests_ahead(struct block *b)
{
    if (!b->records->crowded)
        return;
    count_block(b, true);
    b->records->crowded = false;
}

void requests_rewind(struct block *b)
{
    for (unsigned i = 0; i < simt_now.threads; i++)
        b->threads[i].records->next = 0;
}

void requests_pause(bool pause)
{
    simt_self->records->paused = pause;
}

/* ---- epochs, blocks ---- */

unsigned requests_next_epoch(const struct block *b)
{
    unsigned epoch = 0;
    for (unsigned i = 0; i < simt_now.threads; i++)
        if (b->threads[i].records->epoch >= epoch)
            epoch = b->threads[i].records->epoch + 1;
    return epoch;
}

void requests_set_epoch(struct thread *t, unsigned epoch)
{
    t->records->epoch = epoch;
}

void requests_advance_epoch(struct thread *t)
{
    t->records->epoch++;
}

void requests_make_block(struct block *b)
{
    struct records *of_all = simt_zeroed(MAX_BLOCK, sizeof *of_all);
    b->records = simt_zeroed(1, sizeof *b->records);
    for (unsigned i = 0; i < MAX_BLOCK; i++)
        b->threads[i].records = &of_all[i];
}

void requests_begin_block(struct block *b, bool keep_all)
{
    b->records->keep_all = keep_all;
    for (unsigned i = 0; i < simt_now.threads; i++) {
        b->threads[i].records->epoch = 0;
        b->threads[i].records->paused = false;
    }
}

void requests_forget(struct thread *t)
{
    t->records->count = t->records->next = 0;
}
