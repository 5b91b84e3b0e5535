/*
 * An event loop with watchers. The array of watchers grows when it is full;
 * the loop thread dispatches events to watchers without a lock, so growing
 * makes a new array and leaves the old one to those who still read it.
 *
 * Bug: the new array is stored in the loop before the old watchers have been
 * copied into it. An event that is dispatched in between finds no watcher and
 * is dropped.
 *
 * validate:
 *   kind: publication
 *   variable: loop.watchers, array->slots[]
 *   threads: 4
 *   fails-by: exit
 *   rare: no
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define EVENTS 32
#define RETIRED 4

struct watcher {
    int fd;
    void (*ready)(struct watcher *w);
    atomic_int events;
};

typedef _Atomic(struct watcher *) slot;

struct array {
    int size;
    slot slots[];
};

static struct {
    _Atomic(struct array *) watchers;
    pthread_mutex_t lock;               /* of those who add */
    int count;
    struct array *retired[RETIRED];
    int nretired;
} loop = { .lock = PTHREAD_MUTEX_INITIALIZER };

static atomic_int dropped;

static void count_event(struct watcher *w)
{
    atomic_fetch_add(&w->events, 1);
}

static struct array *array_new(int size)
{
    struct array *a = calloc(1, sizeof *a + (size_t)size * sizeof(slot));

    if (!a)
        abort();
    a->size = size;
    return a;
}

static void grow(void)
{
    struct array *old = atomic_load(&loop.watchers);
    struct array *bigger = array_new(old->size * 2);

#ifndef FIXED
    atomic_store(&loop.watchers, bigger);                       /* bug: 1 */
#endif
    for (int i = 0; i < old->size; i++)
        atomic_store(&bigger->slots[i], atomic_load(&old->slots[i]));    /* bug: 4 */
#ifdef FIXED
    atomic_store(&loop.watchers, bigger);
#endif
    loop.retired[loop.nretired++] = old;
}

static void watch(struct watcher *w)
{
    pthread_mutex_lock(&loop.lock);
    if (loop.count == atomic_load(&loop.watchers)->size)
        grow();
    atomic_store(&atomic_load(&loop.watchers)->slots[loop.count++], w);
    pthread_mutex_unlock(&loop.lock);
}

static void dispatch(int fd)
{
    struct array *a = atomic_load(&loop.watchers);              /* bug: 2 */

    for (int i = 0; i < a->size; i++) {
        struct watcher *w = atomic_load(&a->slots[i]);          /* bug: 3 */

        if (w && w->fd == fd) {
            w->ready(w);
            return;
        }
    }
    atomic_fetch_add(&dropped, 1);                              /* bug */
}

static struct watcher watchers[6] = {
    { 3, count_event, 0 }, { 4, count_event, 0 }, { 5, count_event, 0 },
    { 6, count_event, 0 }, { 7, count_event, 0 }, { 8, count_event, 0 },
};

static void *loop_thread(void *arg)
{
    (void)arg;
    for (int i = 0; i < EVENTS; i++)
        dispatch(3 + (i & 1));          /* of the two that were there from the start */
    return NULL;
}

static void *acceptor(void *arg)
{
    struct watcher *w = arg;

    watch(&w[0]);
    watch(&w[1]);
    return NULL;
}

int main(void)
{
    pthread_t thread, acceptors[2];
    int events = 0;

    atomic_store(&loop.watchers, array_new(2));
    watch(&watchers[0]);
    watch(&watchers[1]);
    pthread_create(&thread, NULL, loop_thread, NULL);
    for (int i = 0; i < 2; i++)
        pthread_create(&acceptors[i], NULL, acceptor, &watchers[2 + 2 * i]);
    pthread_join(thread, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(acceptors[i], NULL);
    for (int i = 0; i < 6; i++)
        events += atomic_load(&watchers[i].events);
    printf("%d events, %d dropped\n", events, atomic_load(&dropped));
    while (loop.nretired)
        free(loop.retired[--loop.nretired]);
    free(atomic_load(&loop.watchers));
    return events == EVENTS && loop.count == 6 ? 0 : 1;
}
