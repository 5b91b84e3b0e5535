/*
 * sample-ring.c: producer and consumer over a ring with semaphores.
 *
 * The ring was enlarged from 8 to 12 places, but the index still wraps with a
 * mask (size - 1), which works for powers of two only: 12 places, mask 1011b,
 * index 4 lands on place 0.  Samples overwrite one another.
 *
 * validate:
 *   kind: plain
 *   variable: ring[]
 *   threads: 3
 *   fails-by: assert
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

#define RING 12
#define BATCH 6
#define BATCHES 4

#ifdef FIXED
#define WRAP(i) ((i) % RING)
#else
#define WRAP(i) ((i) & (RING - 1)) /* bug */
#endif

static int ring[RING];
static sem_t batch_free, batch_full;

static void *producer(void *arg)
{
    unsigned w = 0;
    (void)arg;
    for (int b = 0; b < BATCHES; b++) {
        sem_wait(&batch_free);
        for (int i = 0; i < BATCH; i++, w++)
            ring[WRAP(w)] = (int)w * 3;
        sem_post(&batch_full);
    }
    return NULL;
}

static void *consumer(void *arg)
{
    unsigned r = 0;
    long sum = 0;
    (void)arg;
    for (int b = 0; b < BATCHES; b++) {
        sem_wait(&batch_full);
        for (int i = 0; i < BATCH; i++, r++) {
            int v = ring[WRAP(r)];
            assert(v == (int)r * 3);
            sum += v;
        }
        sem_post(&batch_free);
    }
    return (void *)sum;
}

int main(void)
{
    pthread_t p, c;
    void *sum;

    sem_init(&batch_free, 0, RING / BATCH);
    sem_init(&batch_full, 0, 0);
    pthread_create(&p, NULL, producer, NULL);
    pthread_create(&c, NULL, consumer, NULL);
    pthread_join(p, NULL);
    pthread_join(c, &sum);
    printf("sum %ld\n", (long)sum);
    return 0;
}
