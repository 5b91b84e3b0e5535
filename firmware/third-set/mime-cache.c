/*
 * A web server keeps the types of files in a cache, newest use first, under a
 * readers-writer lock. Request threads look up types; a loader adds new ones.
 *
 * Bug: a lookup takes the lock for reading, but a hit moves the entry to the
 * front of the list. Two readers that move entries at the same time break the
 * list, and entries are lost.
 *
 * validate:
 *   kind: readers-writers
 *   variable: cache.head, entry->next, entry->prev
 *   threads: 4
 *   fails-by: exit
 *   rare: no
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    struct entry *prev, *next;
    const char *suffix;
    const char *type;
};

static struct {
    pthread_rwlock_t lock;
    struct entry *head;
    int count;
} cache = { .lock = PTHREAD_RWLOCK_INITIALIZER };

static struct {
    pthread_mutex_t lock;
    int hits, misses;
} stats = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void push_front(struct entry *e)
{
    e->prev = NULL;                             /* bug */
    e->next = cache.head;                       /* bug: 1 */
    if (cache.head)
        cache.head->prev = e;                   /* bug */
    cache.head = e;                             /* bug: 2, 3 */
}

static void unlink_entry(struct entry *e)
{
    if (e->prev)                                /* bug */
        e->prev->next = e->next;                /* bug */
    else
        cache.head = e->next;                   /* bug */
    if (e->next)
        e->next->prev = e->prev;                /* bug */
}

static void cache_add(const char *suffix, const char *type)
{
    struct entry *e = malloc(sizeof *e);

    if (!e)
        abort();
    e->suffix = suffix;
    e->type = type;
    pthread_rwlock_wrlock(&cache.lock);
    push_front(e);
    cache.count++;
    pthread_rwlock_unlock(&cache.lock);
}

static const char *cache_find(const char *suffix)
{
    const char *type = NULL;
    int steps = 0;

#ifdef FIXED
    pthread_rwlock_wrlock(&cache.lock);
#else
    pthread_rwlock_rdlock(&cache.lock);         /* bug */
#endif
    for (struct entry *e = cache.head; e && steps < 16; e = e->next, steps++)    /* bug */
        if (strcmp(e->suffix, suffix) == 0) {
            type = e->type;
            if (e != cache.head) {
                unlink_entry(e);                /* bug */
                push_front(e);                  /* bug */
            }
            break;
        }
    pthread_rwlock_unlock(&cache.lock);
    pthread_mutex_lock(&stats.lock);
    if (type)
        stats.hits++;
    else
        stats.misses++;
    pthread_mutex_unlock(&stats.lock);
    return type;
}

static void *request(void *arg)
{
    const char *const *suffixes = arg;

    for (int i = 0; suffixes[i]; i++)
        cache_find(suffixes[i]);
    return NULL;
}

static void *loader(void *arg)
{
    (void)arg;
    cache_add("ogg", "audio/ogg");
    cache_add("css", "text/css");
    return NULL;
}

int main(void)
{
    static const char *const first[] = { "html", "png", "html", "txt", "png", NULL };
    static const char *const second[] = { "txt", "html", "png", "html", "txt", NULL };
    pthread_t a, b, c;
    int found = 0, backwards = 0;

    cache_add("html", "text/html");
    cache_add("png", "image/png");
    cache_add("txt", "text/plain");
    pthread_create(&a, NULL, request, (void *)first);
    pthread_create(&b, NULL, request, (void *)second);
    pthread_create(&c, NULL, loader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    for (struct entry *e = cache.head; e && found < 16; e = e->next) {
        backwards += e->next && e->next->prev != e;
        found++;
    }
    printf("%d of %d entries, %d misses\n", found, cache.count, stats.misses);
    return found == cache.count && !backwards && !stats.misses ? 0 : 1;
}
