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
    int content_offset;
    int ascent, descent, advances[6]; /* of the font, as it was measured */
    int content_length;
};

static struct frame frame;

/* Whoever reads or writes a frame's content has this. */
static _Alignas(64) pthread_mutex_t content_lock = PTHREAD_MUTEX_INITIALIZER;
#ifdef FIXED
/* Whoever needs offset and length to fit together has this. */
static _Alignas(64) pthread_mutex_t mapping_lock = PTHREAD_MUTEX_INITIALIZER;
#endif

void frame_init(void) {
    frame.rect = (struct rect){0, 0, 0, 12};
    frame.ascent = 9;
    frame.descent = 3;
    for (int i = 0; i < 6; i++) frame.advances[i] = 4 + i;
}

static int content_offset(void) {
    pthread_mutex_lock(&content_lock);
    int offset = frame.content_offset; /* bug: 1 */
    pthread_mutex_unlock(&content_lock);
    return offset;
}

static int content_length(void) {
    pthread_mutex_lock(&content_lock);
    int length = frame.content_length; /* bug: 4 */
    pthread_mutex_unlock(&content_lock);
    return length;
}

static void set_content_offset(int offset) {
    pthread_mutex_lock(&content_lock);
    frame.content_offset = offset; /* bug: 2 */
    pthread_mutex_unlock(&content_lock);
}

static void set_content_length(int length) {
    pthread_mutex_lock(&content_lock);
    frame.content_length = length; /* bug: 3 */
    pthread_mutex_unlock(&content_lock);
}

/* Up to the last space that fits. */
int line_length(int from, int width) {
    int end = text_length();
    if (end - from <= width) return end - from;
    for (int length = width; length > 0; length--)
        if (text_at(from + length - 1) == ' ') return length;
    return width;
}

int frame_reflow(int from, int width) {
    int length = line_length(from, width);
    int changed = content_offset() != from;
    changed |= content_length() != length;
    if (!changed) return 0;
#ifdef FIXED
    pthread_mutex_lock(&mapping_lock);
#endif
    set_content_offset(from); /* bug */
    set_content_length(length); /* bug */
#ifdef FIXED
    pthread_mutex_unlock(&mapping_lock);
#endif
    return 1;
}

int frame_paint(void) {
#ifdef FIXED
    pthread_mutex_lock(&mapping_lock);
#endif
    int offset = content_offset(); /* bug */
    int length = content_length(); /* bug */
#ifdef FIXED
    pthread_mutex_unlock(&mapping_lock);
#endif
    int end = text_length(), pixels = 0;
    assert(length <= WIDEST && offset + length <= end);
    /* A line begins at the beginning of a word and ends with a space. */
    assert(offset == 0 || text_at(offset - 1) == ' ');
    assert(length == 0 || text_at(offset + length - 1) == ' ');
    for (int i = 0; i < length; i++) {
        unsigned char glyph = (unsigned char)text_at(offset + i);
        pixels += frame.advances[glyph % 6];
    }
    return pixels;
}
