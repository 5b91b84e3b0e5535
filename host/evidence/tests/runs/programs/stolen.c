/* Two counts that one call compares and another changes: neither is wrong by itself. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int made = 1, taken, go;

static int take(void) {
    int limit = atomic_load(&made); /* @limit */
    if (atomic_load(&taken) >= limit)
        return 0;
    atomic_fetch_add(&taken, 1); /* @take */
    return 1;
}

static void *taker(void *arg) {
    (void)arg;
    while (!atomic_load(&go))
        ;
    take();
    return 0;
}

static void *recall(void *arg) {
    (void)arg;
    while (!atomic_load(&go))
        ;
    atomic_store(&made, 0); /* @recall */
    int left = atomic_load(&taken); /* @left */
    atomic_store(&made, left); /* what was taken stays made */
    return 0;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, taker, 0);
    pthread_create(&other, 0, recall, 0);
    atomic_store(&go, 1);
    pthread_join(one, 0);
    pthread_join(other, 0);
    assert(atomic_load(&taken) <= atomic_load(&made)); /* @check */
    return 0;
}
