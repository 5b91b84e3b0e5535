/*
 * A video player: the decoder shows frame after frame, while the thumbnailer, the
 * recorder and the subtitle renderer grab the current frame with a reference.
 *
 * Bug: the grab takes its reference after the lock of the display is released; by
 * then the decoder may have replaced and freed the frame.
 *
 * validate:
 *   kind: lifetime
 *   variable: f->refs, d->current
 *   threads: 5
 *   fails-by: assert
 *   rare: no
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include "frame.h"

#define FRAMES 12
#define GRABS 6

struct note {
    int pts;
    unsigned sum;
    struct note *next;
};

struct consumer {
    const char *name;
    display *disp;
    struct note *notes;
    int empty;
    pthread_t tid;
};

static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static int log_lines;

static void log_line(void)
{
    pthread_mutex_lock(&log_lock);
    log_lines++;
    pthread_mutex_unlock(&log_lock);
}

static void *decoder(void *arg)
{
    display *d = arg;

    for (int pts = 1; pts <= FRAMES; pts++) {
        display_show(d, frame_new(pts));
        log_line();
    }
    return NULL;
}

static void *consume(void *arg)
{
    struct consumer *c = arg;

    for (int i = 0; i < GRABS; i++) {
        int pts;
        frame *f = display_grab(c->disp, &pts);
        struct note *n;

        log_line();
        if (!f) {
            c->empty++;
            continue;
        }
        n = malloc(sizeof *n);
        assert(n);
        n->pts = f->pts;
        assert(n->pts == pts);
        n->sum = 0;
        for (int k = 0; k < FRAME_BYTES; k++)
            n->sum += f->data[k];
        assert(n->sum == f->sum);
        n->next = c->notes;
        c->notes = n;
        frame_unref(f);
    }
    return NULL;
}

int main(void)
{
    static struct consumer cons[3] = {
        { .name = "thumbnailer" }, { .name = "recorder" }, { .name = "subtitles" },
    };
    display disp;
    pthread_t dec;

    display_init(&disp);
    for (int i = 0; i < 3; i++) {
        cons[i].disp = &disp;
        pthread_create(&cons[i].tid, NULL, consume, &cons[i]);
    }
    pthread_create(&dec, NULL, decoder, &disp);
    pthread_join(dec, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(cons[i].tid, NULL);

    for (int i = 0; i < 3; i++) {
        int count = cons[i].empty;
        while (cons[i].notes) {
            struct note *n = cons[i].notes;
            assert(n->pts >= 1 && n->pts <= FRAMES);
            cons[i].notes = n->next;
            count++;
            free(n);
        }
        assert(count == GRABS);
    }
    assert(disp.shown == FRAMES && log_lines == FRAMES + 3 * GRABS);
    display_show(&disp, NULL);
    assert(frames_alive() == 0);
    return 0;
}
