/*
 * Library catalogue protected by a home-grown readers/writer lock.
 *
 * rw_write_begin() waits in rw_wait_quiet() until there are no readers and no
 * writer, and then marks the lock as write-held.  The wait gives the inner
 * mutex back before the mark is made, so a reader can get in between and looks
 * at a book which is being changed.
 *
 * validate:
 *   kind: readers-writers
 *   variable: rw->readers, rw->writing
 *   threads: 6
 *   fails-by: assert
 *   rare: yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

typedef struct RwLock {
    pthread_mutex_t inner;
    pthread_cond_t  quiet;
    int             readers;
    int             writing;
} RwLock;

typedef struct Book {
    int shelf;
    int label;                  /* always 1000 + shelf */
} Book;

#define BOOKS 3

static RwLock catalog_rw = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0 };
static Book   catalog[BOOKS] = { { 1, 1001 }, { 2, 1002 }, { 3, 1003 } };

static void rw_read_begin(RwLock *rw)
{
    pthread_mutex_lock(&rw->inner);
    while (rw->writing) /* bug: 2 */
        pthread_cond_wait(&rw->quiet, &rw->inner);
    rw->readers++; /* bug: 3 */
    pthread_mutex_unlock(&rw->inner);
}

static void rw_read_end(RwLock *rw)
{
    pthread_mutex_lock(&rw->inner);
    if (--rw->readers == 0)
        pthread_cond_broadcast(&rw->quiet);
    pthread_mutex_unlock(&rw->inner);
}

static void rw_wait_quiet(RwLock *rw)
{
    pthread_mutex_lock(&rw->inner);
    while (rw->readers > 0 || rw->writing) /* bug: 1 */
        pthread_cond_wait(&rw->quiet, &rw->inner);
#ifdef FIXED
    rw->writing = 1;
#endif
    pthread_mutex_unlock(&rw->inner);
}

static void rw_write_begin(RwLock *rw)
{
    rw_wait_quiet(rw);
#ifndef FIXED
    pthread_mutex_lock(&rw->inner);
    rw->writing = 1; /* bug: 4 */
    pthread_mutex_unlock(&rw->inner);
#endif
}

static void rw_write_end(RwLock *rw)
{
    pthread_mutex_lock(&rw->inner);
    rw->writing = 0;
    pthread_cond_broadcast(&rw->quiet);
    pthread_mutex_unlock(&rw->inner);
}

static void *visitor(void *arg)
{
    long mislabelled = 0;
    (void)arg;
    for (int i = 0; i < 5; i++) {
        rw_read_begin(&catalog_rw);
        for (int b = 0; b < BOOKS; b++) {
            int shelf = catalog[b].shelf; /* bug: 5 */
            int label = catalog[b].label; /* bug: 8 */
            mislabelled += label != 1000 + shelf;
        }
        rw_read_end(&catalog_rw);
    }
    return (void *)mislabelled;
}

static void *librarian(void *arg)
{
    int b = *(int *)arg;
    for (int i = 0; i < 6; i++, b = (b + 2) % BOOKS) {
        rw_write_begin(&catalog_rw);
        catalog[b].shelf += 10; /* bug: 6 */
        catalog[b].label = 1000 + catalog[b].shelf; /* bug: 7 */
        rw_write_end(&catalog_rw);
    }
    return NULL;
}

int main(void)
{
    static int start[5] = { 0, 1, 2, 0, 1 };
    pthread_t t[5];

    for (int i = 0; i < 5; i++)
        pthread_create(&t[i], NULL, i < 4 ? visitor : librarian, &start[i]);
    long mislabelled = 0;
    for (int i = 0; i < 5; i++) {
        void *r;
        pthread_join(t[i], &r);
        mislabelled += (long)r;
    }
    int sum = 0;
    for (int i = 0; i < BOOKS; i++)
        sum += catalog[i].shelf;
    printf("shelf sum %d\n", sum);
    assert(mislabelled == 0);
    assert(sum == 6 + 6 * 10);
    return 0;
}
