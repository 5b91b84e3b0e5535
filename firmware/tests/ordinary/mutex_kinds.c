/* Recursive and error-checking mutexes, by initializer and by attribute. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t checking = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static int depth_sum;

static int descend(int depth)
{
    pthread_mutex_lock(&recursive);
    int below = depth ? descend(depth - 1) : 0;
    depth_sum += depth;
    pthread_mutex_unlock(&recursive);
    return below + 1;
}

static void *diver(void *arg)
{
    for (int i = 0; i < 10; i++)
        descend(4);
    return arg;
}

static void *stranger(void *arg)
{
    *(int *)arg = pthread_mutex_unlock(&checking);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int error, kind, protocol;
    pthread_create(&a, NULL, diver, NULL);
    pthread_create(&b, NULL, diver, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("depths %d\n", depth_sum);
    printf("%d levels\n", descend(2));

    pthread_mutex_lock(&checking);
    printf("again: %s\n", pthread_mutex_lock(&checking) == EDEADLK ? "EDEADLK" : "?");
    pthread_create(&a, NULL, stranger, &error);
    pthread_join(a, NULL);
    printf("by another: %s\n", error == EPERM ? "EPERM" : "?");
    pthread_mutex_unlock(&checking);

    pthread_mutexattr_t attr;
    pthread_mutex_t made;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_PRIVATE);
    pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_NONE);
    pthread_mutexattr_gettype(&attr, &kind);
    pthread_mutexattr_getprotocol(&attr, &protocol);
    pthread_mutex_init(&made, &attr);
    pthread_mutexattr_destroy(&attr);
    int first = pthread_mutex_lock(&made), second = pthread_mutex_trylock(&made);
    printf("recursive: %d %d %d %d\n", kind == PTHREAD_MUTEX_RECURSIVE, protocol == PTHREAD_PRIO_NONE, first, second);
    first = pthread_mutex_unlock(&made);
    second = pthread_mutex_unlock(&made);
    printf("unlocks: %d %d %s\n", first, second, pthread_mutex_unlock(&made) == EPERM ? "EPERM" : "?");
    printf("destroyed: %d\n", pthread_mutex_destroy(&made));
    return 0;
}
