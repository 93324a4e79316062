/* weak_memory.c: what a relaxed load may return: by PTX's "Memory Consistency Model" any store to
   the word, but one before a store, or a load's source, that comes before the load. So each word
   that volatile or atomic accesses use keeps its last stores, and the last loads of a few threads.
   Under a shuffled schedule a load takes one of these by lot. In the natural order it is tried once
   for each pair of places (trial.c). What is forgotten counts as seen, so no value is returned that
   may not be. */
#include "fault.h"
#include "hang_detector.h"
#include "happens_before.h"
#include "race.h"
#include "scheduler.h"
#include "time/record.h"
#include "trial.h"

enum { WORDS = 1 << 12, STORES = 4, LOADERS = 6, LOGGED = 1 << 10, SEEN = 1 << 7, TRIED = 1 << 8 };

struct by {
    uint32_t time, block, rank;
};
struct store {
    struct by by;
    void *pc;
    uint64_t value;          /* of all but the last, which is in memory */
    uint32_t released;       /* race_flag_written() */
    uint64_t number;         /* among all stores */
    uint64_t first_of_chain; /* read-modify-writes, one of the other's value */
};
static struct history {
    uintptr_t address;
    unsigned bytes, next_loader;
    uint64_t count, floor; /* stores; of those that forgotten loads got, the last */
    struct store stores[STORES];
    struct loader {
        struct by by;
        uint64_t got;
    } loaders[LOADERS];
} histories[WORDS];
static uintptr_t followed[WORDS]; /* their addresses: most words are not, which is soon seen */

/* All stores; loads that got another thread's store for the first time. */
static struct logged {
    struct by by;
    uintptr_t address;
    void *pc;
    uint32_t barrier; /* the last of its block, or of the grid */
} logged[LOGGED];
static struct seen {
    struct by by;
    uintptr_t address;
    void *pc;
    uint64_t first, last; /* numbers of stores */
} seen[SEEN];
static uint64_t stores, seen_count;

static struct tried {
    const void *store, *load;
    bool with_flag;
} tried[TRIED];
static unsigned tried_count;

/* In a copy: the thread that got, or did not get, an older value there. */
static struct {
    const struct thread *thread;
    uintptr_t address;
    unsigned bytes;
    bool with_flag, stores;
} watched;
enum said { READS_AGAIN = 1, STORES_IT }; /* in place of a sum: when a copy ends early */

static struct by by_self(void)
{
    return (struct by){hb_now(), simt_self->block->number, simt_self->rank};
}

static bool is_self(const struct by *by)
{
    return by->block == simt_self->block->number && by->rank == simt_self->rank;
}

static size_t slot_of(uintptr_t address)
{
    return (address / 4 * 0x9e3779b1u ^ address % 4) % WORDS;
}

/* Times may begin anew with a launch. */
static bool is_off(const struct access *a)
{
    static uint32_t latest;
    if (hb_now() < latest) {
        memset(followed, 0, sizeof followed);
        memset(seen, 0, sizeof seen);
    }
    latest = hb_now();
    return race_off || record_sampling || simt_devices > 1 || a->bytes > 8;
}

static struct history *find(const struct access *a)
{
    size_t i = slot_of(a->address);
    return followed[i] == a->address && histories[i].bytes == a->bytes ? &histories[i] : NULL;
}

/* Accesses of other sizes are not followed. */
static void forget_overlapping(const struct access *a)
{
    uintptr_t first = a->address & -(uintptr_t)8;
    for (uintptr_t at = first; at < first + 8; at += a->bytes == 4 ? 8 : 1) {
        size_t i = slot_of(at);
        const struct history *h = &histories[i];
        if (followed[i] == at && h->bytes != a->bytes && at + h->bytes > a->address &&
            at < a->address + a->bytes)
            followed[i] = 0;
    }
}

static bool is_before(const struct by *by)
{
    return by->time <= hb_order.all || is_self(by) ||
           hb_known(by->time, by->block, by->rank, false) || hb_by_fences(by->time, by->block) ||
           hb_seen_at_barrier(by->time, by->block, by->rank);
}

static struct loader *loader_of(struct history *h)
{
    for (unsigned i = 0; i < LOADERS; i++)
        if (is_self(&h->loaders[i].by))
            return &h->loaders[i];
    struct loader *l = &h->loaders[h->next_loader++ % LOADERS];
    h->floor = l->got > h->floor ? l->got : h->floor;
    *l = (struct loader){by_self(), 0};
    return l;
}

/* The thread gets store n. */
static void note_load(struct history *h, struct loader *l, uint64_t n, void *pc)
{
    const struct store *s = &h->stores[n % STORES];
    if (l->got == n)
        return;
    h->floor = l->got > h->floor ? l->got : h->floor; /* when that was is forgotten now */
    *l = (struct loader){by_self(), n};
    if (!is_self(&s->by))
        seen[seen_count++ % SEEN] =
            (struct seen){l->by, h->address, pc, s->first_of_chain, s->number};
}

/* The first store that the thread may get. */
static uint64_t first_allowed(const struct history *h, const struct loader *l)
{
    uint64_t first = l->got > h->floor ? l->got : h->floor;
    if (h->count >= STORES && first < h->count - STORES + 1)
        first = h->count - STORES + 1;
    for (unsigned i = 0; i < LOADERS; i++)
        if (h->loaders[i].got > first && is_before(&h->loaders[i].by))
            first = h->loaders[i].got;
    for (uint64_t n = h->count; n > first; n--)
        if (is_before(&h->stores[n % STORES].by))
            first = n;
    return first;
}

/* A store by the writer of `data`, after it, that the thread knows of, perhaps without a fence. */
static const struct logged *flag_after(const struct store *data, uintptr_t address,
                                       const struct seen **load)
{
    for (uint64_t n = data->number + 1; n < stores && stores - data->number <= LOGGED; n++) {
        const struct logged *e = &logged[n % LOGGED];
        if (e->by.block != data->by.block || e->address == address ||
            (e->by.rank != data->by.rank && data->by.time > e->barrier))
            continue;
        for (unsigned i = 0; i < SEEN; i++) {
            *load = &seen[i];
            if (seen[i].address == e->address && seen[i].first <= n && n <= seen[i].last &&
                (is_self(&seen[i].by) || (seen[i].by.block == simt_self->block->number &&
                                          seen[i].by.time <= hb_order.upto)))
                return e;
        }
    }
    return NULL;
}

static bool is_new(const void *store, const void *load, bool with_flag)
{
    for (unsigned i = 0; i < tried_count; i++)
        if (tried[i].store == store && tried[i].load == load && tried[i].with_flag == with_flag)
            return false;
    if (tried_count == TRIED)
        return false;
    tried[tried_count++] = (struct tried){store, load, with_flag};
    return true;
}

static bool reads_again(const struct trial_result *r)
{
    return r->memory == READS_AGAIN;
}

static void report_flag(const struct access *a, const struct store *data, const struct logged *flag,
                        const struct seen *load, bool same)
{
    const char *at[] = {place_name(data->pc), place_name(flag->pc), place_name(load->pc)};
    bool second = hb_lacks_second_fence(data->by.time, data->by.block, data->by.rank, false);
    const char *missing = second ? "after the flag was read"
                          : hb_lacks_first_fence(data->by.time, data->by.block)
                              ? "between the two writes"
                              : "between the two writes, nor between the two reads";
    if (same || second)
        simt_note(simt_self, a->pc,
                  "reads what was written at %s, before a flag that was written at %s and read at "
                  "%s, and may get an older value: no __threadfence() %s; %s",
                  at[0], at[1], at[2], missing,
                  same ? "but with that value this launch left the same"
                       : "hardware seldom reads so early");
    else
        simt_wrong(simt_self, a->pc,
                   "reads what was written at %s, before a flag that was written at %s and read at "
                   "%s, and may get an older value: no __threadfence() %s",
                   at[0], at[1], at[2], missing);
}

/* Returns true if the older value is to be taken. */
static bool try_older(const struct history *h, const struct access *a)
{
    const struct store *data = &h->stores[h->count % STORES];
    const struct seen *load = NULL;
    const struct logged *flag = flag_after(data, a->address, &load);
    struct trial_result results[2];
    if (!is_new(data->pc, a->pc, flag != NULL))
        return false;
    if (trial_copies(a->pc, data->pc, reads_again, results)) {
        watched.thread = simt_self;
        watched.address = a->address;
        watched.bytes = a->bytes;
        watched.with_flag = flag != NULL;
        return trial_role == TRIAL_ALTERED;
    }
    if (!results[0].whole || reads_again(&results[1]))
        return false;
    bool same = trial_are_same(results);
    bool stores = results[0].memory == STORES_IT;
    if (stores && (same || results[1].memory != STORES_IT))
        return false;
    if (flag)
        report_flag(a, data, flag, load, same);
    else if (stores)
        simt_wrong(simt_self, a->pc,
                   "reads what another thread wrote at %s, and writes there what it makes of it: "
                   "no atomic, so one of two such updates may be lost. atomicAdd() or its kin read "
                   "and write at once",
                   place_name(data->pc));
    return false;
}

bool weak_load(const struct access *a)
{
    if (watched.thread == simt_self && watched.address == a->address)
        trial_end(READS_AGAIN, 0);
    struct history *h = is_off(a) ? NULL : find(a);
    if (!h)
        return false;
    struct loader *l = loader_of(h);
    uint64_t now = 0, got = h->count;
    if (l->got < h->count && trial_role == TRIAL_NONE && hang_retries == 0) {
        uint64_t first = first_allowed(h, l);
        memcpy(&now, (const void *)a->address, a->bytes);
        if (simt_seed != 0 && first < h->count && simt_random() % 2 == 0)
            got = first + simt_random() % (h->count - first);
        for (uint64_t n = h->count; simt_seed == 0 && n-- > first;)
            if (h->stores[n % STORES].value != now) {
                got = try_older(h, a) ? n : h->count;
                break;
            }
    }
    note_load(h, l, got, a->pc);
    if (got == h->count)
        return false;
    hb_read_flag(h->stores[got % STORES].released);
    trial_lend((void *)a->address, h->stores[got % STORES].value, a->bytes);
    return true;
}

void weak_rmw(const struct access *a)
{
    if (watched.thread == simt_self && watched.address == a->address)
        trial_end(READS_AGAIN, 0);
    struct history *h = is_off(a) ? NULL : find(a);
    if (h)
        note_load(h, loader_of(h), h->count, a->pc);
}

void weak_store(const struct access *a, uint64_t before, uint32_t released)
{
    size_t i = slot_of(a->address);
    struct history *h = &histories[i];
    if (is_off(a))
        return;
    forget_overlapping(a);
    if (followed[i] != a->address || h->bytes != a->bytes)
        *h = (struct history){.address = a->address, .bytes = a->bytes};
    followed[i] = a->address;
    struct store *last = &h->stores[h->count % STORES];
    last->value = before;
    uint64_t first_of_chain = a->read && h->count > 0 ? last->first_of_chain : stores;
    h->stores[++h->count % STORES] =
        (struct store){by_self(), a->pc, 0, released, stores, first_of_chain};
    logged[stores++ % LOGGED] = (struct logged){by_self(), a->address, a->pc, hb_order.upto};
}

/* ---- in a copy ---- */

void weak_changes(uintptr_t address)
{
    if (watched.thread != simt_self)
        return;
    if (address == watched.address)
        watched.stores = true;
    else if (!watched.with_flag)
        trial_end(READS_AGAIN, 0); /* it was read for something else */
    else
        watched.thread = NULL;
}

void weak_settle(void)
{
    uint64_t value = 0;
    if (!watched.stores)
        return;
    memcpy(&value, (const void *)watched.address, watched.bytes);
    trial_end(STORES_IT, value);
}

void weak_ended(const struct thread *t)
{
    if (watched.thread == t && !watched.with_flag)
        trial_end(READS_AGAIN, 0);
    if (watched.thread == t)
        watched.thread = NULL;
}
