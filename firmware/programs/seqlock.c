/* A sequence lock: a writer makes the number odd while it writes; readers repeat what they read meanwhile. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#define READERS 3
#define UPDATES 60

static atomic_uint sequence;
static atomic_int left, right; /* always left + right = 1000 */
static atomic_int done;

static void write_pair(int value) {
    atomic_fetch_add(&sequence, 1);
    atomic_store(&left, value);
    atomic_store(&right, 1000 - value);
    atomic_fetch_add(&sequence, 1);
}

static int read_sum(void) {
    for (;;) {
        unsigned before = atomic_load(&sequence);
        if (before & 1) continue;
        int sum = atomic_load(&left) + atomic_load(&right);
        if (atomic_load(&sequence) == before) return sum;
    }
}

static void *read_all(void *argument) {
    int *wrong = argument;
    do
        if (read_sum() != 1000) ++*wrong;
    while (!atomic_load(&done));
    return NULL;
}

int main(void) {
    pthread_t readers[READERS];
    int wrong[READERS] = {0}, all = 0;
    write_pair(0);
    for (int i = 0; i < READERS; i++) pthread_create(&readers[i], NULL, read_all, &wrong[i]);
    for (int i = 1; i <= UPDATES; i++) write_pair(i);
    atomic_store(&done, 1);
    for (int i = 0; i < READERS; i++) {
        pthread_join(readers[i], NULL);
        all += wrong[i];
    }
    printf("sequence %u, left %d, right %d, wrong sums %d\n", atomic_load(&sequence), atomic_load(&left),
           atomic_load(&right), all);
    return 0;
}
