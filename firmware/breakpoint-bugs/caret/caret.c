/* An editor's caret and the manager that paints: a deadlock of Java's Swing that needs a lock to be held.
 *
 * Everybody marks regions as dirty, which locks the manager. Only the blinking caret does so with its own lock held; the manager, when it
 * paints, holds its lock and asks for the caret's. A breakpoint at the manager's lock meets mostly those who hold nothing. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

enum { LINES = 6, BLINKS = 3, PAINTS = 2 };

static struct {
    pthread_mutex_t lock;
    int dirty;
    int painted;
} manager = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct {
    pthread_mutex_t lock;
    int visible;
    int position;
} caret = {.lock = PTHREAD_MUTEX_INITIALIZER};

static unsigned work(unsigned seed, int steps) {
    for (int i = 0; i < steps; i++) seed = seed * 1664525u + 1013904223u;
    return seed;
}

static __attribute__((noinline)) void mark_dirty(int regions) {
    pthread_mutex_lock(&manager.lock); /* bug: 3 */
    manager.dirty += regions;
    pthread_mutex_unlock(&manager.lock);
}

static __attribute__((noinline)) void blink(void) {
    pthread_mutex_lock(&caret.lock); /* bug: 1 */
    caret.visible = !caret.visible;
#ifdef FIXED
    pthread_mutex_unlock(&caret.lock);
    mark_dirty(1);
#else
    mark_dirty(1);
    pthread_mutex_unlock(&caret.lock);
#endif
}

static __attribute__((noinline)) void paint(void) {
    pthread_mutex_lock(&manager.lock); /* bug: 2 */
    manager.painted += manager.dirty;
    manager.dirty = 0;
#ifdef FIXED
    pthread_mutex_unlock(&manager.lock);
#endif
    pthread_mutex_lock(&caret.lock); /* bug: 4 */
    caret.position += caret.visible;
    pthread_mutex_unlock(&caret.lock);
#ifndef FIXED
    pthread_mutex_unlock(&manager.lock);
#endif
}

/* Types lines: each changes what is seen. */
static void *typist(void *unused) {
    unsigned sum = 0;
    (void)unused;
    for (int i = 0; i < LINES; i++) {
        sum ^= work((unsigned)i, 120);
        mark_dirty(2);
    }
    return (void *)(long)(sum & 1);
}

static void *blinker(void *unused) {
    unsigned sum = 0;
    (void)unused;
    for (int i = 0; i < BLINKS; i++) {
        sum ^= work((unsigned)i, 350);
        blink();
    }
    return (void *)(long)(sum & 1);
}

static void *painter(void *unused) {
    unsigned sum = 0;
    (void)unused;
    for (int i = 0; i < PAINTS; i++) {
        sum ^= work((unsigned)i, 700);
        paint();
    }
    return (void *)(long)(sum & 1);
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, typist, NULL);
    pthread_create(&threads[1], NULL, blinker, NULL);
    pthread_create(&threads[2], NULL, painter, NULL);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    assert(manager.painted + manager.dirty == 2 * LINES + BLINKS);
    printf("%d regions\n", manager.painted + manager.dirty);
    return 0;
}
