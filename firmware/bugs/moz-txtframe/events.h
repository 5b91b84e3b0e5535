/* Queues of events for the threads of the viewer. */
#ifndef EVENTS_H
#define EVENTS_H

#include <pthread.h>

enum { EVENTS = 32 };

enum event_kind { EVENT_RESIZE, EVENT_SCROLL, EVENT_TEXT, EVENT_QUIT };

struct event {
    enum event_kind kind;
    int value; /* a width, lines */
};

struct event_queue {
    _Alignas(64) int first;
    int count;
    _Alignas(64) struct event events[EVENTS];
    _Alignas(64) pthread_mutex_t lock;
    pthread_cond_t changed;
};

void events_init(struct event_queue *queue);

/* Waits while the queue is full. */
void events_post(struct event_queue *queue, enum event_kind kind, int value);

/* Waits while the queue is empty. */
struct event events_next(struct event_queue *queue);

#endif
