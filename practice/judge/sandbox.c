/* sandbox.c: the program of the exercise: started, asked, limited and ended. */
#include "judge.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The programs of one verdict may compute as long as so many draw()s take: 9 s where one takes 1
   ns. A slow machine needs more time for both. Time is looked at from FREE_SECONDS on. */
enum { FREE_SECONDS = 9 };
static const double most_draws = 0x1p33;

/* A program that sleeps is ended after so many looks in a row, one every TICK_MS, at which it slept
   and had not computed since. However busy the machine is, one that wants to compute is not asleep.
 */
enum { TICK_MS = 100, MOST_ASLEEP = 100 };

static const char *path;
static double computed; /* CPU seconds of the programs that have ended */

static struct {
    pid_t process;         /* 0: none runs */
    int ended;             /* readable when it has ended; -1 on an old kernel */
    int channel, out, err; /* -1: closed */
    bool begun;            /* it answered once */
    bool gone;             /* it ended before it answered, or was stopped */
    const char *stop;      /* why it was stopped, or NULL */
    bool in_line;          /* what it printed ends within a line */
    char said[4096];       /* what it wrote on standard error, in part */
    size_t said_bytes;
    struct reply reply;
} program;

void judge_program(const char *path_of_program)
{
    path = path_of_program;
}

static _Noreturn void give_up(const char *what)
{
    exit(complain(STATUS_UNKNOWN, "cannot judge: %s: %s", what, strerror(errno)));
}

/* ---- limits ---- */

static double seconds_of(clockid_t clock)
{
    struct timespec now = {0};
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double seconds_of_children(void)
{
    struct rusage all;
    getrusage(RUSAGE_CHILDREN, &all);
    return (double)(all.ru_utime.tv_sec + all.ru_stime.tv_sec) +
           (double)(all.ru_utime.tv_usec + all.ru_stime.tv_usec) / 1e6;
}

static double seconds_computed(void)
{
    clockid_t clock;
    return clock_getcpuclockid(program.process, &clock) == 0 ? seconds_of(clock) : 0;
}

/* In CPU seconds: what most_draws take here. */
static double limit(void)
{
    enum { DRAWS = 1 << 24 };
    static double seconds;
    if (seconds == 0) {
        volatile uint64_t last;
        uint64_t state = 1, all = 0;
        double begin = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
        for (int i = 0; i < DRAWS; i++)
            all ^= draw(&state);
        last = all;
        (void)last;
        seconds = (seconds_of(CLOCK_PROCESS_CPUTIME_ID) - begin) / DRAWS * most_draws;
    }
    return seconds;
}

/* Whether a thread of the program runs, is ready to run, waits for a disk, or is being debugged. */
static bool is_awake(void)
{
    char name[300], line[512];
    bool awake = false;
    snprintf(name, sizeof name, "/proc/%d/task", (int)program.process);
    DIR *threads = opendir(name);
    for (struct dirent *entry; threads && !awake && (entry = readdir(threads));) {
        snprintf(name, sizeof name, "/proc/%d/task/%s/stat", (int)program.process, entry->d_name);
        FILE *file = fopen(name, "r");
        const char *state = file && fgets(line, sizeof line, file) ? strrchr(line, ')') : NULL;
        awake = state && strchr("RDt", state[2]);
        if (file)
            fclose(file);
    }
    if (threads)
        closedir(threads);
    return awake;
}

/* Returns false, as those do that it ends. */
static bool stop(const char *why)
{
    program.stop = why;
    kill(program.process, SIGKILL);
    return false;
}

/* ---- what comes from the program ---- */

/* What it prints is marked, so that no line of it looks like one of the judge. */
static void show(const char *text, size_t bytes)
{
    FILE *to = says_json() ? stderr : stdout;
    for (size_t i = 0; i < bytes; i++) {
        if (!program.in_line)
            fputs("  | ", to);
        program.in_line = text[i] != '\n';
        putc(text[i], to);
    }
}

/* Kept are its beginning, and the line of the simulator, however much comes before. */
static void note(const char *text, size_t bytes)
{
    enum { BEGINNING = 1024, LAST = sizeof program.said - 1 };
    for (size_t i = 0; i < bytes; i++) {
        if (program.said_bytes == LAST && !strstr(program.said, "simulator: ")) {
            program.said_bytes = 2 * BEGINNING;
            memmove(program.said + BEGINNING, program.said + LAST - BEGINNING, BEGINNING);
        }
        if (program.said_bytes < LAST)
            program.said[program.said_bytes++] = text[i];
        program.said[program.said_bytes] = '\0';
    }
}

/* Returns whether there was something to read. */
static bool drain(int *from, bool is_out)
{
    char text[4096];
    ssize_t bytes = *from < 0 ? 0 : read(*from, text, sizeof text);
    if (bytes < 0)
        return false;
    if (bytes == 0 && *from >= 0) {
        close(*from);
        *from = -1;
    }
    (is_out ? show : note)(text, (size_t)bytes);
    return bytes > 0;
}

/* All that was written before now: a pipe holds no more. */
static void drain_both(void)
{
    for (int i = 0; i < 16 && drain(&program.out, true); i++)
        ;
    for (int i = 0; i < 16 && drain(&program.err, false); i++)
        ;
}

static bool has_ended(void)
{
    siginfo_t ended = {0};
    return waitid(P_PID, (id_t)program.process, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           ended.si_pid != 0;
}

/* Waits until the channel is ready for that, and reads what the program writes meanwhile. Returns
   false if the program has ended, or was stopped. */
static bool ready(short events)
{
    double before = -1;
    for (int asleep = 0;;) {
        struct pollfd files[] = {{program.channel, events, 0},
                                 {program.ended, POLLIN, 0},
                                 {program.out, POLLIN, 0},
                                 {program.err, POLLIN, 0}};
        double now = seconds_computed();
        if (computed + now >= FREE_SECONDS && computed + now >= limit())
            return stop("stopped: it does not end: an endless loop, or far too much work");
        int found = poll(files, sizeof files / sizeof *files, TICK_MS);
        drain_both();
        if (found > 0 && files[0].revents)
            return true; /* or its other end is closed: then read() and write() fail */
        if ((found == 0 || files[1].revents) && has_ended())
            return false;
        if (found > 0)
            continue;
        asleep = now - before < 1e-3 && !is_awake() ? asleep + 1 : 0;
        before = now;
        if (asleep >= MOST_ASLEEP)
            return stop("stopped: it sleeps, and waits for something that does not happen");
    }
}

/* Both return false if the program is gone. */
static bool write_all(const void *from, size_t bytes)
{
    for (const char *next = from; bytes > 0;) {
        ssize_t done = ready(POLLOUT) ? write(program.channel, next, bytes) : -1;
        if (done <= 0)
            return false;
        next += done, bytes -= (size_t)done;
    }
    return true;
}

static bool read_all(void *to, size_t bytes)
{
    for (char *next = to; bytes > 0;) {
        ssize_t done = ready(POLLIN) ? read(program.channel, next, bytes) : -1;
        if (done <= 0)
            return false;
        next += done, bytes -= (size_t)done;
    }
    return true;
}

/* Whatever it holds, it stays one line. */
static void make_line(char *text)
{
    text[strcspn(text, "\n")] = '\0';
    for (char *c = text; *c != '\0'; c++)
        *c = (unsigned char)*c < ' ' || *c == 0x7f ? '?' : *c;
}

/* The reply is in program.reply, and its words in out. Where the program is gone, all is 0. */
static bool ask(const struct request *request, const float *in, float *out, size_t words)
{
    struct reply *reply = &program.reply;
    bool came = !program.gone && write_all(request, sizeof *request) &&
                write_all(in, in ? request->run.n * sizeof *in : 0) &&
                read_all(reply, sizeof *reply) && read_all(out, words * sizeof *out);
    program.gone = !came;
    program.begun |= came;
    if (!came)
        *reply = (struct reply){0};
    reply->problem[sizeof reply->problem - 1] = '\0';
    make_line(reply->problem);
    return came;
}

/* The line of the simulator, else the first that it said, "" if none. Returns which. */
static bool first_line(char line[sizeof program.said])
{
    const char *simulator = strstr(program.said, "simulator: ");
    strcpy(line, simulator ? simulator : program.said);
    make_line(line);
    return simulator != NULL;
}

bool fault_was_said(void)
{
    char line[sizeof program.said];
    return first_line(line);
}

/* ---- a program from its beginning to its end ---- */

/* In the new process. It is in a session of its own, so that its signals reach no other, and ends
   with the judge. */
static _Noreturn void become_program(int channel, int out, int err)
{
    int null = open("/dev/null", O_RDONLY);
    setsid();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(null, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    dup2(channel, CHANNEL);
    close_range(CHANNEL + 1, ~0u, 0);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    signal(SIGPIPE, SIG_DFL);
    confine();
    execl(path, path, (char *)NULL);
    dprintf(STDERR_FILENO, "practice: cannot start %s: %s\n", path, strerror(errno));
    _exit(127);
}

/* Descriptors from 10 on: those of the new process are smaller. */
static int moved(int file)
{
    int higher = fcntl(file, F_DUPFD_CLOEXEC, 10);
    close(file);
    return higher;
}

static void begin(void)
{
    int channel[2], out[2], err[2];
    memset(&program, 0, sizeof program);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channel) != 0 ||
        pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0)
        give_up("no pipe");
    for (int end = 0; end < 2; end++)
        channel[end] = moved(channel[end]), out[end] = moved(out[end]), err[end] = moved(err[end]);
    fflush(stdout);
    program.process = fork();
    if (program.process == 0)
        become_program(channel[1], out[1], err[1]);
    close(channel[1]), close(out[1]), close(err[1]);
    if (program.process < 0)
        give_up("no process");
    program.channel = channel[0], program.out = out[0], program.err = err[0];
    program.ended = (int)syscall(SYS_pidfd_open, program.process, 0);
    fcntl(program.channel, F_SETFL, O_NONBLOCK);
    fcntl(program.out, F_SETFL, O_NONBLOCK);
    fcntl(program.err, F_SETFL, O_NONBLOCK);
}

/* Without its channel the program ends. Returns its status, as waitpid() gives it. */
static int end(void)
{
    int status = 0;
    close(program.channel);
    program.channel = -1;
    while (!program.stop && ready(0))
        ;
    kill(-program.process, SIGKILL); /* what it has started */
    waitpid(program.process, &status, 0);
    computed = seconds_of_children();
    drain_both();
    if (program.in_line)
        putc('\n', says_json() ? stderr : stdout);
    const int files[] = {program.ended, program.out, program.err};
    for (int i = 0; i < 3; i++)
        if (files[i] >= 0)
            close(files[i]);
    return status;
}

bool in_sandbox(void (*work)(const struct criteria *, struct finding *), const struct criteria *c,
                struct finding *f, char how[1024])
{
    char line[sizeof program.said];
    struct request request = {.what = BEGIN, .many_gpus = c->gpus[0] > 0};
    while (request.questions < MOST_QUESTIONS && c->questions[request.questions].asks)
        request.questions++;
    begin();
    if (ask(&request, NULL, NULL, 0)) {
        f->begun = program.reply;
        work(c, f);
    }
    int status = end();
    bool well = !program.gone && !program.stop && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    first_line(line);
    if (program.stop)
        snprintf(how, 1024, "%s", program.stop);
    else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
        snprintf(how, 1024, "the program was killed: does it take too much memory?");
    else if (WIFSIGNALED(status))
        snprintf(how, 1024, "the program crashed, outside the kernel: %s",
                 strsignal(WTERMSIG(status)));
    else if (!well && line[0])
        snprintf(how, 1024, "%.1000s", line);
    else if (!well)
        snprintf(how, 1024, "the program ended itself%s",
                 program.begun ? "" : " before its first launch");
    return well;
}

/* ---- what is asked ---- */

size_t share_of(const struct criteria *c, const struct run *run)
{
    if (run->gpus > 0)
        return run->gpus;
    return (size_t)run->block * (c->per_thread == 0 ? 1 : c->per_thread);
}

size_t words_of(const struct criteria *c, const struct run *run)
{
    return c->reference->words(run->n, share_of(c, run));
}

size_t all_words_of(const struct criteria *c, const struct run *run)
{
    return words_of(c, run) * (run->gpus > 0 ? run->gpus : 1);
}

static struct request request_of(const struct criteria *c, const struct run *run)
{
    struct request request = {.run = *run};
    request.run.words = words_of(c, run);
    request.run.kernel_words = c->kernel_words > 0 ? c->kernel_words : request.run.words;
    request.run.vectors = c->vectors;
    request.run.overwrites_input = c->overwrites_input;
    return request;
}

static bool requests;

void count_requests(bool on)
{
    requests = on;
}

const char *run_launch(const struct criteria *c, const struct run *run, const float *in, float *out)
{
    struct request request = request_of(c, run);
    request.what = RUN;
    request.requests = requests;
    if (!ask(&request, in, out, all_words_of(c, run)))
        return "the program is gone"; /* in_sandbox() says how */
    return program.reply.problem[0] ? program.reply.problem : NULL;
}

double counted(enum count what)
{
    return program.reply.counts[what];
}

void take_times(const struct criteria *c, const struct run *run, const float *in, double us[2])
{
    struct request request = request_of(c, run);
    request.what = TIME;
    if (c->against)
        snprintf(request.against, sizeof request.against, "%s", c->against);
    ask(&request, in, NULL, 0);
    memcpy(us, program.reply.us, sizeof program.reply.us);
}
