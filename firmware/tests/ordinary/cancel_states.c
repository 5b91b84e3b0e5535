/* Cancellation that has to wait, and a loop that asks for it. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_barrier_t ready;
static volatile int finished;

static void *careful(void *arg)
{
    int before;
    (void)arg;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    pthread_barrier_wait(&ready);
    pthread_barrier_wait(&ready);
    usleep(1000);
    finished = 1;
    pthread_setcancelstate(before, NULL);
    pthread_testcancel();
    finished = 2;
    return NULL;
}

static void *busy(void *arg)
{
    volatile unsigned long *turns = arg;
    for (;;) {
        ++*turns;
        pthread_testcancel();
    }
    return NULL;
}

static void *sleeper(void *arg)
{
    sleep(1000);
    return arg;
}

static void say(void *arg)
{
    printf("%s\n", (char *)arg);
}

static void *leaver(void *arg)
{
    pthread_cleanup_push(say, "second");
    pthread_cleanup_push(say, "first");
    pthread_exit(arg);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
}

int main(void)
{
    pthread_t t;
    void *result;
    unsigned long turns = 0;
    pthread_barrier_init(&ready, NULL, 2);
    pthread_create(&t, NULL, careful, NULL);
    pthread_barrier_wait(&ready);
    pthread_cancel(t);
    pthread_barrier_wait(&ready);
    pthread_join(t, &result);
    printf("careful: %d, %d\n", result == PTHREAD_CANCELED, finished);

    pthread_create(&t, NULL, busy, &turns);
    pthread_cancel(t);
    pthread_join(t, &result);
    printf("busy: %d\n", result == PTHREAD_CANCELED);

    pthread_create(&t, NULL, sleeper, NULL);
    usleep(100);
    pthread_cancel(t);
    pthread_join(t, &result);
    printf("sleeper: %d\n", result == PTHREAD_CANCELED);

    pthread_create(&t, NULL, leaver, "bye");
    pthread_join(t, &result);
    printf("leaver: %s\n", (char *)result);
    return 0;
}
