// Overwrites memory before the allocator gets it back.
//
// A card number passes through buffers of libraries: the HTTP client's, the JSON reader's, strings. None of them can be told to
// overwrite what they let go of, and it would stay in the heap, and in a core dump, until chance overwrites it. So the program that
// links this has a `free`, a `realloc` and what else gives back of its own, which every library of the process is bound to.

#define _GNU_SOURCE
#include "wipe-on-free.h"

#include <stddef.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_SANITIZED 1
#endif
#endif

#if defined(__linux__)
#include <features.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#endif

#if defined(__GLIBC__) && !defined(IS_SANITIZED)
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

// The allocator's own, under the name that it has beside the standard one: mimalloc, which the program is linked with, has it as glibc has, so
// that whichever gave a block out gets it back.
extern void __libc_free(void *);

void free(void *block) {
    if (block == NULL) return;
    memset(block, 0, malloc_usable_size(block));
    // The compiler has to believe that somebody reads the zeros, as explicit_bzero makes it do by one more call for each block.
    __asm__ volatile("" : : "r"(block) : "memory");
    __libc_free(block);
}

// Moves the block unless it fits and is no waste: the allocator's own leaves a copy behind where it moves.
void *realloc(void *block, size_t size) {
    if (block == NULL) return malloc(size);
    if (size == 0) {
        free(block);
        return NULL;
    }
    const size_t held = malloc_usable_size(block);
    if (size <= held && size >= held / 2) return block;
    void *moved = malloc(size);
    if (moved == NULL) return NULL;
    memcpy(moved, block, size < held ? size : held);
    free(block);
    return moved;
}

// mimalloc's own moves without a word to the one above.
void *reallocarray(void *block, size_t count, size_t size) {
    size_t whole;
    if (__builtin_mul_overflow(count, size, &whole)) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(block, whole);
}

// What C++ gives back: the allocator has these operators too, and which library is asked first is a matter of the linker's order.
// `delete` and `delete[]`; with a size; with an alignment; with both.
void _ZdlPv(void *block) { free(block); }
void _ZdaPv(void *block) { free(block); }
void _ZdlPvm(void *block, size_t size) { (void)size, free(block); }
void _ZdaPvm(void *block, size_t size) { (void)size, free(block); }
void _ZdlPvSt11align_val_t(void *block, size_t alignment) { (void)alignment, free(block); }
void _ZdaPvSt11align_val_t(void *block, size_t alignment) { (void)alignment, free(block); }
void _ZdlPvmSt11align_val_t(void *block, size_t size, size_t alignment) { (void)size, (void)alignment, free(block); }
void _ZdaPvmSt11align_val_t(void *block, size_t size, size_t alignment) { (void)size, (void)alignment, free(block); }
#endif

bool billfold_refuse_core_dumps(void) {
#if defined(__linux__)
    const struct rlimit none = {0, 0};
    return setrlimit(RLIMIT_CORE, &none) == 0 && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0;
#else
    return false;
#endif
}
