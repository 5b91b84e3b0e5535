/*
 * block-cache: a read cache of disk blocks with a background reclaimer.
 *
 * Readers pin a buffer while they use it; the reclaimer invalidates buffers
 * that nobody has pinned.  It picks its victim under the cache lock, lets go
 * of the lock for the trim command to the device and then takes it again to
 * wipe the buffer, without looking at the pin count again.  A reader that
 * pins the block in that window works on a wiped buffer.
 *
 * validate:
 *   kind: check-then-act
 *   variable: buf->pins
 *   threads: 4
 *   fails-by: assert
 *   rare: yes
 */
#include "bcache.h"
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static void *reader(void *arg)
{
    const int *trace = arg;
    long sum = 0;

    for (int i = 0; trace[i] >= 0; i++) {
        struct buf *b = bcache_get(trace[i]);
        if (b == NULL)
            continue;           /* cache busy: a real reader would bypass it */
        for (int k = 0; k < BLKSIZE; k++) {
            assert(b->data[k] == block_byte(trace[i], k)); /* bug: 4 */
            sum += b->data[k];
        }
        bcache_put(b);
    }
    return (void *)sum;
}

static void *reclaimer(void *arg)
{
    int passes = *(int *)arg;
    while (passes-- > 0)
        bcache_reclaim_one();
    return NULL;
}

int main(void)
{
    static int trace_a[] = { 3, 4, 5, 3, 9, 3, 4, 7, 3, -1 };
    static int trace_b[] = { 7, 3, 8, 4, 7, 7, 3, 5, 9, 4, -1 };
    static int passes = 6;
    pthread_t a, b, r;

    pthread_create(&a, NULL, reader, trace_a);
    pthread_create(&b, NULL, reader, trace_b);
    pthread_create(&r, NULL, reclaimer, &passes);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(r, NULL);
    printf("cache: %d hits, %d misses\n", bcache_hits(), bcache_misses());
    return 0;
}
