#ifndef CROSSTALK_FILE_H
#define CROSSTALK_FILE_H

#include "../internal.h"

#include <pthread.h>
#include <stdio.h>

struct crosstalk_file {
    pthread_mutex_t mutex;
    int descriptor, mode; /* mode: _IOLBF … */
    bool failed, ended;
    size_t used;
    char buffer[BUFSIZ];
};

void __crosstalk_file_lock(FILE *file);
void __crosstalk_file_unlock(FILE *file);

/* With the file's mutex held. */
void __crosstalk_file_put(void *file, const char *bytes, size_t count);
void __crosstalk_file_done(FILE *file); /* after each call that wrote: an unbuffered file is sent */

#endif
