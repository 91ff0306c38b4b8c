// What native code in a process would try first. Each attempt is a system call made without the C library's help.

#define _GNU_SOURCE
#include "native-attacks.h"

#include <errno.h>

#if defined(__linux__)
#include <fcntl.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

static char home[PATH_MAX];
static char secret[PATH_MAX];
static char fresh[PATH_MAX];
static pid_t parent;
// Above what the engine opens itself.
static const int inherited = 700;

void native_attacks_prepare(const char *folder) {
    snprintf(home, sizeof home, "%s", folder);
    snprintf(secret, sizeof secret, "%s/secret", folder);
    snprintf(fresh, sizeof fresh, "%s/fresh", folder);
    parent = getppid();
    const int opened = open(secret, O_RDONLY);
    if (opened >= 0) {
        dup2(opened, inherited);
        close(opened);
    }
}

static int result(long answer) { return answer < 0 ? errno : 0; }

static int socket_of(int family, int kind) { return result(syscall(SYS_socket, family, kind, 0)); }
static int unix_socket(void) { return socket_of(AF_UNIX, SOCK_STREAM); }
static int internet_socket(void) { return socket_of(AF_INET, SOCK_STREAM); }
static int internet_datagram(void) { return socket_of(AF_INET, SOCK_DGRAM); }
static int internet6_socket(void) { return socket_of(AF_INET6, SOCK_STREAM); }
static int netlink_socket(void) { return socket_of(AF_NETLINK, SOCK_RAW); }
static int packet_socket(void) { return socket_of(AF_PACKET, SOCK_RAW); }
static int machine_socket(void) { return socket_of(AF_VSOCK, SOCK_STREAM); }
static int cipher_socket(void) { return socket_of(AF_ALG, SOCK_SEQPACKET); }

static int pair_of_sockets(void) {
    int ends[2];
    return result(syscall(SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, ends));
}

static struct sockaddr_in loopback(void) {
    struct sockaddr_in address;
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_port = htons(22);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

static int connection_to_loopback(void) {
    const long made = syscall(SYS_socket, AF_INET, SOCK_STREAM, 0);
    const struct sockaddr_in address = loopback();
    return made < 0 ? errno : result(syscall(SYS_connect, made, &address, sizeof address));
}

static int connection_of_the_only_socket(void) {
    const struct sockaddr_in address = loopback();
    return result(syscall(SYS_connect, 0, &address, sizeof address));
}

static int name_for_the_only_socket(void) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    return result(syscall(SYS_bind, 0, &address, sizeof address.sun_family));
}

static int descriptor_to_the_host(void) {
    struct iovec text = {.iov_base = secret, .iov_len = 0};
    struct msghdr message = {.msg_iov = &text, .msg_iovlen = 1};
    return result(syscall(SYS_sendmsg, 0, &message, MSG_NOSIGNAL));
}

static int password_file(void) { return result(syscall(SYS_openat, AT_FDCWD, "/etc/passwd", O_RDONLY)); }
static int secret_file(void) { return result(syscall(SYS_openat, AT_FDCWD, secret, O_RDONLY)); }
static int path_of_secret(void) { return result(syscall(SYS_openat, AT_FDCWD, secret, O_PATH)); }
static int new_file(void) { return result(syscall(SYS_openat, AT_FDCWD, fresh, O_WRONLY | O_CREAT, 0600)); }
static int new_folder(void) { return result(syscall(SYS_mkdirat, AT_FDCWD, fresh, 0700)); }
static int new_link(void) { return result(syscall(SYS_symlinkat, secret, AT_FDCWD, fresh)); }
static int removed_file(void) { return result(syscall(SYS_unlinkat, AT_FDCWD, secret, 0)); }
static int renamed_file(void) { return result(syscall(SYS_renameat2, AT_FDCWD, secret, AT_FDCWD, fresh, 0)); }
static int mode_of_secret(void) { return result(syscall(SYS_fchmodat, AT_FDCWD, secret, 0666)); }
static int cut_file(void) { return result(syscall(SYS_truncate, secret, 0L)); }
static int root_folder(void) { return result(syscall(SYS_chroot, "/")); }
static int changed_folder(void) { return result(syscall(SYS_chdir, "/etc")); }
static int mounted_folder(void) { return result(syscall(SYS_mount, "none", home, "tmpfs", 0UL, NULL)); }
static int memory_file(void) { return result(syscall(SYS_memfd_create, "x", 0)); }
static int watched_files(void) { return result(syscall(SYS_inotify_init1, 0)); }

static int size_of_secret(void) {
    struct stat found;
    return result(syscall(SYS_newfstatat, AT_FDCWD, secret, &found, 0));
}

static int target_of_link(void) {
    char path[64];
    return result(syscall(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", path, sizeof path));
}

static int inherited_descriptor(void) {
    char byte;
    return result(syscall(SYS_pread64, inherited, &byte, 1, 0L));
}

static int parents_file(const char *name) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", parent, name);
    return result(syscall(SYS_openat, AT_FDCWD, path, O_RDONLY));
}
static int parents_memory(void) { return parents_file("mem"); }
static int parents_environment(void) { return parents_file("environ"); }

static int copy_of_parents_memory(void) {
    char byte;
    struct iovec here = {.iov_base = &byte, .iov_len = 1};
    struct iovec there = {.iov_base = &parent, .iov_len = 1};
    return result(syscall(SYS_process_vm_readv, parent, &here, 1UL, &there, 1UL, 0UL));
}

// A running process does nothing on this signal.
static int signal_to_parent(void) { return result(syscall(SYS_kill, parent, SIGCONT)); }
static int signal_to_parents_thread(void) { return result(syscall(SYS_tgkill, parent, parent, SIGCONT)); }
static int signal_to_everybody(void) { return result(syscall(SYS_kill, -1, SIGCONT)); }
static int traced_parent(void) { return result(syscall(SYS_ptrace, PTRACE_SEIZE, parent, NULL, NULL)); }
static int handle_of_parent(void) { return result(syscall(SYS_pidfd_open, parent, 0)); }
static int owner_of_signals(void) { return result(syscall(SYS_fcntl, 0, F_SETOWN, parent)); }

static int limits_of_parent(void) {
    struct rlimit found;
    return result(syscall(SYS_prlimit64, parent, RLIMIT_NOFILE, NULL, &found));
}

static int new_process(void) {
    const long child = syscall(SYS_clone, (unsigned long)SIGCHLD, NULL, NULL, NULL, NULL);
    if (child == 0) _exit(0);
    return result(child);
}

static int new_process_by_structure(void) {
    unsigned long long arguments[8] = {0};
    arguments[4] = SIGCHLD;
    const long child = syscall(SYS_clone3, arguments, sizeof arguments);
    if (child == 0) _exit(0);
    return result(child);
}

static int another_program(void) {
    char *const arguments[] = {"true", NULL};
    char *const environment[] = {NULL};
    return result(syscall(SYS_execve, "/bin/true", arguments, environment));
}

static int root_user(void) { return result(syscall(SYS_setresuid, 0, 0, 0)); }
static int new_namespace(void) { return result(syscall(SYS_unshare, CLONE_NEWUSER)); }
static int readable_memory(void) { return result(syscall(SYS_prctl, PR_SET_DUMPABLE, 1UL, 0UL, 0UL, 0UL)); }
static int kernel_program(void) { return result(syscall(SYS_bpf, 0, NULL, 0)); }
static int performance_events(void) { return result(syscall(SYS_perf_event_open, NULL, 0, -1, -1, 0UL)); }
static int kernel_keys(void) { return result(syscall(SYS_keyctl, 0, -3, 1)); }
static int page_faults(void) { return result(syscall(SYS_userfaultfd, 0)); }
static int shared_memory(void) { return result(syscall(SYS_shmget, 0, 4096UL, 0600)); }
static int device_command(void) { return result(syscall(SYS_ioctl, 0, 0x5412, secret)); }

static int ring_of_calls(void) {
    char parameters[120] = {0};
    return result(syscall(SYS_io_uring_setup, 1, parameters));
}

static const struct {
    const char *name;
    int (*attempt)(void);
} attacks[] = {
    {"socket AF_UNIX", unix_socket},
    {"socket AF_INET", internet_socket},
    {"socket AF_INET datagram", internet_datagram},
    {"socket AF_INET6", internet6_socket},
    {"socket AF_NETLINK", netlink_socket},
    {"socket AF_PACKET", packet_socket},
    {"socket AF_VSOCK", machine_socket},
    {"socket AF_ALG", cipher_socket},
    {"socketpair", pair_of_sockets},
    {"connect to loopback", connection_to_loopback},
    {"connect descriptor 0", connection_of_the_only_socket},
    {"bind descriptor 0", name_for_the_only_socket},
    {"sendmsg on descriptor 0", descriptor_to_the_host},
    {"open /etc/passwd", password_file},
    {"open the secret", secret_file},
    {"open the secret's path", path_of_secret},
    {"create a file", new_file},
    {"make a folder", new_folder},
    {"make a link", new_link},
    {"rename the secret", renamed_file},
    {"unlink the secret", removed_file},
    {"chmod the secret", mode_of_secret},
    {"truncate the secret", cut_file},
    {"stat the secret", size_of_secret},
    {"read a link", target_of_link},
    {"chroot", root_folder},
    {"chdir", changed_folder},
    {"mount", mounted_folder},
    {"memfd_create", memory_file},
    {"inotify_init", watched_files},
    {"read an inherited descriptor", inherited_descriptor},
    {"open the parent's memory", parents_memory},
    {"open the parent's environment", parents_environment},
    {"copy the parent's memory", copy_of_parents_memory},
    {"signal the parent", signal_to_parent},
    {"signal the parent's thread", signal_to_parents_thread},
    {"signal everybody", signal_to_everybody},
    {"trace the parent", traced_parent},
    {"pidfd_open the parent", handle_of_parent},
    {"own signals to the parent", owner_of_signals},
    {"limits of the parent", limits_of_parent},
    {"become root", root_user},
    {"new namespace of users", new_namespace},
    {"be dumpable", readable_memory},
    {"bpf", kernel_program},
    {"perf_event_open", performance_events},
    {"keyctl", kernel_keys},
    {"userfaultfd", page_faults},
    {"shmget", shared_memory},
    {"ioctl", device_command},
    {"io_uring_setup", ring_of_calls},
    {"fork", new_process},
    {"fork by clone3", new_process_by_structure},
    {"execute a program", another_program},
};

int native_attacks_count(void) { return (int)(sizeof attacks / sizeof *attacks); }
const char *native_attacks_name(int number) { return attacks[number].name; }
int native_attacks_try(int number) { return attacks[number].attempt(); }

int native_attacks_weaken_kernel(int all) {
    // seccomp, landlock_create_ruleset; unshare; setresuid.
    const int calls[] = {SYS_seccomp, 444, SYS_unshare, SYS_setresuid};
    const int count = all ? 4 : 1;
    struct sock_filter steps[16];
    unsigned short length = 0;
    steps[length++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (int place = 0; place < count; place++) {
        steps[length++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)calls[place], 0, 1);
        steps[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS);
    }
    steps[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    const struct sock_fprog filter = {.len = length, .filter = steps};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
    return result(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter));
}
#else
void native_attacks_prepare(const char *folder) { (void)folder; }
int native_attacks_count(void) { return 0; }
const char *native_attacks_name(int number) { return number ? "" : 0; }
int native_attacks_try(int number) { return number ? ENOSYS : 0; }
int native_attacks_weaken_kernel(int all) { return all ? ENOSYS : 0; }
#endif
