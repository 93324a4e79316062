/* record.c: see record.h. */
#include "time/record.h"
#include "allocations.h"
#include "fault.h"
#include <stdlib.h>
#include <string.h>

bool record_on, record_sampling;
void (*record_entered)(void *const entered[ENTRIES]);

static struct launch_record *launches;
static size_t launch_count;

/* Words that the second block has changed by atomics, each as a whole number. */
static struct change {
    void *at;
    size_t bytes;
    uint64_t by;
} * changes;
static size_t change_count;

static struct launch_record *now(void)
{
    return launch_count > 0 ? &launches[launch_count - 1] : NULL;
}

static unsigned long long place_in_grid(const struct block *b)
{
    return block_in_grid_number(b->number);
}

int record_place(const struct block *b)
{
    unsigned long long number = place_in_grid(b), cluster = simt_now.cluster_blocks;
    if (!record_on || number % cluster != 0)
        return -1;
    number /= cluster;
    return number < 2 ? (int)number : number == simt_now.blocks / cluster - 1 ? 2 : -1;
}

void record_begin_launch(void)
{
    if (!record_on)
        return;
    change_count = 0;
    launches = simt_grow(launches, launch_count, sizeof *launches);
    launches[launch_count++] = (struct launch_record){
        .grid = simt_now.blocks,
        .threads = simt_now.threads,
        .warps = simt_now.warps,
        .cluster_blocks = simt_now.cluster_blocks,
        .shared_bytes = simt_now.dynamic_bytes,
        .cooperative = simt_now.cooperative,
        .refused = simt_devices > 1 ? "there are several devices" : NULL,
    };
}

void record_memset(size_t bytes)
{
    if (!record_on)
        return;
    launches = simt_grow(launches, launch_count, sizeof *launches);
    launches[launch_count++] = (struct launch_record){.bytes = bytes};
}

void record_refuse(const char *why)
{
    if (record_on && now() && !now()->refused)
        now()->refused = why;
}

/* ---- events of a warp ---- */

static struct recorded *add(struct launch_record *l, int block, unsigned warp,
                            const struct recorded *r)
{
    if (!l->warp[block])
        l->warp[block] = simt_zeroed(l->warps, sizeof **l->warp);
    struct recorded_warp *w = &l->warp[block][warp];
    w->at = simt_grow(w->at, w->count, sizeof *w->at);
    w->at[w->count] = *r;
    return &w->at[w->count++];
}

void record_add(const struct thread *t, const struct recorded *r, const uintptr_t *touched)
{
    int block = record_place(t->block);
    struct launch_record *l = now();
    if (block < 0 || !l)
        return;
    struct recorded *added = add(l, block, t->rank / WARP, r);
    added->first = (unsigned)l->touched_count;
    for (unsigned i = 0; i < r->count; i++) {
        l->touched = simt_grow(l->touched, l->touched_count, sizeof *l->touched);
        l->touched[l->touched_count++] = touched[i];
    }
}

void record_barrier(const struct block *b, enum thread_state state, unsigned epoch)
{
    int block = record_place(b);
    for (unsigned w = 0; block >= 0 && now() && w < now()->warps; w++)
        add(now(), block, w,
            &(struct recorded){
                .epoch = epoch, .kind = RECORD_BARRIER, .bytes = (unsigned char)state});
}

/* Barriers come before, votes after what else has their epoch. */
static int rank_of(const struct recorded *r)
{
    return r->kind == RECORD_BARRIER ? 0 : r->kind == RECORD_VOTE ? 2 : 1;
}

static int by_epoch(const void *a, const void *b)
{
    const struct recorded *x = a, *y = b;
    if (x->epoch != y->epoch)
        return x->epoch < y->epoch ? -1 : 1;
    if (rank_of(x) != rank_of(y))
        return rank_of(x) - rank_of(y);
    return x->first < y->first ? -1 : x->first > y->first; /* first: see below */
}

static void sort(struct recorded_warp *w)
{
    unsigned *first = malloc((w->count + 1) * sizeof *first);
    for (size_t i = 0; i < w->count; i++) { /* qsort() keeps no order */
        first[i] = w->at[i].first;
        w->at[i].first = (unsigned)i;
    }
    qsort(w->at, w->count, sizeof *w->at, by_epoch);
    for (size_t i = 0; i < w->count; i++)
        w->at[i].first = first[w->at[i].first];
    free(first);
}

void record_end_launch(void)
{
    struct launch_record *l = record_on ? now() : NULL;
    for (int b = 0; l && b < RECORDED_BLOCKS; b++)
        for (unsigned w = 0; l->warp[b] && w < l->warps; w++)
            sort(&l->warp[b][w]);
}

const struct launch_record *record_launches(size_t *count)
{
    *count = launch_count;
    return launches;
}

size_t record_bytes(const struct launch_record *l)
{
    size_t sectors = 0;
    int block = l->warp[1] ? 1 : 0;
    for (unsigned w = 0; l->warp[block] && w < l->warps; w++)
        for (size_t i = 0; i < l->warp[block][w].count; i++)
            if (l->warp[block][w].at[i].kind == GLOBAL_LOAD)
                sectors += l->warp[block][w].at[i].count;
    return 32 * sectors * (size_t)l->grid;
}

void record_clear(void)
{
    for (size_t i = 0; i < launch_count; i++) {
        for (int b = 0; b < RECORDED_BLOCKS; b++) {
            for (unsigned w = 0; launches[i].warp[b] && w < launches[i].warps; w++)
                free(launches[i].warp[b][w].at);
            free(launches[i].warp[b]);
        }
        free(launches[i].touched);
    }
    launch_count = 0;
}

/* ---- sampled launches ---- */

static uint64_t word_at(const void *p, size_t bytes)
{
    uint64_t value = 0;
    memcpy(&value, p, bytes);
    return value;
}

void record_atomic(void *p, size_t bytes, uint64_t before)
{
    if (!record_sampling || record_place(simt_self->block) != 1 || bytes > sizeof before ||
        !is_device_address((uintptr_t)p) || change_count > 4096)
        return;
    changes = simt_grow(changes, change_count, sizeof *changes);
    changes[change_count++] = (struct change){p, bytes, word_at(p, bytes) - before};
}

static void repeat_atomics(uint64_t times)
{
    for (size_t i = 0; i < change_count; i++) {
        uint64_t value = word_at(changes[i].at, changes[i].bytes) + changes[i].by * times;
        memcpy(changes[i].at, &value, changes[i].bytes);
    }
    change_count = 0;
}

unsigned long long record_left_out(void)
{
    unsigned long long cluster = simt_now.cluster_blocks, both = 2 * cluster;
    if (!record_on || !record_sampling || simt_now.started != both ||
        simt_now.blocks <= 3 * cluster)
        return 0;
    repeat_atomics(simt_now.blocks / cluster - 3);
    return simt_now.blocks - 3 * cluster;
}

static void write_like(const struct recorded *second, long long step, long long blocks)
{
    for (unsigned l = 0; l < second->lanes; l++) {
        char *from = (char *)second->address + (long long)l * second->apart;
        for (long long b = 1; b < blocks; b++)
            memcpy(from + b * step, from, second->bytes);
    }
}

bool record_fill(void)
{
    struct launch_record *l = record_on && record_sampling ? now() : NULL;
    bool any = false;
    if (!l || !l->warp[1] || !l->warp[2])
        return false;
    long long blocks =
        (long long)(l->grid / l->cluster_blocks) - 2; /* from the second to the last */
    for (unsigned w = 0; w < l->warps; w++) {
        const struct recorded_warp *second = &l->warp[1][w], *last = &l->warp[2][w];
        size_t j = 0;
        for (size_t i = 0; i < second->count; i++) {
            const struct recorded *s = &second->at[i];
            if (s->kind != GLOBAL_STORE || (s->lanes > 1 && s->apart == 0))
                continue;
            while (j < last->count &&
                   !(last->at[j].kind == GLOBAL_STORE && last->at[j].pc == s->pc))
                j++;
            if (j == last->count)
                break;
            const struct recorded *t = &last->at[j++];
            long long apart = (long long)t->address - (long long)s->address;
            if (apart % blocks != 0)
                continue;
            write_like(s, apart / blocks, blocks);
            any = true;
        }
    }
    return any;
}
