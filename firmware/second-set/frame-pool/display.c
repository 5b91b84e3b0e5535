#include <stddef.h>
#include "frame.h"

void display_init(display *d)
{
    pthread_mutex_init(&d->lock, NULL);
    d->current = NULL;
    d->shown = 0;
}

/* Takes over the caller's reference. */
void display_show(display *d, frame *f)
{
    frame *old;

    pthread_mutex_lock(&d->lock);
    old = d->current;
    d->current = f;
    d->shown++;
    pthread_mutex_unlock(&d->lock);
    if (old)
        frame_unref(old);                               /* bug */
}

/* Also gives the time stamp, for those who only look whether it is a new one. */
frame *display_grab(display *d, int *pts)
{
    frame *f;

    pthread_mutex_lock(&d->lock);
    f = d->current;                                     /* bug */
    *pts = f ? f->pts : -1;
#ifdef FIXED
    if (f)
        frame_ref(f);
    pthread_mutex_unlock(&d->lock);
#else
    pthread_mutex_unlock(&d->lock);
    if (f)
        frame_ref(f);                                   /* bug */
#endif
    return f;
}
