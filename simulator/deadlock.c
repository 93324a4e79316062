/* deadlock.c: finds waits that never end. When only threads that poll are left, all try again. If
   retries change nothing, states are compared: registers, and the kernel's part of the stack. When
   all threads are back in earlier states, and no memory has changed, that is a deadlock. */
#include "hang_detector.h"
#include "scheduler.h"
#include <unwind.h>

enum {
    BEFORE = 2,            /* retries in vain before states are compared */
    FIRST_LENGTH = 8,      /* retries in which they are, the first time; then twice as many, ... */
    MOST_LENGTH = 1 << 12, /* ... up to so many. In between, the square of that are not compared */
    MOST_TIMED = 1000,     /* after so many retries in vain time passes, ... */
    AGAIN_TIMED = 16,      /* ... and again after so many more */
    MOST_POLLS = 1 << 21,  /* threads that yielded in vain: more are taken for a deadlock */
};
enum { FIRST_LEAP = 10, LAST_LEAP = 50 }; /* powers of 2 */

static uint64_t writes;     /* as many as at the last retry */
static bool polling, timed; /* are there threads that poll, that ask the clock? */
static uint64_t states;     /* of all threads, as one number */
static struct {
    unsigned left, length;     /* retries until the next comparison; its length in retries */
    unsigned compared, retake; /* retries since the reference was taken; when it is taken anew */
    uint64_t reference;        /* states of an earlier retry */
    bool has_reference;
} look;

/* ---- the state of a thread ---- */

struct state {
    const struct thread *thread;
    uintptr_t pc;
    uint64_t floats, sum; /* 0: not found */
};

/* Registers that a function must leave as they are, by their numbers in DWARF: the others are not
   the kernel's here. Those for floating point are still as the kernel left them. */
#if defined(__x86_64__)
enum { KNOWN_PROCESSOR = 1 };
static const unsigned char kept[] = {3, 6, 12, 13, 14, 15};
static uint64_t kept_floats(void)
{
    return 0;
}
#elif defined(__aarch64__)
enum { KNOWN_PROCESSOR = 1 };
static const unsigned char kept[] = {19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29};
static uint64_t kept_floats(void)
{
    uint64_t value[8], sum = 0;
    __asm__ volatile("stp d8, d9, [%0]\n\tstp d10, d11, [%0, #16]\n\t"
                     "stp d12, d13, [%0, #32]\n\tstp d14, d15, [%0, #48]"
                     :
                     : "r"(value)
                     : "memory");
    for (int i = 0; i < 8; i++)
        sum = hang_mix(sum, value[i]);
    return sum;
}
#else
enum { KNOWN_PROCESSOR = 0 }; /* a deadlock takes longer to find */
static const unsigned char kept[] = {0};
static uint64_t kept_floats(void)
{
    return 0;
}
#endif

/* The frame of the kernel is the first whose next instruction is that one. */
__attribute__((no_sanitize("address"))) static _Unwind_Reason_Code
look_at_frame(struct _Unwind_Context *context, void *to)
{
    struct state *s = to;
    const char *stack = s->thread->fibre.stack, *end = stack + STACK_BYTES;
    if (_Unwind_GetIP(context) != s->pc)
        return _URC_NO_REASON;
    const char *frame = (const char *)_Unwind_GetCFA(context);
    if (frame < stack || frame > end)
        return _URC_END_OF_STACK;
    s->sum = hang_mix(s->floats, s->pc);
    for (unsigned i = 0; i < sizeof kept; i++)
        s->sum = hang_mix(s->sum, _Unwind_GetGR(context, kept[i]));
    for (; frame + sizeof(uint64_t) <= end; frame += sizeof(uint64_t))
        s->sum = hang_mix(s->sum, *(const uint64_t *)frame);
    s->sum |= 1;
    return _URC_END_OF_STACK;
}

static uint64_t state_of(struct thread *t, void *pc, bool compare)
{
    static uint64_t unknown;
    struct state s = {.thread = t, .pc = (uintptr_t)pc};
    if (compare && KNOWN_PROCESSOR) {
        s.floats = kept_floats();
        _Unwind_Backtrace(look_at_frame, &s);
    }
    return s.sum ? s.sum : (unknown += 2); /* one that it never had */
}

void deadlock_note_state(struct thread *t, void *pc)
{
    t->watch->state = state_of(t, pc, hang_comparing);
}

/* ---- a loop of one thread that does not wait ---- */

enum { FIRST_BLOCKS = 64, MOST_LOOKS = 1 << 15 }; /* until it comes back to a place; in one tick */

/* Back at one place in a state that it had there, with memory unchanged: it will ever come back. */
void deadlock_look(void *pc)
{
    static struct {
        const struct thread *thread;
        void *pc;
        uint64_t changes, reference;
        unsigned left, length, visits, retake, looks;
    } loop;
    uint64_t changes = hang_changes + hang_news;
    if (simt_self->watch->asked > 1 || hang_retries > 0)
        return;
    if (loop.thread != simt_self || loop.changes != changes || loop.left-- == 0) {
        bool again = loop.thread == simt_self && loop.changes == changes;
        loop.length =
            again ? 2 * loop.length : FIRST_BLOCKS; /* another place, with more patience */
        loop.thread = simt_self;
        loop.pc = pc;
        loop.changes = changes;
        loop.visits = loop.retake = loop.looks = 0;
        loop.reference = 0;
        loop.left = loop.length;
    }
    if (pc != loop.pc)
        return;
    loop.left = loop.length;
    uint64_t state = state_of(simt_self, pc, true);
    if (state == loop.reference)
        hang_give_up(pc, ": it comes back to the same state");
    if (loop.visits++ == loop.retake) { /* as came_back() does */
        loop.retake = 2 * loop.retake + 1;
        loop.visits = 0;
        loop.reference = state;
    }
    if (++loop.looks % MOST_LOOKS == 0)
        hang_stuck &= ~HANG_COMPARE;
}

/* ---- retries ---- */

void deadlock_begin(void)
{
    states = 0;
    polling = timed = false;
}

void deadlock_add(void)
{
    for (unsigned s = 0; s < simt_now.open; s++)
        for (unsigned i = 0; simt_slots[s].active && i < simt_now.threads; i++) {
            const struct thread *t = &simt_slots[s].threads[i];
            if (t->state == DONE)
                continue;
            polling |= t->state == SPINNING;
            timed |= t->state == SPINNING && t->watch->asked > 1;
            states += hang_state(t);
        }
}

static void clear(void)
{
    hang_clear();
    look.left = BEFORE;
    look.length = FIRST_LENGTH;
}

static void next_comparison(void)
{
    hang_compare(!hang_comparing);
    look.has_reference = false;
    look.left = hang_comparing ? look.length : look.length * look.length;
    if (!hang_comparing && look.length < MOST_LENGTH)
        look.length *= 2;
}

/* Are all in the states of the reference? It is taken anew after 1, 2, 4, 8... retries: so it does
   not matter how many it takes the threads to come back (Brent's way to find a cycle). */
static bool came_back(void)
{
    bool same = look.has_reference && states == look.reference;
    if (!look.has_reference || look.compared == look.retake) {
        look.retake = look.has_reference ? 2 * look.retake : 1;
        look.compared = 0;
        look.reference = states;
        look.has_reference = true;
    }
    look.compared++;
    return same;
}

bool deadlock_worth_retry(void)
{
    if (!polling)
        return false;
    if (hang_retries == 0)
        clear();
    if (writes != simt_writes) /* by a copy, or by the host */
        look.has_reference = false;
    writes = simt_writes;
    if (hang_comparing && came_back())
        return false;
    if (hang_polls >= MOST_POLLS || (hang_retries++ >= MOST_TIMED && timed))
        return false;
    if (look.left-- == 0)
        next_comparison();
    return true;
}

void deadlock_wake(void)
{
    schedule_wake(SPINNING);
}

/* More each time, as long as nothing changes. */
bool deadlock_advance_time(void)
{
    static uint64_t before;
    static int power;
    if (!timed)
        return false;
    power = hang_changes == before ? power + 1 : FIRST_LEAP;
    before = hang_changes;
    if (power > LAST_LEAP)
        return false;
    hang_time += 1ll << power;
    hang_retries = MOST_TIMED - AGAIN_TIMED;
    look.has_reference = false;
    return true;
}

bool deadlock_retry(bool time_may_pass)
{
    deadlock_begin();
    deadlock_add();
    if (!deadlock_worth_retry() && !(time_may_pass && deadlock_advance_time()))
        return false;
    deadlock_wake();
    return true;
}
