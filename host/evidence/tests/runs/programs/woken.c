/* A thread is signaled, but the signaling thread joins it with the mutex held. */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int ready;

static void *waiter(void *unused) {
    pthread_mutex_lock(&mutex);
    while (!ready) pthread_cond_wait(&cond, &mutex); /* @wait */
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waiter, NULL);
    for (int waits = 0; !waits;) {
        pthread_mutex_lock(&mutex);
        waits = (cond.waiters >> 16) != 0;
        pthread_mutex_unlock(&mutex);
    }
    pthread_mutex_lock(&mutex); /* @lock */
    ready = 1;
    pthread_cond_signal(&cond);
    pthread_join(thread, NULL); /* @join */
    pthread_mutex_unlock(&mutex);
    return 0;
}
