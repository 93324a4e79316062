/*
 * fibre.c: a stack of its own for every CUDA thread. makecontext() makes the
 * stack's first frame; all later switches are _setjmp and _longjmp, which, unlike
 * swapcontext(), make no system call. QEMU's coroutines do the same
 * (util/coroutine-ucontext.c). tests/bench/fibres.c measures what that is worth.
 */
#undef _FORTIFY_SOURCE /* its longjmp() only goes up one stack, and stops the program here */
#include "engine.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
/* AddressSanitizer must be told which stack is in use: before each switch, and after. */
#include <sanitizer/common_interface_defs.h>
static const void *outside_stack;
static size_t outside_bytes;
static void *outside_kept;

static void going_in(struct fibre *fibre)
{
    __sanitizer_start_switch_fiber(&outside_kept, fibre->stack, STACK_BYTES);
}

static void gone_in(struct fibre *fibre)
{
    __sanitizer_finish_switch_fiber(fibre->kept, &outside_stack, &outside_bytes);
}

static void going_out(struct fibre *fibre)
{
    __sanitizer_start_switch_fiber(&fibre->kept, outside_stack, outside_bytes);
}

static void gone_out(void)
{
    __sanitizer_finish_switch_fiber(outside_kept, NULL, NULL);
}
#else
#define going_in(FIBRE)  (void)(FIBRE)
#define gone_in(FIBRE)   (void)(FIBRE)
#define going_out(FIBRE) (void)(FIBRE)
#define gone_out()       (void)0
#endif

static struct fibre *starting;

static void first_frame(void)
{
    struct fibre *self = starting;
    gone_in(self);
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
    if (_setjmp(fibre->outside) == 0) {
        going_in(fibre);
        if (fibre->started)
            _longjmp(fibre->inside, 1);
        fibre->started = true;
        starting = fibre;
        ucontext_t context;
        getcontext(&context);
        context.uc_stack.ss_sp = fibre->stack;
        context.uc_stack.ss_size = STACK_BYTES;
        context.uc_link = NULL;
        makecontext(&context, first_frame, 0);
        setcontext(&context);
    }
    gone_out();
}

void fibre_leave(struct fibre *fibre)
{
    if (_setjmp(fibre->inside) == 0) {
        going_out(fibre);
        _longjmp(fibre->outside, 1);
    }
    gone_in(fibre);
}
