/* fibre_swapcontext.c: fibre.c with swapcontext() for every switch, to be measured. */
#include "engine.h"
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

struct contexts {
    ucontext_t inside, outside;
};

static struct fibre *starting;

static void first_frame(void)
{
    struct fibre *self = starting;
    for (;;) {
        simt_thread_main();
        fibre_leave(self);
    }
}

void fibre_create(struct fibre *fibre)
{
    if (fibre->stack)
        return;
    struct contexts *c = calloc(1, sizeof *c);
    fibre->stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (!c || fibre->stack == MAP_FAILED)
        abort();
    getcontext(&c->inside);
    c->inside.uc_stack.ss_sp = fibre->stack;
    c->inside.uc_stack.ss_size = STACK_BYTES;
    makecontext(&c->inside, first_frame, 0);
    fibre->kept = c;
}

void fibre_enter(struct fibre *fibre)
{
    struct contexts *c = fibre->kept;
    starting = fibre;
    swapcontext(&c->outside, &c->inside);
}

void fibre_leave(struct fibre *fibre)
{
    struct contexts *c = fibre->kept;
    swapcontext(&c->inside, &c->outside);
}
