/* String buffers that threads share, each with a lock, after those of Java's library. A writer composes
 * messages in one, each below the same heading, and cuts it back to the heading when a message is out. A
 * reader looks at the heading, and appends what is there to its own transcript.
 *
 * To append a buffer is to ask for its length and then for that many of its characters: two steps, each
 * with the lock. If the buffer is cut between them there are fewer characters than were promised. The
 * heading is always there: who wants no more need not ask. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define OWN_LINE _Alignas(64)
/* Called by everybody, as a library's, and not copied into each caller. */
#define METHOD static __attribute__((noinline))

enum { CAPACITY = 128, MESSAGES = 3, WORDS = 4, READS = 6 };

struct buffer {
    OWN_LINE int length;
    OWN_LINE char text[CAPACITY];
    OWN_LINE pthread_mutex_t lock;
};

static struct buffer message, transcript;
static const char heading[] = "to all: ";
enum { HEADING = sizeof heading - 1 };

static void buffer_init(struct buffer *buffer) {
    buffer->length = 0;
    pthread_mutexattr_t again;
    pthread_mutexattr_init(&again);
    pthread_mutexattr_settype(&again, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&buffer->lock, &again);
    pthread_mutexattr_destroy(&again);
}

METHOD int buffer_length(struct buffer *buffer) {
    pthread_mutex_lock(&buffer->lock);
    int length = buffer->length; /* bug: 1 */
    pthread_mutex_unlock(&buffer->lock);
    return length;
}

/* Forgets what is behind the first `length` characters. */
METHOD void buffer_cut(struct buffer *buffer, int length) {
    pthread_mutex_lock(&buffer->lock);
    buffer->length = length; /* bug: 2 */
    pthread_mutex_unlock(&buffer->lock);
}

/* The first `end` characters, which must be there. */
METHOD void buffer_chars(struct buffer *buffer, int end, char *to) {
    pthread_mutex_lock(&buffer->lock);
    int length = buffer->length; /* bug: 3 */
    assert(end <= length); /* bug */
    for (int i = 0; i < end; i++) to[i] = buffer->text[i]; /* bug */
    pthread_mutex_unlock(&buffer->lock);
}

METHOD void buffer_append_text(struct buffer *buffer, const char *text) {
    pthread_mutex_lock(&buffer->lock);
    int length = buffer->length, more = (int)strlen(text);
    assert(length + more <= CAPACITY);
    for (int i = 0; i < more; i++) buffer->text[length + i] = text[i];
    buffer->length = length + more;
    pthread_mutex_unlock(&buffer->lock);
}

METHOD void buffer_append(struct buffer *buffer, struct buffer *other) {
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
        buffer_cut(&message, HEADING);
    }
    return NULL;
}

static void *reader(void *argument) {
    int *seen = argument;
    char subject[HEADING];
    for (int i = 0; i < READS; i++) {
        for (volatile int wait = 0; wait < 100; wait++) {}
        buffer_chars(&message, HEADING, subject);
        assert(memcmp(subject, heading, HEADING) == 0);
        for (volatile int wait = 0; wait < 100; wait++) {}
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
    buffer_append_text(&message, heading);
    pthread_create(&threads[0], NULL, writer, NULL);
    pthread_create(&threads[1], NULL, reader, &seen);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    printf("%d characters\n", seen);
    return 0;
}
