/* Attributes of threads, and those of other objects that change nothing here. Stacks are the harts' own and as long as the firmware was told to make them;
 * asking for more than that is an error. */
#include "internal.h"

#include <errno.h>

int pthread_attr_init(pthread_attr_t *attributes) {
    attributes->detached = PTHREAD_CREATE_JOINABLE;
    attributes->stack_bytes = __crosstalk_start.stack_bytes;
    return 0;
}

int pthread_attr_destroy(pthread_attr_t *attributes) {
    (void)attributes;
    return 0;
}

int pthread_attr_setdetachstate(pthread_attr_t *attributes, int detached) {
    if (detached != PTHREAD_CREATE_JOINABLE && detached != PTHREAD_CREATE_DETACHED) return EINVAL;
    attributes->detached = detached;
    return 0;
}

int pthread_attr_getdetachstate(const pthread_attr_t *attributes, int *detached) {
    *detached = attributes->detached;
    return 0;
}

int pthread_attr_setstacksize(pthread_attr_t *attributes, size_t bytes) {
    if (bytes < PTHREAD_STACK_MIN || bytes > __crosstalk_start.stack_bytes) return EINVAL;
    attributes->stack_bytes = bytes;
    return 0;
}

int pthread_attr_getstacksize(const pthread_attr_t *restrict attributes, size_t *restrict bytes) {
    *bytes = attributes->stack_bytes;
    return 0;
}

int pthread_attr_setscope(pthread_attr_t *attributes, int scope) {
    (void)attributes;
    return scope == PTHREAD_SCOPE_SYSTEM ? 0 : scope == PTHREAD_SCOPE_PROCESS ? ENOTSUP : EINVAL;
}

int pthread_attr_getscope(const pthread_attr_t *restrict attributes, int *restrict scope) {
    (void)attributes;
    *scope = PTHREAD_SCOPE_SYSTEM;
    return 0;
}

/* There is one process, and it shares everything with itself. */
static int share(int shared) {
    return shared == PTHREAD_PROCESS_PRIVATE || shared == PTHREAD_PROCESS_SHARED ? 0 : EINVAL;
}

int pthread_mutexattr_setpshared(pthread_mutexattr_t *attributes, int shared) {
    (void)attributes;
    return share(shared);
}

int pthread_condattr_setpshared(pthread_condattr_t *attributes, int shared) {
    (void)attributes;
    return share(shared);
}

int pthread_rwlockattr_init(pthread_rwlockattr_t *attributes) {
    attributes->unused = 0;
    return 0;
}

int pthread_rwlockattr_destroy(pthread_rwlockattr_t *attributes) {
    (void)attributes;
    return 0;
}

int pthread_rwlockattr_setpshared(pthread_rwlockattr_t *attributes, int shared) {
    (void)attributes;
    return share(shared);
}

int pthread_barrierattr_init(pthread_barrierattr_t *attributes) {
    attributes->unused = 0;
    return 0;
}

int pthread_barrierattr_destroy(pthread_barrierattr_t *attributes) {
    (void)attributes;
    return 0;
}

int pthread_barrierattr_setpshared(pthread_barrierattr_t *attributes, int shared) {
    (void)attributes;
    return share(shared);
}
