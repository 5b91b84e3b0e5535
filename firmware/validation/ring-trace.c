/*
 * ring-trace.c: trace points from two threads go to a ring, a third one
 * copies them out.  Producers share a mutex; the consumer only compares the
 * indices, as the ring never overflows here.
 *
 * Bug: trace() moves `head` on before the slot is written; the consumer may
 * copy the old contents of the slot.
 *
 * validate:
 *   kind: publication
 *   variable: ring.head, ring.slot[]
 *   threads: 4
 *   fails-by: exit
 *   rare: no
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

#define SIZE 32u
#define EACH 10u

typedef struct {
    pthread_mutex_t plock;
    atomic_uint head;
    atomic_uint tail;
    atomic_uint slot[SIZE];
} ring_t;

static ring_t ring = { .plock = PTHREAD_MUTEX_INITIALIZER };
static unsigned long copied;

static void trace(unsigned what)
{
    pthread_mutex_lock(&ring.plock);
    unsigned h = atomic_load(&ring.head);
#ifdef FIXED
    atomic_store(&ring.slot[h % SIZE], what);
    atomic_store(&ring.head, h + 1);
#else
    atomic_store(&ring.head, h + 1);                        /* bug: 1 */
    atomic_store(&ring.slot[h % SIZE], what);               /* bug: 4 */
#endif
    pthread_mutex_unlock(&ring.plock);
}

static void *producer(void *arg)
{
    unsigned base = *(unsigned *)arg;

    for (unsigned i = 1; i <= EACH; i++)
        trace(base + i);
    return NULL;
}

static void *consumer(void *arg)
{
    unsigned n = 0;

    while (n < 2 * EACH) {
        unsigned t = atomic_load(&ring.tail);

        if (t == atomic_load(&ring.head)) {                 /* bug: 2 */
            sched_yield();
            continue;
        }
        copied += atomic_load(&ring.slot[t % SIZE]);        /* bug: 3 */
        atomic_store(&ring.tail, t + 1);
        n++;
    }
    return arg;
}

int main(void)
{
    pthread_t p1, p2, c;
    unsigned b1 = 100, b2 = 500;
    unsigned long want = 0;

    pthread_create(&c, NULL, consumer, NULL);
    pthread_create(&p1, NULL, producer, &b1);
    pthread_create(&p2, NULL, producer, &b2);
    pthread_join(p1, NULL);
    pthread_join(p2, NULL);
    pthread_join(c, NULL);

    for (unsigned i = 1; i <= EACH; i++)
        want += b1 + i + b2 + i;
    printf("copied %lu of %lu\n", copied, want);
    return copied == want ? 0 : 1;
}
