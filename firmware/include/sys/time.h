#ifndef CROSSTALK_SYS_TIME_H
#define CROSSTALK_SYS_TIME_H

#include <sys/types.h>

struct timeval {
    time_t tv_sec;
    suseconds_t tv_usec;
};

int gettimeofday(struct timeval *now, void *zone);

#endif
