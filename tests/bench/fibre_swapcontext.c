/* fibre_swapcontext.c: fibre.c with swapcontext() for every switch, to be measured. */
#include "engine.h"
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

static ucontext_t *context_of(struct fibre *fibre)
{
    if (!fibre->kept)
        fibre->kept = calloc(1, sizeof(ucontext_t));
    if (!fibre->kept)
        abort();
    return fibre->kept;
}

static void first_frame(void)
{
    for (;;)
        simt_thread_main();
}

void fibre_create(struct fibre *fibre)
{
    if (fibre->stack)
        return;
    ucontext_t *context = context_of(fibre);
    fibre->stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (fibre->stack == MAP_FAILED)
        abort();
    getcontext(context);
    context->uc_stack.ss_sp = fibre->stack;
    context->uc_stack.ss_size = STACK_BYTES;
    makecontext(context, first_frame, 0);
}

void fibre_switch(struct fibre *from, struct fibre *to)
{
    swapcontext(context_of(from), context_of(to));
}
