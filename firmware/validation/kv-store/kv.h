#ifndef KV_H
#define KV_H

/* store.c */
void kv_put(const char *key, int value);
int  kv_get(const char *key, int *value);

/* index.c: key -> slot number in the slab, -1 if not there */
int  index_find(const char *key);
void index_enter(const char *key, int slot);
int  index_count(void);

#endif
