/* Readers and writers with a semaphore and a mutex (Courtois, Heymans, Parnas 1971): two writers keep two
 * numbers equal, readers check it. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

#define ROUNDS 25

static sem_t resource;
static pthread_mutex_t count_lock = PTHREAD_MUTEX_INITIALIZER;
static int readers;
static int first, second;

static void *write_both(void *argument) {
    int step = *(int *)argument;
    for (int i = 0; i < ROUNDS; i++) {
        sem_wait(&resource);
        first += step;
        second += step;
        sem_post(&resource);
    }
    return NULL;
}

static void *read_both(void *argument) {
    int *torn = argument;
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&count_lock);
        if (++readers == 1) sem_wait(&resource);
        pthread_mutex_unlock(&count_lock);
        if (first != second) ++*torn;
        pthread_mutex_lock(&count_lock);
        if (--readers == 0) sem_post(&resource);
        pthread_mutex_unlock(&count_lock);
    }
    return NULL;
}

int main(void) {
    pthread_t writers[2], reader;
    int steps[2] = {1, 10}, torn = 0, torn_here = 0;
    sem_init(&resource, 0, 1);
    for (int i = 0; i < 2; i++) pthread_create(&writers[i], NULL, write_both, &steps[i]);
    pthread_create(&reader, NULL, read_both, &torn);
    read_both(&torn_here);
    for (int i = 0; i < 2; i++) pthread_join(writers[i], NULL);
    pthread_join(reader, NULL);
    sem_destroy(&resource);
    printf("both are %d and %d, torn reads: %d\n", first, second, torn + torn_here);
    return 0;
}
