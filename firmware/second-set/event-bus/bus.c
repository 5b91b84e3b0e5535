#include <stdlib.h>
#include "bus.h"

bus *bus_new(void)
{
    bus *b = calloc(1, sizeof *b);
    if (!b)
        abort();
    pthread_mutex_init(&b->lock, NULL);
    return b;
}

void bus_free(bus *b)
{
    while (b->subs) {
        bus_sub *s = b->subs;
        b->subs = s->next;
        free(s);
    }
    pthread_mutex_destroy(&b->lock);
    free(b);
}

void bus_subscribe(bus *b, bus_fn fn, void *self)
{
    bus_sub *s = malloc(sizeof *s);
    if (!s)
        abort();
    s->fn = fn;
    s->self = self;
    pthread_mutex_lock(&b->lock);
    s->next = b->subs;
    b->subs = s;
    b->nsubs++;
    pthread_mutex_unlock(&b->lock);
}

void bus_unsubscribe(bus *b, void *self)
{
    bus_sub **pp;

    pthread_mutex_lock(&b->lock);               /* bug: 4 */
    for (pp = &b->subs; *pp; pp = &(*pp)->next) {
        if ((*pp)->self == self) {
            bus_sub *s = *pp;
            *pp = s->next;
            b->nsubs--;
            free(s);
            break;
        }
    }
    pthread_mutex_unlock(&b->lock);
}

/* Calls every subscriber; the list must not change meanwhile. */
void bus_emit(bus *b, enum event ev)
{
    pthread_mutex_lock(&b->lock);               /* bug: 1 */
    b->emitted++;
    for (bus_sub *s = b->subs; s; s = s->next)
        s->fn(s->self, ev);                     /* bug */
    pthread_mutex_unlock(&b->lock);
}
