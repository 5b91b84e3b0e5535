/* Descriptors on files in memory: the firmware keeps them (boot/files.c). */
#include "descriptor.h"

#include <crosstalk/calls.h>
#include <crosstalk/file_calls.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The firmware that knows these calls, and the texts of the errors that they have, are linked where they are
 * referred to. */
void __wrap_crosstalk_on_call(void);
char *__wrap_strerror(int error);
#define LINK_WITH(function) __asm__ volatile("" : : "r"(function))

static int32_t ask(enum crosstalk_file_call call, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    LINK_WITH(__wrap_crosstalk_on_call);
    LINK_WITH(__wrap_strerror);
    int32_t answer = crosstalk_call((enum crosstalk_call)call, a, b, c, d);
    if (answer >= 0) return answer;
    errno = -answer;
    return -1;
}

int __crosstalk_open(const char *name, int flags) {
    return ask(CROSSTALK_OPEN, (uintptr_t)name, (uint32_t)flags, 0, 0);
}

int __crosstalk_open_memory(void *memory, size_t room, size_t size, size_t *size_there) {
    return ask(CROSSTALK_OPEN_MEMORY, (uintptr_t)memory, room, size, (uintptr_t)size_there);
}

int __crosstalk_close(int descriptor) {
    return descriptor >= 0 && descriptor < 3 ? 0 : ask(CROSSTALK_CLOSE, (uint32_t)descriptor, 0, 0, 0);
}

ssize_t __crosstalk_read(int descriptor, void *bytes, size_t count) {
    return ask(CROSSTALK_READ, (uint32_t)descriptor, (uintptr_t)bytes, count, 0);
}

off_t __crosstalk_seek(int descriptor, off_t offset, int whence) {
    if (descriptor < 0 || descriptor > 2)
        return ask(CROSSTALK_SEEK, (uint32_t)descriptor, (uint32_t)offset, (uint32_t)whence, 0);
    errno = ESPIPE;
    return -1;
}

POSIX_ONLY int open(const char *name, int flags, ...) {
    return __crosstalk_open(name, flags);
}

POSIX_ONLY int creat(const char *name, mode_t mode) {
    (void)mode;
    return __crosstalk_open(name, O_WRONLY | O_CREAT | O_TRUNC);
}

POSIX_ONLY int close(int descriptor) {
    return __crosstalk_close(descriptor);
}

POSIX_ONLY ssize_t read(int descriptor, void *bytes, size_t count) {
    return __crosstalk_read(descriptor, bytes, count);
}

POSIX_ONLY off_t lseek(int descriptor, off_t offset, int whence) {
    return __crosstalk_seek(descriptor, offset, whence);
}

POSIX_ONLY ssize_t pread(int descriptor, void *bytes, size_t count, off_t offset) {
    off_t before = __crosstalk_seek(descriptor, 0, SEEK_CUR);
    if (before < 0 || __crosstalk_seek(descriptor, offset, SEEK_SET) < 0) return -1;
    ssize_t got = __crosstalk_read(descriptor, bytes, count);
    __crosstalk_seek(descriptor, before, SEEK_SET);
    return got;
}

POSIX_ONLY ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
    off_t before = __crosstalk_seek(descriptor, 0, SEEK_CUR);
    if (before < 0 || __crosstalk_seek(descriptor, offset, SEEK_SET) < 0) return -1;
    ssize_t sent = __crosstalk_write(descriptor, bytes, count);
    __crosstalk_seek(descriptor, before, SEEK_SET);
    return sent;
}

POSIX_ONLY int ftruncate(int descriptor, off_t size) {
    return ask(CROSSTALK_RESIZE, (uint32_t)descriptor, (uint32_t)size, 0, 0);
}

int remove(const char *name) {
    return ask(CROSSTALK_REMOVE, (uintptr_t)name, 0, 0, 0);
}

POSIX_ONLY int unlink(const char *name) {
    return remove(name);
}

int rename(const char *from, const char *to) {
    return ask(CROSSTALK_RENAME, (uintptr_t)from, (uintptr_t)to, 0, 0);
}

POSIX_ONLY int access(const char *name, int how) {
    (void)how;
    int descriptor = __crosstalk_open(name, O_RDONLY);
    return descriptor < 0 ? -1 : __crosstalk_close(descriptor);
}

POSIX_ONLY int fsync(int descriptor) {
    (void)descriptor;
    return 0;
}

POSIX_ONLY int fstat(int descriptor, struct stat *to) {
    memset(to, 0, sizeof *to);
    to->st_nlink = 1;
    to->st_mode = S_IFCHR | 0600;
    if (descriptor >= 0 && descriptor < 3) return 0;
    off_t at = __crosstalk_seek(descriptor, 0, SEEK_CUR);
    if (at < 0) return -1;
    to->st_mode = S_IFREG | 0644;
    to->st_size = __crosstalk_seek(descriptor, 0, SEEK_END);
    __crosstalk_seek(descriptor, at, SEEK_SET);
    return 0;
}

POSIX_ONLY int stat(const char *restrict name, struct stat *restrict to) {
    int descriptor = __crosstalk_open(name, O_RDONLY);
    if (descriptor < 0) return -1;
    int result = fstat(descriptor, to);
    __crosstalk_close(descriptor);
    return result;
}
