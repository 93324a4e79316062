/* explore.c: SIMT_EXPLORE=N ./program runs it under N schedules, as many at once as there are
   cores, and stops at the first by number under which it fails or a message comes. */
#include "fault.h"
#include "summary.h"
#include <sched.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* The program itself, in a process of its own. */
static struct run {
    pid_t child;
    FILE *output[2]; /* stdout's and stderr's */
} * runs;            /* as many as may be there at once: schedule k has number k % at_once */

/* As schedule k; its output goes to files. Returns true in the child. */
static bool start(unsigned k, struct run *run)
{
    char seed[16];
    for (int i = 0; i < 2; i++)
        run->output[i] = tmpfile();
    run->child = run->output[0] && run->output[1] ? fork() : -1;
    if (run->child < 0)
        simt_fault(NULL, NULL, "SIMT_EXPLORE: a program of its own cannot be started");
    if (run->child != 0)
        return false;
    snprintf(seed, sizeof seed, "%u", k);
    setenv("SIMT_SCHEDULE", seed, 1);
    dup2(fileno(run->output[0]), 1);
    dup2(fileno(run->output[1]), 2);
    return true;
}

/* What the first run reads from a file or a pipe the others would miss. */
static unsigned how_many_at_once(void)
{
    struct stat input;
    cpu_set_t cores;
    bool alone = fstat(0, &input) == 0 && !S_ISCHR(input.st_mode);
    return alone || sched_getaffinity(0, sizeof cores, &cores) != 0 ? 1
                                                                    : (unsigned)CPU_COUNT(&cores);
}

/* Copies the output, each where it belongs; returns whether the simulator has said something. */
static bool show(FILE *const output[2], bool print)
{
    char line[4096];
    bool said = false;
    for (int i = 0; i < 2; i++) {
        rewind(output[i]);
        while (fgets(line, sizeof line, output[i])) {
            said |= strncmp(line, "simulator: ", 11) == 0 &&
                    strncmp(line, "simulator: note: the times", 26) != 0;
            if (print)
                fputs(line, i == 0 ? stdout : stderr);
        }
        fflush(stdout);
    }
    return said;
}

static void finish(unsigned tried, unsigned wanted, int status)
{
    if (status != 0)
        fprintf(stderr, "simulator: schedule %u of %u: this is what was found (SIMT_SCHEDULE=%u)\n",
                tried, wanted, tried - 1);
    else
        fprintf(stderr, "simulator: %u schedules tried, and nothing found\n", tried);
    exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

/* Each child goes on with main(), the parent never does. */
void explore_schedules(void)
{
    const char *text = getenv("SIMT_EXPLORE");
    char *end;
    if (!text || !*text)
        return;
    unsigned long wanted = strtoul(text, &end, 10);
    if (*end || wanted == 0 || wanted > 100000 || *text == '-')
        simt_fault(NULL, NULL, "SIMT_EXPLORE=%s: a number of schedules from 1 to 100000 is needed",
                   text);
    unsigned at_once = how_many_at_once(), started = 0;
    runs = simt_zeroed(at_once, sizeof *runs);
    for (unsigned k = 0; k < wanted; k++) {
        int status;
        struct run *run = &runs[k % at_once];
        for (; started < wanted && started < k + at_once; started++)
            if (start(started, &runs[started % at_once])) {
                unsetenv("SIMT_EXPLORE");
                return; /* the child */
            }
        if (waitpid(run->child, &status, 0) != run->child)
            simt_fault(NULL, NULL, "SIMT_EXPLORE: a program of its own cannot be started");
        bool said = show(run->output, status != 0);
        if (status == 0 && (said || k + 1 == wanted))
            show(run->output, true);
        fclose(run->output[0]);
        fclose(run->output[1]);
        if (status == 0 && !said)
            continue;
        for (unsigned after = k + 1; after < started; after++)
            kill(runs[after % at_once].child, SIGKILL);
        finish(k + 1, (unsigned)wanted, status ? status : 0x100);
    }
    finish((unsigned)wanted, (unsigned)wanted, 0);
}
