/*
 * config-reload.c
 *
 * Request threads read the current configuration through a pointer, a
 * reloader installs new versions.  Old versions are kept until the end (they
 * are few), so readers never have to lock.
 *
 * Bug: reload() publishes the pointer to the new config before it has filled
 * in the values.  A reader can see a config with no workers at all.
 *
 * validate:
 *   kind: publication
 *   variable: current, cfg->workers
 *   threads: 4
 *   fails-by: assert
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define VERSIONS 6
#define READERS  2

struct config {
    int version;
    atomic_int workers;
    atomic_int backlog;
};

static _Atomic(struct config *) current;
static struct config *kept[VERSIONS];

static void parse_into(struct config *cfg, int version)
{
    static const char *file[VERSIONS] = {
        "4 16", "2 8", "8 64", "1 4", "6 12", "3 9",
    };
    char *end;

    long w = strtol(file[version], &end, 10);
    cfg->workers = (int)w;                                  /* bug: 4 */
    cfg->backlog = (int)strtol(end, NULL, 10);
}

static void reload(int version)
{
    struct config *cfg = calloc(1, sizeof *cfg);

    if (cfg == NULL)
        abort();
    cfg->version = version;
    kept[version] = cfg;
#ifdef FIXED
    parse_into(cfg, version);
    atomic_store(&current, cfg);
#else
    atomic_store(&current, cfg);                            /* bug: 1 */
    parse_into(cfg, version);
#endif
}

static void *reloader(void *arg)
{
    for (int v = 1; v < VERSIONS; v++)
        reload(v);
    return arg;
}

static void *reader(void *arg)
{
    int *bad = arg;

    for (int i = 0; i < 10; i++) {
        struct config *cfg = atomic_load(&current);         /* bug: 2 */

        if (atomic_load(&cfg->workers) == 0)                /* bug: 3 */
            (*bad)++;
    }
    return NULL;
}

int main(void)
{
    pthread_t rl, rd[READERS];
    int bad[READERS] = { 0 };

    reload(0);
    pthread_create(&rl, NULL, reloader, NULL);
    for (int i = 0; i < READERS; i++)
        pthread_create(&rd[i], NULL, reader, &bad[i]);
    pthread_join(rl, NULL);
    for (int i = 0; i < READERS; i++)
        pthread_join(rd[i], NULL);
    printf("last version %d\n", atomic_load(&current)->version);
    for (int i = 0; i < READERS; i++)
        assert(bad[i] == 0);
    for (int v = 0; v < VERSIONS; v++)
        free(kept[v]);
    return 0;
}
