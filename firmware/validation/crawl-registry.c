/*
 * crawl-registry.c: main starts a few crawlers, each of which fetches some
 * pages and signs off in the registry at the end, with the number of broken
 * pages.  main waits until everything is fetched and then shuts down.
 *
 * Bug: shutdown_all() joins the crawlers while it holds the registry lock.
 * A crawler that has not signed off yet needs that lock, and will never end.
 *
 * validate:
 *   kind: deadlock
 *   variable: reg.lock
 *   threads: 4
 *   fails-by: deadlock
 *   rare: no
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

#define MAXC 3

struct crawler {
    pthread_t tid;
    int first_page, pages;
    int bytes;
    struct crawler *next;
};

static struct registry {
    pthread_mutex_t lock;
    struct crawler *list;
    int signed_off;
    int broken;
} reg = { PTHREAD_MUTEX_INITIALIZER, NULL, 0, 0 };

static sem_t fetched;           /* posted by each crawler without pages left */

static int fetch(int page)
{
    if (page % 13 == 0)
        return -1;
    return (page * 37) % 100 + 1;
}

static void *crawl(void *arg)
{
    struct crawler *c = arg;
    int bad = 0;

    for (int p = c->first_page; p < c->first_page + c->pages; p++) {
        int n = fetch(p);
        if (n < 0)
            bad++;
        else
            c->bytes += n;
    }
    sem_post(&fetched);
    pthread_mutex_lock(&reg.lock);                      /* bug: 3 */
    reg.broken += bad;
    reg.signed_off++;
    pthread_mutex_unlock(&reg.lock);
    return NULL;
}

static int shutdown_all(void)
{
    struct crawler *c;
    int total = 0;

    pthread_mutex_lock(&reg.lock);                      /* bug: 1 */
#ifdef FIXED
    struct crawler *all = reg.list;
    reg.list = NULL;
    pthread_mutex_unlock(&reg.lock);
    while ((c = all) != NULL) {
        all = c->next;
        pthread_join(c->tid, NULL);
        total += c->bytes;
        free(c);
    }
#else
    while ((c = reg.list) != NULL) {
        reg.list = c->next;
        pthread_join(c->tid, NULL);                     /* bug: 2 */
        total += c->bytes;
        free(c);
    }
    pthread_mutex_unlock(&reg.lock);
#endif
    return total;
}

int main(void)
{
    int i, total;

    sem_init(&fetched, 0, 0);
    for (i = 0; i < MAXC; i++) {
        struct crawler *c = calloc(1, sizeof *c);
        if (!c)
            return 2;
        c->first_page = 10 * i + 1;
        c->pages = 8;
        pthread_mutex_lock(&reg.lock);
        c->next = reg.list;
        reg.list = c;
        pthread_mutex_unlock(&reg.lock);
        pthread_create(&c->tid, NULL, crawl, c);
    }
    for (i = 0; i < MAXC; i++)
        sem_wait(&fetched);
    total = shutdown_all();
    printf("%d bytes, %d broken pages\n", total, reg.broken);
    return reg.signed_off == MAXC ? 0 : 1;
}
