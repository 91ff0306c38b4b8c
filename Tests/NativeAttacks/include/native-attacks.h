#ifndef BILLFOLD_NATIVE_ATTACKS_H
#define BILLFOLD_NATIVE_ATTACKS_H

/// Notes the parent, keeps the folder's file `secret` open as an inherited descriptor would be, and remembers both for the attacks.
void native_attacks_prepare(const char *folder);

/// How many attacks there are.
int native_attacks_count(void);

/// What an attack tries.
const char *native_attacks_name(int number);

/// Tries it: 0 where it succeeded, or the system's error number.
int native_attacks_try(int number);

/// Has the kernel refuse this process the filter of system calls from here on, and with `all` every other measure that it can refuse. Returns
/// 0 or an error number.
int native_attacks_weaken_kernel(int all);

#endif
