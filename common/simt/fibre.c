/*
 * fibre.c: a stack of its own for every CUDA thread. makecontext() makes the
 * stack's first frame; all later switches are _setjmp and _longjmp, which, unlike
 * swapcontext(), make no system call. QEMU's coroutines do the same
 * (util/coroutine-ucontext.c).
 */
#include "engine.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

static struct fibre *starting;
static ucontext_t scheduler;

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
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *memory = mmap(NULL, STACK_BYTES + page, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    /* The page below the stack stays closed: an overflow is a fault, not a mystery. */
    if (memory == MAP_FAILED || mprotect(memory, page, PROT_NONE) != 0) {
        perror("simulator: no memory for a thread's stack");
        exit(1);
    }
    fibre->stack = memory + page;
}

void fibre_enter(struct fibre *fibre)
{
    if (_setjmp(fibre->outside) != 0)
        return;
    if (fibre->started)
        _longjmp(fibre->inside, 1);
    fibre->started = true;
    ucontext_t context;
    getcontext(&context);
    context.uc_stack.ss_sp = fibre->stack;
    context.uc_stack.ss_size = STACK_BYTES;
    context.uc_link = NULL;
    makecontext(&context, first_frame, 0);
    starting = fibre;
    swapcontext(&scheduler, &context);
}

void fibre_leave(struct fibre *fibre)
{
    if (_setjmp(fibre->inside) == 0)
        _longjmp(fibre->outside, 1);
}
