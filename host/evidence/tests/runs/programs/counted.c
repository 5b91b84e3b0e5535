/* Two threads count without a lock; main checks the sum. */
#include <assert.h>
#include <pthread.h>

enum { ROUNDS = 8 };

struct tally {
    int unrelated;
    int count;
};

static volatile struct tally tally;

static void *counter(void *unused)
{
    (void)unused;
    for (int i = 0; i < ROUNDS; i++) {
        int seen = tally.count; /* @read */
        tally.count = seen + 1; /* @write */
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, counter, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(tally.count == 2 * ROUNDS); /* @check */
    return 0;
}
