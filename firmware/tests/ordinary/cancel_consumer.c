/* A consumer that waits for ever is canceled; its cleanup gives the lock back. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static sem_t never;
static int items, taken, cleaned;

static void unlock(void *arg)
{
    cleaned++;
    pthread_mutex_unlock(arg);
}

static void count(void *arg)
{
    ++*(int *)arg;
}

static void *consumer(void *arg)
{
    (void)arg;
    for (;;) {
        pthread_mutex_lock(&lock);
        pthread_cleanup_push(unlock, &lock);
        while (items == 0)
            pthread_cond_wait(&filled, &lock);
        items--;
        taken++;
        pthread_cleanup_pop(1);
    }
    return NULL;
}

static void *waiter(void *arg)
{
    pthread_cleanup_push(count, arg);
    sem_wait(&never);
    pthread_cleanup_pop(0);
    return NULL;
}

int main(void)
{
    pthread_t c, w;
    void *result;
    int counted = 0;
    sem_init(&never, 0, 0);
    pthread_create(&c, NULL, consumer, NULL);
    pthread_create(&w, NULL, waiter, &counted);
    for (int i = 0; i < 5; i++) {
        pthread_mutex_lock(&lock);
        items++;
        pthread_cond_signal(&filled);
        pthread_mutex_unlock(&lock);
    }
    for (int done = 0; !done;) {
        pthread_mutex_lock(&lock);
        done = taken == 5;
        pthread_mutex_unlock(&lock);
    }
    pthread_cancel(c);
    pthread_cancel(w);
    pthread_join(c, &result);
    printf("consumer canceled: %d, taken %d\n", result == PTHREAD_CANCELED, taken);
    pthread_join(w, &result);
    printf("waiter canceled: %d, cleaned %d\n", result == PTHREAD_CANCELED, counted);
    printf("lock is free: %d, cleaned %d\n", pthread_mutex_trylock(&lock) == 0, cleaned);
    return 0;
}
