/* Hash tables and lists of search.h. */
#include "../internal.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

typedef int comparison(const void *, const void *);

POSIX_ONLY int hcreate_r(size_t count, struct hsearch_data *table) {
    if (!table || count > SIZE_MAX / sizeof(ENTRY) / 4) {
        errno = table ? ENOMEM : EINVAL;
        return 0;
    }
    /* A quarter stays empty, so that a search ends. */
    size_t room = 4;
    while (room < count + count / 3 + 1) room *= 2;
    *table = (struct hsearch_data){.__entries = calloc(room, sizeof(ENTRY)), .__room = room};
    return table->__entries != NULL;
}

POSIX_ONLY void hdestroy_r(struct hsearch_data *table) {
    free(table->__entries);
    *table = (struct hsearch_data){0};
}

POSIX_ONLY int hsearch_r(ENTRY item, ACTION action, ENTRY **found, struct hsearch_data *table) {
    size_t at = 2166136261u;
    *found = NULL;
    if (!table->__room) {
        errno = action == ENTER ? ENOMEM : ESRCH;
        return 0;
    }
    for (const char *letter = item.key; *letter; letter++) at = (at ^ (unsigned char)*letter) * 16777619u;
    for (at &= table->__room - 1; table->__entries[at].key; at = (at + 1) & (table->__room - 1)) {
        if (strcmp(table->__entries[at].key, item.key)) continue;
        *found = &table->__entries[at];
        return 1;
    }
    bool full = table->__count >= table->__room - table->__room / 4;
    if (action == FIND || full) {
        errno = full && action == ENTER ? ENOMEM : ESRCH;
        return 0;
    }
    table->__count++;
    table->__entries[at] = item;
    *found = &table->__entries[at];
    return 1;
}

static struct hsearch_data only;

POSIX_ONLY int hcreate(size_t count) {
    return hcreate_r(count, &only);
}

POSIX_ONLY void hdestroy(void) {
    hdestroy_r(&only);
}

POSIX_ONLY ENTRY *hsearch(ENTRY item, ACTION action) {
    ENTRY *found;
    hsearch_r(item, action, &found, &only);
    return found;
}

POSIX_ONLY void *lfind(const void *key, const void *base, size_t *count, size_t bytes, comparison *compare) {
    const char *at = base;
    for (size_t i = 0; i < *count; i++, at += bytes) {
        if (!compare(key, at)) return (void *)at;
    }
    return NULL;
}

POSIX_ONLY void *lsearch(const void *key, void *base, size_t *count, size_t bytes, comparison *compare) {
    void *found = lfind(key, base, count, bytes, compare);
    return found ? found : memcpy((char *)base + bytes * (*count)++, key, bytes);
}

struct link {
    struct link *next, *before;
};

POSIX_ONLY void insque(void *element, void *after) {
    struct link *link = element, *before = after;
    *link = (struct link){.next = before ? before->next : NULL, .before = before};
    if (!before) return;
    if (before->next) before->next->before = link;
    before->next = link;
}

POSIX_ONLY void remque(void *element) {
    struct link *link = element;
    if (link->next) link->next->before = link->before;
    if (link->before) link->before->next = link->next;
}
