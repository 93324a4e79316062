/* trial.c: does a finding matter to what a launch leaves? fork() makes the copies that try it; each
   ends with the launch, and tells a sum over all memory of the device. */
#include "trial.h"
#include "allocations.h"
#include "devices.h"
#include "fault.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_TRIALS = 8, MOST_FINDINGS = 64, MOST_SECONDS = 20, MOST_LENT = 1 << 20 };

enum trial trial_role;
void (*trial_begins)(void);

static struct finding {
    const void *pc, *other;
    unsigned trials;
    bool same, differs, ended, within_this_launch; /* ended: the copy that goes on as it is */
    struct trial_write later;
} findings[MOST_FINDINGS];
static unsigned finding_count;

/* Of a copy. */
static const void *altered, *altered_other;
static int answer, printed;
static uintptr_t watched;
static const struct thread *watching;
static struct trial_write later;

static struct finding *find(const void *pc, const void *other, bool make)
{
    for (unsigned i = 0; i < finding_count; i++)
        if (findings[i].pc == pc && findings[i].other == other)
            return &findings[i];
    if (!make || finding_count == MOST_FINDINGS)
        return NULL;
    findings[finding_count] = (struct finding){.pc = pc, .other = other};
    return &findings[finding_count++];
}

bool trial_said_same(const void *pc, const void *other)
{
    const struct finding *f = find(pc, other, false);
    return f && f->same;
}

enum trial trial_role_in(const void *pc, const void *other)
{
    return pc == altered && other == altered_other ? trial_role : TRIAL_NONE;
}

bool trial_is_altered(const void *pc, const void *other)
{
    return trial_role_in(pc, other) == TRIAL_ALTERED;
}

/* ---- a copy ---- */

/* A fault of its own ends it: what it knows by then may be what it was for. */
static _Noreturn void give_up(void)
{
    struct trial_result r = {.later = later};
    _exit(write(answer, &r, sizeof r) == sizeof r ? 0 : 3);
}

void trial_end(uint64_t memory, uint64_t text)
{
    struct trial_result r = {memory, text, later, true};
    _exit(write(answer, &r, sizeof r) == sizeof r ? 0 : 3);
}

void trial_watch(uintptr_t address)
{
    if (trial_role != TRIAL_NONE)
        return;
    watched = address;
    watching = simt_self;
}

void trial_wrote(uintptr_t address, unsigned bytes, void *pc)
{
    if (watched - address < bytes && !later.pc)
        later = (struct trial_write){pc, simt_self->block->index, simt_self->index,
                                     simt_self == watching};
}

static uint64_t sum_of_text(void)
{
    char text[4096];
    uint64_t sum = 0;
    ssize_t count;
    fflush(stdout);
    for (off_t at = 0; (count = pread(printed, text, sizeof text, at)) > 0; at += count)
        sum = devices_sum(sum, text, (size_t)count);
    return sum;
}

void trial_end_of_launch(bool whole)
{
    if (trial_role == TRIAL_NONE) {
        for (unsigned i = 0; i < finding_count; i++)
            findings[i].within_this_launch = false;
        return;
    }
    trial_restore();
    if (!whole)
        give_up();
    trial_end(devices_sum_of_variables(allocation_sum(0)), sum_of_text());
}

static pid_t make_copy(enum trial role, int ends[2])
{
    if (pipe(ends) != 0)
        return -1;
    pid_t child = fork();
    if (child != 0) {
        close(ends[1]);
        return child;
    }
    close(ends[0]);
    trial_role = role;
    trial_begins();
    answer = ends[1];
    printed = memfd_create("printed", 0);
    int nowhere = open("/dev/null", O_WRONLY);
    if (printed < 0 || nowhere < 0 || dup2(printed, 1) < 0 || dup2(nowhere, 2) < 0)
        give_up();
    fault_in_trial = give_up;
    return 0;
}

/* ---- the program itself ---- */

static struct trial_result wait_for(pid_t child, int end, time_t until)
{
    struct pollfd p = {end, POLLIN, 0};
    struct trial_result result = {0}, none = {0};
    ssize_t got = 0;
    while (child > 0) {
        time_t left = until - time(NULL);
        int ready = poll(&p, 1, left > 0 ? (int)left * 1000 : 0);
        if (ready < 0 && errno == EINTR)
            continue;
        got = ready > 0 ? read(end, &result, sizeof result) : 0;
        break;
    }
    if (child > 0) {
        kill(child, SIGKILL);
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
            ;
        close(end);
    }
    return got == sizeof result ? result : none;
}

bool trial_copies(const void *pc, const void *other, bool (*enough)(const struct trial_result *),
                  struct trial_result results[2])
{
    fflush(stdout);
    int ends[2][2];
    pid_t children[2];
    for (int i = 0; i < 2; i++) {
        children[i] = make_copy(i == 0 ? TRIAL_AS_IS : TRIAL_ALTERED, ends[i]);
        if (trial_role != TRIAL_NONE) {
            altered = pc;
            altered_other = other;
            return true;
        }
    }
    time_t until = time(NULL) + MOST_SECONDS;
    results[1] = wait_for(children[1], ends[1][0], until);
    results[0] = wait_for(children[0], ends[0][0], enough && enough(&results[1]) ? 0 : until);
    return false;
}

bool trial_are_same(const struct trial_result r[2])
{
    return r[0].whole && r[1].whole && r[0].memory == r[1].memory && r[0].text == r[1].text;
}

bool trial_same(const void *pc, const void *other)
{
    struct finding *f = find(pc, other, true);
    struct trial_result r[2];
    if (trial_role != TRIAL_NONE)
        return true;
    if (!f || simt_devices > 1 || (simt_strict && other))
        return false;
    if (!f->within_this_launch && f->trials < MOST_TRIALS && (f->trials == 0 || f->same)) {
        f->within_this_launch = true;
        f->trials++;
        if (trial_copies(pc, other, NULL, r))
            return true;
        f->ended = r[0].whole;
        f->same = trial_are_same(r);
        f->differs = f->ended && !f->same;
        f->later = r[0].later;
    }
    return f->same && !simt_strict;
}

bool trial_differs(const void *pc)
{
    const struct finding *f = find(pc, NULL, true);
    if (f && f->trials == 0)
        trial_same(pc, NULL);
    return trial_role == TRIAL_NONE && f && f->differs;
}

const struct trial_write *trial_later(const void *pc)
{
    const struct finding *f = find(pc, NULL, false);
    return f && (f->ended || f->later.pc) ? &f->later : NULL;
}

/* ---- other values ---- */

static struct {
    void *p;
    char before[8];
    unsigned bytes;
} lent;

bool trial_lends;

void trial_lend(void *p, uint64_t value, unsigned bytes)
{
    static unsigned count;
    if (trial_role != TRIAL_NONE && ++count > MOST_LENT) /* it waits for another value */
        give_up();
    trial_restore();
    trial_lends = true;
    lent.p = p;
    lent.bytes = bytes;
    memcpy(lent.before, p, bytes);
    memcpy(p, &value, bytes);
}

void trial_restore(void)
{
    if (lent.p)
        memcpy(lent.p, lent.before, lent.bytes);
    lent.p = NULL;
    trial_lends = false;
}

void trial_spoil(void *p, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        ((unsigned char *)p)[i] ^= 0xff;
}
