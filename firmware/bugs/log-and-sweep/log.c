/* A log in memory: services append entries, a sweeper moves them to the archive when there are enough.
 *
 * Appending is one step for the services, who have a lock for it. The sweeper, of which there is but one,
 * does without: an entry that arrives while it sweeps is thrown away with those that it has archived. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

#define OWN_LINE _Alignas(64)

enum { SERVICES = 2, ENTRIES = 10, CAPACITY = 16, ENOUGH = 5 };

struct entry {
    int service, sequence;
    unsigned what, sum;
};

static struct {
    OWN_LINE int used;
    OWN_LINE struct entry entries[CAPACITY];
    OWN_LINE pthread_mutex_t lock;
} journal;

static struct entry archive[SERVICES * ENTRIES + CAPACITY];
static int archived;
static OWN_LINE atomic_int running;

/* What services know of each other's load. */
static struct {
    OWN_LINE unsigned served;
    unsigned busiest;
    OWN_LINE pthread_mutex_t lock;
} load;

static unsigned sum_of(const struct entry *entry) {
    return (unsigned)entry->service * 31u + (unsigned)entry->sequence * 17u + entry->what;
}

/* False if there is no room. */
static int append(const struct entry *entry) {
    pthread_mutex_lock(&journal.lock);
    int at = journal.used; /* bug: 2 */
    if (at < CAPACITY) {
        journal.entries[at] = *entry;
        journal.used = at + 1; /* bug: 3 */
    }
    pthread_mutex_unlock(&journal.lock);
    return at < CAPACITY;
}

static void sweep(int at_least) {
#ifdef FIXED
    pthread_mutex_lock(&journal.lock);
#endif
    int count = journal.used; /* bug: 1 */
    if (count >= at_least) {
        for (int i = 0; i < count; i++) archive[archived++] = journal.entries[i];
        journal.used = 0; /* bug: 4 */
    }
#ifdef FIXED
    pthread_mutex_unlock(&journal.lock);
#endif
}

static unsigned serve(unsigned request) {
    for (int i = 0; i < 300; i++) request = (request << 1 | request >> 31) * 2654435761u;
    pthread_mutex_lock(&load.lock);
    load.served++;
    if (load.busiest < request) load.busiest = request;
    pthread_mutex_unlock(&load.lock);
    return request;
}

static void *service(void *argument) {
    int number = *(int *)argument;
    for (int i = 0; i < ENTRIES; i++) {
        struct entry entry = {number, i, serve((unsigned)(number * ENTRIES + i)), 0};
        entry.sum = sum_of(&entry);
        while (!append(&entry)) sched_yield();
    }
    running--;
    return NULL;
}

static void *sweeper(void *argument) {
    (void)argument;
    while (running > 0) {
        for (volatile int pause = 0; pause < 150; pause++) {}
        sweep(ENOUGH);
    }
    sweep(0);
    return NULL;
}

/* Every service's entries are there, each once and in order. */
static int complete(void) {
    int next[SERVICES] = {0};
    for (int i = 0; i < archived; i++) {
        const struct entry *entry = &archive[i];
        if (entry->sum != sum_of(entry) || entry->sequence != next[entry->service]++) return 0;
    }
    return archived == SERVICES * ENTRIES;
}

int main(void) {
    pthread_t services[SERVICES], sweeping;
    int numbers[SERVICES];
    running = SERVICES;
    pthread_mutex_init(&journal.lock, NULL);
    pthread_mutex_init(&load.lock, NULL);
    for (int i = 0; i < SERVICES; i++) {
        numbers[i] = i;
        pthread_create(&services[i], NULL, service, &numbers[i]);
    }
    pthread_create(&sweeping, NULL, sweeper, NULL);
    for (int i = 0; i < SERVICES; i++) pthread_join(services[i], NULL);
    pthread_join(sweeping, NULL);
    assert(complete());
    printf("%d entries\n", archived);
    return 0;
}
