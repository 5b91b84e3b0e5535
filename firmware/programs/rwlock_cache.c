/* A cache of computed values behind a read-write lock: readers look, a miss takes the write lock. */
#include <pthread.h>
#include <stdio.h>

#define THREADS 3
#define KEYS 12
#define LOOKUPS 36

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int cached[KEYS], computed[KEYS];

static int compute(int key) {
    int result = 1;
    for (int i = 0; i < key; i++) result = result * 3 % 1009;
    return result;
}

static int look_up(int key) {
    pthread_rwlock_rdlock(&lock);
    int value = cached[key];
    pthread_rwlock_unlock(&lock);
    if (value) return value;
    pthread_rwlock_wrlock(&lock);
    if (!cached[key]) {
        cached[key] = compute(key);
        computed[key]++;
    }
    value = cached[key];
    pthread_rwlock_unlock(&lock);
    return value;
}

static void *work(void *argument) {
    int self = (int)(long)argument;
    long sum = 0;
    for (int i = 0; i < LOOKUPS; i++) sum += look_up((i * (self + 1)) % KEYS);
    return (void *)sum;
}

int main(void) {
    pthread_t threads[THREADS];
    int once = 0;
    for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++) {
        void *sum;
        pthread_join(threads[i], &sum);
        printf("thread %d: %ld\n", i, (long)sum);
    }
    for (int i = 0; i < KEYS; i++) once += computed[i] == 1;
    printf("%d of %d keys computed exactly once\n", once, KEYS);
    pthread_rwlock_destroy(&lock);
    return 0;
}
