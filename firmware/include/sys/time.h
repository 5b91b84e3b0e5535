#ifndef CROSSTALK_SYS_TIME_H
#define CROSSTALK_SYS_TIME_H

#include <sys/types.h>

struct timeval {
    time_t tv_sec;
    suseconds_t tv_usec;
};

int gettimeofday(struct timeval *now, void *zone);

struct timezone {
    int tz_minuteswest, tz_dsttime;
};

#define timerclear(time) ((time)->tv_sec = (time)->tv_usec = 0)
#define timerisset(time) ((time)->tv_sec || (time)->tv_usec)
#define timercmp(a, b, how) \
    ((a)->tv_sec == (b)->tv_sec ? (a)->tv_usec how(b)->tv_usec : (a)->tv_sec how(b)->tv_sec)
#define timeradd(a, b, sum)                          \
    do {                                             \
        (sum)->tv_sec = (a)->tv_sec + (b)->tv_sec;   \
        (sum)->tv_usec = (a)->tv_usec + (b)->tv_usec; \
        if ((sum)->tv_usec >= 1000000) {             \
            (sum)->tv_sec++;                         \
            (sum)->tv_usec -= 1000000;               \
        }                                            \
    } while (0)
#define timersub(a, b, difference)                          \
    do {                                                    \
        (difference)->tv_sec = (a)->tv_sec - (b)->tv_sec;   \
        (difference)->tv_usec = (a)->tv_usec - (b)->tv_usec; \
        if ((difference)->tv_usec < 0) {                    \
            (difference)->tv_sec--;                         \
            (difference)->tv_usec += 1000000;               \
        }                                                   \
    } while (0)

#endif
