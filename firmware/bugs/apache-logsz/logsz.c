/* A web server's worker threads and their buffered access log.
 *
 * A listener accepts connections and queues them; workers take them, find the resource, build a response
 * and log a line for each. Lines are gathered in one buffer that goes to the log file when it is full.
 *
 * After Apache-LogSz of Bugaboo, Table 1: the buffer's length is read, and then written, without a lock.
 * Two workers that log at once overwrite each other's line, or lose it. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORKERS 3
#define REQUESTS 9
#define QUEUE_SLOTS 4
#define LOG_BUFFER_BYTES 192
#define LOG_FILE_BYTES 1024
#define LINE_BYTES 64
#define LINE 64

/* ---- connections, from the listener to the workers ---- */

struct connection {
    unsigned number;
    unsigned client;
    const char *request;
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t not_empty;
    pthread_cond_t not_full;
    _Alignas(LINE) unsigned first;
    unsigned count;
    int closed;
    _Alignas(LINE) struct connection slots[QUEUE_SLOTS];
} queue = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .not_empty = PTHREAD_COND_INITIALIZER,
    .not_full = PTHREAD_COND_INITIALIZER,
};

static void queue_push(const struct connection *connection) {
    pthread_mutex_lock(&queue.lock);
    while (queue.count == QUEUE_SLOTS) pthread_cond_wait(&queue.not_full, &queue.lock);
    queue.slots[(queue.first + queue.count) % QUEUE_SLOTS] = *connection;
    queue.count++;
    pthread_cond_signal(&queue.not_empty);
    pthread_mutex_unlock(&queue.lock);
}

/* The next connection; 0 when there will be no more. */
static int queue_pop(struct connection *connection) {
    pthread_mutex_lock(&queue.lock);
    while (queue.count == 0 && !queue.closed) pthread_cond_wait(&queue.not_empty, &queue.lock);
    int got = queue.count > 0;
    if (got) {
        *connection = queue.slots[queue.first];
        queue.first = (queue.first + 1) % QUEUE_SLOTS;
        queue.count--;
        pthread_cond_signal(&queue.not_full);
    }
    pthread_mutex_unlock(&queue.lock);
    return got;
}

static void queue_close(void) {
    pthread_mutex_lock(&queue.lock);
    queue.closed = 1;
    pthread_cond_broadcast(&queue.not_empty);
    pthread_mutex_unlock(&queue.lock);
}

/* ---- the log ---- */

static struct {
    unsigned length;
    char bytes[LOG_FILE_BYTES];
} log_file;

static struct {
    pthread_mutex_t lock;
    _Alignas(LINE) unsigned length;
    _Alignas(LINE) char bytes[LOG_BUFFER_BYTES];
} log_buffer = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void log_flush(void) {
    assert(log_file.length + log_buffer.length <= LOG_FILE_BYTES); /* bug */
    memcpy(log_file.bytes + log_file.length, log_buffer.bytes, log_buffer.length);
    log_file.length += log_buffer.length; /* bug */
    log_buffer.length = 0; /* bug: 2 */
}

/* Puts a line into the buffer. */
static void log_write(const char *text, unsigned length) {
#ifdef FIXED
    pthread_mutex_lock(&log_buffer.lock);
#endif
    if (log_buffer.length + length > LOG_BUFFER_BYTES) { /* bug: 1 */
        log_flush();
    }
    char *end = log_buffer.bytes + log_buffer.length; /* bug: 1 */
    memcpy(end, text, length);
    log_buffer.length += length; /* bug: 2, 3 */
#ifdef FIXED
    pthread_mutex_unlock(&log_buffer.lock);
#endif
}

/* ---- resources ---- */

struct resource {
    const char *path;
    unsigned bytes;
};

static const struct resource resources[] = {
    {"/", 1260}, {"/about", 930}, {"/logo.gif", 1920}, {"/news", 1530}, {"/style.css", 750},
};

static const struct resource *find_resource(const char *path) {
    for (unsigned i = 0; i < sizeof resources / sizeof *resources; i++) {
        if (strcmp(resources[i].path, path) == 0) return &resources[i];
    }
    return NULL;
}

/* The body as it goes over the wire; gives its check value. */
static unsigned send_body(const struct resource *resource, unsigned client) {
    unsigned check = client;
    for (unsigned i = 0; i < resource->bytes; i++) {
        check = (check << 5 | check >> 27) + (i ^ resource->bytes);
        check ^= check >> 3;
    }
    return check;
}

/* ---- workers ---- */

/* Copies a word and gives the end of the copy. */
static char *put_text(char *to, const char *text) {
    while (*text) *to++ = *text++;
    return to;
}

static char *put_number(char *to, unsigned number) {
    char digits[10];
    int count = 0;
    do digits[count++] = (char)('0' + number % 10);
    while (number /= 10);
    while (count) *to++ = digits[--count];
    return to;
}

/* client request "path" status bytes */
static unsigned log_line(char *line, const struct connection *connection, unsigned status, unsigned bytes) {
    char *end = put_number(put_text(line, "10.0.0."), connection->client);
    end = put_number(put_text(end, " #"), connection->number);
    end = put_text(put_text(end, " "), connection->request);
    end = put_number(put_text(end, " "), status);
    end = put_number(put_text(end, " "), bytes);
    end = put_text(end, "\n");
    return (unsigned)(end - line);
}

struct worker {
    _Alignas(LINE) unsigned served;
    unsigned check;
};

static void serve(struct worker *self, const struct connection *connection) {
    char line[LINE_BYTES];
    unsigned status = 404, bytes = 0;
    const struct resource *resource = find_resource(connection->request);
    if (resource) {
        status = 200;
        bytes = resource->bytes;
        self->check += send_body(resource, connection->client);
    }
    log_write(line, log_line(line, connection, status, bytes));
    self->served++;
}

static void *run_worker(void *argument) {
    struct worker *self = argument;
    struct connection connection;
    while (queue_pop(&connection)) serve(self, &connection);
    return NULL;
}

/* ---- the listener, and an administrator who reads the log ---- */

static const char *const asked[] = {"/", "/logo.gif", "/news", "/missing", "/style.css", "/about"};

static void listen_for_requests(void) {
    for (unsigned i = 0; i < REQUESTS; i++) {
        struct connection connection = {
            .number = i,
            .client = 1 + i * 7 % 20,
            .request = asked[i % (sizeof asked / sizeof *asked)],
        };
        queue_push(&connection);
    }
    queue_close();
}

/* Whether the log has a line for each request, and nothing else. */
static int log_is_sound(void) {
    unsigned seen[REQUESTS] = {0}, lines = 0;
    for (const char *at = log_file.bytes, *end = at + log_file.length; at < end; lines++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        const char *mark = memchr(at, '#', (size_t)(end - at));
        if (!stop || !mark || mark > stop || strncmp(at, "10.0.0.", 7) != 0) return 0;
        unsigned number = (unsigned)strtoul(mark + 1, NULL, 10);
        if (number >= REQUESTS || seen[number]++) return 0;
        at = stop + 1;
    }
    return lines == REQUESTS;
}

int main(void) {
    static struct worker workers[WORKERS];
    pthread_t threads[WORKERS];
    unsigned served = 0;
    for (int i = 0; i < WORKERS; i++) pthread_create(&threads[i], NULL, run_worker, &workers[i]);
    listen_for_requests();
    for (int i = 0; i < WORKERS; i++) {
        pthread_join(threads[i], NULL);
        served += workers[i].served;
    }
    log_flush();
    printf("%u requests, %u bytes of log\n", served, log_file.length);
    return log_is_sound() ? EXIT_SUCCESS : EXIT_FAILURE;
}
