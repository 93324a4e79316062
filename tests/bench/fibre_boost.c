/* fibre_boost.c: fibre.c on Boost.Context's assembly, to be measured. Needs libboost_context. */
#include "engine.h"
#include <stdlib.h>
#include <sys/mman.h>

/* boost/context/detail/fcontext.hpp is C++; these are its functions. */
struct transfer {
    void *from, *data;
};
struct transfer jump_fcontext(void *to, void *data);
void *make_fcontext(void *stack_top, size_t bytes, void (*function)(struct transfer));

static void *outside;

static void first_frame(struct transfer t)
{
    struct fibre *self = t.data;
    outside = t.from;
    for (;;) {
        simt_thread_main();
        fibre_leave(self);
    }
}

void fibre_create(struct fibre *fibre)
{
    if (fibre->stack)
        return;
    fibre->stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (fibre->stack == MAP_FAILED)
        abort();
    fibre->kept = make_fcontext(fibre->stack + STACK_BYTES, STACK_BYTES, first_frame);
}

void fibre_enter(struct fibre *fibre)
{
    fibre->kept = jump_fcontext(fibre->kept, fibre).from;
}

void fibre_leave(struct fibre *fibre)
{
    (void)fibre;
    outside = jump_fcontext(outside, NULL).from;
}
