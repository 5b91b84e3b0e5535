/* Two threads add to a counter without a lock. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static volatile int counter, unrelated;
static pthread_barrier_t start;

static void *adder(void *unused) {
    pthread_barrier_wait(&start);
    for (int i = 0; i < 3; i++) {
        int seen = counter; /* @load */
        counter = seen + 1; /* @store */
    }
    unrelated = 7;
    return unused;
}

#ifdef EXIT
static int check(int value) {
    if (value == 6) return 0; /* @check */
    printf("%d of 6\n", value);
    return 1;
}
#endif

int main(void) {
    pthread_t threads[2];
    pthread_barrier_init(&start, NULL, 2);
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, adder, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    if (unrelated != 7) return 3;
#ifdef COUNT
    return 6 - counter; /* @check-call */
#elif defined EXIT
    return check(counter); /* @check-call */
#else
    assert(counter == 6); /* @assert */
    return 0;
#endif
}
