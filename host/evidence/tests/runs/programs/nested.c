/* A thread waits for a condition with another lock held, which the signaling thread needs. */
#include <pthread.h>

static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int items;

static void *taker(void *unused) {
    pthread_mutex_lock(&outer); /* @outer */
    pthread_mutex_lock(&inner);
    while (!items) pthread_cond_wait(&filled, &inner); /* @wait */
    items--;
    pthread_mutex_unlock(&inner);
    pthread_mutex_unlock(&outer);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, taker, NULL);
    pthread_mutex_lock(&outer); /* @wanted */
    pthread_mutex_lock(&inner);
    items++;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&inner);
    pthread_mutex_unlock(&outer);
    pthread_join(thread, NULL);
    return 0;
}
