/* Descriptors under names that no program has. */
#ifndef CROSSTALK_DESCRIPTOR_H
#define CROSSTALK_DESCRIPTOR_H

#include "../internal.h"

#include <sys/types.h>

int __crosstalk_open(const char *name, int flags);
int __crosstalk_open_memory(void *memory, size_t room, size_t size, size_t *size_there);
int __crosstalk_close(int descriptor);
ssize_t __crosstalk_read(int descriptor, void *bytes, size_t count);
off_t __crosstalk_seek(int descriptor, off_t offset, int whence);

#endif
