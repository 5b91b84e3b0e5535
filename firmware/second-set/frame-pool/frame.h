#ifndef FRAME_H
#define FRAME_H

#include <pthread.h>
#include <stdatomic.h>

#define FRAME_BYTES 16

typedef struct frame {
    unsigned char data[FRAME_BYTES];
    int pts;
    atomic_int refs;
    unsigned sum;
} frame;

typedef struct display {
    pthread_mutex_t lock;
    frame *current;
    int shown;
} display;

frame *frame_new(int pts);
void frame_ref(frame *f);
void frame_unref(frame *f);
int frames_alive(void);

void display_init(display *d);
void display_show(display *d, frame *f);
frame *display_grab(display *d, int *pts);

#endif
