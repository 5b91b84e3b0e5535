/* A cache whose entries are found before they are complete: cache4j's constructor.
 *
 * Filling the cache constructs many entries, all of them before anybody reads. Later an entry is replaced: the new one is linked, and its
 * size is set afterwards. A cleaner that looks at it between the two counts nothing for it. The constructor's first visits, one for each
 * entry, are all harmless. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { ENTRIES = 24, REPLACED = 5, BYTES = 32 };

struct entry {
    int key;
    volatile int bytes;
};

static struct entry *cache[ENTRIES];
static pthread_mutex_t heap_lock = PTHREAD_MUTEX_INITIALIZER;
static int counted;

static unsigned work(unsigned seed, int steps) {
    for (int i = 0; i < steps; i++) seed = seed * 1664525u + 1013904223u;
    return seed;
}

static struct entry *make(int key) {
    pthread_mutex_lock(&heap_lock);
    struct entry *made = malloc(sizeof *made);
    pthread_mutex_unlock(&heap_lock);
    made->key = key;
    made->bytes = 0;
    return made;
}

static __attribute__((noinline)) void construct(int place) {
    struct entry *made = make(place);
#ifdef FIXED
    made->bytes = BYTES;
    __atomic_store_n(&cache[place], made, __ATOMIC_RELEASE);
#else
    __atomic_store_n(&cache[place], made, __ATOMIC_RELEASE); /* bug: 1 */
    made->bytes = BYTES; /* bug: 3 */
#endif
}

static void *cleaner(void *unused) {
    unsigned sum = 0;
    (void)unused;
    for (int i = 0; i < ENTRIES; i++) {
        sum ^= work((unsigned)i, 50);
        struct entry *entry = __atomic_load_n(&cache[i], __ATOMIC_ACQUIRE);
        counted += entry->bytes; /* bug: 2 */
    }
    return (void *)(long)(sum & 1);
}

static void *writer(void *unused) {
    (void)unused;
    unsigned sum = work(9, 900);
    construct(REPLACED);
    return (void *)(long)(sum & 1);
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < ENTRIES; i++) construct(i);
    pthread_create(&threads[0], NULL, cleaner, NULL);
    pthread_create(&threads[1], NULL, writer, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(counted == ENTRIES * BYTES);
    printf("%d bytes\n", counted);
    return 0;
}
