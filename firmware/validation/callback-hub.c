/*
 * callback-hub.c - a mini event loop with worker threads.
 *
 * main() posts events; workers run the handlers.  When no event is pending
 * any more main() tears down the handler table and tells the workers to end.
 *
 * Bug: a worker decrements `pending` before it has called the handler's
 * "after" hook.  main() can see zero pending events and wipe the table while
 * the last worker is about to look up that hook.  Only the very last event
 * of the run can be hit.
 *
 * validate:
 *   kind: order
 *   variable: hub.table, hub.pending
 *   threads: 3
 *   fails-by: crash
 *   rare: no
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define EVENTS 14

typedef void (*hook)(int value);

struct handler {
    hook run;
    hook after;
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int queue[EVENTS];
    int head, tail;
    int pending;
    int stop;
    struct handler *volatile table;
} hub = { .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER };

static atomic_long acc;
static atomic_int afters;

static void add(int v)  { atomic_fetch_add(&acc, v); }
static void sub(int v)  { atomic_fetch_sub(&acc, v); }
static void note(int v) { (void)v; atomic_fetch_add(&afters, 1); }

static void finish_event(void)
{
    pthread_mutex_lock(&hub.lock);
    if (--hub.pending == 0)                             /* bug: 1 */
        pthread_cond_broadcast(&hub.changed);
    pthread_mutex_unlock(&hub.lock);
}

static void dispatch(int e)
{
    hub.table[e % 2].run(e);
#ifdef FIXED
    hub.table[e % 2].after(e);
    finish_event();
#else
    finish_event();
    hub.table[e % 2].after(e);                          /* bug: 4 */
#endif
}

static void *worker(void *arg)
{
    for (;;) {
        int e = -1;

        pthread_mutex_lock(&hub.lock);
        while (hub.head == hub.tail && !hub.stop)
            pthread_cond_wait(&hub.changed, &hub.lock);
        if (hub.head != hub.tail)
            e = hub.queue[hub.head++];
        pthread_mutex_unlock(&hub.lock);
        if (e < 0)
            return arg;
        dispatch(e);
    }
}

int main(void)
{
    pthread_t w[2];
    struct handler *h = malloc(2 * sizeof *h);

    if (!h)
        return 2;
    h[0] = (struct handler){ add, note };
    h[1] = (struct handler){ sub, note };
    hub.table = h;
    for (int i = 0; i < 2; i++)
        pthread_create(&w[i], NULL, worker, NULL);

    for (int e = 0; e < EVENTS; e++) {
        pthread_mutex_lock(&hub.lock);
        hub.queue[hub.tail++] = e;
        hub.pending++;
        pthread_cond_broadcast(&hub.changed);
        pthread_mutex_unlock(&hub.lock);
    }

    pthread_mutex_lock(&hub.lock);
    while (hub.pending > 0)                             /* bug: 2 */
        pthread_cond_wait(&hub.changed, &hub.lock);
    pthread_mutex_unlock(&hub.lock);
    hub.table = NULL;                                   /* bug: 3 */

    pthread_mutex_lock(&hub.lock);
    hub.stop = 1;
    pthread_cond_broadcast(&hub.changed);
    pthread_mutex_unlock(&hub.lock);
    for (int i = 0; i < 2; i++)
        pthread_join(w[i], NULL);
    free(h);
    printf("acc %ld, %d after hooks\n", atomic_load(&acc), atomic_load(&afters));
    return atomic_load(&afters) == EVENTS ? 0 : 1;
}
