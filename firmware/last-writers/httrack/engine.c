/* A website copier: an engine that mirrors a site in a thread of its own, and a shell that asks it how far it is
 * and, when it has seen enough, tells it to stop.
 *
 * The engine's state has a lock, which its functions take whoever calls them. It is the engine that makes it, when
 * its thread has read the options. After HTTrack 3.43.9 of Last Writer Slices, Table 1: a shell that asks earlier
 * locks a mutex that is not there yet. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINKS = 24, QUESTIONS = 3, ENOUGH = 20 };

typedef struct {
    pthread_mutex_t handle;
} *htsmutex;

static void hts_mutexinit(htsmutex *mutex) {
    htsmutex made = malloc(sizeof *made);
    if (!made) abort();
    pthread_mutex_init(&made->handle, NULL);
    *mutex = made; /* bug: 2 */
}

static void hts_mutexlock(htsmutex *mutex) {
    pthread_mutex_lock(&(*mutex)->handle); /* bug: 1 */
}

static void hts_mutexrelease(htsmutex *mutex) {
    pthread_mutex_unlock(&(*mutex)->handle);
}

static void hts_mutexfree(htsmutex *mutex) {
    pthread_mutex_destroy(&(*mutex)->handle);
    free(*mutex);
    *mutex = NULL;
}

/* ---- the engine ---- */

struct state {
    htsmutex lock;
    int stop;
    unsigned links, bytes;
};

typedef struct {
    const char *arguments;
    char url[48];
    unsigned depth, wait;
    struct state state;
} httrackp;

static httrackp options = {.arguments = "http://example.org/index.html -r6 -w90"};

static void hts_create_opt(httrackp *opt) {
#ifdef FIXED
    hts_mutexinit(&opt->state.lock);
#else
    (void)opt;
#endif
}

/* Reads the command line: an address, then -rN for the depth and -wN for the pause after each link. */
static void parse(httrackp *opt) {
    const char *at = strchr(opt->arguments, ' ');
    size_t length = (size_t)(at - opt->arguments);
    memcpy(opt->url, opt->arguments, length);
    opt->url[length] = '\0';
    while (*at++ == ' ' && *at++ == '-') {
        unsigned *option = *at == 'r' ? &opt->depth : &opt->wait;
        for (at++; *at >= '0' && *at <= '9'; at++) *option = *option * 10 + (unsigned)(*at - '0');
    }
}

/* Fetches a page; gives how long it is. */
static unsigned fetch(const httrackp *opt, unsigned link) {
    unsigned hash = link + opt->depth;
    for (const char *letter = opt->url; *letter; letter++) hash = hash * 31 + (unsigned char)*letter;
    for (volatile unsigned pause = 0; pause < opt->wait; pause++) {}
    return 64 + hash % 512;
}

static int hts_is_stopped(httrackp *opt) {
    hts_mutexlock(&opt->state.lock);
    int stop = opt->state.stop;
    hts_mutexrelease(&opt->state.lock);
    return stop;
}

static void hts_count(httrackp *opt, unsigned bytes) {
    hts_mutexlock(&opt->state.lock);
    opt->state.links++;
    opt->state.bytes += bytes;
    hts_mutexrelease(&opt->state.lock);
}

static void *hts_main(void *argument) {
    httrackp *opt = argument;
    parse(opt);
#ifndef FIXED
    hts_mutexinit(&opt->state.lock);
#endif
    for (unsigned link = 0; link < LINKS && !hts_is_stopped(opt); link++) {
        hts_count(opt, fetch(opt, link));
    }
    return NULL;
}

/* ---- what others may ask of it ---- */

static unsigned hts_get_stats(httrackp *opt, unsigned *bytes) {
    hts_mutexlock(&opt->state.lock);
    unsigned links = opt->state.links;
    *bytes = opt->state.bytes;
    hts_mutexrelease(&opt->state.lock);
    return links;
}

static void hts_request_stop(httrackp *opt) {
    hts_mutexlock(&opt->state.lock);
    opt->state.stop = 1;
    hts_mutexrelease(&opt->state.lock);
}

/* ---- the shell ---- */

/* Draws a bar of progress, as wide as the window. */
static void draw(char *bar, size_t width, unsigned links) {
    for (size_t i = 0; i + 1 < width; i++) bar[i] = i * LINKS < links * width ? '#' : '.';
    bar[width - 1] = '\0';
}

static void *shell(void *argument) {
    httrackp *opt = argument;
    char bar[72];
    unsigned links = 0, bytes = 0;
    for (int i = 0; i < QUESTIONS && links < ENOUGH; i++) {
        for (unsigned row = 0; row < 2; row++) draw(bar, sizeof bar, links);
        links = hts_get_stats(opt, &bytes);
    }
    if (links >= ENOUGH) hts_request_stop(opt);
    return NULL;
}

int main(void) {
    pthread_t engine, asking;
    hts_create_opt(&options);
    pthread_create(&engine, NULL, hts_main, &options);
    pthread_create(&asking, NULL, shell, &options);
    pthread_join(asking, NULL);
    pthread_join(engine, NULL);
    unsigned bytes, links = hts_get_stats(&options, &bytes);
    hts_mutexfree(&options.state.lock);
    printf("%s: %u links, %u bytes\n", options.url, links, bytes);
    return 0;
}
