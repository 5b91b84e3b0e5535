/*
 * shard-alloc.c -- fixed-size object allocator with one shard per thread.
 *
 * An allocation works on the caller's shard with its lock held.  If the shard
 * is dry the caller robs other shards, for which it uses trylock, because it
 * still holds its own lock.  If that brought nothing there is a last resort:
 * ask the partner shard, "really this time", with a blocking lock.  Two
 * partners in their last resort at once wait for each other.
 *
 * validate:
 *   kind: deadlock
 *   variable: shard[].lock
 *   threads: 5
 *   fails-by: deadlock
 *   rare: yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

#define NSHARD 4
#define INITIAL 3

struct shard {
    pthread_mutex_t lock;
    int nfree;
};

static struct shard shard[NSHARD] = {
    { PTHREAD_MUTEX_INITIALIZER, INITIAL }, { PTHREAD_MUTEX_INITIALIZER, INITIAL },
    { PTHREAD_MUTEX_INITIALIZER, INITIAL }, { PTHREAD_MUTEX_INITIALIZER, INITIAL },
};

static int take_half(struct shard *s)
{
    int n = (s->nfree + 1) / 2;
    s->nfree -= n;
    return n;
}

static int rob_others(int me)
{
    for (int i = 1; i < NSHARD; i++) {
        struct shard *s = &shard[(me + i) % NSHARD];
        int got = 0;
        if (pthread_mutex_trylock(&s->lock) != 0)
            continue;
        if (s->nfree > 0)
            got = take_half(s);
        pthread_mutex_unlock(&s->lock);
        if (got)
            return got;
    }
    return 0;
}

static bool obj_alloc(int me)
{
    struct shard *own = &shard[me];
    bool ok = false;

    pthread_mutex_lock(&own->lock); /* bug: 1, 2 */
    if (own->nfree == 0)
        own->nfree += rob_others(me);
    if (own->nfree == 0) {
        struct shard *partner = &shard[me ^ 1];
        int got;
#ifdef FIXED
        pthread_mutex_unlock(&own->lock);
#endif
        pthread_mutex_lock(&partner->lock); /* bug: 3, 4 */
        got = take_half(partner);
        pthread_mutex_unlock(&partner->lock);
#ifdef FIXED
        pthread_mutex_lock(&own->lock);
#endif
        own->nfree += got;
    }
    if (own->nfree > 0) {
        own->nfree--;
        ok = true;
    }
    pthread_mutex_unlock(&own->lock);
    return ok;
}

static void obj_free(int me)
{
    pthread_mutex_lock(&shard[me].lock);
    shard[me].nfree++;
    pthread_mutex_unlock(&shard[me].lock);
}

static void *user(void *arg)
{
    int me = (int)(long)arg, held = 0;
    static const signed char step[NSHARD][8] = {
        { 4, -1, 0 }, { 2, 1, -1, 0 }, { 3, -2, 2, 0 }, { 1, 3, -2, 0 },
    };

    for (const signed char *s = step[me]; *s; s++) {
        int n = *s;
        for (; n > 0; n--)
            held += obj_alloc(me);
        for (; n < 0 && held > 0; n++, held--)
            obj_free(me);
    }
    while (held-- > 0)
        obj_free(me);
    return NULL;
}

int main(void)
{
    pthread_t t[NSHARD];
    int total = 0;

    for (long i = 0; i < NSHARD; i++)
        pthread_create(&t[i], NULL, user, (void *)i);
    for (int i = 0; i < NSHARD; i++)
        pthread_join(t[i], NULL);
    for (int i = 0; i < NSHARD; i++)
        total += shard[i].nfree;
    printf("%d objects back\n", total);
    assert(total == NSHARD * INITIAL);
    return 0;
}
