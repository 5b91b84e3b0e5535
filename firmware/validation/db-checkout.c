/*
 * db-checkout.c -- two database connections shared by five clients.
 *
 * checkout() sleeps when no connection is free.  After waking up it takes one
 * without looking again, although another client may have come along and
 * taken the returned connection before the sleeper got the lock back.
 *
 * validate:
 *   kind: missed-signal
 *   variable: pool->nfree, pool->returned
 *   threads: 6
 *   fails-by: assert
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#define NCONN    2
#define NCLIENT  5
#define NQUERIES 4

typedef struct dbconn { int id; int queries; } dbconn;

typedef struct conn_pool {
    dbconn         *free_conn[NCONN];
    int             nfree;
    pthread_mutex_t lock;
    pthread_cond_t  returned;
} conn_pool;

static dbconn    conns[NCONN];
static conn_pool the_pool = {
    .lock = PTHREAD_MUTEX_INITIALIZER, .returned = PTHREAD_COND_INITIALIZER
};

static dbconn *checkout(conn_pool *pool)
{
    dbconn *c;

    pthread_mutex_lock(&pool->lock);
#ifdef FIXED
    while (pool->nfree == 0)
#else
    if (pool->nfree == 0) /* bug: 1 */
#endif
        pthread_cond_wait(&pool->returned, &pool->lock); /* bug: 2 */
    assert(pool->nfree > 0); /* bug: 6 */
    c = pool->free_conn[--pool->nfree]; /* bug: 5 */
    pthread_mutex_unlock(&pool->lock);
    return c;
}

static void checkin(conn_pool *pool, dbconn *c)
{
    pthread_mutex_lock(&pool->lock);
    pool->free_conn[pool->nfree++] = c; /* bug: 3 */
    pthread_cond_signal(&pool->returned); /* bug: 4 */
    pthread_mutex_unlock(&pool->lock);
}

static void *client(void *arg)
{
    (void)arg;
    for (int i = 0; i < NQUERIES; i++) {
        dbconn *c = checkout(&the_pool);
        c->queries++;
        checkin(&the_pool, c);
    }
    return NULL;
}

int main(void)
{
    pthread_t t[NCLIENT];

    for (int i = 0; i < NCONN; i++) {
        conns[i].id = i;
        the_pool.free_conn[the_pool.nfree++] = &conns[i];
    }
    for (int i = 0; i < NCLIENT; i++)
        pthread_create(&t[i], NULL, client, NULL);
    for (int i = 0; i < NCLIENT; i++)
        pthread_join(t[i], NULL);
    printf("queries: %d\n", conns[0].queries + conns[1].queries);
    assert(the_pool.nfree == NCONN);
    assert(conns[0].queries + conns[1].queries == NCLIENT * NQUERIES);
    return 0;
}
