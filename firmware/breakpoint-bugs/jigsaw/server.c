/* A web server that shuts down while clients still leave: Jigsaw's factory of clients and the list of their sockets.
 *
 * A client that has finished locks the list, and then the factory to count itself as idle. The shutdown locks the factory, and then
 * the list to close every socket. If both have their first lock, neither gets its second. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

enum { CLIENTS = 3, REQUESTS = 4, SOCKETS = 16 };

static struct {
    pthread_mutex_t lock;
    int idle;
    int accepting;
} factory = {.lock = PTHREAD_MUTEX_INITIALIZER, .accepting = 1};

static struct {
    pthread_mutex_t lock;
    int open[SOCKETS];
    int count;
} sockets = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int served[CLIENTS];

/* What a request costs: parsing its headers and looking for a file. */
static unsigned answer(unsigned request) {
    unsigned hash = 2166136261u ^ request;
    for (unsigned i = 0; i < 60 + 20 * (request % 5); i++) hash = (hash ^ (i & 255)) * 16777619u;
    return hash;
}

static __attribute__((noinline)) void count_idle(int by) {
    pthread_mutex_lock(&factory.lock); /* bug: 3 */
    factory.idle += by;
    pthread_mutex_unlock(&factory.lock);
}

static __attribute__((noinline)) int connect_client(int client) {
    pthread_mutex_lock(&sockets.lock);
    int place = sockets.count < SOCKETS ? sockets.count++ : -1;
    if (place >= 0) sockets.open[place] = client;
    pthread_mutex_unlock(&sockets.lock);
    return place;
}

/* The connection is over: the socket leaves the list, and the client is idle. */
static __attribute__((noinline)) void connection_finished(int client) {
    pthread_mutex_lock(&sockets.lock); /* bug: 1 */
    for (int i = 0; i < sockets.count; i++) {
        if (sockets.open[i] == client) {
            sockets.open[i] = sockets.open[--sockets.count];
            break;
        }
    }
#ifdef FIXED
    pthread_mutex_unlock(&sockets.lock);
    count_idle(1);
#else
    count_idle(1);
    pthread_mutex_unlock(&sockets.lock);
#endif
}

static void *client(void *argument) {
    int self = (int)(long)argument;
    unsigned seen = 0;
    for (int i = 0; i < REQUESTS; i++) {
        if (connect_client(self) < 0) break;
        seen ^= answer((unsigned)(self * 7 + i));
        connection_finished(self);
        served[self] += 1;
    }
    return (void *)(long)(seen & 1);
}

static void kill_clients(void) {
    pthread_mutex_lock(&factory.lock); /* bug: 2 */
    factory.accepting = 0;
    factory.idle = 0;
    pthread_mutex_lock(&sockets.lock); /* bug: 4 */
    sockets.count = 0;
    pthread_mutex_unlock(&sockets.lock);
    pthread_mutex_unlock(&factory.lock);
}

int main(void) {
    pthread_t threads[CLIENTS];
    for (long i = 0; i < CLIENTS; i++) pthread_create(&threads[i], NULL, client, (void *)i);
    unsigned work = 0;
    for (unsigned i = 0; i < 6; i++) work ^= answer(i);
    kill_clients();
    int all = 0;
    for (int i = 0; i < CLIENTS; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < CLIENTS; i++) all += served[i];
    assert(all == CLIENTS * REQUESTS);
    printf("%d requests, %u\n", all, work & 1);
    return 0;
}
