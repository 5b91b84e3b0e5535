#pragma once
#include <pthread.h>

#define POOL_MAX 3

struct conn {
    int fd;
    int queries;
    struct conn *next;
};

struct pool {
    struct conn *idle;          /* free connections, singly linked */
    int open;                   /* connections that exist */
    int next_fd;
    pthread_mutex_t lock;
};

void pool_init(struct pool *pool);
struct conn *pool_get(struct pool *pool);       /* NULL: none available */
void pool_put(struct pool *pool, struct conn *c);
int pool_close(struct pool *pool);              /* number of queries done */
