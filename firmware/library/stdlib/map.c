/* mmap out of the heap. */
#include "../stdio/descriptor.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE_BYTES = 4096, SEEK_TO = 0 };

/* The copy of a file, from `offset` on; a shared one would have to change the file. */
static bool read_file(char *to, size_t bytes, int flags, int descriptor, off_t offset) {
    if (!(flags & MAP_PRIVATE)) return false;
    if (__crosstalk_seek(descriptor, offset, SEEK_TO) < 0) return false;
    return __crosstalk_read(descriptor, to, bytes) >= 0;
}

POSIX_ONLY void *mmap(void *wish, size_t bytes, int protection, int flags, int descriptor, off_t offset) {
    (void)wish;
    (void)protection;
    if (!bytes || flags & MAP_FIXED || offset % PAGE_BYTES) {
        errno = EINVAL;
        return MAP_FAILED;
    }
    size_t whole = (bytes + PAGE_BYTES - 1) & ~(size_t)(PAGE_BYTES - 1);
    char *block = whole < bytes ? NULL : aligned_alloc(PAGE_BYTES, whole);
    if (!block) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    memset(block, 0, whole);
    if (flags & MAP_ANONYMOUS || read_file(block, bytes, flags, descriptor, offset)) return block;
    free(block);
    errno = ENODEV;
    return MAP_FAILED;
}

/* A mapping is given back as a whole. */
POSIX_ONLY int munmap(void *block, size_t bytes) {
    if (!bytes || (uintptr_t)block % PAGE_BYTES) {
        errno = EINVAL;
        return -1;
    }
    free(block);
    return 0;
}

POSIX_ONLY int madvise(void *block, size_t bytes, int advice) {
    (void)block;
    (void)bytes;
    (void)advice;
    return 0;
}

POSIX_ONLY int mlock(const void *block, size_t bytes) {
    (void)block;
    (void)bytes;
    return 0;
}

POSIX_ONLY int munlock(const void *block, size_t bytes) {
    return mlock(block, bytes);
}
