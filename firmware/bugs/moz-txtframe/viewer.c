/* A viewer for text, after Mozilla's text frames. A user scrolls and resizes, an editor types; a layout
 * thread finds the line to be shown and maps the frame to it, a paint thread draws the frame as often as the
 * display is refreshed.
 *
 * What a frame shows is an offset into the text and a length. Each is read and written under a lock, but
 * not both together: who paints while the layout changes can get the offset of one line and the length of
 * another. */
#include "events.h"
#include "frame.h"
#include "text.h"

#include <pthread.h>
#include <stdio.h>

enum { STEPS = 12, WORDS = 2, REFRESHES = 10 };

static struct event_queue layout_events;

static void *layout(void *argument) {
    int width = *(int *)argument, from = 0;
    for (;;) {
        struct event event = events_next(&layout_events);
        if (event.kind == EVENT_QUIT) break;
        if (event.kind == EVENT_RESIZE) width = event.value;
        for (int line = 0; event.kind == EVENT_SCROLL && line < event.value; line++) {
            from += line_length(from, width);
            if (from == text_length()) from = 0;
        }
        frame_reflow(from, width);
    }
    return NULL;
}

static void *painter(void *argument) {
    unsigned char row[WIDEST];
    int sum = 0;
    for (int i = 0; i < REFRESHES; i++) {
        sum += frame_paint(row);
        for (volatile int tick = 0; tick < 100; tick++) {}
    }
    *(int *)argument = sum;
    return NULL;
}

static void *editor(void *argument) {
    static const char *const words[WORDS] = {"with ", "oars "};
    (void)argument;
    for (int i = 0; i < WORDS; i++) {
        for (volatile int think = 0; think < 400; think++) {}
        text_append(words[i]);
        events_post(&layout_events, EVENT_TEXT, 0);
    }
    return NULL;
}

int main(void) {
    static const struct event user[STEPS] = {
        {EVENT_SCROLL, 1}, {EVENT_SCROLL, 1}, {EVENT_RESIZE, 22}, {EVENT_SCROLL, 1}, {EVENT_SCROLL, 1},
        {EVENT_RESIZE, 30}, {EVENT_SCROLL, 1}, {EVENT_SCROLL, 1}, {EVENT_SCROLL, 1}, {EVENT_RESIZE, 18},
        {EVENT_SCROLL, 1}, {EVENT_SCROLL, 1},
    };
    pthread_t editing, layouting, painting;
    int width = 26, pixels = 0;
    text_init("the boats came in at dusk and lay along the quay in rows of ten, all green ");
    frame_init();
    events_init(&layout_events);
    pthread_create(&layouting, NULL, layout, &width);
    pthread_create(&painting, NULL, painter, &pixels);
    pthread_create(&editing, NULL, editor, NULL);
    for (int i = 0; i < STEPS; i++) {
        events_post(&layout_events, user[i].kind, user[i].value);
        for (volatile int pause = 0; pause < 160; pause++) {}
    }
    pthread_join(editing, NULL);
    events_post(&layout_events, EVENT_QUIT, 0);
    pthread_join(layouting, NULL);
    pthread_join(painting, NULL);
    printf("%d pixels\n", pixels);
    return 0;
}
