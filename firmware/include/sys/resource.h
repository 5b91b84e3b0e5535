#ifndef CROSSTALK_SYS_RESOURCE_H
#define CROSSTALK_SYS_RESOURCE_H

#include <sys/time.h>

#define RUSAGE_SELF 0
#define RUSAGE_THREAD 1

struct rusage {
    struct timeval ru_utime, ru_stime;
    long ru_maxrss, ru_minflt, ru_majflt, ru_nvcsw, ru_nivcsw;
};

/* The time since the run began, as the user's. */
int getrusage(int who, struct rusage *usage);

#endif
