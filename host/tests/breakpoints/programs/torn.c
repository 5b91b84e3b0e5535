/* Two threads count without a lock, seldom at a time. */
#include <assert.h>
#include <pthread.h>

enum { ROUNDS = 4 };

static _Alignas(64) volatile int count;

static unsigned work(unsigned seed) {
    for (int i = 0; i < 150; i++) seed = seed * 1664525u + 1013904223u;
    return seed;
}

#ifdef FIXED
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#endif

static __attribute__((noinline)) void add(void) {
#ifdef FIXED
    pthread_mutex_lock(&lock);
#endif
    int seen = count;
    count = seen + 1;
#ifdef FIXED
    pthread_mutex_unlock(&lock);
#endif
}

static void *counter(void *argument) {
    unsigned sum = (unsigned)(long)argument;
    for (int i = 0; i < ROUNDS; i++) {
        sum ^= work(sum);
        add();
    }
    return (void *)(long)(sum & 1);
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, counter, (void *)1);
    counter((void *)2);
    pthread_join(thread, 0);
    assert(count == 2 * ROUNDS);
    return 0;
}
