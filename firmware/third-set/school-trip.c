/*
 * Three groups come back from a trip; the teacher waits for all of them at a
 * countdown latch, throws it away and is off. The latch came with the course.
 *
 * Bug: count_down() decrements outside the lock and takes the lock only to
 * signal. The teacher may see the zero, return and free the latch before the
 * last group has taken the lock.
 *
 * validate:
 *   kind: lifetime
 *   variable: latch, latch->count, latch->magic
 *   threads: 4
 *   fails-by: assertion
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define LATCH_MAGIC 0x1a7c4

typedef struct {
    unsigned magic;
    atomic_int count;
    pthread_mutex_t lock;
    pthread_cond_t zero;
} latch_t;

static latch_t *latch_new(int count)
{
    latch_t *l = malloc(sizeof *l);

    if (l == NULL)
        abort();
    l->magic = LATCH_MAGIC;
    atomic_init(&l->count, count);
    pthread_mutex_init(&l->lock, NULL);
    pthread_cond_init(&l->zero, NULL);
    return l;
}

static void latch_free(latch_t *l)
{
    pthread_cond_destroy(&l->zero);
    pthread_mutex_destroy(&l->lock);
    l->magic = 0;                                   /* bug: 3 */
    free(l);                                        /* bug */
}

static void latch_wait(latch_t *l)
{
    /* Often it is not long: look a few times before going to sleep. */
    for (int i = 0; i < 10 && atomic_load(&l->count) > 0; i++)
        sched_yield();
    pthread_mutex_lock(&l->lock);
    while (atomic_load(&l->count) > 0)              /* bug: 2 */
        pthread_cond_wait(&l->zero, &l->lock);
    pthread_mutex_unlock(&l->lock);
}

static void latch_count_down(latch_t *l)
{
#ifdef FIXED
    pthread_mutex_lock(&l->lock);
    assert(l->magic == LATCH_MAGIC);
    if (atomic_fetch_sub(&l->count, 1) == 1)
        pthread_cond_signal(&l->zero);
    pthread_mutex_unlock(&l->lock);
#else
    if (atomic_fetch_sub(&l->count, 1) == 1) {      /* bug: 1 */
        pthread_mutex_lock(&l->lock);               /* bug */
        assert(l->magic == LATCH_MAGIC);            /* bug: 4 */
        pthread_cond_signal(&l->zero);
        pthread_mutex_unlock(&l->lock);
    }
#endif
}

static latch_t *latch;
static int pupils[3] = { 9, 11, 8 };
static atomic_int back;

static void *group(void *arg)
{
    int *size = arg;

    while ((*size)-- > 0)
        atomic_fetch_add(&back, 1);
    latch_count_down(latch);
    return NULL;
}

int main(void)
{
    pthread_t t[3];

    latch = latch_new(3);
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, group, &pupils[i]);
    latch_wait(latch);
    assert(atomic_load(&back) == 28);
    latch_free(latch);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    printf("%d pupils are back\n", atomic_load(&back));
    return 0;
}
