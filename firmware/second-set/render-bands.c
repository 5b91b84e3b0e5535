/*
 * A renderer cuts each picture into bands; workers take bands from the job list, shade
 * them and add their luminance to the picture. The main thread waits until no band is
 * pending and then reads the sum for the exposure of the next picture.
 *
 * Bug: a band stops being pending when a worker has shaded it, but its result is added
 * after that; the main thread may read the sum before the last bands are in it.
 *
 * validate:
 *   kind: order
 *   variable: pic->luma, r->pending
 *   threads: 5
 *   fails-by: assert
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define WORKERS 4
#define PICTURES 3
#define BANDS 5
#define WIDTH 6

typedef struct Picture {
    pthread_mutex_t lock;
    long luma;
    int exposure;
    int number;
    unsigned char rows[BANDS][WIDTH];
} Picture;

typedef struct Band {
    Picture *pic;
    int row;
    struct Band *next;
} Band;

typedef struct Renderer {
    pthread_mutex_t lock;
    pthread_cond_t work;
    pthread_cond_t idle;
    Band *jobs;
    int pending;
    bool quit;
} Renderer;

static void submit(Renderer *r, Picture *pic, int row)
{
    Band *b = malloc(sizeof *b);
    assert(b);
    b->pic = pic;
    b->row = row;
    pthread_mutex_lock(&r->lock);
    b->next = r->jobs;
    r->jobs = b;
    r->pending++;
    pthread_cond_signal(&r->work);
    pthread_mutex_unlock(&r->lock);
}

static Band *take(Renderer *r)
{
    Band *b;
    pthread_mutex_lock(&r->lock);
    while (!r->jobs && !r->quit)
        pthread_cond_wait(&r->work, &r->lock);
    b = r->jobs;
    if (b) {
        r->jobs = b->next;
    }
    pthread_mutex_unlock(&r->lock);
    return b;
}

static void finished(Renderer *r)
{
    pthread_mutex_lock(&r->lock);
    if (--r->pending == 0)
        pthread_cond_broadcast(&r->idle);
    pthread_mutex_unlock(&r->lock);
}

static long shade(Picture *pic, int row)
{
    long sum = 0;
    for (int x = 0; x < WIDTH; x++) {
        pic->rows[row][x] = (unsigned char)(row * 10 + x + pic->number);
        sum += pic->rows[row][x] * pic->exposure;
    }
    return sum;
}

static void *worker(void *arg)
{
    Renderer *r = arg;
    Band *b;
    while ((b = take(r)) != NULL) {
        Picture *pic = b->pic;
        long sum = shade(pic, b->row);
#ifndef FIXED
        finished(r);                                    /* bug */
#endif
        pthread_mutex_lock(&pic->lock);
        pic->luma += sum;                               /* bug: 2 */
        pthread_mutex_unlock(&pic->lock);
#ifdef FIXED
        finished(r);
#endif
        free(b);
    }
    return NULL;
}

static long wait_and_meter(Renderer *r, Picture *pic)
{
    long luma;
    pthread_mutex_lock(&r->lock);
    while (r->pending > 0)
        pthread_cond_wait(&r->idle, &r->lock);
    pthread_mutex_unlock(&r->lock);

    pthread_mutex_lock(&pic->lock);
    luma = pic->luma;                                   /* bug: 1 */
    pthread_mutex_unlock(&pic->lock);
    return luma;
}

static long expected(int number, int exposure)
{
    long sum = 0;
    for (int row = 0; row < BANDS; row++)
        for (int x = 0; x < WIDTH; x++)
            sum += (row * 10 + x + number) * exposure;
    return sum;
}

int main(void)
{
    Renderer r = { .lock = PTHREAD_MUTEX_INITIALIZER, .work = PTHREAD_COND_INITIALIZER,
                   .idle = PTHREAD_COND_INITIALIZER };
    Picture *pics[PICTURES];
    pthread_t tid[WORKERS];
    long metered[PICTURES];
    int exposure = 4;

    for (int i = 0; i < WORKERS; i++)
        pthread_create(&tid[i], NULL, worker, &r);

    for (int n = 0; n < PICTURES; n++) {
        Picture *pic = pics[n] = calloc(1, sizeof *pic);
        assert(pic);
        pthread_mutex_init(&pic->lock, NULL);
        pic->number = n;
        pic->exposure = exposure;
        for (int row = 0; row < BANDS; row++)
            submit(&r, pic, row);
        metered[n] = wait_and_meter(&r, pic);
        exposure = metered[n] > 2500 ? 3 : 5;
    }

    pthread_mutex_lock(&r.lock);
    r.quit = true;
    pthread_cond_broadcast(&r.work);
    pthread_mutex_unlock(&r.lock);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(tid[i], NULL);

    for (int n = 0; n < PICTURES; n++) {
        assert(metered[n] == expected(n, pics[n]->exposure));
        pthread_mutex_destroy(&pics[n]->lock);
        free(pics[n]);
    }
    return 0;
}
