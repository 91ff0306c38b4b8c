/*
 * What would a power cut leave? Preloaded into a process, this keeps a shadow of every file below BILLFOLD_SHADOW_FROM in
 * BILLFOLD_SHADOW_TO: a file's bytes reach the shadow only when fsync or fdatasync on it has succeeded; its removal,
 * renaming and shortening at once. The shadow is then what a disk holds whose cache was lost.
 *
 * A copy replaces the shadow's file by renaming, so that a process killed in the middle leaves the state before.
 *
 * BILLFOLD_SHADOW_WEAK lowers SQLite's `synchronous` to NORMAL and has it read as FULL, so that a program which refuses the
 * former runs on it: a test of power cuts must find losses then.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *prefix(const char *name) {
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

/* Writes the shadow's name of an absolute path; 0 when the path is not below the watched folder. */
static int shadow_of(const char *path, char *shadow, size_t size) {
    const char *from = prefix("BILLFOLD_SHADOW_FROM"), *to = prefix("BILLFOLD_SHADOW_TO");
    if (!from || !to || !path) return 0;
    size_t length = strlen(from);
    if (strncmp(path, from, length) != 0 || path[length] != '/') return 0;
    return snprintf(shadow, size, "%s%s", to, path + length) < (int)size;
}

static int path_of(int descriptor, char *path, size_t size) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, size - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return 1;
}

/* Makes the folders that lead to a shadow's file. Like names, folders count as durable at once. */
static void make_folders(char *shadow) {
    for (char *slash = shadow + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = 0;
        mkdir(shadow, 0700);
        *slash = '/';
    }
}

static void copy_to_shadow(int descriptor) {
    static __thread char path[PATH_MAX], shadow[PATH_MAX], partial[PATH_MAX], buffer[1 << 16];
    struct stat status;
    if (!path_of(descriptor, path, sizeof path) || !shadow_of(path, shadow, sizeof shadow)) return;
    if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return;
    make_folders(shadow);
    snprintf(partial, sizeof partial, "%.4000s.%d.partial", shadow, (int)gettid());
    int in = open(path, O_RDONLY | O_CLOEXEC);
    int out = open(partial, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    int whole = in >= 0 && out >= 0;
    while (whole) {
        ssize_t count = read(in, buffer, sizeof buffer);
        if (count == 0) break;
        whole = count > 0 && write(out, buffer, (size_t)count) == count;
    }
    if (in >= 0) close(in);
    if (out >= 0) close(out);
    int (*next)(const char *, const char *) = dlsym(RTLD_NEXT, "rename");
    if (!whole || !next || next(partial, shadow) != 0) {
        /* A shadow that lags behind would prove losses that are none. */
        static const char message[] = "sync-shadow: a file could not be copied\n";
        if (write(2, message, sizeof message - 1) < 0) {}
        abort();
    }
}

int fsync(int descriptor) {
    int (*next)(int) = dlsym(RTLD_NEXT, "fsync");
    int result = next(descriptor);
    if (result == 0) copy_to_shadow(descriptor);
    return result;
}

int fdatasync(int descriptor) {
    int (*next)(int) = dlsym(RTLD_NEXT, "fdatasync");
    int result = next(descriptor);
    if (result == 0) copy_to_shadow(descriptor);
    return result;
}

int unlink(const char *path) {
    int (*next)(const char *) = dlsym(RTLD_NEXT, "unlink");
    char shadow[PATH_MAX];
    int result = next(path);
    if (result == 0 && shadow_of(path, shadow, sizeof shadow)) next(shadow);
    return result;
}

int rename(const char *from, const char *to) {
    int (*next)(const char *, const char *) = dlsym(RTLD_NEXT, "rename");
    char shadow_from[PATH_MAX], shadow_to[PATH_MAX];
    int result = next(from, to);
    if (result == 0 && shadow_of(from, shadow_from, sizeof shadow_from) && shadow_of(to, shadow_to, sizeof shadow_to))
        next(shadow_from, shadow_to);
    return result;
}

int link(const char *from, const char *to) {
    int (*next)(const char *, const char *) = dlsym(RTLD_NEXT, "link");
    char shadow_from[PATH_MAX], shadow_to[PATH_MAX];
    int result = next(from, to);
    /* A name given to a file that was never synced names nothing in the shadow. */
    if (result == 0 && shadow_of(from, shadow_from, sizeof shadow_from) && shadow_of(to, shadow_to, sizeof shadow_to))
        next(shadow_from, shadow_to);
    return result;
}

int sqlite3_prepare_v3(void *connection, const char *sql, int length, unsigned flags, void **statement, const char **tail) {
    int (*next)(void *, const char *, int, unsigned, void **, const char **) = dlsym(RTLD_NEXT, "sqlite3_prepare_v3");
    static const char name[] = "PRAGMA synchronous";
    const char *end = sql + (length < 0 ? strlen(sql) : strnlen(sql, (size_t)length));
    if (!prefix("BILLFOLD_SHADOW_WEAK") || (size_t)(end - sql) < sizeof name - 1 || strncmp(sql, name, sizeof name - 1) != 0)
        return next(connection, sql, length, flags, statement, tail);
    int sets = memchr(sql, '=', (size_t)(end - sql)) != NULL;
    int result = next(connection, sets ? "PRAGMA synchronous=NORMAL" : "SELECT 2", -1, flags, statement, NULL);
    if (tail) *tail = end;
    return result;
}

static void mirror_truncation(int descriptor, off_t length) {
    char path[PATH_MAX], shadow[PATH_MAX];
    struct stat status;
    if (!path_of(descriptor, path, sizeof path) || !shadow_of(path, shadow, sizeof shadow)) return;
    /* Growing is data, and waits for a sync. */
    if (stat(shadow, &status) == 0 && status.st_size > length && truncate(shadow, length) != 0) abort();
}

int ftruncate(int descriptor, off_t length) {
    int (*next)(int, off_t) = dlsym(RTLD_NEXT, "ftruncate");
    int result = next(descriptor, length);
    if (result == 0) mirror_truncation(descriptor, length);
    return result;
}

int ftruncate64(int descriptor, off64_t length) {
    int (*next)(int, off64_t) = dlsym(RTLD_NEXT, "ftruncate64");
    int result = next(descriptor, length);
    if (result == 0) mirror_truncation(descriptor, (off_t)length);
    return result;
}
