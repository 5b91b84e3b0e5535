#include "bank.h"
#include <pthread.h>
#include <stdlib.h>

struct call {
    int line;
    int caller;
    int began;
};

/* Calls in the order in which they began; no more than there are lines. */
static struct {
    pthread_mutex_t lock;
    struct call calls[LINES];
    int active;
    int clock;                  /* counts what happens */
} table = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* Called with the lock of the lines. */
void call_begin(int line, int caller)
{
    pthread_mutex_lock(&table.lock);            /* bug: 4 */
    if (table.active == LINES)
        abort();
    table.calls[table.active++] = (struct call){ line, caller, table.clock++ };
    pthread_mutex_unlock(&table.lock);
}

int call_end(void)
{
    struct call ended;

    pthread_mutex_lock(&table.lock);            /* bug: 2 */
    if (table.active == 0) {
        pthread_mutex_unlock(&table.lock);
        return -1;
    }
    ended = table.calls[0];
    table.active--;
    for (int i = 0; i < table.active; i++)
        table.calls[i] = table.calls[i + 1];
    table.clock++;
    /* within the lock, so that charges have the order of the calls */
    billing_charge(ended.caller, table.clock - ended.began);
    pthread_mutex_unlock(&table.lock);
    return ended.line;
}

int calls_active(void)
{
    int active;

    pthread_mutex_lock(&table.lock);
    active = table.active;
    pthread_mutex_unlock(&table.lock);
    return active;
}
