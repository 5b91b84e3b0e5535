#include "backlog.h"
#include <assert.h>
#include <string.h>

void backlog_init(struct backlog *b)
{
    memset(b, 0, sizeof *b);
    pthread_mutex_init(&b->lock, NULL);
    pthread_cond_init(&b->arrived, NULL);
    pthread_cond_init(&b->taken, NULL);
}

/* With the lock. */
static void account(struct backlog *b, int bytes)
{
    b->bytes += bytes;                          /* bug: 3 */
    if (b->bytes > b->most_bytes)
        b->most_bytes = b->bytes;
}

void backlog_put(struct backlog *b, struct packet p)
{
    pthread_mutex_lock(&b->lock);
    while (b->count == BACKLOG_ROOM)
        pthread_cond_wait(&b->taken, &b->lock);
    b->packets[(b->first + b->count) % BACKLOG_ROOM] = p;
    b->count++;                                 /* bug: 1 */
    pthread_cond_signal(&b->arrived);
#ifdef FIXED
    account(b, p.bytes);
    pthread_mutex_unlock(&b->lock);
#else
    pthread_mutex_unlock(&b->lock);             /* bug */

    pthread_mutex_lock(&b->lock);               /* bug */
    account(b, p.bytes);
    pthread_mutex_unlock(&b->lock);
#endif
}

int backlog_get(struct backlog *b, struct packet *p)
{
    pthread_mutex_lock(&b->lock);
    while (b->count == 0 && !b->closed)
        pthread_cond_wait(&b->arrived, &b->lock);
    if (b->count == 0) {
        pthread_mutex_unlock(&b->lock);
        return 0;
    }
    *p = b->packets[b->first];
    b->first = (b->first + 1) % BACKLOG_ROOM;
    b->count--;
    assert(b->bytes >= p->bytes);               /* bug: 2 */
    b->bytes -= p->bytes;
    pthread_cond_signal(&b->taken);
    pthread_mutex_unlock(&b->lock);
    return 1;
}

void backlog_close(struct backlog *b)
{
    pthread_mutex_lock(&b->lock);
    b->closed = 1;
    pthread_cond_broadcast(&b->arrived);
    pthread_mutex_unlock(&b->lock);
}
