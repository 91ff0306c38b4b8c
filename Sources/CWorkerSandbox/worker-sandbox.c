// Has a process give up what it will not need, so that code which got the better of it finds nothing to use.
//
// Every measure stands by itself: where the kernel has one switched off, the others still hold, and the caller is told.

#define _GNU_SOURCE
#include "worker-sandbox.h"

#include <string.h>

#if defined(__linux__)
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "system-calls.h"

static void tell(struct billfold_sandbox *sandbox, enum billfold_measure measure, int error) {
    if (error == 0) sandbox->holds |= 1u << measure;
    sandbox->refusals[measure] = error;
}

// Standard input, output and error stay.
static int close_descriptors(void) {
#ifdef SYS_close_range
    if (syscall(SYS_close_range, 3u, ~0u, 0u) == 0) return 0;
#endif
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return errno;
    // A descriptor may be above a limit that was lowered since; no more than this many are looked for.
    const int most = limit.rlim_max > 1048576 ? 1048576 : (int)limit.rlim_max;
    for (int descriptor = 3; descriptor < most; descriptor++) close(descriptor);
    return 0;
}

static int has_capability(int capability) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[2];
    memset(data, 0, sizeof data);
    if (syscall(SYS_capget, &header, data) != 0) return 0;
    return (data[capability / 32].effective >> (capability % 32)) & 1;
}

static int drop_capabilities(void) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[2];
    memset(data, 0, sizeof data);
    return syscall(SYS_capset, &header, data) == 0 ? 0 : errno;
}

// A user that no file and no other process belongs to: numbers from 0x70000000 on are nobody's by the table of systemd's documentation
// (UIDS-GIDS). Only where the parent keeps the right to end this process, which an equal user gave it.
static int become_nobody(void) {
    if (!has_capability(CAP_SETUID) || !has_capability(CAP_SETGID) || !has_capability(CAP_KILL)) return EPERM;
    const uid_t users[] = {0x70000000u + (uid_t)getpid(), 65534};
    if (setgroups(0, NULL) != 0) return errno;
    for (unsigned place = 0; place < sizeof users / sizeof *users; place++) {
        const gid_t group = users[place];
        if (setresgid(group, group, group) != 0) continue;
        if (setresuid(users[place], users[place], users[place]) == 0) return 0;
    }
    return EINVAL;
}

static void take_user_and_network(struct billfold_sandbox *sandbox) {
    const int others = CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS;
    int user = EPERM;
    int network = EPERM;
    if (geteuid() == 0) {
        network = unshare(others) == 0 ? 0 : errno;
        user = become_nobody();
    }
    // A namespace of users gives every capability over what is made with it, so it comes first, and they are dropped at once.
    if (user != 0 || network != 0) {
        if (unshare(CLONE_NEWUSER | (network == 0 ? 0 : others)) == 0) {
            user = network = 0;
        } else {
            if (user != 0) user = errno;
            if (network != 0) network = errno;
        }
    }
    const int dropped = drop_capabilities();
    tell(sandbox, BILLFOLD_OWN_USER, user != 0 ? user : dropped);
    tell(sandbox, BILLFOLD_OWN_NETWORK, network);
}

void billfold_sandbox_enter(struct billfold_sandbox *sandbox) {
    memset(sandbox, 0, sizeof *sandbox);
    sandbox->refusals[BILLFOLD_CALL_FILTER] = ENOSYS;
    tell(sandbox, BILLFOLD_NO_NEW_PRIVILEGES, prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? 0 : errno);
    tell(sandbox, BILLFOLD_CLOSED_DESCRIPTORS, close_descriptors());
    // Nothing that the host stands in is kept from being removed.
    (void)chdir("/");
    // The C library keeps the rules of the time zone; it could not read them later.
    tzset();
    sandbox->status = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    take_user_and_network(sandbox);
    // Nobody of the same user looks into it, and no core is written.
    (void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    tell(sandbox, BILLFOLD_FILE_RULES, billfold_restrict_files(sandbox->pinned, 3));
}

void billfold_sandbox_close(struct billfold_sandbox *sandbox) {
    for (int place = 0; place < 3; place++) {
        if (sandbox->pinned[place] >= 0) close(sandbox->pinned[place]);
        sandbox->pinned[place] = -1;
    }
    tell(sandbox, BILLFOLD_CALL_FILTER, billfold_filter_calls());
}
#else
#include <errno.h>

// Elsewhere nothing is taken, and every measure says so.
void billfold_sandbox_enter(struct billfold_sandbox *sandbox) {
    memset(sandbox, 0, sizeof *sandbox);
    sandbox->status = -1;
    for (int measure = 0; measure < BILLFOLD_MEASURES; measure++) sandbox->refusals[measure] = ENOSYS;
    for (int place = 0; place < 3; place++) sandbox->pinned[place] = -1;
}

void billfold_sandbox_close(struct billfold_sandbox *sandbox) { (void)sandbox; }
#endif
