/*
 * A settings service: clients look settings up under the read lock; every setting that
 * is read goes onto the "touched" list, which the saver empties under the write lock.
 *
 * Bug: pushing onto the touched list is a write, and readers do it at the same time
 * with only the read lock; a touched setting gets lost.
 *
 * validate:
 *   kind: readers-writers
 *   variable: cfg->touched
 *   threads: 6
 *   fails-by: assert
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define READERS 4
#define KEYS 8
#define BUCKETS 4
#define LOOKUPS 8

struct setting {
    struct setting *chain;
    struct setting *touched_next;
    atomic_int touched;
    atomic_uint reads;
    unsigned saved;
    char key[12];
    int value;
};

struct config {
    pthread_rwlock_t lock;
    struct setting *bucket[BUCKETS];
    struct setting *touched;
    int writes;
#ifdef FIXED
    pthread_mutex_t touched_lock;
#endif
};

static struct config *cfg;
static const char *const keys[KEYS] = {
    "volume", "theme", "proxy", "locale", "zoom", "tabs", "font", "cursor",
};

static unsigned hash(const char *s)
{
    unsigned h = 0;

    while (*s)
        h = h * 37 + (unsigned char)*s++;
    return h % BUCKETS;
}

static struct setting *find(const char *key)
{
    struct setting *s = cfg->bucket[hash(key)];

    while (s && strcmp(s->key, key))
        s = s->chain;
    return s;
}

static void touch(struct setting *s)
{
    atomic_fetch_add(&s->reads, 1);
    if (atomic_exchange(&s->touched, 1))
        return;                                 /* is on the list */
#ifdef FIXED
    pthread_mutex_lock(&cfg->touched_lock);
#endif
    s->touched_next = cfg->touched;             /* bug: 1, 2 */
    cfg->touched = s;                           /* bug: 3, 4 */
#ifdef FIXED
    pthread_mutex_unlock(&cfg->touched_lock);
#endif
}

static int config_get(const char *key)
{
    struct setting *s;
    int value = -1;

    pthread_rwlock_rdlock(&cfg->lock);
    s = find(key);
    if (s) {
        value = s->value;
        touch(s);                               /* bug */
    }
    pthread_rwlock_unlock(&cfg->lock);
    return value;
}

static void config_set(const char *key, int value)
{
    struct setting *s;
    unsigned h = hash(key);

    pthread_rwlock_wrlock(&cfg->lock);
    s = find(key);
    if (!s) {
        s = calloc(1, sizeof *s);
        assert(s);
        strncpy(s->key, key, sizeof s->key - 1);
        atomic_init(&s->touched, 0);
        atomic_init(&s->reads, 0);
        s->chain = cfg->bucket[h];
        cfg->bucket[h] = s;
    }
    s->value = value;
    cfg->writes++;
    pthread_rwlock_unlock(&cfg->lock);
}

/* Takes everything off the touched list and remembers the read counts. */
static void config_save(void)
{
    pthread_rwlock_wrlock(&cfg->lock);
    while (cfg->touched) {
        struct setting *s = cfg->touched;
        cfg->touched = s->touched_next;
        s->touched_next = NULL;
        s->saved = atomic_load(&s->reads);
        atomic_store(&s->touched, 0);
    }
    pthread_rwlock_unlock(&cfg->lock);
}

static void *reader(void *arg)
{
    int id = (int)(size_t)arg;

    for (int i = 0; i < LOOKUPS; i++) {
        int k = (id * 2 + i) % KEYS;
        int v = config_get(keys[k]);
        assert(v == k || v == k + 100);
    }
    return NULL;
}

static void *saver(void *arg)
{
    (void)arg;
    for (int i = 0; i < 3; i++) {
        config_set(keys[i], 100 + i);
        config_save();
    }
    return NULL;
}

int main(void)
{
    pthread_t tid[READERS], sv;
    unsigned reads = 0, saved = 0;

    cfg = calloc(1, sizeof *cfg);
    assert(cfg);
    pthread_rwlock_init(&cfg->lock, NULL);
#ifdef FIXED
    pthread_mutex_init(&cfg->touched_lock, NULL);
#endif
    for (int i = 0; i < KEYS; i++)
        config_set(keys[i], i);

    for (size_t i = 0; i < READERS; i++)
        pthread_create(&tid[i], NULL, reader, (void *)i);
    pthread_create(&sv, NULL, saver, NULL);
    for (int i = 0; i < READERS; i++)
        pthread_join(tid[i], NULL);
    pthread_join(sv, NULL);
    config_save();

    assert(cfg->writes == KEYS + 3);
    for (int b = 0; b < BUCKETS; b++) {
        while (cfg->bucket[b]) {
            struct setting *s = cfg->bucket[b];
            reads += atomic_load(&s->reads);
            saved += s->saved;
            cfg->bucket[b] = s->chain;
            free(s);
        }
    }
    assert(reads == READERS * LOOKUPS);
    assert(saved == reads);
    free(cfg);
    return 0;
}
