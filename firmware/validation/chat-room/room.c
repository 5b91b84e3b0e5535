#include "room.h"

#include <assert.h>
#include <stddef.h>

void room_init(struct room *r)
{
    pthread_mutex_init(&r->lock, NULL);
    for (int i = 0; i < 8; i++) {
        r->pool[i].magic = GONE;
        r->pool[i].next = r->spare;
        r->spare = &r->pool[i];
    }
}

struct member *room_enter(struct room *r, int id)
{
    struct member *m;

    pthread_mutex_lock(&r->lock);
    m = r->spare;
    r->spare = m->next;
    m->magic = PRESENT;
    m->id = id;
    m->mail = 0;
    m->next = r->members;
    r->members = m;
    pthread_mutex_unlock(&r->lock);
    return m;
}

int room_leave(struct room *r, struct member *m)
{
    struct member **pp;
    int mail;

    pthread_mutex_lock(&r->lock);
    for (pp = &r->members; *pp != m; pp = &(*pp)->next)
        ;
    *pp = m->next;
    mail = m->mail;
    m->magic = GONE;                                    /* bug: 2 */
    m->next = r->spare;                                 /* bug: 3 */
    r->spare = m;
    pthread_mutex_unlock(&r->lock);
    return mail;
}

void room_say(struct room *r)
{
    pthread_mutex_lock(&r->lock);
    r->said++;
    pthread_mutex_unlock(&r->lock);
}

/* deliver one message to everybody; returns how many got it */
int room_broadcast(struct room *r)
{
    struct member *m;
    int n = 0;

    pthread_mutex_lock(&r->lock);
    for (m = r->members; m != NULL; m = m->next) {      /* bug: 1, 4 */
        assert(m->magic == PRESENT);                    /* bug: 5 */
        m->mail++;
        n++;
#ifndef FIXED
        pthread_mutex_unlock(&r->lock); /* let others in during delivery */
        pthread_mutex_lock(&r->lock);
#endif
    }
    pthread_mutex_unlock(&r->lock);
    return n;
}
