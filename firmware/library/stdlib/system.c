#include "../internal.h"

#include <crosstalk/calls.h>
#include <errno.h>
#include <unistd.h>

extern struct crosstalk_start __crosstalk_start;

POSIX_ONLY pid_t getpid(void) {
    return 1;
}

POSIX_ONLY long sysconf(int name) {
    if (name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF) return (long)__crosstalk_start.harts;
    errno = EINVAL;
    return -1;
}
