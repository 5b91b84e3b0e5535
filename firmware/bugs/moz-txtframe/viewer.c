/* A viewer for text, after Mozilla's text frames. An editor types, the window is resized; a layout thread
 * breaks the text into frames, a line each, and a paint thread draws what changed and all below.
 *
 * What a frame shows is an offset into the text and a length. Each is read and written under a lock, but
 * not both together: who paints while the layout changes can get the offset of one line and the length of
 * another. */
#include "events.h"
#include "frame.h"
#include "text.h"

#include <pthread.h>
#include <stdio.h>

enum { SIZES = 4, WORDS = 4 };

static struct event_queue layout_events, paint_events;

static void *layout(void *argument) {
    int width = *(int *)argument;
    for (;;) {
        struct event event = events_next(&layout_events);
        if (event.kind == EVENT_QUIT) break;
        if (event.kind == EVENT_RESIZE) width = event.value;
        int damaged = frames_reflow(width);
        if (damaged < FRAMES) events_post(&paint_events, EVENT_PAINT, damaged);
    }
    events_post(&paint_events, EVENT_QUIT, 0);
    return NULL;
}

static void *painter(void *argument) {
    int *pixels = argument;
    for (;;) {
        struct event event = events_next(&paint_events);
        if (event.kind == EVENT_QUIT) return NULL;
        for (int frame = event.value; frame < FRAMES; frame++) *pixels += frame_paint(frame);
    }
}

static void *editor(void *argument) {
    static const char *const words[WORDS] = {"with ", "oars ", "of ", "ash "};
    (void)argument;
    for (int i = 0; i < WORDS; i++) {
        for (volatile int think = 0; think < 150; think++) {}
        text_append(words[i]);
        events_post(&layout_events, EVENT_TEXT, 0);
    }
    return NULL;
}

int main(void) {
    static const int widths[SIZES] = {22, 30, 18, 26};
    pthread_t editing, layouting, painting;
    int width = widths[SIZES - 1], pixels = 0;
    text_init("the boats came in at dusk and lay along the quay ");
    frames_init();
    events_init(&layout_events);
    events_init(&paint_events);
    pthread_create(&layouting, NULL, layout, &width);
    pthread_create(&painting, NULL, painter, &pixels);
    pthread_create(&editing, NULL, editor, NULL);
    for (int i = 0; i < SIZES; i++) {
        events_post(&layout_events, EVENT_RESIZE, widths[i]);
        for (volatile int drag = 0; drag < 100; drag++) {}
    }
    pthread_join(editing, NULL);
    events_post(&layout_events, EVENT_QUIT, 0);
    pthread_join(layouting, NULL);
    pthread_join(painting, NULL);
    printf("%d pixels\n", pixels);
    return 0;
}
