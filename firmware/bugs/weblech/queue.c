#include "queue.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define OWN_LINE _Alignas(64)

enum { INTERESTING, NORMAL, BORING, INTERESTS, SEEN = 32 };

static struct {
    OWN_LINE int size;
    OWN_LINE struct {
        struct download *first, **end;
    } lists[INTERESTS];
    OWN_LINE char seen[SEEN][PATH_BYTES]; /* a hash table */
    OWN_LINE pthread_mutex_t lock;
} queue;

void queue_init(void) {
    for (int i = 0; i < INTERESTS; i++) queue.lists[i].end = &queue.lists[i].first;
    pthread_mutex_init(&queue.lock, NULL);
}

static int ends_with(const char *text, const char *end) {
    size_t length = strlen(text), last = strlen(end);
    return length >= last && !strcmp(text + length - last, end);
}

static int interest(const char *path) {
    if (ends_with(path, ".jpg")) return BORING;
    return strncmp(path, "/ships", 6) ? NORMAL : INTERESTING;
}

/* Whether the path was there already; it is now. */
static int seen_before(const char *path) {
    unsigned hash = 5381;
    for (const char *at = path; *at; at++) hash = hash * 33 + (unsigned char)*at;
    for (unsigned i = hash % SEEN;; i = (i + 1) % SEEN) {
        char *slot = queue.seen[i];
        if (!strcmp(slot, path)) return 1;
        if (slot[0]) continue;
        strcpy(slot, path);
        return 0;
    }
}

void queue_add(const char *path, int depth) {
    pthread_mutex_lock(&queue.lock);
    if (!seen_before(path)) {
        struct download *download = calloc(1, sizeof *download);
        if (!download) abort();
        strcpy(download->path, path);
        download->depth = depth;
        int list = interest(path);
        *queue.lists[list].end = download;
        queue.lists[list].end = &download->next;
        queue.size++;
    }
    pthread_mutex_unlock(&queue.lock);
}

int queue_size(void) {
    pthread_mutex_lock(&queue.lock);
    int size = queue.size; /* bug: 1, 2 */
    pthread_mutex_unlock(&queue.lock);
    return size;
}

struct download *queue_next(void) {
    struct download *next = NULL;
    pthread_mutex_lock(&queue.lock);
    int size = queue.size; /* bug: 4 */
    if (size > 0) {
        int list = 0;
        while (!queue.lists[list].first) list++;
        next = queue.lists[list].first;
        queue.lists[list].first = next->next;
        if (!next->next) queue.lists[list].end = &queue.lists[list].first;
        queue.size = size - 1; /* bug: 3 */
    }
    pthread_mutex_unlock(&queue.lock);
    return next;
}
