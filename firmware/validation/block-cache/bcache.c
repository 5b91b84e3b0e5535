#include "bcache.h"
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct buf bufs[NBUF] = {
    { .blkno = -1 }, { .blkno = -1 }, { .blkno = -1 }, { .blkno = -1 }, { .blkno = -1 }
};
static int hits, misses, hand;
static int trimmed[16];         /* reclaimer only */

unsigned char block_byte(int blkno, int off)
{
    return (unsigned char)(blkno * 17 + off * 3 + 1);
}

static struct buf *lookup(int blkno)
{
    for (int i = 0; i < NBUF; i++)
        if (bufs[i].blkno == blkno)
            return &bufs[i];
    return NULL;
}

struct buf *bcache_get(int blkno)
{
    struct buf *b;

    pthread_mutex_lock(&lock);
    b = lookup(blkno);
    if (b != NULL) {
        hits++;
    } else if ((b = lookup(-1)) != NULL) {
        misses++;
        b->blkno = blkno;
        for (int k = 0; k < BLKSIZE; k++)
            b->data[k] = block_byte(blkno, k);
    }
    if (b != NULL)
        b->pins++; /* bug: 2 */
    pthread_mutex_unlock(&lock);
    return b;
}

void bcache_put(struct buf *b)
{
    pthread_mutex_lock(&lock);
    b->pins--;
    pthread_mutex_unlock(&lock);
}

static struct buf *pick_victim(void)
{
    for (int n = 0; n < NBUF; n++) {
        struct buf *b = &bufs[hand++ % NBUF];
        if (b->blkno >= 0 && b->pins == 0) /* bug: 1 */
            return b;
    }
    return NULL;
}

static void device_trim(int blkno)
{
    trimmed[blkno & 15]++;
}

void bcache_reclaim_one(void)
{
    struct buf *v;
    int blkno;

    pthread_mutex_lock(&lock);
    v = pick_victim();
    blkno = v ? v->blkno : -1;
    pthread_mutex_unlock(&lock);
    if (v == NULL)
        return;

    device_trim(blkno);

    pthread_mutex_lock(&lock);
#ifdef FIXED
    if (v->pins != 0) {         /* somebody wants it after all */
        pthread_mutex_unlock(&lock);
        return;
    }
#endif
    v->blkno = -1;
    for (int k = 0; k < BLKSIZE; k++)
        v->data[k] = 0; /* bug: 3 */
    pthread_mutex_unlock(&lock);
}

int bcache_hits(void)
{
    return hits;
}

int bcache_misses(void)
{
    return misses;
}
