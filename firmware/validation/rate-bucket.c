/*
 * A token bucket as used for rate limiting: requests spend tokens, a refill
 * thread puts tokens back.  Nothing is created or destroyed, so at the end
 * tokens in the bucket + tokens spent == initial + refilled.
 *
 * BUG: bucket_refill() reads the level in one critical section and writes the
 * new level in a second one.  Tokens spent in between come back from the dead.
 *
 * validate:
 *   kind: lost-update
 *   variable: bucket->level
 *   threads: 4
 *   fails-by: assert
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct bucket {
    int             capacity;
    int             level;
    int             added;
    pthread_mutex_t mtx;
} bucket_t;

typedef struct client {
    bucket_t *bucket;
    int       cost;
    int       requests;
    int       spent;
} client_t;

static bucket_t *bucket_new(int capacity)
{
    bucket_t *b = malloc(sizeof(*b));
    if (!b)
        return NULL;
    b->capacity = capacity;
    b->level = capacity / 2;
    b->added = 0;
    pthread_mutex_init(&b->mtx, NULL);
    return b;
}

static bool bucket_take(bucket_t *bucket, int n)
{
    bool ok = false;

    pthread_mutex_lock(&bucket->mtx);
    if (bucket->level >= n) {
        bucket->level -= n;                                 /* bug: 2 */
        ok = true;
    }
    pthread_mutex_unlock(&bucket->mtx);
    return ok;
}

static void bucket_refill(bucket_t *bucket, int n)
{
    int now;

    pthread_mutex_lock(&bucket->mtx);
    now = bucket->level;                                    /* bug: 1 */
#ifndef FIXED
    pthread_mutex_unlock(&bucket->mtx);
#endif
    if (now + n > bucket->capacity)
        n = bucket->capacity - now;
#ifndef FIXED
    pthread_mutex_lock(&bucket->mtx);
#endif
    bucket->level = now + n;                                /* bug: 3 */
    bucket->added += n;
    pthread_mutex_unlock(&bucket->mtx);
}

static void *client_main(void *p)
{
    client_t *c = p;
    for (int i = 0; i < c->requests; i++)
        if (bucket_take(c->bucket, c->cost))
            c->spent += c->cost;
    return NULL;
}

static void *refill_main(void *p)
{
    for (int i = 0; i < 12; i++)
        bucket_refill(p, 5);
    return NULL;
}

int main(void)
{
    bucket_t *b = bucket_new(40);
    client_t c[2] = { { b, 1, 25, 0 }, { b, 3, 12, 0 } };
    pthread_t tc[2], tr;

    if (!b)
        return 3;
    pthread_create(&tr, NULL, refill_main, b);
    pthread_create(&tc[0], NULL, client_main, &c[0]);
    pthread_create(&tc[1], NULL, client_main, &c[1]);
    pthread_join(tc[0], NULL);
    pthread_join(tc[1], NULL);
    pthread_join(tr, NULL);

    assert(b->level + c[0].spent + c[1].spent == 20 + b->added);
    printf("level %d after %d refilled\n", b->level, b->added);
    pthread_mutex_destroy(&b->mtx);
    free(b);
    return 0;
}
