/* Two threads take two locks in opposite orders. */
#include <pthread.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static int value;

static int take(pthread_mutex_t *lock) {
    return pthread_mutex_lock(lock); /* @tail */
}

static void *upward(void *unused) {
    pthread_mutex_lock(&first); /* @up-first */
    pthread_mutex_lock(&second); /* @up-second */
    value++;
    pthread_mutex_unlock(&second);
    pthread_mutex_unlock(&first);
    return unused;
}

__attribute__((noinline)) static void downward_work(void) {
    take(&second);
    pthread_mutex_lock(&first); /* @down-first */
    value--;
    pthread_mutex_unlock(&first);
    pthread_mutex_unlock(&second);
}

static void *downward(void *unused) {
    downward_work(); /* @down-call */
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, upward, NULL);
    pthread_create(&threads[1], NULL, downward, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL); /* @join */
    return value;
}
