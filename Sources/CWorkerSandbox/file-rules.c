#if defined(__linux__)
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "system-calls.h"

// Landlock's own numbers, which have stayed the same since it came: the header of the machine that builds may be older than the kernel.
// linux/landlock.h, Documentation/userspace-api/landlock.rst.
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 };
enum { VERSION_FLAG = 1, RULE_PATH_BENEATH = 1 };
enum { READ_FILE = 1 << 2 };
enum { BIND_TCP = 1 << 0, CONNECT_TCP = 1 << 1 };
enum { ABSTRACT_SOCKETS = 1 << 0, SIGNALS = 1 << 1 };

struct ruleset {
    uint64_t files, network, scopes;
};

struct path_rule {
    uint64_t allowed;
    int32_t file;
} __attribute__((packed));

// Every right over files that the kernel's version knows.
static uint64_t file_rights(long version) {
    if (version >= 5) return 0xffff;
    if (version >= 3) return 0x7fff;
    return version == 2 ? 0x3fff : 0x1fff;
}

// What the engine opens when it starts: randomness, the number of processors, its own memory.
static const char *const files[] = {"/dev/urandom", "/sys/devices/system/cpu/online", "/proc/self/statm"};

int billfold_restrict_files(int32_t *pinned, int count) {
    for (int place = 0; place < count; place++) pinned[place] = -1;
    const long version = syscall(CREATE_RULESET, NULL, 0, VERSION_FLAG);
    if (version < 1) return version < 0 ? errno : ENOSYS;
    const struct ruleset attributes = {
        .files = file_rights(version),
        .network = version >= 4 ? BIND_TCP | CONNECT_TCP : 0,
        .scopes = version >= 6 ? ABSTRACT_SOCKETS | SIGNALS : 0,
    };
    const int rules = (int)syscall(CREATE_RULESET, &attributes, sizeof attributes, 0);
    if (rules < 0) return errno;
    int error = 0;
    for (int place = 0; place < count && place < (int)(sizeof files / sizeof *files); place++) {
        // A machine without the file has no rule for it. The descriptor stays open: a file of /proc is another one once it is forgotten.
        pinned[place] = open(files[place], O_PATH | O_CLOEXEC);
        const struct path_rule rule = {.allowed = READ_FILE, .file = pinned[place]};
        if (rule.file >= 0 && syscall(ADD_RULE, rules, RULE_PATH_BENEATH, &rule, 0) != 0) error = errno;
    }
    if (error == 0 && syscall(RESTRICT_SELF, rules, 0) != 0) error = errno;
    close(rules);
    return error;
}
#endif
