/* Waiting with a deadline: on a condition nobody signals, on a lock somebody keeps, on a semaphore. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, kept = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static int ready;

static struct timespec in_milliseconds(long milliseconds) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    time.tv_nsec += milliseconds * 1000000;
    time.tv_sec += time.tv_nsec / 1000000000;
    time.tv_nsec %= 1000000000;
    return time;
}

static void *signal_later(void *unused) {
    usleep(2000);
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    struct timespec deadline = in_milliseconds(3);
    pthread_mutex_lock(&lock);
    int error = 0;
    while (!ready && !error) error = pthread_cond_timedwait(&condition, &lock, &deadline);
    printf("nobody signals: %s\n", error == ETIMEDOUT ? "timed out" : strerror(error));
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    int late = now.tv_sec > deadline.tv_sec ||
               (now.tv_sec == deadline.tv_sec && now.tv_nsec >= deadline.tv_nsec);
    printf("not early: %s\n", late ? "yes" : "no");
    pthread_t thread;
    pthread_create(&thread, NULL, signal_later, NULL);
    deadline = in_milliseconds(5000);
    error = 0;
    while (!ready && !error) error = pthread_cond_timedwait(&condition, &lock, &deadline);
    printf("somebody signals: %d\n", error);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);

    pthread_mutex_lock(&kept);
    deadline = in_milliseconds(2);
    error = pthread_mutex_timedlock(&kept, &deadline);
    printf("a lock that is kept: %s\n", error == ETIMEDOUT ? "timed out" : strerror(error));
    printf("trylock: %s\n", pthread_mutex_trylock(&kept) == EBUSY ? "busy" : "free");

    sem_init(&semaphore, 0, 1);
    printf("semaphore: %d\n", sem_timedwait(&semaphore, &deadline));
    deadline = in_milliseconds(2);
    int result = sem_timedwait(&semaphore, &deadline);
    printf("again: %d, %s\n", result, errno == ETIMEDOUT ? "timed out" : strerror(errno));
    printf("trywait: %d\n", sem_trywait(&semaphore));
    return 0;
}
