#include "theirs.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { NAME_BYTES = 16 };

static _Thread_local char name[NAME_BYTES];

int pthread_setname_np(pthread_t thread, const char *wanted) {
    if (strlen(wanted) >= NAME_BYTES) return ERANGE;
    strcpy(theirs(thread, name), wanted);
    return 0;
}

int pthread_getname_np(pthread_t thread, char *to, size_t size) {
    const char *found = theirs(thread, name);
    if (!*found) found = "program";
    if (strlen(found) >= size) return ERANGE;
    strcpy(to, found);
    return 0;
}

/* A thread's number: its hart's, counted from the process's number on. */
POSIX_ONLY pid_t gettid(void) {
    return 1 + (pid_t)__crosstalk_self->hart;
}

POSIX_ONLY int sched_getcpu(void) {
    return (int)__crosstalk_self->hart;
}
