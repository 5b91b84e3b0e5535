/* A flag is tested without the lock; the signal may come before the wait. */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static atomic_int ready;

static void *waiter(void *unused) {
    if (!ready) { /* @test */
        pthread_mutex_lock(&lock);
        pthread_cond_wait(&cond, &lock); /* @wait */
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waiter, NULL);
    pthread_mutex_lock(&lock);
    ready = 1; /* @set */
    pthread_cond_signal(&cond); /* @signal */
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
