/* A log that is written by a thread of its own: Log4j's AsyncAppender.
 *
 * Four pieces of code contend for the buffer's lock: append, resize, close and the dispatcher. The dispatcher looks whether the appender
 * was closed before it takes the lock, and then waits for the next event. If close comes between the two, its signal is sent while nobody
 * waits, and the dispatcher waits for ever. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

enum { EVENTS = 12, MOST = 8 };

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int events[MOST];
    int size;
    int count;
    int closed;
} buffer = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER, .size = 4};

static int dispatched;
static unsigned written;

/* Formats an event, as a layout does. */
static unsigned format(int event) {
    unsigned text = (unsigned)event;
    for (int i = 0; i < 40 + event % 7 * 10; i++) text = text * 31u + (unsigned)i;
    return text;
}

static __attribute__((noinline)) void append(int event) {
    pthread_mutex_lock(&buffer.lock);
    while (buffer.count == buffer.size) pthread_cond_wait(&buffer.changed, &buffer.lock);
    buffer.events[buffer.count++] = event;
    pthread_cond_broadcast(&buffer.changed);
    pthread_mutex_unlock(&buffer.lock);
}

static void resize(int size) {
    pthread_mutex_lock(&buffer.lock);
    if (size > buffer.size && size <= MOST) buffer.size = size;
    pthread_cond_broadcast(&buffer.changed);
    pthread_mutex_unlock(&buffer.lock);
}

static __attribute__((noinline)) void close_appender(void) {
    pthread_mutex_lock(&buffer.lock);
    buffer.closed = 1;
    pthread_cond_broadcast(&buffer.changed); /* bug: 2 */
    pthread_mutex_unlock(&buffer.lock);
}

static __attribute__((noinline)) int is_closed(void) {
    pthread_mutex_lock(&buffer.lock);
    int closed = buffer.closed; /* bug: 1 */
    pthread_mutex_unlock(&buffer.lock);
    return closed;
}

static void *dispatcher(void *unused) {
    (void)unused;
    for (;;) {
        int closed = is_closed();
        pthread_mutex_lock(&buffer.lock);
#ifdef FIXED
        while (buffer.count == 0 && !buffer.closed)
            pthread_cond_wait(&buffer.changed, &buffer.lock);
        closed = buffer.closed;
#else
        while (buffer.count == 0 && !closed)
            pthread_cond_wait(&buffer.changed, &buffer.lock), closed = buffer.closed; /* bug: 3 */
#endif
        int events[MOST], count = buffer.count;
        for (int i = 0; i < count; i++) events[i] = buffer.events[i];
        buffer.count = 0;
        pthread_cond_broadcast(&buffer.changed);
        pthread_mutex_unlock(&buffer.lock);
        for (int i = 0; i < count; i++) written ^= format(events[i]);
        dispatched += count;
        if (closed && count == 0) return NULL;
    }
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, dispatcher, NULL);
    unsigned work = 0;
    for (int i = 0; i < EVENTS; i++) {
        if (i == EVENTS / 2) resize(MOST);
        work ^= format(100 + i);
        append(i);
    }
    for (int i = 0; i < 12; i++) work ^= format(i);
    close_appender();
    pthread_join(thread, NULL);
    assert(dispatched == EVENTS);
    printf("%d events, %u\n", dispatched, (written ^ work) & 1);
    return 0;
}
