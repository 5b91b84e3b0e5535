#include "lease.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { LIVE = 0x1ea5e, DEAD = 0x0dead };

struct lease {
    volatile int magic;
    int number;
    int client;
    int expires;
    struct lease *next, *previous;
};

static struct {
    pthread_mutex_t lock;
    struct lease *first, *last;
    int numbers;
    int now;
    int expired;
} table = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* With the lock. */
static void append(struct lease *l)
{
    l->next = NULL;
    l->previous = table.last;
    if (table.last)
        table.last->next = l;
    else
        table.first = l;
    table.last = l;
}

/* With the lock. The lease is then its finder's, to be freed. */
static void take_out(struct lease *l)
{
    if (l->previous)
        l->previous->next = l->next;
    else
        table.first = l->next;
    if (l->next)
        l->next->previous = l->previous;
    else
        table.last = l->previous;
    l->magic = DEAD;                            /* bug: 2 */
}

int lease_grant(int client, int term)
{
    struct lease *l = malloc(sizeof *l);
    int number;

    if (!l)
        abort();
    l->client = client;
    pthread_mutex_lock(&table.lock);
    number = l->number = table.numbers++;
    l->expires = table.now + term;
    l->magic = LIVE;
    append(l);
    pthread_mutex_unlock(&table.lock);
    return number;
}

int lease_release(int number)
{
    struct lease *l;

    pthread_mutex_lock(&table.lock);
    l = table.first;
    while (l && l->number != number)
        l = l->next;
    if (l)
        take_out(l);
    pthread_mutex_unlock(&table.lock);
    free(l);                                    /* bug */
    return l != NULL;
}

void lease_sweep(void (*tell)(int client, int number))
{
    struct lease *l, *next;

    pthread_mutex_lock(&table.lock);
    table.now++;
    for (l = table.first; l; l = next) {
        if (l->magic != LIVE) {                 /* bug: 3 */
            fprintf(stderr, "sweep has come to a lease that is gone\n");
            abort();
        }
        next = l->next;                         /* bug: 1 */
        if (l->expires > table.now)
            continue;
        take_out(l);
        table.expired++;
        pthread_mutex_unlock(&table.lock);
        tell(l->client, l->number);             /* bug */
        free(l);
        pthread_mutex_lock(&table.lock);
#ifdef FIXED
        next = table.first;
#endif
    }
    pthread_mutex_unlock(&table.lock);
}

int lease_expired(void)
{
    int expired;

    pthread_mutex_lock(&table.lock);
    expired = table.expired;
    pthread_mutex_unlock(&table.lock);
    return expired;
}

void lease_free_all(void)
{
    while (table.first) {
        struct lease *l = table.first;

        take_out(l);
        free(l);
    }
}
