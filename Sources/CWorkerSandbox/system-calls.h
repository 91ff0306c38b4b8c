#ifndef BILLFOLD_SYSTEM_CALLS_H
#define BILLFOLD_SYSTEM_CALLS_H

#include <stdint.h>

/// Leaves this thread and those that it starts no file to open but the few that a script's engine reads at its start, no TCP port, and no
/// signal and no abstract socket of a process outside (Landlock). Writes the descriptors that pin these files, or -1. Returns 0 or an error
/// number.
int billfold_restrict_files(int32_t *pinned, int count);

/// Leaves all threads the system calls that an engine with its files open needs (seccomp). Returns 0 or an error number.
int billfold_filter_calls(void);

#endif
