#ifndef BUS_H
#define BUS_H

typedef struct bus bus_t;
typedef void (*bus_fn)(void *ctx, int payload);

bus_t *bus_new(void);
void   bus_free(bus_t *bus);
void   bus_subscribe(bus_t *bus, int topic, bus_fn fn, void *ctx);
void   bus_publish(bus_t *bus, int topic, int payload);
long   bus_sent(bus_t *bus);

#endif
