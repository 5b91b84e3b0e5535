/*
 * A key-value store with a latch of its own making: many readers or one
 * writer, built from a mutex and a condition variable. Two clients write pairs
 * of keys, one reads them.
 *
 * Bug: a writer waits until there are no readers, but does not look
 * whether another writer is in. Two writers work on the store at the same time, and one of their
 * changes is lost.
 *
 * validate:
 *   kind: readers-writers
 *   variable: latch.writing, store.version, store.count
 *   threads: 4
 *   fails-by: exit
 *   rare: no
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define KEYS 4
#define WRITES 4

static struct {
    pthread_mutex_t lock;
    pthread_cond_t change;
    int readers;
    int writing;
} latch = { .lock = PTHREAD_MUTEX_INITIALIZER, .change = PTHREAD_COND_INITIALIZER };

struct pair {
    char key[8];
    unsigned value;
};

static struct {
    struct pair pairs[2 * WRITES];
    int count;
    unsigned version;
} store;

static void read_lock(void)
{
    pthread_mutex_lock(&latch.lock);
    while (latch.writing)
        pthread_cond_wait(&latch.change, &latch.lock);
    latch.readers++;
    pthread_mutex_unlock(&latch.lock);
}

static void read_unlock(void)
{
    pthread_mutex_lock(&latch.lock);
    latch.readers--;
    pthread_cond_broadcast(&latch.change);
    pthread_mutex_unlock(&latch.lock);
}

static void write_lock(void)
{
    pthread_mutex_lock(&latch.lock);
#ifdef FIXED
    while (latch.readers || latch.writing)
#else
    while (latch.readers)                       /* bug */
#endif
        pthread_cond_wait(&latch.change, &latch.lock);
    latch.writing = 1;                          /* bug */
    pthread_mutex_unlock(&latch.lock);
}

static void write_unlock(void)
{
    pthread_mutex_lock(&latch.lock);
    latch.writing = 0;
    pthread_cond_broadcast(&latch.change);
    pthread_mutex_unlock(&latch.lock);
}

static void put(const char *key, unsigned value)
{
    int at = 0;
    unsigned version;

    write_lock();
    version = store.version;                    /* bug: 1 */
    while (at < store.count && strcmp(store.pairs[at].key, key) != 0)    /* bug */
        at++;
    if (at == store.count) {                    /* bug */
        strcpy(store.pairs[at].key, key);       /* bug */
        store.count++;                          /* bug */
    }
    store.pairs[at].value = value;
    store.version = version + 1;                /* bug: 2, 3 */
    write_unlock();
}

static unsigned get(const char *key)
{
    unsigned value = 0;

    read_lock();
    for (int i = 0; i < store.count; i++)
        if (strcmp(store.pairs[i].key, key) == 0)
            value = store.pairs[i].value;
    read_unlock();
    return value;
}

static void *writer(void *arg)
{
    const char *const *keys = arg;

    for (unsigned i = 0; i < WRITES; i++)
        put(keys[i % 2], i + 1);
    return NULL;
}

static void *reader(void *arg)
{
    unsigned *sum = arg;

    for (int i = 0; i < 3; i++)
        *sum += get("ann") + get("dan");
    return NULL;
}

int main(void)
{
    static const char *const first[] = { "ann", "bob" }, *const second[] = { "carol", "dan" };
    pthread_t a, b, c;
    unsigned sum = 0;

    pthread_create(&a, NULL, writer, (void *)first);
    pthread_create(&b, NULL, writer, (void *)second);
    pthread_create(&c, NULL, reader, &sum);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    printf("version %u, %d keys\n", store.version, store.count);
    return store.version == 2 * WRITES && store.count == KEYS && sum <= 21 ? 0 : 1;
}
