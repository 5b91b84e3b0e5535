/*
 * Statistics homework: six workers throw dice and count the faces in one
 * histogram. To let them work side by side there are several locks.
 *
 * Bug: the lock is picked by the number of the worker, not by the number of
 * the bin, so two workers hold different locks and increment the same bin.
 *
 * validate:
 *   kind: lost-update
 *   variable: bins[].count
 *   threads: 7
 *   fails-by: exit code
 *   rare: no
 */
#include <pthread.h>
#include <stdio.h>

#define WORKERS 6
#define THROWS 18
#define FACES 6

struct bin {
    int face;
    int count;
};

struct worker {
    pthread_t thread;
    int id;
    unsigned state;
};

static struct bin bins[FACES];
static pthread_mutex_t bin_locks[FACES];
static struct worker workers[WORKERS];

static unsigned throw_die(struct worker *w)
{
    w->state = w->state * 1103515245u + 12345u;
    return (w->state >> 16) % FACES;
}

static void count_face(struct worker *w, unsigned face)
{
#ifdef FIXED
    pthread_mutex_t *lock = &bin_locks[face];
    (void)w;
#else
    pthread_mutex_t *lock = &bin_locks[w->id % FACES];  /* bug */
#endif

    pthread_mutex_lock(lock);
    bins[face].count++;                                 /* bug: 1, 2, 3 */
    pthread_mutex_unlock(lock);
}

static void *work(void *arg)
{
    struct worker *w = arg;

    for (int i = 0; i < THROWS; i++)
        count_face(w, throw_die(w));
    return NULL;
}

int main(void)
{
    int total = 0;

    for (int i = 0; i < FACES; i++) {
        bins[i].face = i + 1;
        pthread_mutex_init(&bin_locks[i], NULL);
    }
    for (int i = 0; i < WORKERS; i++) {
        workers[i].id = i;
        workers[i].state = 77u * (unsigned)i + 5;
        pthread_create(&workers[i].thread, NULL, work, &workers[i]);
    }
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i].thread, NULL);

    for (int i = 0; i < FACES; i++)
        total += bins[i].count;
    printf("%d throws counted\n", total);
    return total == WORKERS * THROWS ? 0 : 1;
}
