/*
 * plugin-loader.c -- load-on-first-use table of codec plug-ins.
 *
 * plugin_open() looks whether the module is loaded and, if not, runs its
 * init function and installs the instance.  init can be slow, so the table
 * lock is not held during it; nobody checks again afterwards.  Two first
 * users build two instances, and the use count of the one that was installed
 * first is lost with it.
 *
 * validate:
 *   kind: check-then-act
 *   variable: table[].inst
 *   threads: 5
 *   fails-by: assert
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct plugin_instance {
    int (*filter)(int);
    int uses;
} plugin_instance;

typedef plugin_instance *(*plugin_init_fn)(void);

static int f_gain(int v)   { return v * 2; }
static int f_invert(int v) { return -v; }
static int f_clip(int v)   { return v > 100 ? 100 : v; }

#define DEFINE_PLUGIN(name, fn)                              \
    static plugin_instance *init_##name(void)                \
    {                                                        \
        plugin_instance *pi = malloc(sizeof *pi);            \
        if (!pi) abort();                                    \
        pi->filter = fn;                                     \
        pi->uses = 0;                                        \
        return pi;                                           \
    }

DEFINE_PLUGIN(gain, f_gain)
DEFINE_PLUGIN(invert, f_invert)
DEFINE_PLUGIN(clip, f_clip)

static struct {
    const char      *name;
    plugin_init_fn   init;
    plugin_instance *inst;
} table[] = {
    { "gain",   init_gain,   NULL },
    { "invert", init_invert, NULL },
    { "clip",   init_clip,   NULL },
};
#define NPLUGINS (sizeof table / sizeof table[0])

static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;

static plugin_instance *plugin_open(const char *name)
{
    for (size_t i = 0; i < NPLUGINS; i++) {
        if (strcmp(table[i].name, name) != 0)
            continue;
        pthread_mutex_lock(&table_lock);
        if (table[i].inst == NULL) { /* bug: 1, 2 */
#ifdef FIXED
            table[i].inst = table[i].init();
#else
            pthread_mutex_unlock(&table_lock);
            plugin_instance *pi = table[i].init();
            pthread_mutex_lock(&table_lock);
            table[i].inst = pi; /* bug: 3, 4 */
#endif
        }
        plugin_instance *r = table[i].inst;
        r->uses++;
        pthread_mutex_unlock(&table_lock);
        return r;
    }
    return NULL;
}

static const char *const chain[][4] = {
    { "gain", "clip", "invert", NULL },
    { "clip", "gain", NULL },
    { "gain", "invert", "gain", NULL },
    { "invert", "clip", NULL },
};

static void *track(void *arg)
{
    const char *const *c = arg;
    int v = 60;
    for (; *c; c++) {
        plugin_instance *pi = plugin_open(*c);
        assert(pi != NULL);
        v = pi->filter(v);
    }
    return (void *)(long)v;
}

int main(void)
{
    pthread_t t[4];
    int uses = 0, want = 0;

    for (int i = 0; i < 4; i++) {
        for (int k = 0; chain[i][k]; k++)
            want++;
        pthread_create(&t[i], NULL, track, (void *)chain[i]);
    }
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    for (size_t i = 0; i < NPLUGINS; i++) {
        if (table[i].inst)
            uses += table[i].inst->uses;
        free(table[i].inst);
    }
    printf("%d plug-in uses\n", uses);
    assert(uses == want);
    return 0;
}
