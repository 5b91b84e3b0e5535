/* A map of which each call locks itself, as Java's Collections.synchronizedMap: two calls together are not one step.
 *
 * A key is put if it is not there, by a look and a put. If another thread puts it between the two, its value is lost. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

enum { KEYS = 8, MOST = KEYS + 1, THREADS = 3, NONE = -1 };

static struct {
    pthread_mutex_t lock;
    int keys[MOST], values[MOST];
    int count;
} map = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int given[KEYS];

static int find(int key) {
    for (int i = 0; i < map.count; i++)
        if (map.keys[i] == key) return i;
    return NONE;
}

static __attribute__((noinline)) int get(int key) {
    pthread_mutex_lock(&map.lock);
    int place = find(key);
    int value = place == NONE ? NONE : map.values[place]; /* bug: 1 */
    pthread_mutex_unlock(&map.lock);
    return value;
}

static __attribute__((noinline)) void put(int key, int value) {
    pthread_mutex_lock(&map.lock);
    int place = find(key);
    if (place == NONE) place = map.count++;
    map.keys[place] = key;
    map.values[place] = value; /* bug: 2, 3 */
    pthread_mutex_unlock(&map.lock);
}

static __attribute__((noinline)) int put_if_absent(int key, int value) {
#ifdef FIXED
    pthread_mutex_lock(&map.lock);
    int place = find(key);
    int known = place == NONE ? NONE : map.values[place];
    if (known == NONE) {
        map.keys[map.count] = key;
        map.values[map.count++] = value;
    }
    pthread_mutex_unlock(&map.lock);
#else
    int known = get(key);
    if (known == NONE) put(key, value);
#endif
    return known == NONE ? value : known;
}

static unsigned work(unsigned seed) {
    for (unsigned i = 0; i < 200 + 300 * (seed % 3); i++) seed = seed * 1664525u + 1013904223u;
    return seed;
}

static void *thread(void *argument) {
    int self = (int)(long)argument;
    unsigned sum = 0;
    for (int i = 0; i < KEYS; i++) {
        int key = (i + 3 * self) % KEYS;
        sum ^= work((unsigned)(self + i));
        int value = put_if_absent(key, 10 * key + self);
        /* Everybody must have been given the same. */
        if (key == 0) given[self] = value;
    }
    return (void *)(long)(sum & 1);
}

int main(void) {
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, thread, (void *)i);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    put(KEYS, 0);
    for (int i = 0; i < THREADS; i++) assert(given[i] == get(0));
    printf("%d keys\n", map.count);
    return 0;
}
