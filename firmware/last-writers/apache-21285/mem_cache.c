/* A web server's cache in memory: objects with a reference count, which workers serve from and which the server
 * drops when they are old.
 *
 * Who has dropped the last reference frees the object. After Apache 21285 of Last Writer Slices, Table 1: the
 * count is decremented, and then looked at, which is not one step. Two that decrement before either of them looks
 * both find 0 and both free the object. As in many servers a block says whether it is in use, so that freeing it twice
 * is noticed. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORKERS = 2, REQUESTS = 6, PAGES = 4, BODY = 48 };

struct mem_object {
    char *body;
    unsigned length;
};

struct cache_object {
    char *key;
    struct mem_object *mobj;
    atomic_uint refcount;
};

/* One slot for the page that is asked for most. */
static struct {
    pthread_mutex_t lock;
    struct cache_object *object;
    unsigned made;
} cache = {.lock = PTHREAD_MUTEX_INITIALIZER};

static atomic_uint served, freed;

/* ---- blocks ---- */

enum { IN_USE = 0x5ead, FREED = 0xdead };

struct guard {
    _Alignas(16) atomic_uint magic;
};

static void *allocate(size_t bytes) {
    struct guard *guard = malloc(sizeof *guard + bytes);
    if (!guard) abort();
    guard->magic = IN_USE;
    return guard + 1;
}

static void release(void *block) {
    struct guard *guard = (struct guard *)block - 1;
    unsigned magic = atomic_exchange(&guard->magic, FREED); /* bug: 5, 6 */
    assert(magic == IN_USE); /* bug */
    free(guard);
}

/* ---- objects ---- */

static struct cache_object *create_entity(const char *key, unsigned page) {
    struct cache_object *object = allocate(sizeof *object);
    object->key = strcpy(allocate(strlen(key) + 1), key);
    object->mobj = allocate(sizeof *object->mobj);
    object->mobj->body = allocate(BODY);
    object->mobj->length = BODY;
    for (unsigned i = 0; i < BODY; i++) object->mobj->body[i] = (char)('a' + (i * 7 + page) % 26);
    object->refcount = 1; /* the cache's own */
    return object;
}

static void cleanup_cache_object(struct cache_object *object) {
    release(object->mobj->body); /* bug */
    release(object->mobj);
    release(object->key);
    release(object);
    freed++;
}

static void decrement_refcount(struct cache_object *object) {
#ifdef FIXED
    if (atomic_fetch_sub(&object->refcount, 1) == 1) cleanup_cache_object(object);
#else
    atomic_fetch_sub(&object->refcount, 1); /* bug: 1, 2 */
    if (object->refcount == 0) cleanup_cache_object(object); /* bug: 3, 4 */
#endif
}

/* ---- the cache ---- */

/* The cached object, with a reference more; it is made if there is none. */
static struct cache_object *open_entity(const char *key) {
    pthread_mutex_lock(&cache.lock);
    if (!cache.object) cache.object = create_entity(key, cache.made++);
    struct cache_object *object = cache.object;
    atomic_fetch_add(&object->refcount, 1);
    pthread_mutex_unlock(&cache.lock);
    return object;
}

/* Takes the object out; who has it may go on to the end. */
static void remove_url(void) {
    pthread_mutex_lock(&cache.lock);
    struct cache_object *object = cache.object;
    cache.object = NULL;
    pthread_mutex_unlock(&cache.lock);
    if (object) decrement_refcount(object);
}

/* ---- the server ---- */

static unsigned send_body(const struct mem_object *mobj) {
    unsigned check = 0;
    for (unsigned i = 0; i < mobj->length; i++) check = check * 33 + (unsigned char)mobj->body[i];
    return check;
}

static void *worker(void *argument) {
    unsigned *checks = argument;
    for (int i = 0; i < REQUESTS; i++) {
        struct cache_object *object = open_entity("/index.html");
        *checks ^= send_body(object->mobj);
        served++;
        decrement_refcount(object);
    }
    return NULL;
}

/* Drops pages that are old. */
static void *maintenance(void *argument) {
    for (int i = 0; i < PAGES; i++) {
        for (volatile int wait = 0; wait < 120; wait++) {}
        remove_url();
    }
    return argument;
}

int main(void) {
    static unsigned checks[WORKERS];
    pthread_t workers[WORKERS], keeper;
    for (int i = 0; i < WORKERS; i++) pthread_create(&workers[i], NULL, worker, &checks[i]);
    pthread_create(&keeper, NULL, maintenance, NULL);
    for (int i = 0; i < WORKERS; i++) pthread_join(workers[i], NULL);
    pthread_join(keeper, NULL);
    remove_url();
    printf("%u served from %u objects\n", served, cache.made);
    return freed == cache.made ? EXIT_SUCCESS : EXIT_FAILURE;
}
