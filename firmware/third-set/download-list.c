/*
 * A download manager. Workers fetch their files piece by piece, take a
 * finished transfer off the list and free it. The window asks for a transfer
 * by its number and draws how much of it is there.
 *
 * Bug: the window finds the transfer with the list's lock held, but looks into
 * it after the lock is gone. By then a worker may have finished the transfer
 * and freed it.
 *
 * validate:
 *   kind: lifetime
 *   variable: transfer->magic, transfer->received
 *   threads: 4
 *   fails-by: abort
 *   rare: no
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC 0x7ea5u
#define PIECES 5

struct transfer {
    unsigned magic;
    int number;
    atomic_uint received;
    unsigned size;
    int references;
    struct transfer *next;
};

static struct {
    pthread_mutex_t lock;
    struct transfer *first;
    int finished;
} list = { .lock = PTHREAD_MUTEX_INITIALIZER };

static struct {
    pthread_mutex_t lock;
    char rows[3][12];
    int dirty;
} screen = { .lock = PTHREAD_MUTEX_INITIALIZER };

static struct transfer *transfer_new(int number, unsigned size)
{
    struct transfer *t = calloc(1, sizeof *t);

    if (!t)
        abort();
    t->magic = MAGIC;
    t->number = number;
    t->size = size;
    t->references = 1;
    pthread_mutex_lock(&list.lock);
    t->next = list.first;
    list.first = t;
    pthread_mutex_unlock(&list.lock);
    return t;
}

static void transfer_free(struct transfer *t)
{
    *(volatile unsigned *)&t->magic = 0;        /* bug: 3 */
    free(t);                                    /* bug */
}

static void transfer_drop(struct transfer *t)
{
    int last;

    pthread_mutex_lock(&list.lock);
    last = --t->references == 0;
    pthread_mutex_unlock(&list.lock);
    if (last)
        transfer_free(t);                       /* bug */
}

static struct transfer *transfer_find(int number)
{
    struct transfer *t;

    pthread_mutex_lock(&list.lock);
    for (t = list.first; t && t->number != number; t = t->next)    /* bug: 1 */
        ;
#ifdef FIXED
    if (t)
        t->references++;
#endif
    pthread_mutex_unlock(&list.lock);
    return t;
}

static void *worker(void *arg)
{
    struct transfer *t = arg, **at;

    for (int i = 0; i < PIECES; i++)
        atomic_fetch_add(&t->received, t->size / PIECES);
    pthread_mutex_lock(&list.lock);
    for (at = &list.first; *at != t; at = &(*at)->next)
        ;
    *at = t->next;                              /* bug: 2 */
    list.finished++;
    pthread_mutex_unlock(&list.lock);
    transfer_drop(t);
    return NULL;
}

static void clear_row(int row)
{
    pthread_mutex_lock(&screen.lock);
    memset(screen.rows[row], ' ', sizeof screen.rows[row]);
    screen.rows[row][0] = (char)('0' + row);
    screen.dirty++;
    pthread_mutex_unlock(&screen.lock);
}

static unsigned percent(struct transfer *t)
{
    if (t->magic != MAGIC) {                    /* bug: 4 */
        fprintf(stderr, "window: not a transfer\n");
        abort();
    }
    return atomic_load(&t->received) * 100 / t->size;    /* bug */
}

static void *window(void *arg)
{
    unsigned *drawn = arg;

    for (int number = 1; number <= 2; number++)
        for (int frame = 0; frame < 6; frame++) {
            struct transfer *t = transfer_find(number);

            if (!t)
                break;
            clear_row(number);
            *drawn += percent(t) <= 100;        /* bug */
#ifdef FIXED
            transfer_drop(t);
#endif
        }
    return NULL;
}

int main(void)
{
    pthread_t workers[2], ui;
    unsigned drawn = 0;
    struct transfer *iso = transfer_new(1, 4000), *tarball = transfer_new(2, 800);

    pthread_create(&workers[0], NULL, worker, iso);
    pthread_create(&ui, NULL, window, &drawn);
    pthread_create(&workers[1], NULL, worker, tarball);
    pthread_join(workers[0], NULL);
    pthread_join(workers[1], NULL);
    pthread_join(ui, NULL);
    printf("%d finished\n", list.finished);
    return list.finished == 2 ? 0 : 1;
}
