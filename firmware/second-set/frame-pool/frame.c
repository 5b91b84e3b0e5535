#include <assert.h>
#include <stdlib.h>
#include "frame.h"

static atomic_int alive;

frame *frame_new(int pts)
{
    frame *f = malloc(sizeof *f);

    assert(f);
    f->pts = pts;
    f->sum = 0;
    for (int i = 0; i < FRAME_BYTES; i++) {
        f->data[i] = (unsigned char)(pts * 3 + i);
        f->sum += f->data[i];
    }
    atomic_init(&f->refs, 1);
    atomic_fetch_add(&alive, 1);
    return f;
}

void frame_ref(frame *f)
{
    int before = atomic_fetch_add(&f->refs, 1);         /* bug: 2 */
    assert(before > 0);
}

void frame_unref(frame *f)
{
    if (atomic_fetch_sub(&f->refs, 1) == 1) {
        atomic_fetch_sub(&alive, 1);
        free(f);                                        /* bug: 1 */
    }
}

int frames_alive(void)
{
    return atomic_load(&alive);
}
