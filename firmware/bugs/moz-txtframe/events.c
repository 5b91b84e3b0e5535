#include "events.h"

void events_init(struct event_queue *queue) {
    queue->first = queue->count = 0;
    pthread_mutex_init(&queue->lock, NULL);
    pthread_cond_init(&queue->changed, NULL);
}

void events_post(struct event_queue *queue, enum event_kind kind, int value) {
    pthread_mutex_lock(&queue->lock);
    while (queue->count == EVENTS) pthread_cond_wait(&queue->changed, &queue->lock);
    struct event *event = &queue->events[(queue->first + queue->count) % EVENTS];
    event->kind = kind;
    event->value = value;
    queue->count++;
    pthread_cond_broadcast(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
}

struct event events_next(struct event_queue *queue) {
    pthread_mutex_lock(&queue->lock);
    while (queue->count == 0) pthread_cond_wait(&queue->changed, &queue->lock);
    struct event event = queue->events[queue->first];
    queue->first = (queue->first + 1) % EVENTS;
    queue->count--;
    pthread_cond_broadcast(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
    return event;
}
