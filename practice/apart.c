/* apart.c: work in a process of its own: a kernel may stop it, crash it or never end. */
#include "practice.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* For all work together: whoever waits longer believes that nothing happens. */
enum { SECONDS = 9 };

static long milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

struct finding *new_finding(void)
{
    void *both = mmap(NULL, sizeof(struct finding), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (both == MAP_FAILED) {
        perror("practice: no memory");
        exit(1);
    }
    return both;
}

static int said_file; /* what a process says on standard error */

/* The first line that it said, "" if none. Returns whether the simulator said it. */
static bool first_line(char *line, size_t room)
{
    ssize_t bytes = pread(said_file, line, room - 1, 0);
    line[bytes > 0 ? bytes : 0] = '\0';
    char *simulator = strstr(line, "simulator: ");
    if (simulator)
        memmove(line, simulator, strlen(simulator) + 1);
    line[strcspn(line, "\n")] = '\0';
    return simulator != NULL;
}

bool fault_was_said(void)
{
    char line[4096];
    return first_line(line, sizeof line);
}

bool apart(void (*work)(const struct criteria *, struct finding *), const struct criteria *c,
           struct finding *f, char how[1024])
{
    static long until;
    char said[4096];
    int ends[2], status = 0;
    f->done = false;
    until = until == 0 ? milliseconds() + SECONDS * 1000L : until;
    fflush(stdout);
    said_file = memfd_create("said", MFD_CLOEXEC);
    if (said_file < 0 || pipe(ends) != 0)
        return snprintf(how, 1024, "practice: no file: %s", strerror(errno)), false;
    pid_t child = fork();
    if (child == 0) {
        dup2(said_file, STDERR_FILENO);
        close(ends[0]); /* the other end is open until this process ends */
        work(c, f);
        f->done = true; /* so that a launch() that ends the process has done nothing */
        exit(0);        /* the simulator makes it 1 after a race */
    }
    close(ends[1]);
    long left = until - milliseconds();
    struct pollfd ended = {.fd = ends[0], .events = POLLIN};
    bool in_time = child > 0 && poll(&ended, 1, left > 0 ? (int)left : 0) > 0;
    if (!in_time && child > 0)
        kill(child, SIGKILL);
    close(ends[0]);
    if (child > 0)
        waitpid(child, &status, 0);
    first_line(said, sizeof said);
    close(said_file);
    if (!in_time)
        snprintf(how, 1024, "stopped after %d s: an endless loop, or far too much work", SECONDS);
    else if (WIFSIGNALED(status))
        snprintf(how, 1024, "the program crashed, outside the kernel: %s",
                 strsignal(WTERMSIG(status)));
    else if (WEXITSTATUS(status) != 0 || !f->done)
        snprintf(how, 1024, "%.1000s", said[0] ? said : "the program ended itself");
    return in_time && WIFEXITED(status) && WEXITSTATUS(status) == 0 && f->done;
}
