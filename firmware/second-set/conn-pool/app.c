/*
 * Handlers of an application server borrow database connections from a pool that
 * keeps at most a few idle ones.
 *
 * Bug: the check that an idle connection is there and the taking of it are two
 * critical sections; another handler takes the last one in between and the
 * pointer is NULL.
 *
 * validate:
 *   kind: check-then-act
 *   variable: pool->nidle, pool->idle
 *   threads: 5
 *   fails-by: fault
 *   rare: no
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include "pool.h"

#define HANDLERS 4
#define TXNS 5

struct order {
	int customer;
	int amount;
	struct order *next;
};

static conn_pool_t *pool;

static struct {
	pthread_mutex_t lock;
	struct order *orders;
	int norders;
	int revenue;
} book = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void run_query(db_conn_t *c)
{
	assert(c->in_txn);
	c->queries++;
}

static void place_order(int customer, int amount)
{
	struct order *o = malloc(sizeof(*o));
	db_conn_t *c;

	if (!o)
		abort();
	o->customer = customer;
	o->amount = amount;

	c = pool_checkout(pool);
	assert(!c->in_txn);
	c->in_txn = 1;
	run_query(c);
	pthread_mutex_lock(&book.lock);
	o->next = book.orders;
	book.orders = o;
	book.norders++;
	book.revenue += amount;
	pthread_mutex_unlock(&book.lock);
	run_query(c);
	c->in_txn = 0;
	pool_checkin(pool, c);
}

static void *handler(void *arg)
{
	int id = (int)(size_t)arg;

	for (int i = 0; i < TXNS; i++)
		place_order(id, 10 * id + i);
	return NULL;
}

int main(void)
{
	pthread_t tid[HANDLERS];
	unsigned long queries;
	int sum = 0;

	pool = pool_create(1, 2);
	for (size_t i = 0; i < HANDLERS; i++)
		pthread_create(&tid[i], NULL, handler, (void *)i);
	for (int i = 0; i < HANDLERS; i++)
		pthread_join(tid[i], NULL);

	queries = pool_destroy(pool);
	while (book.orders) {
		struct order *o = book.orders;
		book.orders = o->next;
		sum += o->amount;
		free(o);
	}
	assert(sum == book.revenue);
	assert(book.norders == HANDLERS * TXNS);
	assert(queries == 2ul * HANDLERS * TXNS);
	return 0;
}
