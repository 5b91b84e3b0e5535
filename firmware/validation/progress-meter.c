/*
 * Copy-tool progress meter.
 *
 * Nine copy threads walk a shared file list (index under a lock) and account
 * their blocks in a meter.  meter_add() is locked.  The retry counter for bad
 * blocks is "only a statistic" and is bumped from the error path without the
 * lock; the summary at the end insists that every bad block was retried.
 *
 * validate:
 *   kind: lost-update
 *   variable: meter.retries
 *   threads: 10
 *   fails-by: exit
 *   rare: yes
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

#define COPIERS 9
#define FILES   24

struct meter {
    pthread_mutex_t lk;
    unsigned blocks;
    unsigned files;
    unsigned retries;
};

static struct meter meter = { .lk = PTHREAD_MUTEX_INITIALIZER };

static struct {
    pthread_mutex_t lk;
    int next;
} list = { PTHREAD_MUTEX_INITIALIZER, 0 };

/* blocks per file; a negative number marks a file with one bad block */
static const signed char blocks_of[FILES] = {
    3, 5, 2, 4, 6, 1, -4, 3, 2, 5, 7, 2, 3, 4, -5, 1, 2, 6, 3, -3, 2, 4, 5, 3
};

static int next_file(void)
{
    int i;
    pthread_mutex_lock(&list.lk);
    i = list.next < FILES ? list.next++ : -1;
    pthread_mutex_unlock(&list.lk);
    return i;
}

static void meter_add(unsigned nblocks)
{
    pthread_mutex_lock(&meter.lk);
    meter.blocks += nblocks;
    meter.files++;
    pthread_mutex_unlock(&meter.lk);
}

static void meter_retry(void)
{
#ifdef FIXED
    pthread_mutex_lock(&meter.lk);
    meter.retries++;
    pthread_mutex_unlock(&meter.lk);
#else
    meter.retries++; /* bug: 1, 2, 3, 4 */
#endif
}

static bool copy_block(int file, int blk, int attempt)
{
    return !(blocks_of[file] < 0 && blk == 1 && attempt == 0);
}

static void *copier(void *arg)
{
    int f;
    (void)arg;
    while ((f = next_file()) >= 0) {
        int n = blocks_of[f] < 0 ? -blocks_of[f] : blocks_of[f];
        for (int b = 0; b < n; b++)
            for (int attempt = 0; !copy_block(f, b, attempt); attempt++)
                meter_retry();
        meter_add((unsigned)n);
    }
    return NULL;
}

int main(void)
{
    pthread_t t[COPIERS];
    unsigned want_blocks = 0, want_retries = 0;

    for (int i = 0; i < FILES; i++) {
        if (blocks_of[i] < 0)
            want_retries++;
        want_blocks += (unsigned)(blocks_of[i] < 0 ? -blocks_of[i] : blocks_of[i]);
    }
    for (int i = 0; i < COPIERS; i++)
        pthread_create(&t[i], NULL, copier, NULL);
    for (int i = 0; i < COPIERS; i++)
        pthread_join(t[i], NULL);

    printf("%u files, %u blocks, %u retries\n", meter.files, meter.blocks, meter.retries);
    if (meter.files != FILES || meter.blocks != want_blocks)
        return 2;
    if (meter.retries != want_retries) {
        fprintf(stderr, "summary does not add up\n");
        return 1;
    }
    return 0;
}
