/*
 * acceptor.c - accept loop with worker threads and an orderly (?) shutdown.
 *
 * Connections come from a fixed script.  server_shutdown() tells the workers
 * to stop, releases the connection table and only then joins them.  A worker
 * which has just passed the stop test still answers on a connection of the
 * released table.  Released tables are poisoned (as the debug allocator of
 * the real server does), and workers check the magic.
 *
 * validate:
 *   kind: order
 *   variable: tbl->magic
 *   threads: 4
 *   fails-by: assert
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TBL_MAGIC  0x7AB1Eu
#define TBL_POISON 0xDEADu
#define WORKERS    2

typedef struct conn { int fd; int bytes; } conn;

typedef struct conn_table {
    unsigned magic;
    conn     c[8];
} conn_table;

typedef struct server {
    pthread_mutex_t lock;
    conn_table     *tbl;
    bool            stopping;
    int             next;
    int             served;
    pthread_t       worker[WORKERS];
} server;

static conn_table arena;        /* debug allocator: one table, never reused */

static void table_release(conn_table *t)
{
    memset(t->c, 0xEE, sizeof t->c);
    t->magic = TBL_POISON; /* bug: 3 */
}

static bool should_stop(server *s)
{
    bool r;
    pthread_mutex_lock(&s->lock);
    r = s->stopping; /* bug: 1 */
    pthread_mutex_unlock(&s->lock);
    return r;
}

static void answer(server *s, int slot)
{
    conn_table *t = s->tbl;
    assert(t->magic == TBL_MAGIC); /* bug: 4 */
    pthread_mutex_lock(&s->lock);
    t->c[slot].bytes += 128;
    s->served++;
    pthread_mutex_unlock(&s->lock);
}

static void *worker_main(void *arg)
{
    server *s = arg;
    for (int i = 0; i < 12 && !should_stop(s); i++) {
        pthread_mutex_lock(&s->lock);
        int slot = s->next++ % 8;
        pthread_mutex_unlock(&s->lock);
        answer(s, slot);
    }
    return NULL;
}

static void server_shutdown(server *s)
{
    pthread_mutex_lock(&s->lock);
    s->stopping = true; /* bug: 2 */
    pthread_mutex_unlock(&s->lock);
#ifndef FIXED
    table_release(s->tbl); /* bug */
#endif
    for (int i = 0; i < WORKERS; i++)
        pthread_join(s->worker[i], NULL);
#ifdef FIXED
    table_release(s->tbl);
#endif
}

static void *admin(void *arg)
{
    server *s = arg;
    int seen;
    do {                        /* "stop after ten requests" */
        pthread_mutex_lock(&s->lock);
        seen = s->served;
        pthread_mutex_unlock(&s->lock);
        if (seen < 10)
            sched_yield();
    } while (seen < 10);
    server_shutdown(s);
    return NULL;
}

int main(void)
{
    static server srv = { .lock = PTHREAD_MUTEX_INITIALIZER };
    pthread_t ad;

    arena.magic = TBL_MAGIC;
    for (int i = 0; i < 8; i++)
        arena.c[i].fd = 3 + i;
    srv.tbl = &arena;
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&srv.worker[i], NULL, worker_main, &srv);
    pthread_create(&ad, NULL, admin, &srv);
    pthread_join(ad, NULL);
    printf("served %d requests\n", srv.served);
    return 0;
}
