/*
 * session-table: login sessions with expiry (main, session.c, session.h).
 *
 * Request threads look a session up by cookie and charge their traffic to it;
 * the expiry thread ages all sessions and retires those which have been idle
 * too long.  session_find() hands out the pointer without a reference, so the
 * session can be retired while a request works on it.  Retired sessions are
 * poisoned by session_free().
 *
 * validate:
 *   kind: lifetime
 *   variable: s->refs, s->magic
 *   threads: 4
 *   fails-by: assert
 *   rare: no
 */
#include "session.h"
#include <pthread.h>
#include <stdio.h>

static int charged[2];

static void *request_thread(void *arg)
{
    int me = *(int *)arg;

    for (int i = 0; i < 10; i++) {
        session_t *s = session_find(500 + (i * 3 + me) % NSESSIONS);
        if (s == NULL)
            continue;           /* expired: please log in again */
        session_charge(s, 10 + i);
        session_done(s);
        charged[me]++;
    }
    return NULL;
}

static void *expiry_thread(void *arg)
{
    (void)arg;
    for (int tick = 0; tick < 4; tick++)
        sessions_age();
    return NULL;
}

int main(void)
{
    static int id[2] = { 0, 1 };
    pthread_t r[2], e;

    sessions_init();
    for (int i = 0; i < 2; i++)
        pthread_create(&r[i], NULL, request_thread, &id[i]);
    pthread_create(&e, NULL, expiry_thread, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(r[i], NULL);
    pthread_join(e, NULL);
    printf("%d requests charged, %d sessions left\n", charged[0] + charged[1], sessions_alive());
    return 0;
}
