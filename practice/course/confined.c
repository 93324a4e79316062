/*
 * confined.c: becomes a submission's program, confined as an exercise's is (judge/confine.c).
 *   confined FILE PROGRAM      the program finds the open file FILE, a number, as CHANNEL
 * Beyond that it starts no process by fork(): the simulator needs none but addr2line, which
 * posix_spawn() starts.
 */
#include "judge/judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <errno.h>

#ifdef __linux__
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>

/* A fork copies memory: it has no CLONE_VM. Of clone3() a filter cannot see the flags; told that it
   is not there, the C library takes clone(). */
static void refuse_forks(void)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
#ifdef SYS_fork
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fork, 5, 0),
#else
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 4, 0),
#endif
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 3, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 4),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_VM, 2, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EAGAIN),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}
#endif

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "confined: the number of an open file and a program are needed\n");
        return 2;
    }
    int channel = atoi(argv[1]);
    if (channel != CHANNEL)
        dup2(channel, CHANNEL);
    close_range(CHANNEL + 1, ~0u, 0);
    prctl(PR_SET_PDEATHSIG, 9);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    confine();
    refuse_forks();
    execl(argv[2], argv[2], (char *)NULL);
    fprintf(stderr, "confined: cannot start %s: %s\n", argv[2], strerror(errno));
    return 127;
}
