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

#ifndef NULL
#define NULL ((void *)0)
#endif
#define CLOCK_MONOTONIC_RAW CLOCK_MONOTONIC
#define CLOCK_MONOTONIC_COARSE CLOCK_MONOTONIC
#define CLOCK_REALTIME_COARSE CLOCK_REALTIME
#define CLOCK_BOOTTIME CLOCK_MONOTONIC
#define TIMER_ABSTIME 1

struct tm {
    int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
    long tm_gmtoff;
    const char *tm_zone;
};

/* Local time is UTC. */
struct tm *gmtime(const time_t *time);
struct tm *gmtime_r(const time_t *__restrict time, struct tm *__restrict to);
struct tm *localtime(const time_t *time);
struct tm *localtime_r(const time_t *__restrict time, struct tm *__restrict to);
time_t mktime(struct tm *when);
time_t timegm(struct tm *when);
char *asctime(const struct tm *when);
char *asctime_r(const struct tm *__restrict when, char *__restrict to);
char *ctime(const time_t *time);
char *ctime_r(const time_t *time, char *to);
size_t strftime(char *__restrict to, size_t size, const char *__restrict format, const struct tm *__restrict when);
void tzset(void);
int clock_nanosleep(clockid_t clock, int flags, const struct timespec *wish, struct timespec *rest);

#endif
