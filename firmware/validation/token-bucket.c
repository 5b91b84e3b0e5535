/*
 * token-bucket.c
 *
 * Rate limiter in front of an upstream API: eight request threads draw
 * tokens from one bucket; the refill thread is main, which tops it up twice.
 *
 * tb_take() tests the level and subtracts in two atomic operations, each fine
 * in itself.  When the bucket is nearly empty several threads may pass the
 * test and the level falls below zero.
 *
 * validate:
 *   kind: check-then-act
 *   variable: b->tokens
 *   threads: 9
 *   fails-by: assert
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

struct bucket {
    atomic_int tokens;
    atomic_int granted, denied;
};

static struct bucket upstream = { 9, 0, 0 };

static bool tb_take(struct bucket *b, int cost)
{
#ifdef FIXED
    int have = atomic_load(&b->tokens);
    do {
        if (have < cost)
            return false;
    } while (!atomic_compare_exchange_weak(&b->tokens, &have, have - cost));
#else
    if (atomic_load(&b->tokens) < cost) /* bug: 1, 2 */
        return false;
    int have = atomic_fetch_sub(&b->tokens, cost); /* bug: 3, 4 */
#endif
    assert(have >= cost);
    return true;
}

static void tb_refill(struct bucket *b, int n)
{
    atomic_fetch_add(&b->tokens, n);
}

static void *requests(void *arg)
{
    int cost = *(int *)arg;
    for (int i = 0; i < 5; i++) {
        if (tb_take(&upstream, cost))
            atomic_fetch_add(&upstream.granted, cost);
        else
            atomic_fetch_add(&upstream.denied, 1);
    }
    return NULL;
}

int main(void)
{
    static int cost[8] = { 1, 1, 2, 1, 3, 1, 2, 1 };
    pthread_t t[8];

    for (int i = 0; i < 8; i++) {
        pthread_create(&t[i], NULL, requests, &cost[i]);
        if (i == 2 || i == 5)
            tb_refill(&upstream, 7);
    }
    for (int i = 0; i < 8; i++)
        pthread_join(t[i], NULL);
    printf("granted %d, denied %d, left %d\n", atomic_load(&upstream.granted),
           atomic_load(&upstream.denied), atomic_load(&upstream.tokens));
    assert(atomic_load(&upstream.granted) + atomic_load(&upstream.tokens) == 9 + 14);
    return 0;
}
