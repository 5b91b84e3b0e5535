#include "../internal.h"

#include <crosstalk/calls.h>
#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { PAGE_BYTES = 4096 };

extern struct crosstalk_start __crosstalk_start;

POSIX_ONLY pid_t getpid(void) {
    return 1;
}

POSIX_ONLY long sysconf(int name) {
    switch (name) {
    case _SC_NPROCESSORS_ONLN:
    case _SC_NPROCESSORS_CONF: return (long)__crosstalk_start.harts;
    case _SC_PAGESIZE: return PAGE_BYTES;
    case _SC_CLK_TCK: return 100;
    case _SC_OPEN_MAX: return 32;
    case _SC_ARG_MAX: return CROSSTALK_ARGUMENT_BYTES;
    case _SC_LEVEL1_DCACHE_LINESIZE: return 64;
    }
    errno = EINVAL;
    return -1;
}

POSIX_ONLY int getpagesize(void) {
    return PAGE_BYTES;
}

POSIX_ONLY pid_t getppid(void) {
    return 0;
}

POSIX_ONLY uid_t getuid(void) {
    return 0;
}

POSIX_ONLY uid_t geteuid(void) {
    return 0;
}

POSIX_ONLY gid_t getgid(void) {
    return 0;
}

POSIX_ONLY gid_t getegid(void) {
    return 0;
}

POSIX_ONLY int isatty(int descriptor) {
    (void)descriptor;
    errno = ENOTTY;
    return 0;
}

POSIX_ONLY int gethostname(char *to, size_t size) {
    strncpy(to, "crosstalk", size);
    return 0;
}

POSIX_ONLY int getrusage(int who, struct rusage *usage) {
    (void)who;
    struct timespec now;
    memset(usage, 0, sizeof *usage);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    usage->ru_utime = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return 0;
}

/* One call of Linux that programs make by its number, since its name came late. */
POSIX_ONLY long syscall(long number, ...) {
    if (number == SYS_gettid) return gettid();
    errno = ENOSYS;
    return -1;
}
