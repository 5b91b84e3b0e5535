#include "frame.h"

#include "text.h"

#include <assert.h>
#include <pthread.h>

enum { WIDEST = 48 };

struct rect {
    int x, y, width, height;
};

struct frame {
    _Alignas(64) struct rect rect;
    struct frame *next_in_flow;
    int content_offset;
    int ascent, descent, advances[6]; /* of the font, as it was measured */
    int content_length;
};

static struct frame frames[FRAMES];

/* Whoever reads or writes a frame's content has this. */
static _Alignas(64) pthread_mutex_t content_lock = PTHREAD_MUTEX_INITIALIZER;
#ifdef FIXED
/* Whoever needs offset and length to fit together has this. */
static _Alignas(64) pthread_mutex_t mapping_lock = PTHREAD_MUTEX_INITIALIZER;
#endif

void frames_init(void) {
    for (int i = 0; i < FRAMES; i++) {
        frames[i].rect = (struct rect){0, 12 * i, 0, 12};
        frames[i].next_in_flow = i + 1 < FRAMES ? &frames[i + 1] : 0;
        frames[i].ascent = 9;
        frames[i].descent = 3;
        for (int k = 0; k < 6; k++) frames[i].advances[k] = 4 + k;
    }
}

static int content_offset(const struct frame *frame) {
    pthread_mutex_lock(&content_lock);
    int offset = frame->content_offset; /* bug: 1 */
    pthread_mutex_unlock(&content_lock);
    return offset;
}

static int content_length(const struct frame *frame) {
    pthread_mutex_lock(&content_lock);
    int length = frame->content_length; /* bug: 4 */
    pthread_mutex_unlock(&content_lock);
    return length;
}

static void set_content_offset(struct frame *frame, int offset) {
    pthread_mutex_lock(&content_lock);
    frame->content_offset = offset; /* bug: 2 */
    pthread_mutex_unlock(&content_lock);
}

static void set_content_length(struct frame *frame, int length) {
    pthread_mutex_lock(&content_lock);
    frame->content_length = length; /* bug: 3 */
    pthread_mutex_unlock(&content_lock);
}

/* How many characters from `from` on make a line: up to the last space that fits. */
static int line_length(int from, int end, int width) {
    if (end - from <= width) return end - from;
    for (int length = width; length > 0; length--)
        if (text_at(from + length - 1) == ' ') return length;
    return width;
}

/* Whether the frame shows something else now. */
static int map_content(struct frame *frame, int offset, int length) {
    int changed = content_offset(frame) != offset;
    changed |= content_length(frame) != length;
    if (!changed) return 0;
#ifdef FIXED
    pthread_mutex_lock(&mapping_lock);
#endif
    set_content_offset(frame, offset); /* bug */
    set_content_length(frame, length); /* bug */
#ifdef FIXED
    pthread_mutex_unlock(&mapping_lock);
#endif
    return 1;
}

int frames_reflow(int width) {
    int offset = 0, end = text_length(), damaged = FRAMES;
    for (struct frame *frame = frames; frame; frame = frame->next_in_flow) {
        int length = line_length(offset, end, width);
        int number = (int)(frame - frames);
        if (map_content(frame, offset, length) && number < damaged) damaged = number;
        offset += length;
    }
    return damaged;
}

static int advance_of(const struct frame *frame, char c) {
    return frame->advances[(unsigned char)c % 6];
}

int frame_paint(int number) {
    const struct frame *frame = &frames[number];
#ifdef FIXED
    pthread_mutex_lock(&mapping_lock);
#endif
    int offset = content_offset(frame); /* bug */
    int length = content_length(frame); /* bug */
#ifdef FIXED
    pthread_mutex_unlock(&mapping_lock);
#endif
    int end = text_length(), pixels = 0;
    assert(length <= WIDEST && offset + length <= end);
    if (length == 0) return 0;
    /* A line begins at the beginning of a word and ends with a space. */
    assert(offset == 0 || text_at(offset - 1) == ' ');
    assert(offset + length == end || text_at(offset + length - 1) == ' ');
    for (int i = 0; i < length; i++) pixels += advance_of(frame, text_at(offset + i));
    return pixels;
}
