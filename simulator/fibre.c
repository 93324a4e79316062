/* fibre.c: a stack of its own for every CUDA thread. makecontext() makes the first frame; all later
   switches are __builtin_setjmp and __builtin_longjmp, which make no system call
   (docs/simulator.md: what it costs). */
#include "fibre.h"
#include <stdio.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { PAGE = 4096 };

#if defined(__SANITIZE_ADDRESS__)
/* AddressSanitizer must know which stack is in use: before each switch, and after. */
#include <sanitizer/common_interface_defs.h>
static const void *host_stack;
static size_t host_bytes;

static void leaving(struct fibre *from, const struct fibre *to)
{
    __sanitizer_start_switch_fiber(&from->kept, to->stack ? to->stack : host_stack,
                                   to->stack ? STACK_BYTES : host_bytes);
}

static void arrived(const struct fibre *at)
{
    const void *stack;
    size_t bytes;
    __sanitizer_finish_switch_fiber(at->kept, &stack, &bytes);
    if (!host_stack) /* the first fibre of all: the host made the switch */
        host_stack = stack, host_bytes = bytes;
}
#else
#define leaving(FROM, TO) (void)0
#define arrived(AT)       (void)(AT)
#endif

void (*fibre_begins)(const struct fibre *fibre);
static struct fibre *starting;
static void (*starting_run)(void);

static void first_frame(void)
{
    arrived(starting);
    void (*run)(void) = starting_run;
    for (;;)
        run();
}

/* Why there is not one more stack than so many. */
static bool no_room(unsigned made, char *text, size_t room)
{
    unsigned long most = 0;
    FILE *file = fopen("/proc/sys/vm/max_map_count", "r");
    bool known = file && fscanf(file, "%lu", &most) == 1;
    if (file)
        fclose(file);
    if (known && 2ul * made + 1000 > most)
        snprintf(text, room,
                 "more than %u threads cannot be there at once: the system allows a process %lu "
                 "mappings, and a thread's stack takes two. Take fewer or smaller blocks, fewer "
                 "SMs, or sysctl vm.max_map_count=%lu",
                 made, most, 32 * most);
    else
        snprintf(text, room,
                 "more than %u threads cannot be there at once: a thread's stack takes %d KiB of "
                 "addresses, and the system has no more of them (ulimit -v)",
                 made, (GUARD_BYTES + STACK_BYTES) / 1024);
    return false;
}

bool fibre_create(struct fibre *fibre, char *text, size_t room)
{
    if (fibre->stack)
        return true;
    /* One page more than it takes: were they a power of two apart, or all began at one place of a
       page, they would push each other out of the TLB and the cache. */
    static unsigned made;
    char *memory = mmap(NULL, GUARD_BYTES + STACK_BYTES + PAGE, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    /* What lies below the stack stays closed: an overflow is a fault, not a mystery. */
    if (memory == MAP_FAILED || mprotect(memory, GUARD_BYTES, PROT_NONE) != 0)
        return no_room(made, text, room);
    fibre->stack = memory + GUARD_BYTES + PAGE - made++ % 5 * 512;
    return true;
}

static void begin(struct fibre *fibre, void (*run)(void))
{
    static ucontext_t context; /* not on the stack, which is left for good */
    fibre->started = true;
    fibre->kept = NULL;
    starting = fibre;
    starting_run = run;
    if (fibre_begins)
        fibre_begins(fibre);
    getcontext(&context);
    context.uc_stack.ss_sp = fibre->stack;
    context.uc_stack.ss_size = STACK_BYTES;
    context.uc_link = NULL;
    makecontext(&context, first_frame, 0);
    setcontext(&context);
}

void fibre_switch(struct fibre *from, struct fibre *to, void (*run)(void))
{
    leaving(from, to);
    if (__builtin_setjmp(from->place) == 0) {
        if (!to->started)
            begin(to, run);
        __builtin_longjmp(to->place, 1);
    }
    arrived(from);
}
