/*
 * A desktop: widgets listen on an event bus for resizes, themes and clock ticks, while
 * programs open and close their widgets.
 *
 * Bug: the bus calls the widgets with its lock held, and a callback locks the widget;
 * closing a widget locks the widget and then the bus to leave it.
 *
 * validate:
 *   kind: deadlock
 *   variable: b->lock, w->lock
 *   threads: 5
 *   fails-by: deadlock
 *   rare: no
 */
#include <assert.h>
#include <stdatomic.h>
#include <stdio.h>
#include "widget.h"

#define PROGRAMS 2
#define WINDOWS 3

static bus *events;
static atomic_int redraws;

static struct {
    pthread_mutex_t lock;
    widget *trash;
    int closed;
} desk = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void *program(void *arg)
{
    int id = (int)(size_t)arg;

    for (int i = 0; i < WINDOWS; i++) {
        widget *w = widget_open(events, 40 + 10 * id + i);
        bus_emit(events, EV_THEME);
        widget_close(w);
        pthread_mutex_lock(&desk.lock);
        w->next = desk.trash;
        desk.trash = w;
        desk.closed++;
        pthread_mutex_unlock(&desk.lock);
    }
    return NULL;
}

static void *clock_main(void *arg)
{
    (void)arg;
    for (int i = 0; i < 4; i++)
        bus_emit(events, EV_TICK);
    return NULL;
}

static void *screen_main(void *arg)
{
    (void)arg;
    for (int i = 0; i < 3; i++)
        bus_emit(events, EV_RESIZE);
    return NULL;
}

int main(void)
{
    pthread_t prog[PROGRAMS], clk, scr;

    events = bus_new();
    for (size_t i = 0; i < PROGRAMS; i++)
        pthread_create(&prog[i], NULL, program, (void *)i);
    pthread_create(&clk, NULL, clock_main, NULL);
    pthread_create(&scr, NULL, screen_main, NULL);
    for (int i = 0; i < PROGRAMS; i++)
        pthread_join(prog[i], NULL);
    pthread_join(clk, NULL);
    pthread_join(scr, NULL);

    assert(events->nsubs == 0);
    assert(events->emitted == PROGRAMS * WINDOWS + 7);
    assert(desk.closed == PROGRAMS * WINDOWS);
    while (desk.trash) {
        widget *w = desk.trash;
        desk.trash = w->next;
        atomic_fetch_add(&redraws, widget_free(w));
    }
    assert(atomic_load(&redraws) >= PROGRAMS * WINDOWS);
    bus_free(events);
    return 0;
}
