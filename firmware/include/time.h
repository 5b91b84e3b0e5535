#ifndef CROSSTALK_TIME_H
#define CROSSTALK_TIME_H

#include <sys/types.h>

typedef long long clock_t;

struct timespec {
    time_t tv_sec;
    long tv_nsec;
};

#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define CLOCK_PROCESS_CPUTIME_ID 2
#define CLOCK_THREAD_CPUTIME_ID 3
#define CLOCKS_PER_SEC ((clock_t)1000000)
#define TIME_UTC 1

time_t time(time_t *now);
clock_t clock(void);
double difftime(time_t end, time_t begin);
int clock_gettime(clockid_t clock, struct timespec *now);
int clock_getres(clockid_t clock, struct timespec *step);
int nanosleep(const struct timespec *wish, struct timespec *rest);
int timespec_get(struct timespec *now, int base);

#endif
