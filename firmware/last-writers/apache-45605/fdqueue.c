/* A web server's listener and its workers: the listener hands connections to idle workers, and waits when there are
 * none.
 *
 * The number of idle workers is atomic. A worker that makes it other than 0 signals, and the listener waits for
 * that. After Apache 45605 of Last Writer Slices, Table 1: when the listener is signaled it does not look again. A
 * signal can be late: the listener had seen that worker already, given it work, and waits for the next. Then it
 * counts down a second time for one idle worker, and the number goes below 0. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { WORKERS = 2, CONNECTIONS = 8, ROOM = 16 };

/* ---- idle workers ---- */

struct queue_info {
    atomic_uint idlers;
    pthread_mutex_t idlers_mutex;
    pthread_cond_t wait_for_idler;
};

static struct queue_info info = {
    .idlers_mutex = PTHREAD_MUTEX_INITIALIZER,
    .wait_for_idler = PTHREAD_COND_INITIALIZER,
};

static void set_idle(struct queue_info *queue_info) {
    unsigned before = atomic_fetch_add(&queue_info->idlers, 1); /* bug: 1 */
    if (before == 0) {
        pthread_mutex_lock(&queue_info->idlers_mutex);
        pthread_cond_signal(&queue_info->wait_for_idler); /* bug */
        pthread_mutex_unlock(&queue_info->idlers_mutex);
    }
}

static void wait_for_idler(struct queue_info *queue_info) {
    if (queue_info->idlers == 0) { /* bug: 3 */
        pthread_mutex_lock(&queue_info->idlers_mutex);
#ifdef FIXED
        while (queue_info->idlers == 0)
#else
        if (queue_info->idlers == 0) /* bug: 4 */
#endif
            pthread_cond_wait(&queue_info->wait_for_idler, &queue_info->idlers_mutex);
        pthread_mutex_unlock(&queue_info->idlers_mutex);
    }
    atomic_fetch_sub(&queue_info->idlers, 1); /* bug: 2, 5 */
}

/* ---- connections ---- */

static struct {
    pthread_mutex_t lock;
    pthread_cond_t not_empty;
    int connections[ROOM];
    unsigned first, count;
    int terminated;
} queue = {.lock = PTHREAD_MUTEX_INITIALIZER, .not_empty = PTHREAD_COND_INITIALIZER};

static void queue_push(int connection) {
    pthread_mutex_lock(&queue.lock);
    assert(queue.count < ROOM);
    queue.connections[(queue.first + queue.count++) % ROOM] = connection;
    pthread_cond_signal(&queue.not_empty);
    pthread_mutex_unlock(&queue.lock);
}

/* The next connection; -1 after the last. */
static int queue_pop(void) {
    int connection = -1;
    pthread_mutex_lock(&queue.lock);
    while (queue.count == 0 && !queue.terminated) pthread_cond_wait(&queue.not_empty, &queue.lock);
    if (queue.count > 0) {
        connection = queue.connections[queue.first];
        queue.first = (queue.first + 1) % ROOM;
        queue.count--;
    }
    pthread_mutex_unlock(&queue.lock);
    return connection;
}

static void queue_term(void) {
    pthread_mutex_lock(&queue.lock);
    queue.terminated = 1;
    pthread_cond_broadcast(&queue.not_empty);
    pthread_mutex_unlock(&queue.lock);
}

/* ---- threads ---- */

static atomic_uint answered;

static void process_socket(int connection) {
    unsigned sum = (unsigned)connection;
    for (int i = 0; i < 20; i++) sum = sum * 69069 + 1;
    answered += sum != 0;
}

static void *worker_thread(void *argument) {
    int connection;
    (void)argument;
    do {
        set_idle(&info);
        connection = queue_pop();
        if (connection >= 0) process_socket(connection);
    } while (connection >= 0);
    return NULL;
}

static void *listener_thread(void *argument) {
    (void)argument;
    for (int connection = 0; connection < CONNECTIONS; connection++) {
        wait_for_idler(&info);
        assert(info.idlers <= WORKERS); /* bug: 6 */
        queue_push(connection);
    }
    queue_term();
    return NULL;
}

int main(void) {
    pthread_t listener, workers[WORKERS];
    pthread_create(&listener, NULL, listener_thread, NULL);
    for (int i = 0; i < WORKERS; i++) pthread_create(&workers[i], NULL, worker_thread, NULL);
    pthread_join(listener, NULL);
    for (int i = 0; i < WORKERS; i++) pthread_join(workers[i], NULL);
    printf("%u answered\n", answered);
    return answered == CONNECTIONS ? EXIT_SUCCESS : EXIT_FAILURE;
}
