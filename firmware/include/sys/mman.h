#ifndef CROSSTALK_SYS_MMAN_H
#define CROSSTALK_SYS_MMAN_H

#include <sys/types.h>

#define PROT_NONE 0
#define PROT_READ 1
#define PROT_WRITE 2
#define PROT_EXEC 4
#define MAP_SHARED 1
#define MAP_PRIVATE 2
#define MAP_FIXED 16
#define MAP_ANONYMOUS 32
#define MAP_ANON MAP_ANONYMOUS
#define MAP_NORESERVE 0x4000
#define MAP_POPULATE 0x8000
#define MAP_STACK 0x20000
#define MAP_FAILED ((void *)-1)
#define MADV_NORMAL 0
#define MADV_DONTNEED 4

/* Memory of the heap, from a page's start on, zeroed. A private mapping of a file is a copy of its bytes. */
void *mmap(void *wish, size_t bytes, int protection, int flags, int descriptor, off_t offset);
int munmap(void *block, size_t bytes);
int madvise(void *block, size_t bytes, int advice);
int mlock(const void *block, size_t bytes);
int munlock(const void *block, size_t bytes);

#endif
