#ifndef BILLFOLD_BUILD_STAMP_H
#define BILLFOLD_BUILD_STAMP_H

/// The commit that the program was built from, with "+changes" behind it where files differed from it; empty where nobody said.
const char *billfold_commit(void);

#endif
