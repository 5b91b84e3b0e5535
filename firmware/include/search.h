/* Trees, hash tables and lists, as POSIX has them. */
#ifndef CROSSTALK_SEARCH_H
#define CROSSTALK_SEARCH_H

#include <stddef.h>

typedef enum { FIND, ENTER } ACTION;
typedef enum { preorder, postorder, endorder, leaf } VISIT;

typedef struct entry {
    char *key;
    void *data;
} ENTRY;

struct hsearch_data {
    ENTRY *__entries;
    size_t __room, __count;
};

struct qelem {
    struct qelem *q_forw, *q_back;
    char q_data[1];
};

int hcreate(size_t count);
void hdestroy(void);
ENTRY *hsearch(ENTRY item, ACTION action);
int hcreate_r(size_t count, struct hsearch_data *table);
void hdestroy_r(struct hsearch_data *table);
int hsearch_r(ENTRY item, ACTION action, ENTRY **found, struct hsearch_data *table);

void *tsearch(const void *key, void **root, int (*compare)(const void *, const void *));
void *tfind(const void *key, void *const *root, int (*compare)(const void *, const void *));
void *tdelete(const void *key, void **root, int (*compare)(const void *, const void *));
void twalk(const void *root, void (*act)(const void *node, VISIT which, int depth));
void tdestroy(void *root, void (*release)(void *key));

void *lfind(const void *key, const void *base, size_t *count, size_t bytes, int (*compare)(const void *, const void *));
void *lsearch(const void *key, void *base, size_t *count, size_t bytes, int (*compare)(const void *, const void *));
void insque(void *element, void *after);
void remque(void *element);

#endif
