/*
 * feature-switches.c -- run-time switches, kept in a sorted linked list under
 * a read-write lock.  A switch that does not exist is created with its
 * default by the first one who asks.
 *
 * Bug: switch_get() searches with the read lock, lets go and takes the write
 * lock to insert, but does not search again.  Two threads can insert the same
 * switch.
 *
 * validate:
 *   kind: readers-writers
 *   variable: switches
 *   threads: 4
 *   fails-by: assert
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sw {
    const char *name;
    int on;
    struct sw *next;
};

static struct sw *switches;
static pthread_rwlock_t switches_rw = PTHREAD_RWLOCK_INITIALIZER;

static struct sw *search(const char *name)
{
    struct sw *s;

    for (s = switches; s; s = s->next) {                    /* bug: 1, 2 */
        int d = strcmp(s->name, name);
        if (d == 0)
            return s;
        if (d > 0)
            break;
    }
    return NULL;
}

static struct sw *insert(const char *name, int dflt)
{
    struct sw **pp = &switches;
    struct sw *s = malloc(sizeof *s);

    if (!s)
        exit(4);
    s->name = name;
    s->on = dflt;
    while (*pp && strcmp((*pp)->name, name) < 0)
        pp = &(*pp)->next;
    s->next = *pp;
    *pp = s;                                                /* bug: 3, 4 */
    return s;
}

static int switch_get(const char *name, int dflt)
{
    struct sw *s;
    int on;

    pthread_rwlock_rdlock(&switches_rw);
    s = search(name);
    on = s ? s->on : dflt;
    pthread_rwlock_unlock(&switches_rw);
    if (s)
        return on;

    pthread_rwlock_wrlock(&switches_rw);
#ifdef FIXED
    s = search(name);
    if (!s)
#endif
        s = insert(name, dflt);
    on = s->on;
    pthread_rwlock_unlock(&switches_rw);
    return on;
}

static void *part(void *arg)
{
    const char **names = arg;
    long on = 0;

    while (*names)
        on += switch_get(*names++, 1);
    return (void *)on;
}

int main(void)
{
    const char *want[3][4] = {
        { "color", "sound", "zoom", 0 },
        { "grid", "sound", "color", 0 },
        { "zoom", "debug", "grid", 0 },
    };
    pthread_t t[3];
    void *r;
    int n = 0;

    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, part, want[i]);
    for (int i = 0; i < 3; i++) {
        pthread_join(t[i], &r);
        assert((long)r == 3);
    }
    for (struct sw *s = switches; s; s = s->next) {
        assert(!s->next || strcmp(s->name, s->next->name) != 0);
        n++;
    }
    printf("%d switches\n", n);
    while (switches) {
        struct sw *s = switches;
        switches = s->next;
        free(s);
    }
    return 0;
}
