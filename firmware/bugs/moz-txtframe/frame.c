#include "frame.h"

#include "text.h"

#include <assert.h>
#include <pthread.h>

struct rect {
    int x, y, width, height;
};

struct frame {
    _Alignas(64) struct rect rect;
    int content_offset;
    int ascent, descent, leading; /* of the font, as it was measured */
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
    frame.leading = 1;
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
    int other_offset = content_offset() != from, other_length = content_length() != length;
#ifdef FIXED
    pthread_mutex_lock(&mapping_lock);
#endif
    if (other_offset) set_content_offset(from); /* bug */
    if (other_length) set_content_length(length); /* bug */
#ifdef FIXED
    pthread_mutex_unlock(&mapping_lock);
#endif
    return other_offset || other_length;
}

int frame_paint(unsigned char *cells) {
#ifdef FIXED
    pthread_mutex_lock(&mapping_lock);
#endif
    int offset = content_offset(); /* bug */
    for (int i = 0; i < WIDEST; i++) cells[i] = ' ';
    int length = content_length(); /* bug */
#ifdef FIXED
    pthread_mutex_unlock(&mapping_lock);
#endif
    assert(length <= WIDEST);
    /* A line begins at the beginning of a word and ends with a space. */
    assert(offset == 0 || text_at(offset - 1) == ' ');
    assert(length == 0 || text_at(offset + length - 1) == ' ');
    int pixels = 0;
    for (int i = 0; i < length; i++) {
        cells[i] = (unsigned char)text_at(offset + i);
        pixels += 4 + cells[i] % 6;
    }
    return pixels;
}
