#ifndef WIDGET_H
#define WIDGET_H

#include <pthread.h>
#include <stdbool.h>
#include "bus.h"

typedef struct widget {
    pthread_mutex_t lock;
    int width;
    int redraws;
    int ticks;
    bool open;
    bus *bus;
    struct widget *next;
} widget;

widget *widget_open(bus *b, int width);
void widget_close(widget *w);
int widget_free(widget *w);

#endif
