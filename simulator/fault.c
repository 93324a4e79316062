/* fault.c: one clear line about what a kernel did wrong. Where in the source it happened is asked
   of addr2line (binutils, which every gcc needs anyway). */
#include "fault.h"

#include "chinese.h"
#include "simt.h"

#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

struct place {
    void *pc;
    char line[256], kernel[256], copies[256]; /* copies: a class, by its own function */
    bool in_library; /* the reader's own line is not known from the place alone */
};

static int load_base(struct dl_phdr_info *info, size_t size, void *base)
{
    *(uintptr_t *)base = info->dlpi_addr;
    return 1;
}

uintptr_t places_base(void)
{
    uintptr_t base = 0;
    dl_iterate_phdr(load_base, &base);
    return base;
}

/* "void v3<8>(float*, ...)" -> "v3<8>": a template's name comes with its return type. */
static const char *bare_name(char *function)
{
    static const char anonymous[] = "(anonymous namespace)";
    const char *name = function;
    int depth = 0; /* of < > */
    for (char *p = function; *p; p++) {
        depth += (*p == '<') - (*p == '>');
        if (strncmp(p, anonymous, sizeof anonymous - 1) == 0)
            p += sizeof anonymous - 2;
        else if (depth == 0 && *p == ' ')
            name = p + 1;
        else if (depth == 0 && *p == '(')
            *p-- = '\0';
    }
    return name;
}

static void say_once_that_lines_are_unknown(void)
{
    static bool said;
    if (!said)
        fprintf(stderr,
                "simulator: note: source lines are unknown: that takes addr2line (of binutils) "
                "and a program that is not stripped\n");
    said = true;
}

enum { MOST_ASKED = 32 }; /* at once */
bool places_stay;

/* addr2line, which reads addresses and answers by the same socket; and the process that began it:
   what fork() makes of this one begins another. */
static FILE *answers;
static pid_t addr2line, begun_by;

static bool begin_addr2line(void)
{
    char self[64], *words[] = {"addr2line", "-e", self, "-a", "-f", "-C", "-i", NULL};
    int ends[2];
    if (answers && begun_by == getpid())
        return true;
    begun_by = getpid();
    /* Not by the program's name: a file may have replaced it. */
    snprintf(self, sizeof self, "/proc/%d/exe", (int)begun_by);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    int failed = posix_spawnp(&addr2line, words[0], &actions, NULL, words, environ); /* no shell */
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    answers = failed ? NULL : fdopen(ends[0], "r");
    if (!answers)
        close(ends[0]);
    if (failed)
        say_once_that_lines_are_unknown();
    return answers != NULL;
}

/* It prints each address, and a pair of lines for each function inlined there, innermost first. */
static void ask(void *const *pcs, size_t first, size_t count, place_taker take, void *to)
{
    static char function[1 << 16], line[1 << 16]; /* Thrust's names are long */
    char text[20 * (MOST_ASKED + 1)];
    size_t used = 0, begun = 0;
    if (!begin_addr2line())
        return;
    for (size_t i = 0; i < count; i++) /* - 1: from the return address back into the call */
        used +=
            (size_t)sprintf(text + used, "%zx\n", (size_t)((uintptr_t)pcs[i] - 1 - places_base()));
    used += (size_t)sprintf(text + used, "0\n"); /* the answer to this one is the end */
    send(fileno(answers), text, used, MSG_NOSIGNAL);
    if (!places_stay)
        shutdown(fileno(answers), SHUT_WR);
    bool all = false;
    while (!all && fgets(function, sizeof function, answers)) {
        function[strcspn(function, "\n")] = '\0';
        if (strncmp(function, "0x", 2) == 0) {
            begun++;
            continue;
        }
        if (begun == 0 || !fgets(line, sizeof line, answers))
            break;
        line[strcspn(line, "\n")] = '\0';
        all = begun > count;
        if (!all && strncmp(line, "??", 2) != 0)
            take(to, first + begun - 1, function, line);
    }
    if (all && places_stay)
        return;
    fclose(answers);
    answers = NULL;
    waitpid(addr2line, NULL, 0);
}

void places_ask(void *const *pcs, size_t count, place_taker take, void *to)
{
    for (size_t i = 0; i < count; i += MOST_ASKED)
        ask(&pcs[i], i, count - i < MOST_ASKED ? count - i : MOST_ASKED, take, to);
}

/* Ours, in which a launch calls the kernel: as g++ and as clang name it. */
static bool is_lambda(const char *function)
{
    return strstr(function, "}::operator()") || strstr(function, "::$_") ||
           strcmp(function, "_FUN") == 0 || strncmp(function, "_Z", 2) == 0 ||
           strncmp(function, "simt_call<", 10) == 0 || strstr(function, "simt_kernel_address<");
}

/* A class's own, as "a::B::B(a::B const&)" and "a::B::operator=(a::B&&)": the compiler's most
   often, which has the line of the class. Gives the length of the class's name, or 0. */
static size_t is_copying(const char *function)
{
    const char *open = strrchr(function, '('), *lambda = strstr(function, "}::");
    const char *end = function + strlen(function);
    if (lambda && end - lambda > 9 &&
        (strcmp(end - 9, "} const&)") == 0 || strcmp(end - 4, "}&&)") == 0))
        return (size_t)(lambda + 1 - function);
    size_t length = open ? strcspn(open, "&") : 0;
    length -= length > 7 && strncmp(open + length - 6, " const", 6) == 0 ? 7 : 1;
    bool copying = open && strncmp(function, open + 1, length) == 0 &&
                   strncmp(function + length, "::", 2) == 0;
    return copying ? length : 0;
}

struct asked {
    struct place *place;
    char inner[256]; /* the innermost line of CUB, or of what copies a class */
    bool known;
};

/* The first line outside our headers (those in "include/.") is the reader's, the last is the
   kernel. */
static void take_pair(void *all, size_t i, char *function, char *line)
{
    struct asked *asked = (struct asked *)all + i;
    struct place *p = asked->place;
    char *more = strstr(line, " (discriminator ");
    if (more)
        *more = '\0';
    bool ours = strstr(line, "/include/./") != NULL;
    bool library = strstr(line, "/cccl/") || strstr(line, "/cub/cub/");
    const char *path = line;
    while (strncmp(path, "./", 2) == 0)
        path += 2;
    size_t class_name = is_copying(function);
    if (class_name && !*p->copies)
        snprintf(p->copies, sizeof p->copies, "%.*s", (int)class_name, function);
    library = library || (!ours && class_name);
    if (library) /* the reader's own line is further out, if it is known */
        snprintf(asked->inner, sizeof asked->inner, "%.255s", path);
    ours = ours || library || strstr(line, "/c++/");
    if (!ours && strcmp(p->line, "?") == 0)
        snprintf(p->line, sizeof p->line, "%.255s", path);
    if (!ours && !is_lambda(function))
        snprintf(p->kernel, sizeof p->kernel, "%.255s", bare_name(function));
    asked->known = true;
}

static struct place **known_places;
static size_t known_count;

static struct place *known_place(const void *pc)
{
    for (size_t i = 0; i < known_count; i++)
        if (known_places[i]->pc == pc)
            return known_places[i];
    return NULL;
}

void places_look_up(void *const *pcs, unsigned count)
{
    extern char __executable_start, _end; /* the linker's */
    struct asked asked[MOST_ASKED] = {0};
    void *asked_pcs[MOST_ASKED] = {NULL};
    unsigned asked_count = 0;
    struct place *p;
    for (unsigned i = 0; i < count; i++) {
        if (!pcs[i] || known_place(pcs[i]))
            continue;
        p = calloc(1, sizeof *p);
        known_places = realloc(known_places, (known_count + 1) * sizeof *known_places);
        known_places[known_count++] = p;
        p->pc = pcs[i];
        strcpy(p->line, "?");
        strcpy(p->kernel, "?");
        p->in_library = true;
        bool in_library = (char *)p->pc < &__executable_start || (char *)p->pc > &_end;
        if (!in_library && asked_count < MOST_ASKED)
            asked_pcs[asked_count] = pcs[i], asked[asked_count++].place = p;
    }
    places_ask(asked_pcs, asked_count, take_pair, asked);
    for (unsigned i = 0; i < asked_count; i++) {
        p = asked[i].place;
        p->in_library = strcmp(p->line, "?") == 0;
        if (p->in_library && *asked[i].inner)
            strcpy(p->line, asked[i].inner);
    }
    if (asked_count > 0 && !asked[0].known)
        say_once_that_lines_are_unknown();
}

static const struct place *place_of(void *pc)
{
    places_look_up(&pc, 1);
    return known_place(pc);
}

const char *place_name(void *pc)
{
    return pc ? place_of(pc)->line : "?";
}

const char *place_copies(void *pc)
{
    return place_of(pc)->copies;
}

/* Does this place lie in a file of the simulator's? */
static bool is_ours(void *pc)
{
    const char *own = place_name((void *)place_name), *line = place_name(pc);
    size_t folder = strrchr(own, '/') ? (size_t)(strrchr(own, '/') - own) + 1 : 0;
    return strncmp(line, own, folder) == 0 && !strchr(line + folder, '/');
}

/* The first that is the program's own; the first of all is this file's. */
static void *first_outside(void *const *places, int count)
{
    places_look_up(places, (unsigned)count);
    for (int i = 1; i < count && places[i]; i++)
        if (!place_of(places[i])->in_library && !is_ours(places[i]))
            return places[i];
    return NULL;
}

void *place_of_call(void)
{
    void *places[24];
    int count = backtrace(places, sizeof places / sizeof *places);
    return first_outside(places, count);
}

void place_keep_call(void *places[CALL_PLACES])
{
    int count = backtrace(places, CALL_PLACES);
    memset(places + count, 0, (size_t)(CALL_PLACES - count) * sizeof *places);
}

void *place_of_kept_call(void *const places[CALL_PLACES])
{
    return first_outside(places, CALL_PLACES);
}

static void *library_call[CALL_PLACES]; /* the host's last one of Thrust or CUB */

void simt_library_call(void)
{
    place_keep_call(library_call);
}

/* In a library it is the line that called it, in the kernel or by the host. */
static const char *readers_line(const struct thread *t, void *pc)
{
    if (!t || !pc || !place_of(pc)->in_library)
        return pc ? place_name(pc) : "?";
    void *call = place_of_call();
    if (!call)
        call = place_of_kept_call(library_call);
    return place_name(call ? call : pc);
}

/* A launch passes our lambda and std::apply first: the kernel is the first function after those. */
void *kernel_entry(void *const entered[ENTRIES])
{
    places_look_up(entered, ENTRIES);
    for (int i = 0; i < ENTRIES && entered[i]; i++)
        if (strcmp(place_of(entered[i])->kernel, "?") != 0)
            return entered[i];
    return NULL;
}

const char *kernel_name(void *const entered[ENTRIES])
{
    void *entry = kernel_entry(entered);
    return entry ? place_of(entry)->kernel : "?";
}

/* ---- three severities: notes, findings that can be gone past, and those that end it ---- */

bool simt_strict, simt_go_on;
void (*fault_explain)(void), (*fault_abandon)(void);
static char **findings; /* for the list at the end */
static size_t finding_count;

static bool is_set(const char *name)
{
    const char *value = getenv(name);
    return value && *value && strcmp(value, "0") != 0;
}

static bool strict_by_default;

void simt_be_strict(void)
{
    strict_by_default = true;
}

void fault_begin(void)
{
    simt_strict = getenv("SIMT_STRICT") ? is_set("SIMT_STRICT") : strict_by_default;
    simt_go_on = is_set("SIMT_GO_ON");
}

bool fault_asserted;
static bool assertion_seen;

void fault_assertion_seen(bool seen)
{
    assertion_seen = seen && fault_asserted;
}

cudaError_t fault_of_device(void)
{
    fault_assertion_seen(true);
    return simt_error(fault_asserted ? cudaErrorAssert : cudaSuccess);
}

static void fail_at_exit(void)
{
    if (fault_asserted && assertion_seen && finding_count == 1)
        return;
    fflush(NULL);
    if (simt_go_on) {
        fprintf(stderr, "simulator: %zu finding%s in all:\n", finding_count,
                finding_count == 1 ? "" : "s");
        for (size_t i = 0; i < finding_count; i++)
            fprintf(stderr, "simulator: %zu. %s\n", i + 1, findings[i]);
    }
    _exit(1);
}

void (*fault_in_trial)(void);

void fault_found(const char *line)
{
    if (fault_in_trial)
        fault_in_trial();
    if (finding_count == 0)
        atexit(fail_at_exit);
    findings = simt_grow(findings, finding_count, sizeof *findings);
    findings[finding_count++] = strdup(line);
    fflush(stdout);
    fprintf(stderr, "simulator: %s\n", line);
    if (simt_wants_chinese() && in_chinese(line))
        fprintf(stderr, "    中文：%s（docs/messages.zh-CN.md）\n", in_chinese(line));
}

/* "FILE:LINE: kernel, block, thread: what" */
static char *line_about(const struct thread *t, void *pc, const char *format, va_list list)
{
    char *what, *line;
    if (vasprintf(&what, format, list) < 0)
        abort();
    int length;
    if (t) {
        uint3 b = t->block->index, i = t->index;
        void *places[ENTRIES + 1] = {pc};
        memcpy(places + 1, simt_now.entered, sizeof simt_now.entered);
        places_look_up(places, ENTRIES + 1);
        const char *kernel = kernel_name(simt_now.entered);
        if (strcmp(kernel, "?") == 0 && pc) /* it came no further */
            kernel = place_of(pc)->kernel;
        if (strcmp(kernel, "?") == 0 && library_call[0])
            kernel = "a kernel of Thrust or CUB";
        char device[16] = "";
        if (simt_devices > 1)
            snprintf(device, sizeof device, "device %u, ", simt_at);
        length = asprintf(&line, "%s: %s, %sblock (%u,%u,%u), thread (%u,%u,%u): %s",
                          readers_line(t, pc), kernel, device, b.x, b.y, b.z, i.x, i.y, i.z, what);
    } else {
        length = asprintf(&line, "%s%s%s", pc ? place_name(pc) : "", pc ? ": " : "", what);
    }
    if (length < 0)
        abort();
    free(what);
    return line;
}

/* Was the same not said of this place before? */
static bool is_new(const void *pc, const char *format)
{
    static const void **known;
    static size_t count;
    for (size_t i = 0; pc && i < count; i += 2)
        if (known[i] == pc && known[i + 1] == format)
            return false;
    for (size_t i = 0; i < 2; i++) {
        known = simt_grow(known, count, sizeof *known);
        known[count++] = i == 0 ? pc : format;
    }
    return true;
}

static void print_line(const char *what_it_is, const struct thread *t, void *pc, const char *format,
                       va_list list)
{
    char *line = line_about(t, pc, format, list);
    fflush(stdout);
    fprintf(stderr, "simulator: %s%s\n", what_it_is, line);
    free(line);
}

void simt_note(const struct thread *t, void *pc, const char *format, ...)
{
    va_list list;
    if (fault_in_trial) /* the program itself says so */
        return;
    va_start(list, format);
    if (is_new(pc, format) || simt_strict)
        print_line(simt_strict ? "" : "note: ", t, pc, format, list);
    va_end(list);
    if (simt_strict)
        _exit(1);
}

void fault_remark(const struct thread *t, void *pc, const char *format, ...)
{
    va_list list;
    if (fault_in_trial)
        return;
    va_start(list, format);
    print_line("", t, pc, format, list);
    va_end(list);
}

static void found(const struct thread *t, void *pc, const char *format, va_list list)
{
    if (fault_explain)
        fault_explain();
    char *line = line_about(t, pc, format, list);
    fault_found(line);
    free(line);
}

void simt_wrong(const struct thread *t, void *pc, const char *format, ...)
{
    va_list list;
    if (fault_in_trial)
        fault_in_trial();
    va_start(list, format);
    if (is_new(pc, format))
        found(t, pc, format, list);
    va_end(list);
    if (!simt_go_on && !fault_asserted)
        _exit(1);
}

void simt_fault(const struct thread *t, void *pc, const char *format, ...)
{
    va_list list;
    if (fault_in_trial)
        fault_in_trial();
    va_start(list, format);
    found(t, pc, format, list);
    va_end(list);
    if (simt_go_on && t && fault_abandon)
        fault_abandon();
    _exit(1);
}

void *simt_grow(void *array, size_t count, size_t bytes)
{
    if ((count & (count - 1)) == 0)
        array = realloc(array, (count == 0 ? 1 : 2 * count) * bytes);
    if (!array)
        simt_fault(simt_self, NULL, "no memory left");
    return array;
}

void *simt_zeroed(size_t count, size_t bytes)
{
    void *memory = calloc(count, bytes);
    if (!memory)
        simt_fault(simt_self, NULL, "no memory left");
    return memory;
}

void *simt_zeroed_lines(size_t count, size_t bytes)
{
    uintptr_t memory = (uintptr_t)simt_zeroed(1, count * bytes + 63);
    return (void *)((memory + 63) / 64 * 64);
}

void simt_trap(void)
{
    simt_fault(simt_self, __builtin_return_address(0), "__trap()");
}

void simt_no_ptx(const char *instruction)
{
    simt_fault(simt_self, __builtin_return_address(0), "inline PTX: %s is not supported",
               instruction);
}

/* assert() calls this; in a kernel, say which thread it was. */
void __assert_fail(const char *expression, const char *file, unsigned line, const char *function)
{
    if (simt_self) {
        fault_asserted = true;
        simt_wrong(simt_self, __builtin_return_address(0), "assertion `%s' failed", expression);
        fault_abandon();
    }
    fflush(stdout);
    fprintf(stderr, "%s: %s:%u: %s: Assertion `%s' failed.\n", program_invocation_short_name, file,
            line, function, expression);
    abort();
}

void *signal_pc(void *context)
{
#if defined(__x86_64__)
    return (char *)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP] + 1;
#elif defined(__aarch64__)
    return (char *)((ucontext_t *)context)->uc_mcontext.pc + 1;
#else
    return NULL;
#endif
}

static void *full_at; /* where a stack was found to be full, or NULL */

void fault_full_stack(void *pc)
{
    full_at = pc;
    *((volatile char *)simt_self->fibre.stack - GUARD_BYTES / 2) = 0; /* to on_signal()'s stack */
}

/* OpenMP takes room there for each of its threads. */
static bool is_on_main_stack(const void *at)
{
    extern void *__libc_stack_end; /* where it begins */
    return at < __libc_stack_end && (char *)at > (char *)__libc_stack_end - (1 << 26);
}

/* What no hook foresaw: a stack that is full, or code that the hooks cannot see. */
static void on_signal(int number, siginfo_t *info, void *context)
{
    void *pc = full_at ? full_at : signal_pc(context);
    struct thread *t = simt_self;
    if (number == SIGFPE && t)
        simt_fault(t, pc, "divides a whole number by zero: undefined");
    if (!t) { /* not a kernel's doing: let it end as it would, but say where */
        bool ours = is_ours(pc);
        pc = ours || strcmp(place_name(pc), "?") == 0 ? place_of_call() : pc;
        if (is_on_main_stack(info->si_addr))
            simt_fault(NULL, pc,
                       "host code needs more stack than there is (ulimit -s): a deep "
                       "recursion, a large array, or OMP_NUM_THREADS is too large");
        fprintf(stderr, "simulator: %s: host code %s: the program's own mistake\n", place_name(pc),
                number == SIGFPE ? "divides by zero"
                : ours           ? "calls what only a kernel may, or passes a null pointer"
                                 : "touches memory that is not there");
        signal(number, SIG_DFL);
        return;
    }
    uintptr_t below = (uintptr_t)t->fibre.stack - (uintptr_t)info->si_addr;
    if (below <= GUARD_BYTES)
        simt_fault(t, pc, "needs more than the %d KiB of local memory that a thread has here",
                   STACK_BYTES / 1024);
    if (info->si_code == SI_KERNEL) /* the processor refused the instruction, not the memory */
        simt_fault(t, pc, "touches 16 bytes at an address that is no multiple of 16: misaligned");
    simt_fault(t, pc, "touches %p: no memory is there", info->si_addr); /* (nil): a null pointer */
}

/* Below such a limit of the shell a program ends anywhere, with any word or none. (Below some 20
   KiB of stack the system's loader ends before anything of ours runs.) */
static void check_limit(int resource, char option, rlim_t least)
{
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0 || limit.rlim_cur >= least)
        return;
    fprintf(stderr,
            "simulator: the shell's limit is too low: ulimit -%c %llu, and %llu is needed\n",
            option, (unsigned long long)limit.rlim_cur / 1024, (unsigned long long)least / 1024);
    _exit(1);
}

/* From the start: a crash before the first launch is the program's. */
__attribute__((constructor(101))) static void catch_from_the_start(void)
{
    check_limit(RLIMIT_STACK, 's', 1 << 20);
    check_limit(RLIMIT_AS, 'v', 1 << 29);
    check_limit(RLIMIT_DATA, 'd', 1 << 29);
    fault_catch_signals();
}

void fault_catch_signals(void)
{
    static char stack[64 * 1024]; /* the fibre's own may be the one that is full */
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    struct sigaction action = {.sa_sigaction = on_signal,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
    sigaction(SIGFPE, &action, NULL);
}
