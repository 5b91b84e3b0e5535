/* Threads write a journal, properly locked, which is sent in ascending runs. Nobody thought that all of it may be one run:
 * the buffer of a run has room for all entries but one. About one uniform schedule in a thousand shows it. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 4, ROUNDS = 2, ENTRIES = THREADS * ROUNDS, LONGEST = ENTRIES - 1 };

static struct {
    pthread_mutex_t lock;
    int used;
    int entries[ENTRIES];
} journal = {.lock = PTHREAD_MUTEX_INITIALIZER};

static pthread_barrier_t round_begins;

/* What each thread writes in each round. */
static const int keys[ROUNDS][THREADS] = {{1, 3, 2, 0}, {6, 7, 4, 5}};

static void *work(void *number) {
    int thread = (int)(long)number;
    for (int round = 0; round < ROUNDS; round++) {
        pthread_barrier_wait(&round_begins);
        pthread_mutex_lock(&journal.lock);
        journal.entries[journal.used++] = keys[round][thread]; /* bug */
        pthread_mutex_unlock(&journal.lock);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    pthread_barrier_init(&round_begins, NULL, THREADS);
    for (long i = 1; i < THREADS; i++) pthread_create(&threads[i], NULL, work, (void *)i);
    work(0);
    for (int i = 1; i < THREADS; i++) pthread_join(threads[i], NULL);
    int run = 1, longest = 1;
    for (int i = 1; i < ENTRIES; i++) {
        run = journal.entries[i] > journal.entries[i - 1] ? run + 1 : 1;
        if (run > longest) longest = run;
    }
    printf("%d entries, %d in a row\n", ENTRIES, longest);
    assert(longest <= LONGEST);
    return 0;
}
