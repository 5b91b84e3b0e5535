/*
 * tile-render.c - tile renderer with a worker pool.
 *
 * Each worker renders every third tile until none is left.  The main thread waits
 * for the last tile, post-processes the picture and closes the pool.
 * pool_close() wants to read consistent totals and keeps the pool lock while
 * it joins the workers - but a worker which has not yet come round to find out
 * that there are no more tiles needs that lock to do so.
 *
 * validate:
 *   kind: deadlock
 *   variable: pool.lock, pool.thread[]
 *   threads: 4
 *   fails-by: deadlock
 *   rare: no
 */
#include <pthread.h>
#include <stdio.h>

#define TILES   9
#define TSIZE   16
#define WORKERS 3

static unsigned char picture[TILES][TSIZE];

static struct pool {
    pthread_mutex_t lock;
    pthread_cond_t  all_done;
    int             next_tile[WORKERS], done;
    int             fetches;
    pthread_t       thread[WORKERS];
} pool = { .lock = PTHREAD_MUTEX_INITIALIZER, .all_done = PTHREAD_COND_INITIALIZER };

static int fetch_tile(int me)
{
    int t = -1;
    pthread_mutex_lock(&pool.lock); /* bug: 3 */
    pool.fetches++;
    if (pool.next_tile[me] < TILES) {
        t = pool.next_tile[me];
        pool.next_tile[me] += WORKERS;
    }
    pthread_mutex_unlock(&pool.lock);
    return t;
}

static void tile_done(void)
{
    pthread_mutex_lock(&pool.lock);
    if (++pool.done == TILES)
        pthread_cond_signal(&pool.all_done);
    pthread_mutex_unlock(&pool.lock);
}

static void *worker(void *arg)
{
    int t, me = *(int *)arg;

    while ((t = fetch_tile(me)) >= 0) {
        for (int i = 0; i < TSIZE; i++)
            picture[t][i] = (unsigned char)(t * 20 + i);
        tile_done();
    }
    return NULL;
}

static unsigned post_process(void)
{
    volatile unsigned sum = 0;
    for (int pass = 0; pass < 12; pass++)
        for (int t = 0; t < TILES; t++)
            for (int i = 0; i < TSIZE; i++)
                sum = sum * 3 + picture[t][i];
    return sum;
}

static int pool_close(void)
{
    int fetches;

#ifdef FIXED
    for (int i = 0; i < WORKERS; i++)
        pthread_join(pool.thread[i], NULL);
    pthread_mutex_lock(&pool.lock);
#else
    pthread_mutex_lock(&pool.lock); /* bug: 1 */
    for (int i = 0; i < WORKERS; i++)
        pthread_join(pool.thread[i], NULL); /* bug: 2 */
#endif
    fetches = pool.fetches;
    pthread_mutex_unlock(&pool.lock);
    return fetches;
}

int main(void)
{
    static int num[WORKERS] = { 0, 1, 2 };
    unsigned sum;
    int fetches;

    for (int i = 0; i < WORKERS; i++) {
        pool.next_tile[i] = i;
        pthread_create(&pool.thread[i], NULL, worker, &num[i]);
    }

    pthread_mutex_lock(&pool.lock);
    while (pool.done < TILES)
        pthread_cond_wait(&pool.all_done, &pool.lock);
    pthread_mutex_unlock(&pool.lock);

    sum = post_process();
    fetches = pool_close();
    printf("picture %08x, %d fetches\n", sum, fetches);
    return fetches == TILES + WORKERS ? 0 : 1;
}
