/*
 * Thumbnail worker pool (extract).
 *
 * Every album has its own mutex.  Workers scale pictures of "their" album
 * and then report to the pool-wide summary.  The author took the album's
 * mutex for the report, not the pool's, so two workers of different albums
 * hold different locks while both modify pool->pixels_done.
 *
 * validate:
 *   kind: lost-update
 *   variable: pool->pixels_done
 *   threads: 5
 *   fails-by: assert
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { ALBUMS = 4, PICS = 6, W = 4, H = 3 };

typedef struct ThumbPool ThumbPool;

typedef struct {
    pthread_mutex_t mtx;
    ThumbPool *pool;
    uint8_t pic[PICS][W * H];
    uint8_t thumb[PICS];
    int ready;
} Album;

struct ThumbPool {
    pthread_mutex_t mtx;
    uint32_t pixels_done;
    Album albums[ALBUMS];
};

static uint8_t averageOf(const uint8_t *px, int n)
{
    unsigned acc = 0;
    for (int i = 0; i < n; ++i)
        acc += px[i];
    return (uint8_t)(acc / (unsigned)n);
}

static void reportPixels(Album *a, uint32_t n)
{
    ThumbPool *pool = a->pool;
#ifdef FIXED
    pthread_mutex_lock(&pool->mtx);
#else
    pthread_mutex_lock(&a->mtx); /* bug */
#endif
    uint32_t total = pool->pixels_done; /* bug: 1, 2 */
    total += n;
    pool->pixels_done = total; /* bug: 3, 4 */
#ifdef FIXED
    pthread_mutex_unlock(&pool->mtx);
#else
    pthread_mutex_unlock(&a->mtx);
#endif
}

static void *albumWorker(void *arg)
{
    Album *a = arg;
    for (int i = 0; i < PICS; ++i) {
        uint8_t v = averageOf(a->pic[i], W * H);
        pthread_mutex_lock(&a->mtx);
        a->thumb[i] = v;
        a->ready++;
        pthread_mutex_unlock(&a->mtx);
        reportPixels(a, W * H);
    }
    return NULL;
}

static ThumbPool *newPool(void)
{
    ThumbPool *p = calloc(1, sizeof *p);
    assert(p);
    pthread_mutex_init(&p->mtx, NULL);
    for (int a = 0; a < ALBUMS; ++a) {
        Album *al = &p->albums[a];
        pthread_mutex_init(&al->mtx, NULL);
        al->pool = p;
        for (int i = 0; i < PICS; ++i)
            for (int k = 0; k < W * H; ++k)
                al->pic[i][k] = (uint8_t)(a * 16 + i + k);
    }
    return p;
}

int main(void)
{
    ThumbPool *p = newPool();
    pthread_t t[ALBUMS];
    int thumbs = 0;

    for (int i = 0; i < ALBUMS; ++i)
        pthread_create(&t[i], NULL, albumWorker, &p->albums[i]);
    for (int i = 0; i < ALBUMS; ++i)
        pthread_join(t[i], NULL);
    for (int i = 0; i < ALBUMS; ++i)
        thumbs += p->albums[i].ready;
    printf("%d thumbnails, %u pixels\n", thumbs, (unsigned)p->pixels_done);
    assert(thumbs == ALBUMS * PICS);
    assert(p->pixels_done == (uint32_t)ALBUMS * PICS * W * H);
    free(p);
    return 0;
}
