/* Attributes of threads. */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>

static sem_t done;

static void *detached(void *arg)
{
    char big[8192];
    memset(big, *(char *)arg, sizeof big);
    *(char *)arg = big[8000];
    sem_post(&done);
    return NULL;
}

int main(void)
{
    pthread_attr_t attr;
    pthread_t t;
    int state, scope, policy, inherit;
    size_t size, guard;
    struct sched_param parameter;
    char letter = 'x';

    sem_init(&done, 0, 0);
    pthread_attr_init(&attr);
    pthread_attr_getdetachstate(&attr, &state);
    printf("joinable %d\n", state == PTHREAD_CREATE_JOINABLE);
    printf("%d", pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED));
    printf(" %d", pthread_attr_setstacksize(&attr, 65536));
    printf(" %d", pthread_attr_setscope(&attr, PTHREAD_SCOPE_SYSTEM));
    printf(" %d", pthread_attr_setschedpolicy(&attr, SCHED_OTHER));
    printf(" %d", pthread_attr_setinheritsched(&attr, PTHREAD_INHERIT_SCHED));
    printf(" %d\n", pthread_attr_setguardsize(&attr, 4096));
    pthread_attr_getdetachstate(&attr, &state);
    pthread_attr_getstacksize(&attr, &size);
    pthread_attr_getscope(&attr, &scope);
    pthread_attr_getschedpolicy(&attr, &policy);
    pthread_attr_getinheritsched(&attr, &inherit);
    pthread_attr_getguardsize(&attr, &guard);
    pthread_attr_getschedparam(&attr, &parameter);
    printf("%d %zu %d %d %d %zu %d\n", state == PTHREAD_CREATE_DETACHED, size, scope == PTHREAD_SCOPE_SYSTEM,
           policy == SCHED_OTHER, inherit == PTHREAD_INHERIT_SCHED, guard, parameter.sched_priority);
    if (pthread_create(&t, &attr, detached, &letter)) return 1;
    pthread_attr_destroy(&attr);
    sem_wait(&done);
    printf("%c\n", letter);
    return 0;
}
