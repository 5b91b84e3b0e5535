#ifndef VHOST_H
#define VHOST_H

#include <pthread.h>
#include <stdint.h>

#define VHOST_BUCKETS 8

struct vhost {
    char name[24];
    pthread_mutex_t lock;
    unsigned hits;
    unsigned not_modified;
    uint64_t bytes_out;
    struct vhost *next;
};

struct vhost_table {
    pthread_rwlock_t lock;
    struct vhost *bucket[VHOST_BUCKETS];
    unsigned count;
};

void vhost_table_init(struct vhost_table *t);
void vhost_table_free(struct vhost_table *t);
struct vhost *vhost_get(struct vhost_table *t, const char *name);
void vhost_account(struct vhost *vh, int status, unsigned bytes);

#endif
