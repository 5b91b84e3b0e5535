/* A set of which each call locks itself, as Java's Collections.synchronizedSet: going through it is not one call.
 *
 * A reader asks for the size, makes room for as many and copies one after the other. If a member is removed meanwhile, it reads what is
 * not there any more. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

enum { MOST = 16, MEMBERS = 10, GONE = -1 };

static struct {
    pthread_mutex_t lock;
    int members[MOST];
    int count;
} set = {.lock = PTHREAD_MUTEX_INITIALIZER};

static __attribute__((noinline)) void add(int member) {
    pthread_mutex_lock(&set.lock);
    for (int i = 0; i < set.count; i++) {
        if (set.members[i] == member) {
            pthread_mutex_unlock(&set.lock);
            return;
        }
    }
    set.members[set.count++] = member;
    pthread_mutex_unlock(&set.lock);
}

static __attribute__((noinline)) void remove_last(void) {
    pthread_mutex_lock(&set.lock);
    if (set.count > 0) set.members[--set.count] = GONE; /* bug: 2 */
    pthread_mutex_unlock(&set.lock);
}

static __attribute__((noinline)) int size(void) {
    pthread_mutex_lock(&set.lock);
    int count = set.count; /* bug: 1 */
    pthread_mutex_unlock(&set.lock);
    return count;
}

static __attribute__((noinline)) int member(int place) {
    pthread_mutex_lock(&set.lock);
    int found = set.members[place]; /* bug: 3 */
    pthread_mutex_unlock(&set.lock);
    return found;
}

static unsigned work(unsigned seed, int steps) {
    for (int i = 0; i < steps; i++) seed = seed * 1664525u + 1013904223u;
    return seed;
}

static void *reader(void *unused) {
    int copy[MOST];
    (void)unused;
    for (int round = 0; round < 2; round++) {
        unsigned sum = work((unsigned)round, 400);
#ifdef FIXED
        pthread_mutex_lock(&set.lock);
        int count = set.count;
        for (int i = 0; i < count; i++) copy[i] = set.members[i];
        pthread_mutex_unlock(&set.lock);
#else
        int count = size();
        for (int i = 0; i < count; i++) copy[i] = member(i);
#endif
        for (int i = 0; i < count; i++) assert(copy[i] != GONE);
        if (sum == 0) return &set;
    }
    return NULL;
}

static void *remover(void *unused) {
    (void)unused;
    if (work(7, 9000) == 0) return &set;
    remove_last();
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < MEMBERS; i++) add(3 * i);
    pthread_create(&threads[0], NULL, reader, NULL);
    pthread_create(&threads[1], NULL, remover, NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    printf("%d members, the first is %d\n", size(), member(0));
    return 0;
}
