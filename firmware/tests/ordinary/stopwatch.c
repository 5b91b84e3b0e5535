/* Differences of times, in all the structures there are for them. */
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
    struct timeval a = {10, 900000}, b = {2, 250000}, sum, difference, before, after;
    struct timezone zone;
    timeradd(&a, &b, &sum);
    timersub(&a, &b, &difference);
    printf("%d.%06d %d.%06d\n", (int)sum.tv_sec, (int)sum.tv_usec, (int)difference.tv_sec, (int)difference.tv_usec);
    timersub(&b, &a, &difference);
    printf("%d.%06d %d %d\n", (int)difference.tv_sec, (int)difference.tv_usec, timercmp(&a, &b, >) != 0, timerisset(&a) != 0);
    timerclear(&a);
    printf("%d\n", timerisset(&a) != 0);

    gettimeofday(&before, &zone);
    usleep(20000);
    gettimeofday(&after, NULL);
    timersub(&after, &before, &difference);
    printf("slept %s\n", difference.tv_sec > 0 || difference.tv_usec >= 20000 ? "enough" : "too little");

    struct timespec resolution, start;
    clock_getres(CLOCK_MONOTONIC, &resolution);
    clock_gettime(CLOCK_MONOTONIC, &start);
    printf("resolution %s\n", resolution.tv_sec == 0 && resolution.tv_nsec > 0 ? "fine" : "coarse");
    start.tv_sec += 0;
    start.tv_nsec += 1000;
    if (start.tv_nsec < 1000000000)
        printf("until %d\n", clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &start, NULL));
    else
        printf("until 0\n");
    struct rusage usage;
    printf("usage %d, clock %d\n", getrusage(RUSAGE_SELF, &usage), clock() != (clock_t)-1);
    return 0;
}
