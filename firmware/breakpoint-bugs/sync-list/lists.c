/* Two lists of which each call locks itself, as Java's Collections.synchronizedList: one is added to the other, and the other to it.
 *
 * add_all locks the list that grows, and then the one that it reads. Two threads that do it the other way round wait for each other. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

enum { LONGEST = 64, ROUNDS = 3 };

struct list {
    pthread_mutex_t lock;
    int items[LONGEST];
    int count;
};

static struct list red = {.lock = PTHREAD_MUTEX_INITIALIZER};
static struct list blue = {.lock = PTHREAD_MUTEX_INITIALIZER};

static __attribute__((noinline)) void add(struct list *list, int item) {
    pthread_mutex_lock(&list->lock);
    if (list->count < LONGEST) list->items[list->count++] = item;
    pthread_mutex_unlock(&list->lock);
}

static __attribute__((noinline)) int to_array(struct list *list, int *items) {
    pthread_mutex_lock(&list->lock); /* bug: 3, 4 */
    int count = list->count;
    for (int i = 0; i < count; i++) items[i] = list->items[i];
    pthread_mutex_unlock(&list->lock);
    return count;
}

static __attribute__((noinline)) int add_all(struct list *list, struct list *other) {
    int items[LONGEST];
#ifdef FIXED
    int count = to_array(other, items);
    pthread_mutex_lock(&list->lock);
#else
    pthread_mutex_lock(&list->lock); /* bug: 1, 2 */
    int count = to_array(other, items);
#endif
    int added = 0;
    for (; added < count && list->count < LONGEST; added++) list->items[list->count++] = items[added];
    pthread_mutex_unlock(&list->lock);
    return added;
}

static unsigned work(unsigned seed) {
    for (int i = 0; i < 500; i++) seed = seed * 1664525u + 1013904223u;
    return seed;
}

static void *reds(void *unused) {
    unsigned sum = 0;
    (void)unused;
    for (int i = 0; i < ROUNDS; i++) {
        add(&red, i);
        sum ^= work((unsigned)i);
    }
    add_all(&red, &blue);
    return (void *)(long)(sum & 1);
}

static void *blues(void *unused) {
    unsigned sum = 0;
    (void)unused;
    for (int i = 0; i < 2 * ROUNDS; i++) {
        add(&blue, 100 + i);
        sum ^= work((unsigned)i);
    }
    add_all(&blue, &red);
    return (void *)(long)(sum & 1);
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, reds, NULL);
    pthread_create(&other, NULL, blues, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    assert(red.count >= ROUNDS && blue.count >= 2 * ROUNDS);
    printf("%d and %d\n", red.count, blue.count);
    return 0;
}
