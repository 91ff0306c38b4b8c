// Preloaded into the program, it makes calls into libraries and into the kernel wait that nobody can stop: while the file "hashing" is
// in the folder that BILLFOLD_STUCK names, the integrity codes of PKCS#12 files, and while "disk" is there, whatever syncs a file.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void wait_while_there(const char *name) {
    char path[4096];
    const char *folder = getenv("BILLFOLD_STUCK");
    if (folder == NULL || snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path) return;
    while (access(path, F_OK) == 0) usleep(20000);
}

int PKCS12_verify_mac(void *archive, const char *password, int length) {
    int (*real)(void *, const char *, int) = (int (*)(void *, const char *, int))dlsym(RTLD_NEXT, "PKCS12_verify_mac");
    wait_while_there("hashing");
    return real(archive, password, length);
}

int fsync(int file) {
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
    wait_while_there("disk");
    return real(file);
}

int fdatasync(int file) {
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
    wait_while_there("disk");
    return real(file);
}
