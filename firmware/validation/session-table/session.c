#include "session.h"
#include <assert.h>
#include <pthread.h>
#include <string.h>

#define LIVE   0x5E551017
#define POISON 0x00DEAD00
#define IDLE_MAX 3

struct session {
    int magic;
    int cookie;
    int refs;                   /* table's own + users */
    int idle;
    long bytes;
    struct session *next;
};

static struct session store[NSESSIONS];     /* never reused in this extract */
static struct session *sessions;
static pthread_mutex_t sess_lock = PTHREAD_MUTEX_INITIALIZER;

void sessions_init(void)
{
    for (int i = 0; i < NSESSIONS; i++) {
        struct session *s = &store[i];
        s->magic = LIVE;
        s->cookie = 500 + i;
        s->refs = 1;
        s->idle = i % 2;
        s->next = sessions;
        sessions = s;
    }
}

static void session_free(session_t *s)
{
    s->magic = POISON; /* bug: 3 */
    s->bytes = -1;
}

/* lock held */
static void unref(session_t *s)
{
    if (--s->refs == 0) /* bug: 2 */
        session_free(s);
}

session_t *session_find(int cookie)
{
    session_t *s;

    pthread_mutex_lock(&sess_lock);
    for (s = sessions; s; s = s->next)
        if (s->cookie == cookie) { /* bug: 1 */
            s->idle = 0;
#ifdef FIXED
            s->refs++;
#endif
            break;
        }
    pthread_mutex_unlock(&sess_lock);
    return s;
}

void session_charge(session_t *s, int bytes)
{
    assert(s->magic == LIVE); /* bug: 4 */
    pthread_mutex_lock(&sess_lock);
    s->bytes += bytes;
    pthread_mutex_unlock(&sess_lock);
}

void session_done(session_t *s)
{
    pthread_mutex_lock(&sess_lock);
    s->idle = 0;
#ifdef FIXED
    unref(s);
#endif
    pthread_mutex_unlock(&sess_lock);
}

void sessions_age(void)
{
    pthread_mutex_lock(&sess_lock);
    for (session_t **pp = &sessions; *pp;) {
        session_t *s = *pp;
        if (++s->idle >= IDLE_MAX) {
            *pp = s->next;
            unref(s);
        } else {
            pp = &s->next;
        }
    }
    pthread_mutex_unlock(&sess_lock);
}

int sessions_alive(void)
{
    int n = 0;
    pthread_mutex_lock(&sess_lock);
    for (session_t *s = sessions; s; s = s->next)
        n++;
    pthread_mutex_unlock(&sess_lock);
    return n;
}
