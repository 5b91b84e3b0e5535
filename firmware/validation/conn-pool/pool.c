#include "pool.h"

#include <stdlib.h>

void pool_init(struct pool *pool)
{
    pool->idle = NULL;
    pool->open = 0;
    pool->next_fd = 3;
    pthread_mutex_init(&pool->lock, NULL);
}

static struct conn *do_connect(int fd)
{
    struct conn *c = malloc(sizeof *c);

    if (c == NULL)
        abort();
    c->fd = fd;
    c->queries = 0;
    c->next = NULL;
    return c;
}

struct conn *pool_get(struct pool *pool)
{
    struct conn *c = NULL;
    int fd;

    pthread_mutex_lock(&pool->lock);
    if (pool->idle != NULL) {
        c = pool->idle;
        pool->idle = c->next;
        goto out;
    }
    if (pool->open >= POOL_MAX)                         /* bug: 1, 2 */
        goto out;
    fd = pool->next_fd++;
#ifdef FIXED
    pool->open++;               /* reserve the place before connecting */
#endif
    pthread_mutex_unlock(&pool->lock);

    c = do_connect(fd);

    pthread_mutex_lock(&pool->lock);
#ifndef FIXED
    pool->open++;                                       /* bug: 3, 4 */
#endif
out:
    pthread_mutex_unlock(&pool->lock);
    return c;
}

void pool_put(struct pool *pool, struct conn *c)
{
    pthread_mutex_lock(&pool->lock);
    c->next = pool->idle;
    pool->idle = c;
    pthread_mutex_unlock(&pool->lock);
}

int pool_close(struct pool *pool)
{
    int n = 0;

    while (pool->idle != NULL) {
        struct conn *c = pool->idle;
        pool->idle = c->next;
        n += c->queries;
        free(c);
    }
    pthread_mutex_destroy(&pool->lock);
    return n;
}
