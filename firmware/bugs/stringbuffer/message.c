/* String buffers that threads share, each with a lock, after those of Java's library. A writer composes
 * messages in one, a reader appends what is there to its own transcript.
 *
 * To append a buffer is to ask for its length and then for that many of its characters: two steps, each
 * with the lock. If the buffer is emptied between them there are fewer characters than were promised. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define OWN_LINE _Alignas(64)

enum { CAPACITY = 128, MESSAGES = 4, WORDS = 4, READS = 8 };

struct buffer {
    OWN_LINE int length;
    OWN_LINE char text[CAPACITY];
    OWN_LINE pthread_mutex_t lock;
};

static struct buffer message, transcript;

static void buffer_init(struct buffer *buffer) {
    buffer->length = 0;
    pthread_mutexattr_t again;
    pthread_mutexattr_init(&again);
    pthread_mutexattr_settype(&again, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&buffer->lock, &again);
    pthread_mutexattr_destroy(&again);
}

static int buffer_length(struct buffer *buffer) {
    pthread_mutex_lock(&buffer->lock);
    int length = buffer->length; /* bug: 1 */
    pthread_mutex_unlock(&buffer->lock);
    return length;
}

static void buffer_clear(struct buffer *buffer) {
    pthread_mutex_lock(&buffer->lock);
    buffer->length = 0; /* bug: 2 */
    buffer->text[0] = '\0'; /* bug */
    pthread_mutex_unlock(&buffer->lock);
}

static void buffer_chars(struct buffer *buffer, int end, char *to) {
    pthread_mutex_lock(&buffer->lock);
    int length = buffer->length; /* bug: 3 */
    assert(end <= length); /* bug */
    for (int i = 0; i < end; i++) to[i] = buffer->text[i]; /* bug */
    pthread_mutex_unlock(&buffer->lock);
}

static void buffer_append_text(struct buffer *buffer, const char *text) {
    pthread_mutex_lock(&buffer->lock);
    int length = buffer->length, more = (int)strlen(text);
    assert(length + more <= CAPACITY);
    for (int i = 0; i < more; i++) buffer->text[length + i] = text[i];
    buffer->length = length + more;
    pthread_mutex_unlock(&buffer->lock);
}

static void buffer_append(struct buffer *buffer, struct buffer *other) {
    pthread_mutex_lock(&buffer->lock);
#ifdef FIXED
    pthread_mutex_lock(&other->lock);
#endif
    int more = buffer_length(other); /* bug */
    if (buffer->length + more > CAPACITY) buffer->length = 0;
    buffer_chars(other, more, buffer->text + buffer->length); /* bug */
    buffer->length += more;
#ifdef FIXED
    pthread_mutex_unlock(&other->lock);
#endif
    pthread_mutex_unlock(&buffer->lock);
}

static void *writer(void *argument) {
    static const char *const words[] = {"all ", "is ", "well ", "so ", "far "};
    (void)argument;
    for (int i = 0; i < MESSAGES; i++) {
        for (int k = 0; k < WORDS; k++) {
            for (volatile int think = 0; think < 60; think++) {}
            buffer_append_text(&message, words[(i + k) % 5]);
        }
        buffer_clear(&message);
    }
    return NULL;
}

static void *reader(void *argument) {
    int *seen = argument;
    for (int i = 0; i < READS; i++) {
        for (volatile int wait = 0; wait < 150; wait++) {}
        buffer_append(&transcript, &message);
        *seen += buffer_length(&transcript);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int seen = 0;
    buffer_init(&message);
    buffer_init(&transcript);
    pthread_create(&threads[0], NULL, writer, NULL);
    pthread_create(&threads[1], NULL, reader, &seen);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    printf("%d characters\n", seen);
    return 0;
}
