#ifndef BILLFOLD_WORKER_SANDBOX_H
#define BILLFOLD_WORKER_SANDBOX_H

#include <stdint.h>

/// What a process can take from itself, in the order of the bits and of `refusals`.
enum billfold_measure {
    BILLFOLD_NO_NEW_PRIVILEGES,
    BILLFOLD_CLOSED_DESCRIPTORS,
    BILLFOLD_OWN_USER,
    BILLFOLD_OWN_NETWORK,
    BILLFOLD_FILE_RULES,
    BILLFOLD_CALL_FILTER,
    BILLFOLD_MEASURES
};

struct billfold_sandbox {
    /// A bit for each measure that holds.
    uint32_t holds;
    /// The system's error number for each measure that does not.
    int32_t refusals[BILLFOLD_MEASURES];
    /// `/proc/self/status`, open for reading, or -1.
    int32_t status;
    /// Keep the files that the rules name in the kernel's memory; see ``billfold_sandbox_close``.
    int32_t pinned[3];
};

/// Takes everything but the system calls: privileges, descriptors above 2, user, network, files. To be called by a process of one thread,
/// because most of it is a thread's own and is inherited by those that it starts.
void billfold_sandbox_enter(struct billfold_sandbox *sandbox);

/// Takes the system calls from every thread of the process, for good: none is left that opens, connects, or starts or reaches a process. Closes
/// what `pinned` holds. Whatever needs a file has to be started before.
void billfold_sandbox_close(struct billfold_sandbox *sandbox);

#endif
