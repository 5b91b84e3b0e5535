/*
 * The plugins of an image viewer. Any thread can call a plugin by its number;
 * the administrator can unload one, which closes it and clears its functions.
 *
 * Bug: plugin_call() looks the plugin up with the lock held, but calls it
 * without, and nobody counts such calls. A plugin that is unloaded between
 * the two has no functions any more.
 *
 * validate:
 *   kind: lifetime
 *   variable: host.plugins[].ops, host.plugins[].state
 *   threads: 5
 *   fails-by: fault
 *   rare: no
 */
#include "host.h"

#include <pthread.h>
#include <stddef.h>

#define PLUGINS 3

struct plugin {
    int loaded;
    int users;
    const struct plugin_ops *ops;
    void *state;
    unsigned calls;
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t unused;
    struct plugin plugins[PLUGINS];
} host = { .lock = PTHREAD_MUTEX_INITIALIZER, .unused = PTHREAD_COND_INITIALIZER };

void plugin_load(int number, const struct plugin_ops *ops, void *state)
{
    struct plugin *p = &host.plugins[number];

    pthread_mutex_lock(&host.lock);
    p->ops = ops;
    p->state = state;
    p->loaded = 1;
    pthread_mutex_unlock(&host.lock);
}

static struct plugin *plugin_find(int number)
{
    struct plugin *p = &host.plugins[number];

    pthread_mutex_lock(&host.lock);
    if (p->loaded) {                            /* bug: 1 */
        p->calls++;
#ifdef FIXED
        p->users++;
#endif
    } else {
        p = NULL;
    }
    pthread_mutex_unlock(&host.lock);
    return p;
}

int plugin_call(int number, int input)
{
    struct plugin *p = plugin_find(number);
    int output;

    if (!p)
        return MISSING;
    output = p->ops->run(p->state, input);      /* bug: 4 */
#ifdef FIXED
    pthread_mutex_lock(&host.lock);
    if (--p->users == 0)
        pthread_cond_broadcast(&host.unused);
    pthread_mutex_unlock(&host.lock);
#endif
    return output;
}

int plugin_unload(int number)
{
    struct plugin *p = &host.plugins[number];

    pthread_mutex_lock(&host.lock);
    if (!p->loaded) {
        pthread_mutex_unlock(&host.lock);
        return MISSING;
    }
    p->loaded = 0;                              /* bug: 2 */
#ifdef FIXED
    while (p->users)
        pthread_cond_wait(&host.unused, &host.lock);
#endif
    p->ops->close(p->state);                    /* bug */
    p->ops = NULL;                              /* bug: 3 */
    p->state = NULL;                            /* bug */
    pthread_mutex_unlock(&host.lock);
    return 0;
}
