#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "room.h"

static void scrub(void *p, size_t n)
{
    volatile unsigned char *b = p;
    while (n--)
        *b++ = 0xdb;
}

void room_init(room_t *r)
{
    memset(r, 0, sizeof *r);
    pthread_mutex_init(&r->lock, NULL);
}

client_t *room_join(room_t *r, const char *nick)
{
    client_t *c = calloc(1, sizeof *c);

    if (!c)
        abort();
    strncpy(c->nick, nick, sizeof c->nick - 1);
    pthread_mutex_lock(&r->lock);
    c->next = r->first;
    if (c->next)
        c->next->prev = c;
    r->first = c;
    r->members++;
    pthread_mutex_unlock(&r->lock);
    return c;
}

static void drop(room_t *r, client_t *c)
{
    if (c->prev)
        c->prev->next = c->next;
    else
        r->first = c->next;
    if (c->next)
        c->next->prev = c->prev;
    scrub(c, sizeof *c);
    free(c);                                    /* bug: 1 */
}

void room_leave(room_t *r, client_t *c)
{
    pthread_mutex_lock(&r->lock);
    r->members--;
#ifdef FIXED
    c->gone = true;
    if (c->holds == 0)
        drop(r, c);
#else
    drop(r, c);                                 /* bug */
#endif
    pthread_mutex_unlock(&r->lock);
}

void room_say(room_t *r, int msg)
{
    char nick[16];
    client_t *c;

    pthread_mutex_lock(&r->lock);
    c = r->first;
    while (c) {
        client_t *cur = c;
        if (c->unread < INBOX)
            c->inbox[c->unread++] = msg;
        r->delivered++;
        memcpy(nick, c->nick, sizeof nick);
#ifdef FIXED
        c->holds++;
#endif
        /* the history is slow, do not stop the room for it */
        pthread_mutex_unlock(&r->lock);         /* bug */
        history_add(msg, nick);
        pthread_mutex_lock(&r->lock);
        c = cur->next;                          /* bug: 2 */
#ifdef FIXED
        if (--cur->holds == 0 && cur->gone)
            drop(r, cur);
#endif
    }
    pthread_mutex_unlock(&r->lock);
}
