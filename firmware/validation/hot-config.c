/*
 * Configuration hot reload.
 *
 * Request threads use whatever configuration `live` points to; the reloader
 * builds a new one from text and swings the pointer.  Old configurations are
 * kept until exit (they are small).
 *
 * The parser's setters go through `live`, so cfg_reload() installs the new,
 * empty object first and parses into it in place.  A request that arrives in
 * the meantime sees a half-filled configuration.
 *
 * validate:
 *   kind: publication
 *   variable: live, cfg->pool_size
 *   threads: 6
 *   fails-by: assert
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Config {
    struct Config *older;
    int port;
    int pool_size;
    int timeout_ms;
} Config;

static _Atomic(Config *) live;
static atomic_int misconfigured;

typedef void (*Setter)(Config *, int);
static void setPort(Config *cfg, int v)
{
    cfg->port = v;
}

static void setPool(Config *cfg, int v)
{
    cfg->pool_size = v; /* bug: 4 */
}

static void setTimeout(Config *cfg, int v)
{
    cfg->timeout_ms = v;
}

static const struct { const char *key; Setter set; } keywords[] = {
    { "port", setPort }, { "timeout", setTimeout }, { "pool", setPool },
};

/* text is a list of key=number; */
static void parseInto(Config *cfg, const char *text)
{
    while (*text) {
        const char *eq = strchr(text, '=');
        size_t klen = (size_t)(eq - text);
        int val = atoi(eq + 1);
        for (size_t i = 0; i < sizeof keywords / sizeof keywords[0]; i++)
            if (strlen(keywords[i].key) == klen && memcmp(text, keywords[i].key, klen) == 0)
                keywords[i].set(cfg, val);
        text = strchr(eq, ';') + 1;
    }
}

static void cfgReload(const char *text)
{
    Config *fresh = calloc(1, sizeof *fresh);
    if (!fresh)
        abort();
    fresh->older = atomic_load(&live);
#ifdef FIXED
    parseInto(fresh, text);
    atomic_store(&live, fresh);
#else
    atomic_store(&live, fresh); /* bug: 1 */
    parseInto(atomic_load(&live), text); /* bug */
#endif
}

static void *reloader(void *arg)
{
    (void)arg;
    cfgReload("port=8080;timeout=200;pool=4;");
    cfgReload("port=8081;timeout=250;pool=6;");
    return NULL;
}

static void *requestThread(void *arg)
{
    int work = 0;
    (void)arg;
    for (int i = 0; i < 12; i++) {
        Config *cfg = atomic_load(&live); /* bug: 2 */
        int pool = cfg->pool_size; /* bug: 3 */
        if (pool <= 0) {        /* we divide by it */
            atomic_fetch_add(&misconfigured, 1);
            continue;
        }
        work += 120 / pool;
    }
    return (void *)(long)work;
}

int main(void)
{
    pthread_t t[4], r;
    long total = 0;

    Config *first = calloc(1, sizeof *first);
    if (!first)
        abort();
    parseInto(first, "port=80;timeout=100;pool=2;");
    atomic_store(&live, first);

    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, requestThread, NULL);
    pthread_create(&r, NULL, reloader, NULL);
    for (int i = 0; i < 4; i++) {
        void *w;
        pthread_join(t[i], &w);
        total += (long)w;
    }
    pthread_join(r, NULL);
    printf("work %s, port now %d\n", total > 0 ? "done" : "none", atomic_load(&live)->port);
    assert(atomic_load(&misconfigured) == 0);
    for (Config *c = atomic_load(&live), *n; c; c = n) {
        n = c->older;
        free(c);
    }
    return 0;
}
