/*
 * Connection state machine of a client library (extract).
 *
 * An I/O thread finishes handshakes, a timeout thread gives up on slow ones.
 * Both act only on connections that are still CONNECTING.  get_state() and
 * set_state() lock correctly, but the transition as a whole is not atomic:
 * the handshake can complete on a connection that is just being timed out,
 * and an OPEN connection without a receive buffer is the result.
 *
 * validate:
 *   kind: check-then-act
 *   variable: c->state
 *   threads: 3
 *   fails-by: assert
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

typedef enum { IDLE, CONNECTING, OPEN, CLOSED } ConnState;

typedef struct Conn {
    pthread_mutex_t mu;
    ConnState state;
    char *rxbuf;
    int peer_id;
} Conn;

#define NCONN 6
static Conn g_conns[NCONN];

#ifdef FIXED
static bool conn_transition(Conn *c, ConnState from, ConnState to)
{
    bool ok;
    pthread_mutex_lock(&c->mu);
    ok = c->state == from;
    if (ok)
        c->state = to;
    pthread_mutex_unlock(&c->mu);
    return ok;
}
#else
static ConnState get_state(Conn *c)
{
    pthread_mutex_lock(&c->mu);
    ConnState s = c->state; /* bug: 1, 2 */
    pthread_mutex_unlock(&c->mu);
    return s;
}

static void set_state(Conn *c, ConnState s)
{
    pthread_mutex_lock(&c->mu);
    c->state = s; /* bug: 3, 4 */
    pthread_mutex_unlock(&c->mu);
}

static bool conn_transition(Conn *c, ConnState from, ConnState to)
{
    if (get_state(c) != from)
        return false;
    set_state(c, to);
    return true;
}
#endif

static void *io_thread(void *arg)
{
    (void)arg;
    for (int i = 0; i < NCONN; i++)
        if (conn_transition(&g_conns[i], CONNECTING, OPEN))
            g_conns[i].peer_id = 1000 + i;
    return NULL;
}

static void *timeout_thread(void *arg)
{
    (void)arg;
    for (int i = NCONN - 1; i >= 0; i--) {
        Conn *c = &g_conns[i];
        if (i % 2 == 0)
            continue;           /* deadline not reached */
        if (conn_transition(c, CONNECTING, CLOSED)) {
            free(c->rxbuf);
            c->rxbuf = NULL;
        }
    }
    return NULL;
}

int main(void)
{
    pthread_t io, to;
    int open = 0, closed = 0;

    for (int i = 0; i < NCONN; i++) {
        pthread_mutex_init(&g_conns[i].mu, NULL);
        g_conns[i].state = CONNECTING;
        g_conns[i].rxbuf = malloc(64);
    }
    pthread_create(&io, NULL, io_thread, NULL);
    pthread_create(&to, NULL, timeout_thread, NULL);
    pthread_join(io, NULL);
    pthread_join(to, NULL);

    for (int i = 0; i < NCONN; i++) {
        Conn *c = &g_conns[i];
        if (c->state == OPEN) {
            assert(c->rxbuf != NULL);
            assert(c->peer_id == 1000 + i);
            open++;
        } else {
            assert(c->rxbuf == NULL && c->peer_id == 0);
            closed++;
        }
        free(c->rxbuf);
    }
    printf("%d open, %d timed out\n", open, closed);
    return 0;
}
