#include "log.h"

#include <pthread.h>

#define OWN_LINE _Alignas(64)

enum { CAPACITY = 16 };

static struct {
    OWN_LINE int used;
    OWN_LINE struct entry entries[CAPACITY];
    OWN_LINE pthread_mutex_t lock;
} journal = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct entry archive[SERVICES * ENTRIES + CAPACITY];
static int archived;

unsigned log_sum(const struct entry *entry) {
    return (unsigned)entry->service * 31u + (unsigned)entry->sequence * 17u + entry->what;
}

int log_append(const struct entry *entry) {
    pthread_mutex_lock(&journal.lock);
    int at = journal.used; /* bug: 2 */
    if (at < CAPACITY) {
        journal.entries[at] = *entry; /* bug */
        journal.used = at + 1; /* bug: 3 */
    }
    pthread_mutex_unlock(&journal.lock);
    return at < CAPACITY;
}

/* There is one sweeper only, and it need not wait for those who append. */
void log_sweep(int at_least) {
#ifdef FIXED
    pthread_mutex_lock(&journal.lock);
#endif
    int count = journal.used; /* bug: 1 */
    if (count >= at_least) {
        for (int i = 0; i < count; i++) archive[archived++] = journal.entries[i]; /* bug */
        journal.used = 0; /* bug: 4 */
    }
#ifdef FIXED
    pthread_mutex_unlock(&journal.lock);
#endif
}

int log_complete(void) {
    int next[SERVICES] = {0};
    for (int i = 0; i < archived; i++) {
        const struct entry *entry = &archive[i];
        if (entry->sum != log_sum(entry) || entry->sequence != next[entry->service]++) return 0;
    }
    return archived == SERVICES * ENTRIES;
}
