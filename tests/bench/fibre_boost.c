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

/* data: the fibre that was left; from: where it goes on. */
static void arrived(struct transfer t)
{
    ((struct fibre *)t.data)->kept = t.from;
}

static void first_frame(struct transfer t)
{
    arrived(t);
    for (;;)
        simt_thread_main();
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

void fibre_switch(struct fibre *from, struct fibre *to)
{
    arrived(jump_fcontext(to->kept, from));
}
