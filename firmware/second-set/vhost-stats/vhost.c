#include <stdlib.h>
#include <string.h>
#include "vhost.h"

static unsigned hash_name(const char *s)
{
    unsigned h = 5381;
    while (*s)
        h = h * 33 + (unsigned char)*s++;
    return h % VHOST_BUCKETS;
}

void vhost_table_init(struct vhost_table *t)
{
    memset(t->bucket, 0, sizeof t->bucket);
    t->count = 0;
    pthread_rwlock_init(&t->lock, NULL);
}

void vhost_table_free(struct vhost_table *t)
{
    for (int i = 0; i < VHOST_BUCKETS; i++) {
        while (t->bucket[i]) {
            struct vhost *vh = t->bucket[i];
            t->bucket[i] = vh->next;
            pthread_mutex_destroy(&vh->lock);
            free(vh);
        }
    }
    pthread_rwlock_destroy(&t->lock);
}

static struct vhost *find(struct vhost_table *t, unsigned h, const char *name)
{
    struct vhost *vh;
    for (vh = t->bucket[h]; vh; vh = vh->next)
        if (strcmp(vh->name, name) == 0)
            break;
    return vh;
}

/* Looks a host up; makes it when it is asked for the first time. */
struct vhost *vhost_get(struct vhost_table *t, const char *name)
{
    unsigned h = hash_name(name);
    struct vhost *vh;

    pthread_rwlock_rdlock(&t->lock);
    vh = find(t, h, name);
    pthread_rwlock_unlock(&t->lock);
    if (vh)
        return vh;

    pthread_rwlock_wrlock(&t->lock);
    vh = find(t, h, name);
    if (!vh) {
        vh = calloc(1, sizeof *vh);
        if (!vh)
            abort();
        strncpy(vh->name, name, sizeof vh->name - 1);
        pthread_mutex_init(&vh->lock, NULL);
        vh->next = t->bucket[h];
        t->bucket[h] = vh;
        t->count++;
    }
    pthread_rwlock_unlock(&t->lock);
    return vh;
}

void vhost_account(struct vhost *vh, int status, unsigned bytes)
{
#ifdef FIXED
    pthread_mutex_lock(&vh->lock);
    vh->hits++;
    if (status == 304)
        vh->not_modified++;
    else
        vh->bytes_out += bytes;
    pthread_mutex_unlock(&vh->lock);
#else
    if (status == 304) {
        /* nothing was sent, so the byte counters need no care */
        vh->not_modified++;             /* bug: 1, 2, 3 */
        bytes = 0;
    }
    pthread_mutex_lock(&vh->lock);
    vh->hits++;
    vh->bytes_out += bytes;
    pthread_mutex_unlock(&vh->lock);
#endif
}
