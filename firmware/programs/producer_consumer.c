/* Two producers, one consumer, a bounded buffer guarded by a mutex and two condition variables. */
#include <pthread.h>
#include <stdio.h>

#define SLOTS 4
#define ITEMS 40
#define PRODUCERS 2

static int buffer[SLOTS];
static int count, in, out;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;

static void *produce(void *argument) {
    int first = *(int *)argument;
    for (int i = 0; i < ITEMS; i++) {
        pthread_mutex_lock(&lock);
        while (count == SLOTS) pthread_cond_wait(&not_full, &lock);
        buffer[in] = first + i;
        in = (in + 1) % SLOTS;
        count++;
        pthread_cond_signal(&not_empty);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

static void *consume(void *argument) {
    long *sum = argument;
    for (int i = 0; i < PRODUCERS * ITEMS; i++) {
        pthread_mutex_lock(&lock);
        while (count == 0) pthread_cond_wait(&not_empty, &lock);
        *sum += buffer[out];
        out = (out + 1) % SLOTS;
        count--;
        pthread_cond_signal(&not_full);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void) {
    pthread_t producers[PRODUCERS], consumer;
    int first[PRODUCERS] = {100, 1000};
    long sum = 0;
    pthread_create(&consumer, NULL, consume, &sum);
    for (int i = 0; i < PRODUCERS; i++) pthread_create(&producers[i], NULL, produce, &first[i]);
    for (int i = 0; i < PRODUCERS; i++) pthread_join(producers[i], NULL);
    pthread_join(consumer, NULL);
    printf("consumed %d items, sum %ld\n", PRODUCERS * ITEMS, sum);
    return 0;
}
