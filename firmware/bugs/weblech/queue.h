/* The queue of pages to be fetched: pages of interest come first. No page is ever queued twice. */
#ifndef QUEUE_H
#define QUEUE_H

#include "site.h"

struct download {
    struct download *next;
    char path[PATH_BYTES];
    int depth;
    int spider; /* who fetches it */
};

void queue_init(void);
void queue_add(const char *path, int depth);
int queue_size(void);

/* NULL: the queue is empty. */
struct download *queue_next(void);

#endif
