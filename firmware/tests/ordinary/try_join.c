/* Joins that give up. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void *wait_for_gate(void *arg)
{
    pthread_mutex_lock(&gate);
    pthread_mutex_unlock(&gate);
    return arg;
}

static const char *name(int error)
{
    return error == 0 ? "joined" : error == EBUSY ? "busy" : error == ETIMEDOUT ? "timed out" : strerror(error);
}

int main(void)
{
    pthread_t t;
    void *result = NULL;
    struct timespec until;
    pthread_mutex_lock(&gate);
    pthread_create(&t, NULL, wait_for_gate, "opened");
    printf("%s\n", name(pthread_tryjoin_np(t, &result)));
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 2000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000;
    }
    printf("%s\n", name(pthread_timedjoin_np(t, &result, &until)));
    pthread_mutex_unlock(&gate);
    until.tv_sec += 10;
    printf("%s", name(pthread_timedjoin_np(t, &result, &until)));
    printf(" %s\n", (char *)result);
    return 0;
}
