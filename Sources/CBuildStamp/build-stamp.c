#include "build-stamp.h"

// scripts/swift writes it before each build, and git does not keep it. Only this file and the linker have work when it changes.
#if __has_include("commit.h")
#include "commit.h"
#else
#define BILLFOLD_COMMIT ""
#endif

const char *billfold_commit(void) { return BILLFOLD_COMMIT; }
