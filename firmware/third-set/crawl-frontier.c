/*
 * A web crawler. The frontier holds the pages that are still to be fetched;
 * fetchers take pages from it and put the links they find into it. A fetcher
 * ends when the frontier is empty.
 *
 * Bug: a fetcher asks whether the frontier is empty, and takes a page in a
 * second critical section. When another took the last page in between, it
 * takes a page that is not there.
 *
 * validate:
 *   kind: check-then-act
 *   variable: frontier.first
 *   threads: 4
 *   fails-by: fault
 *   rare: no
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define PAGES 9
#define FETCHERS 3

struct page {
    struct page *next;
    int number;
};

static struct {
    pthread_mutex_t lock;
    struct page *first;
    int length;
} frontier = { .lock = PTHREAD_MUTEX_INITIALIZER };

static struct {
    pthread_mutex_t lock;
    int seen[PAGES];
    int fetched;
} visited = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* The web: page n links to pages 2n + 1 and 2n + 2. */
static int links(int page, int out[2])
{
    int n = 0;

    for (int k = 1; k <= 2; k++)
        if (2 * page + k < PAGES)
            out[n++] = 2 * page + k;
    return n;
}

static void frontier_add(int number)
{
    struct page *p = malloc(sizeof *p);

    if (!p)
        abort();
    p->number = number;
    pthread_mutex_lock(&frontier.lock);
    p->next = frontier.first;
    frontier.first = p;
    frontier.length++;
    pthread_mutex_unlock(&frontier.lock);
}

#ifndef FIXED
static int frontier_empty(void)
{
    pthread_mutex_lock(&frontier.lock);
    int empty = frontier.first == NULL;         /* bug: 1 */

    pthread_mutex_unlock(&frontier.lock);
    return empty;
}
#endif

/* The first page of the frontier; in the fixed variant, NULL if there is none. */
static struct page *frontier_take(void)
{
    pthread_mutex_lock(&frontier.lock);
    struct page *p = frontier.first;            /* bug: 3 */

#ifdef FIXED
    if (!p) {
        pthread_mutex_unlock(&frontier.lock);
        return NULL;
    }
#endif
    frontier.first = p->next;                   /* bug: 2 */
    frontier.length--;
    pthread_mutex_unlock(&frontier.lock);
    return p;
}

static void fetch(struct page *p)
{
    int found[2], n = links(p->number, found);

    pthread_mutex_lock(&visited.lock);
    visited.seen[p->number]++;
    visited.fetched++;
    pthread_mutex_unlock(&visited.lock);
    for (int i = 0; i < n; i++)
        frontier_add(found[i]);
    free(p);
}

static void *fetcher(void *arg)
{
    (void)arg;
#ifdef FIXED
    struct page *p;

    while ((p = frontier_take()))
        fetch(p);
#else
    while (!frontier_empty())                   /* bug */
        fetch(frontier_take());                 /* bug */
#endif
    return NULL;
}

int main(void)
{
    pthread_t threads[FETCHERS];

    frontier_add(0);
    frontier_add(1);
    frontier_add(2);
    for (int i = 0; i < FETCHERS; i++)
        pthread_create(&threads[i], NULL, fetcher, NULL);
    for (int i = 0; i < FETCHERS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < PAGES; i++)
        if (visited.seen[i] != (i == 0 ? 1 : 2))
            return 1;
    printf("%d pages\n", visited.fetched);
    return frontier.length == 0 ? 0 : 1;
}
