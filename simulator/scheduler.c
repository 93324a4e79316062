/* scheduler.c: runs the threads of a block. They run in order, each until it waits; then the next
   goes on. A shuffled schedule takes warps and lanes in another order each time. */
#include "scheduler.h"
#include "fault.h"
#include <ctype.h>

uint64_t simt_seed, simt_writes;
struct scheduler_events scheduler_events;
/* What kernels see; in a section of their own, for access.c to tell them apart. */
#define SIMT_BUILTIN __attribute__((section("simt_builtin")))
uint3 threadIdx SIMT_BUILTIN, blockIdx SIMT_BUILTIN;
dim3 blockDim SIMT_BUILTIN, gridDim SIMT_BUILTIN, simt_cluster_dim SIMT_BUILTIN;

static struct fibre host = {.started = true}; /* the scheduler, outside all threads */

/* ---- the order in which warps and lanes run ---- */

static uint64_t random_state;
/* One round through a block's threads: how far it is, and in which order it goes. */
static struct {
    struct thread *threads;
    unsigned order[MAX_BLOCK], next;
} round;

uint64_t simt_random(void)
{
    random_state ^= random_state << 13; /* xorshift64: Marsaglia, "Xorshift RNGs", 2003 */
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

void schedule_begin(uint64_t seed)
{
    const char *text = getenv("SIMT_SCHEDULE"); /* for programs that do not choose a seed */
    char *end = NULL;
    if (seed == 0 && text && *text) {
        seed = isdigit((unsigned char)*text) ? strtoull(text, &end, 10) : 0;
        if (!end || *end != '\0')
            simt_fault(NULL, NULL, "SIMT_SCHEDULE=%s: a whole number from 0 is needed", text);
    }
    simt_seed = seed;
    random_state = simt_seed * 0x9e3779b97f4a7c15u | 1;
}

static void shuffle(unsigned *order, unsigned count)
{
    for (unsigned i = count; i > 1; i--) {
        unsigned j = (unsigned)(simt_random() % i), swap = order[i - 1];
        order[i - 1] = order[j];
        order[j] = swap;
    }
}

/* Warps in any order, but each as a whole, and the lanes in it in any order. */
static void begin_round(struct block *b)
{
    static unsigned warps[MAX_BLOCK / WARP], lanes[WARP], in_order;
    round.threads = b->threads;
    round.next = 0;
    if (simt_seed == 0 && in_order == simt_now.threads)
        return;
    in_order = simt_seed == 0 ? simt_now.threads : 0;
    for (unsigned i = 0; i < WARP; i++)
        warps[i] = lanes[i] = i;
    if (simt_seed != 0)
        shuffle(warps, simt_now.warps);
    unsigned count = 0;
    for (unsigned w = 0; w < simt_now.warps; w++) {
        if (simt_seed != 0)
            shuffle(lanes, WARP);
        for (unsigned l = 0; l < WARP; l++)
            if (warps[w] * WARP + lanes[l] < simt_now.threads)
                round.order[count++] = warps[w] * WARP + lanes[l];
    }
}

/* What threads need is not in the nearest cache any more when it is their turn: it comes while
   others run. First what says where the rest is. */
enum { SOON = 3, FURTHER = 7, LINE = 64 };
static inline void prefetch(const void *p, unsigned lines)
{
    for (unsigned i = 0; i < lines; i++)
        __builtin_prefetch((const char *)p + i * LINE);
}

/* The next thread that can go on, or NULL at the end of the round. */
static struct thread *next_ready(void)
{
    while (round.next < simt_now.threads) {
        struct thread *t = &round.threads[round.order[round.next++]];
        if (t->state != READY)
            continue;
        if (round.next + FURTHER < simt_now.threads) {
            const struct thread *soon = &round.threads[round.order[round.next + SOON]];
            const char *later = (const char *)&round.threads[round.order[round.next + FURTHER]];
            prefetch(soon->fibre.place[2], 4); /* its stack */
            prefetch(soon->watch, 1);
            prefetch(later, sizeof *soon / LINE + 1);
        }
        return t;
    }
    return NULL;
}

/* ---- a thread ---- */

static void run_kernel(void)
{
    struct thread *t = simt_self;
    simt_now.call(simt_now.closure);
    t->block->live--;
    scheduler_events.ended(t);
    simt_wait(DONE, NULL);
}

/* From a fibre to that of a thread, or to the scheduler: NULL. */
static void change(struct fibre *from, struct thread *to)
{
    simt_self = to;
    if (to)
        threadIdx = to->index;
    fibre_switch(from, to ? &to->fibre : &host, run_kernel);
}

void simt_wait(enum thread_state state, void *site)
{
    struct thread *t = simt_self;
    scheduler_events.waits(state, site);
    t->state = state;
    t->site = site;
    change(&t->fibre, next_ready());
}

void simt_wait_for_write(void *site)
{
    simt_self->writes_seen = simt_writes;
    simt_wait(SPINNING, site);
}

void simt_yield(void)
{
    simt_wait_for_write(__builtin_return_address(0));
}

bool simt_runs_kernel(void)
{
    return simt_running();
}

void schedule_leave(void)
{
    struct thread *t = simt_self;
    t->fibre.started = false;
    change(&t->fibre, NULL);
}

/* ---- a block ---- */

void schedule_begin_launch(void)
{
    blockDim = simt_now.block_size;
    gridDim = simt_now.grid_size;
    simt_cluster_dim = simt_now.cluster_size;
}

void schedule_begin_block(struct block *b)
{
    dim3 size = simt_now.block_size;
    char why[256];
    for (unsigned r = 0; r < simt_now.threads; r++) {
        struct thread *t = &b->threads[r];
        if (!fibre_create(&t->fibre, why, sizeof why))
            simt_fault(NULL, NULL, "%s", why);
        t->block = b;
        t->index = (uint3){r % size.x, r / size.x % size.y, r / size.x / size.y};
        t->rank = r;
        t->lane = r % WARP;
        t->state = READY;
    }
}

bool schedule_block(struct block *b)
{
    blockIdx = b->index;
    begin_round(b);
    struct thread *first = next_ready();
    if (first)
        change(&host, first); /* each goes on to the next; the last of the round comes back */
    return first != NULL;
}

void schedule_wake(enum thread_state waiting)
{
    for (unsigned s = 0; s < simt_now.open; s++)
        for (unsigned i = 0; simt_slots[s].active && i < simt_now.threads; i++)
            if (simt_slots[s].threads[i].state == waiting)
                simt_slots[s].threads[i].state = READY;
}

bool schedule_wake_spinning(struct block *b)
{
    bool woke = false;
    for (unsigned i = 0; i < simt_now.threads; i++) {
        struct thread *t = &b->threads[i];
        if (t->state == SPINNING && t->writes_seen != simt_writes) {
            t->state = READY;
            woke = true;
        }
    }
    return woke;
}

void schedule_reset_block(struct block *b)
{
    for (unsigned i = 0; i < MAX_BLOCK; i++)
        b->threads[i].fibre.started = false;
}
