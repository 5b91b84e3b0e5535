#include "text.h"

#include <assert.h>
#include <pthread.h>
#include <string.h>

static struct {
    _Alignas(64) int length;
    _Alignas(64) char bytes[TEXT_BYTES];
    _Alignas(64) pthread_mutex_t lock;
} content = {.lock = PTHREAD_MUTEX_INITIALIZER};

void text_init(const char *beginning) {
    content.length = (int)strlen(beginning);
    memcpy(content.bytes, beginning, (size_t)content.length);
}

void text_append(const char *more) {
    int bytes = (int)strlen(more);
    pthread_mutex_lock(&content.lock);
    assert(content.length + bytes <= TEXT_BYTES);
    for (int i = 0; i < bytes; i++) content.bytes[content.length + i] = more[i];
    content.length += bytes;
    pthread_mutex_unlock(&content.lock);
}

int text_length(void) {
    pthread_mutex_lock(&content.lock);
    int length = content.length;
    pthread_mutex_unlock(&content.lock);
    return length;
}

char text_at(int place) {
    assert(place >= 0 && place < TEXT_BYTES);
    return content.bytes[place];
}
