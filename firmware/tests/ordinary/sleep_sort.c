/* Sorts by sleeping: each thread waits as long as its number says. */
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void say(int number)
{
    pthread_mutex_lock(&lock);
    printf("%d\n", number);
    pthread_mutex_unlock(&lock);
}

static void *by_usleep(void *arg)
{
    usleep(*(int *)arg * 100000);
    say(*(int *)arg);
    return NULL;
}

static void *by_nanosleep(void *arg)
{
    struct timespec t = {0, *(int *)arg * 100000000L};
    while (nanosleep(&t, &t) == -1)
        ;
    say(*(int *)arg);
    return NULL;
}

int main(void)
{
    int numbers[] = {7, 2, 5};
    pthread_t t[3];
    struct timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, i % 2 ? by_usleep : by_nanosleep, &numbers[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    clock_gettime(CLOCK_MONOTONIC, &after);
    double seconds = (double)(after.tv_sec - before.tv_sec) + (double)(after.tv_nsec - before.tv_nsec) / 1e9;
    printf("%s\n", seconds >= 0.7 ? "long enough" : "too short");
    printf("left: %u\n", sleep(0));
    return 0;
}
