/* Attributes of threads. Stacks are the harts' own and as long as the firmware was told to make them;
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
