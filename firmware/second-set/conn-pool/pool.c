#include <assert.h>
#include <stdlib.h>
#include "pool.h"

static db_conn_t *conn_open(conn_pool_t *pool)
{
	db_conn_t *c = calloc(1, sizeof(*c));

	if (!c)
		abort();
	c->fd = atomic_fetch_add(&pool->next_fd, 1);
	return c;
}

static void conn_close(conn_pool_t *pool, db_conn_t *c)
{
	atomic_fetch_add(&pool->closed_queries, c->queries);
	free(c);
}

conn_pool_t *pool_create(int warm, int max_idle)
{
	conn_pool_t *pool = calloc(1, sizeof(*pool));

	if (!pool)
		abort();
	pthread_mutex_init(&pool->lock, NULL);
	pool->max_idle = max_idle;
	atomic_init(&pool->next_fd, 10);
	atomic_init(&pool->closed_queries, 0);
	while (warm-- > 0) {
		db_conn_t *c = conn_open(pool);
		c->next = pool->idle;
		pool->idle = c;
		pool->nidle++;
		pool->nopen++;
	}
	return pool;
}

db_conn_t *pool_checkout(conn_pool_t *pool)
{
	db_conn_t *c;

	pthread_mutex_lock(&pool->lock);
	if (pool->nidle == 0) {                     /* bug: 1 */
		pool->nopen++;
		pthread_mutex_unlock(&pool->lock);
		return conn_open(pool);
	}
#ifndef FIXED
	pthread_mutex_unlock(&pool->lock);

	/* there is one */
	pthread_mutex_lock(&pool->lock);            /* bug */
#endif
	c = pool->idle;                             /* bug: 3 */
	pool->idle = c->next;                       /* bug: 2 */
	pool->nidle--;
	pthread_mutex_unlock(&pool->lock);
	c->next = NULL;
	return c;
}

void pool_checkin(conn_pool_t *pool, db_conn_t *c)
{
	assert(!c->in_txn);
	pthread_mutex_lock(&pool->lock);
	if (pool->nidle < pool->max_idle) {
		c->next = pool->idle;
		pool->idle = c;
		pool->nidle++;
		c = NULL;
	} else {
		pool->nopen--;
	}
	pthread_mutex_unlock(&pool->lock);
	if (c)
		conn_close(pool, c);
}

/* Gives the number of queries of all connections that ever were. */
unsigned long pool_destroy(conn_pool_t *pool)
{
	unsigned long n;

	while (pool->idle) {
		db_conn_t *c = pool->idle;
		pool->idle = c->next;
		pool->nidle--;
		pool->nopen--;
		conn_close(pool, c);
	}
	assert(pool->nopen == 0 && pool->nidle == 0);
	n = atomic_load(&pool->closed_queries);
	pthread_mutex_destroy(&pool->lock);
	free(pool);
	return n;
}
