#if defined(__linux__)
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "system-calls.h"

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__) && defined(__AARCH64EL__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef ARCHITECTURE
// What threads, memory, clocks and descriptors that are open already need. None of these takes a path, reaches another process, or makes a
// descriptor of anything but a counter, by which the engine's threads wake each other.
static const int allowed[] = {
    SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_pread64, SYS_lseek, SYS_close, SYS_recvfrom, SYS_sendto, SYS_fstat,
    SYS_mmap, SYS_munmap, SYS_mprotect, SYS_mremap, SYS_madvise, SYS_mincore, SYS_brk, SYS_membarrier,
    SYS_futex, SYS_set_robust_list, SYS_sched_yield, SYS_sched_getaffinity, SYS_sched_getparam, SYS_sched_getscheduler,
    SYS_sched_get_priority_max, SYS_sched_get_priority_min, SYS_getcpu, SYS_gettid, SYS_getpid, SYS_exit, SYS_exit_group,
    SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_rt_sigsuspend, SYS_rt_sigtimedwait, SYS_sigaltstack, SYS_restart_syscall,
    SYS_clock_gettime, SYS_clock_getres, SYS_clock_nanosleep, SYS_nanosleep, SYS_gettimeofday, SYS_getrusage, SYS_times,
    SYS_getrandom, SYS_sysinfo, SYS_uname, SYS_eventfd2, SYS_ppoll,
#ifdef SYS_poll
    SYS_poll,
#endif
#ifdef SYS_rseq
    SYS_rseq,
#endif
#ifdef SYS_time
    SYS_time,
#endif
};

// A call that is allowed with one value of one argument. The kernel itself reads no more than the lower half of these.
struct checked {
    int call;
    int argument;
    uint32_t value;
};

// How the C library starts a thread: memory, files and signal handlers are the process's own, and no namespace is new.
static const uint32_t new_thread = 0x003d0f00;

enum { MOST = 2 * sizeof allowed / sizeof *allowed + 64 };

struct program {
    struct sock_filter steps[MOST];
    unsigned short count;
};

static void step(struct program *program, struct sock_filter next) {
    if (program->count < MOST) program->steps[program->count++] = next;
}

static void load(struct program *program, size_t place) {
    step(program, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)place));
}

static void answer(struct program *program, uint32_t action) {
    step(program, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action));
}

// Goes past `skipped` steps unless what was loaded is the value.
static void unless(struct program *program, uint32_t value, unsigned char skipped) {
    step(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skipped));
}

static void build(struct program *program) {
    const uint32_t refused = SECCOMP_RET_ERRNO | EPERM;
    const struct checked checked[] = {
        {SYS_clone, 0, new_thread},
        // To threads of this process, as the engine does to look at their stacks.
        {SYS_tgkill, 0, (uint32_t)getpid()},
        {SYS_prctl, 0, PR_SET_NAME},
        // Of this process.
        {SYS_prlimit64, 0, 0},
        {SYS_fcntl, 1, F_GETFL},
    };
    load(program, offsetof(struct seccomp_data, arch));
    unless(program, ARCHITECTURE, 1);
    step(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JA, 1, 0, 0));
    answer(program, SECCOMP_RET_KILL_PROCESS);
    load(program, offsetof(struct seccomp_data, nr));
    for (size_t place = 0; place < sizeof checked / sizeof *checked; place++) {
        unless(program, (uint32_t)checked[place].call, 4);
        load(program, offsetof(struct seccomp_data, args) + sizeof(uint64_t) * (size_t)checked[place].argument);
        unless(program, checked[place].value, 1);
        answer(program, SECCOMP_RET_ALLOW);
        answer(program, refused);
    }
    for (size_t place = 0; place < sizeof allowed / sizeof *allowed; place++) {
        unless(program, (uint32_t)allowed[place], 1);
        answer(program, SECCOMP_RET_ALLOW);
    }
    // Its flags lie in memory, where no filter sees them; the C library then takes the older call.
#ifdef SYS_clone3
    unless(program, SYS_clone3, 1);
    answer(program, SECCOMP_RET_ERRNO | ENOSYS);
#endif
    answer(program, refused);
}

int billfold_filter_calls(void) {
    struct program program = {.count = 0};
    build(&program);
    const struct sock_fprog filter = {.len = program.count, .filter = program.steps};
    const long refused = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter);
    if (refused == 0) return 0;
    // A positive answer names a thread that could not follow.
    return refused > 0 ? EBUSY : errno;
}
#else
int billfold_filter_calls(void) { return ENOSYS; }
#endif
#endif
