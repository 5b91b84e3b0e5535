/*
 * version-pick.c -- mirrors report the newest version they have, one thread
 * per mirror; the client picks the newest of all.
 *
 * Everything is under one lock, but ver_cmp() compares the minor numbers as
 * if they were of one digit: it weighs major by 10, so 1.12 beats 2.1.
 *
 * validate:
 *   kind: plain
 *   variable: newest
 *   threads: 4
 *   fails-by: exit
 */
#include <pthread.h>
#include <stdio.h>

typedef struct { int major, minor; } ver;

struct mirror { const char *host; ver have[4]; int n; };

static const struct mirror mirrors[] = {
    { "eu", { { 1, 2 }, { 1, 9 }, { 1, 11 } }, 3 },
    { "us", { { 2, 1 }, { 1, 3 } }, 2 },
    { "jp", { { 1, 0 }, { 1, 12 }, { 0, 9 }, { 1, 4 } }, 4 },
};

static pthread_mutex_t newest_mu = PTHREAD_MUTEX_INITIALIZER;
static ver newest;

static int ver_cmp(ver a, ver b)
{
#ifdef FIXED
    if (a.major != b.major)
        return a.major < b.major ? -1 : 1;
    return a.minor - b.minor;
#else
    return (a.major * 10 + a.minor) - (b.major * 10 + b.minor); /* bug */
#endif
}

static void *ask_mirror(void *arg)
{
    const struct mirror *m = arg;
    for (int i = 0; i < m->n; i++) {
        pthread_mutex_lock(&newest_mu);
        if (ver_cmp(m->have[i], newest) > 0)
            newest = m->have[i];
        pthread_mutex_unlock(&newest_mu);
    }
    return NULL;
}

int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, ask_mirror, (void *)&mirrors[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    printf("newest is %d.%d\n", newest.major, newest.minor);
    return !(newest.major == 2 && newest.minor == 1);
}
