#include <stdlib.h>
#include "widget.h"

static void widget_event(void *self, enum event ev)
{
    widget *w = self;

    pthread_mutex_lock(&w->lock);               /* bug: 3 */
    if (w->open) {
        switch (ev) {
        case EV_RESIZE: w->width += 2; w->redraws++; break;
        case EV_THEME:  w->redraws++; break;
        case EV_TICK:   w->ticks++; break;
        }
    }
    pthread_mutex_unlock(&w->lock);
}

widget *widget_open(bus *b, int width)
{
    widget *w = calloc(1, sizeof *w);

    if (!w)
        abort();
    pthread_mutex_init(&w->lock, NULL);
    w->width = width;
    w->open = true;
    w->bus = b;
    bus_subscribe(b, widget_event, w);
    return w;
}

void widget_close(widget *w)
{
    pthread_mutex_lock(&w->lock);               /* bug: 2 */
    if (w->open) {
        w->open = false;
#ifdef FIXED
        pthread_mutex_unlock(&w->lock);
        bus_unsubscribe(w->bus, w);
        return;
#else
        bus_unsubscribe(w->bus, w);             /* bug */
#endif
    }
    pthread_mutex_unlock(&w->lock);
}

int widget_free(widget *w)
{
    int n = w->redraws;
    pthread_mutex_destroy(&w->lock);
    free(w);
    return n;
}
