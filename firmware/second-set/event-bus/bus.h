#ifndef BUS_H
#define BUS_H

#include <pthread.h>

enum event { EV_RESIZE, EV_THEME, EV_TICK };

typedef void (*bus_fn)(void *self, enum event ev);

typedef struct bus_sub {
    struct bus_sub *next;
    bus_fn fn;
    void *self;
} bus_sub;

typedef struct bus {
    pthread_mutex_t lock;
    bus_sub *subs;
    int nsubs;
    int emitted;
} bus;

bus *bus_new(void);
void bus_free(bus *b);
void bus_subscribe(bus *b, bus_fn fn, void *self);
void bus_unsubscribe(bus *b, void *self);
void bus_emit(bus *b, enum event ev);

#endif
