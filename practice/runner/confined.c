/* confined.c: becomes a submission's program, which may ask little of the kernel from here on: open
   files for reading only, start no process by fork(), signal none. The simulator starts addr2line
   by posix_spawn(); that is confined, too. confined FILE PROGRAM: the program finds the open file
   FILE, a number, as CHANNEL */
#include "runner.h"

#include <cuda_runtime_api.h> /* SIMT_SIMULATOR */
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

/* The address sanitizer looks for leaks with ptrace(). */
#if defined SIMT_SIMULATOR && defined ARCHITECTURE && !defined __SANITIZE_ADDRESS__
/* A call that is refused: where (argument & mask) == value, or != value. Mask 0 is always. */
struct rule {
    unsigned call, argument;
    enum { EQUAL, UNEQUAL } where;
    uint32_t mask, value;
    int error; /* 0: EPERM */
};

/* Opened without these, a file cannot be mapped to be written, emptied or made; and a write into it
   fails by the limit on its size. */
enum { CHANGES = O_RDWR | O_CREAT | O_TRUNC };

static void refuse_calls(void)
{
    uint32_t self = (uint32_t)getpid();
    const struct rule rules[] = {
        /* other processes */
        {SYS_kill, 0, UNEQUAL, ~0u, self, 0},
        {SYS_tgkill, 0, UNEQUAL, ~0u, self, 0},
        {.call = SYS_tkill},
        {.call = SYS_rt_sigqueueinfo},
        {.call = SYS_rt_tgsigqueueinfo},
        {.call = SYS_pidfd_open},
        {.call = SYS_pidfd_getfd},
        {.call = SYS_pidfd_send_signal},
        {.call = SYS_ptrace},
        {.call = SYS_process_vm_readv},
        {.call = SYS_process_vm_writev},
        {SYS_prlimit64, 0, UNEQUAL, ~0u, 0, 0},
        {.call = SYS_socket},
        {SYS_ioctl, 1, EQUAL, ~0u, TIOCSTI, 0}, /* types on the terminal */
        /* files */
        {SYS_openat, 2, UNEQUAL, CHANGES, 0, 0},
        {.call = SYS_openat2, .error = ENOSYS},
        {.call = SYS_io_uring_setup, .error = ENOSYS},
        {.call = SYS_open_by_handle_at},
        {.call = SYS_truncate},
        {.call = SYS_ftruncate},
        {.call = SYS_fallocate},
        {.call = SYS_renameat},
        {.call = SYS_renameat2},
        {.call = SYS_linkat},
        {.call = SYS_symlinkat},
        {.call = SYS_unlinkat},
        {.call = SYS_mkdirat},
        {.call = SYS_mknodat},
        {.call = SYS_fchmodat},
        {.call = SYS_fchownat},
        {.call = SYS_utimensat},
        {.call = SYS_fchmod},
        {.call = SYS_fchown},
        {.call = SYS_mount},
        {.call = SYS_umount2},
        {.call = SYS_chroot},
#ifdef __x86_64__ /* the older names of the same */
        {SYS_open, 1, UNEQUAL, CHANGES, 0, 0},
        {.call = SYS_creat},
        {.call = SYS_rename},
        {.call = SYS_link},
        {.call = SYS_symlink},
        {.call = SYS_unlink},
        {.call = SYS_mkdir},
        {.call = SYS_rmdir},
        {.call = SYS_mknod},
        {.call = SYS_chmod},
        {.call = SYS_chown},
        {.call = SYS_lchown},
        {.call = SYS_utime},
        {.call = SYS_utimes},
        {.call = SYS_futimesat},
#endif
    };
    enum { RULES = sizeof rules / sizeof *rules, X32 = 0x40000000 };
    struct sock_filter filter[6 * RULES + 7];
    unsigned short used = 0;
#define ADD(...)                         filter[used++] = (struct sock_filter)__VA_ARGS__
#define LOAD(WHAT)                       ADD(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)(WHAT)))
#define SKIP_IF(TEST, VALUE, THEN, ELSE) ADD(BPF_JUMP(BPF_JMP | TEST | BPF_K, VALUE, THEN, ELSE))
#define RETURN(WHAT)                     ADD(BPF_STMT(BPF_RET | BPF_K, (uint32_t)(WHAT)))
    LOAD(offsetof(struct seccomp_data, arch));
    SKIP_IF(BPF_JEQ, ARCHITECTURE, 1, 0);
    RETURN(SECCOMP_RET_KILL_PROCESS);
    LOAD(offsetof(struct seccomp_data, nr));
    SKIP_IF(BPF_JGE, X32, 0, 1);
    RETURN(SECCOMP_RET_ERRNO | ENOSYS);
    for (size_t i = 0; i < RULES; i++) {
        const struct rule *r = &rules[i];
        LOAD(offsetof(struct seccomp_data, nr));
        SKIP_IF(BPF_JEQ, r->call, 0, 4);
        LOAD(offsetof(struct seccomp_data, args) + r->argument * sizeof(uint64_t)); /* lower half */
        ADD(BPF_STMT(BPF_ALU | BPF_AND | BPF_K, r->mask));
        SKIP_IF(BPF_JEQ, r->value, r->where == UNEQUAL, r->where == EQUAL);
        RETURN(SECCOMP_RET_ERRNO | (unsigned)(r->error ? r->error : EPERM));
    }
    RETURN(SECCOMP_RET_ALLOW);
    struct sock_fprog program = {used, filter};
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static void confine(void)
{
    /* What root could do in spite of the rest. */
    static const int powers[] = {CAP_SYS_RESOURCE, CAP_SYS_PTRACE, CAP_SYS_ADMIN, CAP_KILL};
    for (size_t i = 0; i < sizeof powers / sizeof *powers; i++)
        prctl(PR_CAPBSET_DROP, powers[i], 0, 0, 0);
    signal(SIGXFSZ, SIG_IGN); /* a write that fails is an error, as on a full disk */
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){0, 0});
    /* Where the kernel has no such filter, all goes on without (docs/courses.md). */
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
        refuse_calls();
}

#else

static void confine(void)
{
}

#endif

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
