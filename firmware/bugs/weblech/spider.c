/* A crawler, after WebLech: spiders take pages from a queue, fetch them, and queue what they link to,
 * until the queue is empty and nobody is fetching.
 *
 * A spider looks whether the queue has something and then takes it: two steps. If another spider takes the
 * last page between them, there is none to take, and the spider falls over it. */
#include "queue.h"
#include "site.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OWN_LINE _Alignas(64)

enum { SPIDERS = 3, DEEPEST = 6 };

static struct {
    OWN_LINE int downloads; /* going on */
    OWN_LINE int pages, errors, bytes;
    OWN_LINE pthread_mutex_t lock;
} crawl;

/* The next page to fetch; NULL: there is none at present. */
static struct download *claim(int spider) {
    struct download *next = NULL;
#ifdef FIXED
    pthread_mutex_lock(&crawl.lock);
#endif
    if (queue_size() > 0) { /* bug */
#ifndef FIXED
        pthread_mutex_lock(&crawl.lock);
#endif
        next = queue_next(); /* bug */
        next->spider = spider; /* bug */
        crawl.downloads++;
#ifndef FIXED
        pthread_mutex_unlock(&crawl.lock);
#endif
    }
#ifdef FIXED
    pthread_mutex_unlock(&crawl.lock);
#endif
    return next;
}

static int downloads(void) {
    pthread_mutex_lock(&crawl.lock);
    int count = crawl.downloads;
    pthread_mutex_unlock(&crawl.lock);
    return count;
}

/* Queues what a page links to. */
static void follow_links(const char *body, int depth) {
    static const char mark[] = "href=\"";
    for (const char *link = strstr(body, mark); link; link = strstr(link, mark)) {
        char path[PATH_BYTES];
        link += sizeof mark - 1;
        size_t length = strcspn(link, "\"");
        if (length >= sizeof path) continue;
        memcpy(path, link, length);
        path[length] = '\0';
        queue_add(path, depth);
    }
}

static void fetch(struct download *download) {
    char body[BODY_BYTES];
    int status = site_get(download->path, body);
    if (status == 200 && download->depth < DEEPEST) follow_links(body, download->depth + 1);
    pthread_mutex_lock(&crawl.lock);
    crawl.pages += status == 200;
    crawl.errors += status != 200;
    crawl.bytes += (int)strlen(body);
    crawl.downloads--;
    pthread_mutex_unlock(&crawl.lock);
}

static void *spider(void *argument) {
    int number = *(int *)argument;
    for (;;) {
        struct download *next = claim(number);
        if (next) {
            fetch(next);
            free(next);
        } else if (downloads() > 0) {
            usleep(200);
        } else {
            return NULL;
        }
    }
}

int main(void) {
    pthread_t spiders[SPIDERS];
    int numbers[SPIDERS];
    pthread_mutex_init(&crawl.lock, NULL);
    queue_init();
    queue_add("/", 0);
    for (int i = 0; i < SPIDERS; i++) {
        numbers[i] = i;
        pthread_create(&spiders[i], NULL, spider, &numbers[i]);
    }
    for (int i = 0; i < SPIDERS; i++) pthread_join(spiders[i], NULL);
    printf("%d pages, %d bytes, %d errors\n", crawl.pages, crawl.bytes, crawl.errors);
    return crawl.pages != site_pages();
}
