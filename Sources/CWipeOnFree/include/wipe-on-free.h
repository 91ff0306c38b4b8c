#ifndef BILLFOLD_WIPE_ON_FREE_H
#define BILLFOLD_WIPE_ON_FREE_H

#include <stdbool.h>

/// Has the system write no core dump of this process, and lets nobody but root look into its memory. Returns false where it cannot.
bool billfold_refuse_core_dumps(void);

#endif
