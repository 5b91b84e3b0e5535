#ifndef CROSSTALK_FCNTL_H
#define CROSSTALK_FCNTL_H

#include <sys/types.h>

#define O_RDONLY 0
#define O_WRONLY 1
#define O_RDWR 2
#define O_ACCMODE 3
#define O_CREAT 0100
#define O_EXCL 0200
#define O_TRUNC 01000
#define O_APPEND 02000
#define O_SYNC 04010000
#define O_CLOEXEC 02000000

/* Files given with `--file`, and those that the program itself makes: docs/firmware.md, Files. */
int open(const char *name, int flags, ...);
int creat(const char *name, mode_t mode);

#endif
