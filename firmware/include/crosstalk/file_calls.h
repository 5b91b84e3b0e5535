/* System calls on files, which only programs that open some are linked with (boot/files.c). Numbers that
 * generated call_numbers.h does not have; answers below zero are error numbers of errno.h. */
#ifndef CROSSTALK_FILE_CALLS_H
#define CROSSTALK_FILE_CALLS_H

#include <stdint.h>

enum crosstalk_file_call {
    CROSSTALK_OPEN = 16,        /* name, flags of fcntl.h: gives a descriptor */
    CROSSTALK_OPEN_MEMORY = 17, /* address, room (0: only to be read), bytes there, where to store their number (0: nowhere) */
    CROSSTALK_CLOSE = 18,       /* descriptor */
    CROSSTALK_READ = 19,        /* descriptor, address, count: gives the count, 0 at the end */
    CROSSTALK_SEEK = 20,        /* descriptor, offset, SEEK_SET or another: gives the position */
    CROSSTALK_RESIZE = 21,      /* descriptor, bytes */
    CROSSTALK_REMOVE = 22,      /* name */
    CROSSTALK_RENAME = 23,      /* old name, new name */
};

/* A file of the command line's `--file`. The table ends with a name of NULL. */
struct crosstalk_given {
    const char *name;
    const uint8_t *bytes;
    uint32_t size;
};

#endif
