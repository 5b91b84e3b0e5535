/* Time is the `time` CSR; the firmware says how many ticks a program takes for a second. The day on which
 * every run begins is always the same. */
#include "internal.h"

#include <errno.h>
#include <sched.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { NANOSECONDS = 1000000000 };
static const time_t first_second = 1000000000; /* 9 September 2001, 01:46:40 */

ticks __crosstalk_now(void) {
    uint32_t high, low, again;
    do __asm__ volatile("rdtimeh %0; rdtime %1; rdtimeh %2" : "=r"(high), "=r"(low), "=r"(again));
    while (high != again);
    return (ticks)high << 32 | low;
}

bool __crosstalk_is_time(const struct timespec *time) {
    return time->tv_nsec >= 0 && time->tv_nsec < NANOSECONDS;
}

/* Rounded up: nothing is late before its time. */
static ticks ticks_of(time_t seconds, long nanoseconds) {
    uint64_t rate = __crosstalk_start.ticks_per_second;
    return (uint64_t)seconds * rate + ((uint64_t)nanoseconds * rate + NANOSECONDS - 1) / NANOSECONDS;
}

ticks __crosstalk_ticks(clockid_t clock, const struct timespec *time) {
    time_t seconds = time->tv_sec - (clock == CLOCK_REALTIME ? first_second : 0);
    return seconds < 0 ? 0 : ticks_of(seconds, time->tv_nsec);
}

POSIX_ONLY int clock_gettime(clockid_t clock, struct timespec *now) {
    if (clock < CLOCK_REALTIME || clock > CLOCK_THREAD_CPUTIME_ID) {
        errno = EINVAL;
        return -1;
    }
    ticks time = __crosstalk_now();
    uint32_t rate = __crosstalk_start.ticks_per_second;
    now->tv_sec = (time_t)(time / rate) + (clock == CLOCK_REALTIME ? first_second : 0);
    now->tv_nsec = (long)((time % rate) * NANOSECONDS / rate);
    return 0;
}

POSIX_ONLY int clock_getres(clockid_t clock, struct timespec *step) {
    (void)clock;
    if (step) *step = (struct timespec){0, (long)(NANOSECONDS / __crosstalk_start.ticks_per_second)};
    return 0;
}

int timespec_get(struct timespec *now, int base) {
    if (base != TIME_UTC) return 0;
    clock_gettime(CLOCK_REALTIME, now);
    return base;
}

POSIX_ONLY int gettimeofday(struct timeval *now, void *zone) {
    (void)zone;
    struct timespec exact;
    clock_gettime(CLOCK_REALTIME, &exact);
    now->tv_sec = exact.tv_sec;
    now->tv_usec = exact.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *now) {
    struct timespec exact;
    clock_gettime(CLOCK_REALTIME, &exact);
    if (now) *now = exact.tv_sec;
    return exact.tv_sec;
}

clock_t clock(void) {
    struct timespec exact;
    clock_gettime(CLOCK_MONOTONIC, &exact);
    return exact.tv_sec * CLOCKS_PER_SEC + exact.tv_nsec / 1000;
}

double difftime(time_t end, time_t begin) {
    return (double)(end - begin);
}

static void sleep_for(ticks duration) {
    ticks until = __crosstalk_now() + duration;
    while (__crosstalk_now() < until) __crosstalk_park(until);
}

POSIX_ONLY int nanosleep(const struct timespec *wish, struct timespec *rest) {
    if (wish->tv_sec < 0 || !__crosstalk_is_time(wish)) {
        errno = EINVAL;
        return -1;
    }
    sleep_for(ticks_of(wish->tv_sec, wish->tv_nsec));
    if (rest) *rest = (struct timespec){0, 0};
    return 0;
}

POSIX_ONLY int usleep(useconds_t microseconds) {
    sleep_for(ticks_of(microseconds / 1000000, (long)(microseconds % 1000000) * 1000));
    return 0;
}

POSIX_ONLY unsigned sleep(unsigned seconds) {
    sleep_for(ticks_of((time_t)seconds, 0));
    return 0;
}

POSIX_ONLY int sched_yield(void) {
    __crosstalk_pause(32);
    return 0;
}

int pthread_yield(void) {
    return sched_yield();
}
