#include "bus.h"
#include <pthread.h>
#include <stdlib.h>

#define MAX_SUBS 8

struct sub {
    int topic;
    bus_fn fn;
    void *ctx;
};

struct bus {
    pthread_mutex_t lock;
    struct sub subs[MAX_SUBS];
    int nsubs;
    long sent;
};

bus_t *bus_new(void)
{
    bus_t *b = calloc(1, sizeof *b);
    if (b == NULL)
        abort();
    pthread_mutex_init(&b->lock, NULL);
    return b;
}

void bus_free(bus_t *bus)
{
    pthread_mutex_destroy(&bus->lock);
    free(bus);
}

void bus_subscribe(bus_t *bus, int topic, bus_fn fn, void *ctx)
{
    pthread_mutex_lock(&bus->lock);
    if (bus->nsubs < MAX_SUBS)
        bus->subs[bus->nsubs++] = (struct sub){ topic, fn, ctx };
    pthread_mutex_unlock(&bus->lock);
}

void bus_publish(bus_t *bus, int topic, int payload)
{
#ifdef FIXED
    struct sub todo[MAX_SUBS];
    int n = 0;

    pthread_mutex_lock(&bus->lock);
    bus->sent++;
    for (int i = 0; i < bus->nsubs; i++)
        if (bus->subs[i].topic == topic)
            todo[n++] = bus->subs[i];
    pthread_mutex_unlock(&bus->lock);
    for (int i = 0; i < n; i++)
        todo[i].fn(todo[i].ctx, payload);
#else
    pthread_mutex_lock(&bus->lock); /* bug: 1 */
    bus->sent++;
    for (int i = 0; i < bus->nsubs; i++)
        if (bus->subs[i].topic == topic)
            bus->subs[i].fn(bus->subs[i].ctx, payload); /* bug */
    pthread_mutex_unlock(&bus->lock);
#endif
}

long bus_sent(bus_t *bus)
{
    long n;
    pthread_mutex_lock(&bus->lock); /* bug: 3 */
    n = bus->sent;
    pthread_mutex_unlock(&bus->lock);
    return n;
}
