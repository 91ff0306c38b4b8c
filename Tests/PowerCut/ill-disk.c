/*
 * A disk that falls ill and is mended while a program runs. Preloaded into a process, this fails calls on files below
 * BILLFOLD_ILL_FOLDER for as long as the file BILLFOLD_ILL_SWITCH exists, as the word in it says:
 *
 *   full       nothing more can be written: ENOSPC
 *   log-full   the same for what lies beyond a million bytes in a write-ahead log: a log that has used up the room
 *   sync       a sync fails once written pages are lost: EIO
 *   broken     neither writes nor syncs: EIO
 *   read-only  the file system takes no change: EROFS
 *
 * After a sync that failed, Linux forgets the pages it could not write and calls the next sync of the descriptor a success. Such a
 * sync is let through, and leaves the file BILLFOLD_ILL_SWITCH with `.believed` behind its name: a store must not go on so.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { limit_of_log = 1000000, most_descriptors = 4096 };

static char has_failed[most_descriptors];

/* Writes the word in the switch; 0 when the disk is well. */
static int illness(char *word, size_t size) {
    static ssize_t (*next_read)(int, void *, size_t);
    const char *name = getenv("BILLFOLD_ILL_SWITCH");
    if (!name || access(name, F_OK) != 0) return 0;
    int descriptor = open(name, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return 0;
    if (!next_read) next_read = dlsym(RTLD_NEXT, "read");
    ssize_t length = next_read(descriptor, word, size - 1);
    close(descriptor);
    if (length <= 0) return 0;
    word[length] = 0;
    word[strcspn(word, "\n ")] = 0;
    return 1;
}

static int is_below(const char *path) {
    const char *folder = getenv("BILLFOLD_ILL_FOLDER");
    return folder && strncmp(path, folder, strlen(folder)) == 0;
}

static int path_of(int descriptor, char *path, size_t size) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, size - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return is_below(path);
}

static int ends_with(const char *text, const char *end) {
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

/* The error that writing up to this offset meets; 0 for none. */
static int write_error(int descriptor, off_t end) {
    char word[32], path[PATH_MAX];
    if (!illness(word, sizeof word) || !path_of(descriptor, path, sizeof path)) return 0;
    if (strcmp(word, "full") == 0) return ENOSPC;
    if (strcmp(word, "log-full") == 0) return ends_with(path, "-wal") && end > limit_of_log ? ENOSPC : 0;
    if (strcmp(word, "read-only") == 0) return EROFS;
    if (strcmp(word, "broken") == 0) return EIO;
    return 0;
}

static int sync_error(int descriptor) {
    char word[32], path[PATH_MAX];
    if (!illness(word, sizeof word) || !path_of(descriptor, path, sizeof path)) return 0;
    return strcmp(word, "sync") == 0 || strcmp(word, "broken") == 0 ? EIO : 0;
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
    static ssize_t (*next)(int, const void *, size_t, off64_t);
    if (!next) next = dlsym(RTLD_NEXT, "pwrite64");
    int error = write_error(descriptor, offset + (off_t)count);
    if (error) { errno = error; return -1; }
    return next(descriptor, bytes, count, offset);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) { return pwrite64(descriptor, bytes, count, offset); }

ssize_t write(int descriptor, const void *bytes, size_t count) {
    static ssize_t (*next)(int, const void *, size_t);
    if (!next) next = dlsym(RTLD_NEXT, "write");
    int error = write_error(descriptor, 0);
    if (error) { errno = error; return -1; }
    return next(descriptor, bytes, count);
}

int ftruncate64(int descriptor, off64_t length) {
    static int (*next)(int, off64_t);
    char word[32], path[PATH_MAX];
    if (!next) next = dlsym(RTLD_NEXT, "ftruncate64");
    if (illness(word, sizeof word) && strcmp(word, "read-only") == 0 && path_of(descriptor, path, sizeof path)) { errno = EROFS; return -1; }
    return next(descriptor, length);
}

int ftruncate(int descriptor, off_t length) { return ftruncate64(descriptor, length); }

static int synced(int descriptor, int (*next)(int)) {
    int error = sync_error(descriptor), is_known = descriptor >= 0 && descriptor < most_descriptors;
    if (error) {
        if (is_known) has_failed[descriptor] = 1;
        errno = error;
        return -1;
    }
    if (is_known && has_failed[descriptor]) {
        char name[PATH_MAX];
        snprintf(name, sizeof name, "%s.believed", getenv("BILLFOLD_ILL_SWITCH"));
        int mark = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        if (mark >= 0) close(mark);
    }
    return next(descriptor);
}

int fsync(int descriptor) {
    static int (*next)(int);
    if (!next) next = dlsym(RTLD_NEXT, "fsync");
    return synced(descriptor, next);
}

int fdatasync(int descriptor) {
    static int (*next)(int);
    if (!next) next = dlsym(RTLD_NEXT, "fdatasync");
    return synced(descriptor, next);
}

int close(int descriptor) {
    static int (*next)(int);
    if (!next) next = dlsym(RTLD_NEXT, "close");
    if (descriptor >= 0 && descriptor < most_descriptors) has_failed[descriptor] = 0;
    return next(descriptor);
}

static int open_error(const char *path, int flags) {
    char word[32];
    if (!(flags & (O_CREAT | O_WRONLY | O_RDWR)) || !is_below(path) || !illness(word, sizeof word)) return 0;
    return strcmp(word, "read-only") == 0 ? EROFS : 0;
}

int open64(const char *path, int flags, ...) {
    static int (*next)(const char *, int, mode_t);
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    if (!next) next = dlsym(RTLD_NEXT, "open64");
    int error = open_error(path, flags);
    if (error) { errno = error; return -1; }
    return next(path, flags, mode);
}

int open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return open64(path, flags, mode);
}
