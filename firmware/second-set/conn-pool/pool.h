#ifndef POOL_H
#define POOL_H

#include <pthread.h>
#include <stdatomic.h>

typedef struct db_conn {
	int fd;
	int in_txn;
	unsigned long queries;
	struct db_conn *next;
} db_conn_t;

typedef struct conn_pool {
	pthread_mutex_t lock;
	db_conn_t *idle;
	int nopen;
	int max_idle;
	int nidle;
	atomic_int next_fd;
	atomic_ulong closed_queries;
} conn_pool_t;

conn_pool_t *pool_create(int warm, int max_idle);
db_conn_t *pool_checkout(conn_pool_t *pool);
void pool_checkin(conn_pool_t *pool, db_conn_t *c);
unsigned long pool_destroy(conn_pool_t *pool);

#endif
