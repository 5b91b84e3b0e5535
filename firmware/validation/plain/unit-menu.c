/*
 * unit-menu.c
 *
 * Converts lengths.  Requests are processed by three threads, each with its
 * own list; the number of conversions is an atomic.
 *
 * Bug: one of the requests asks for a unit that is not in the table ("ell"),
 * find() returns NULL for it, and the caller does not look.
 *
 * validate:
 *   kind: plain
 *   variable: u
 *   threads: 4
 *   fails-by: crash
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

struct unit { const char *name; long um; };
struct request { const char *unit; long n; };

static const struct unit units[] = {
    { "mm", 1000 }, { "cm", 10000 }, { "m", 1000000 },
    { "in", 25400 }, { "ft", 304800 },
};

static const struct request todo[3][4] = {
    { { "cm", 4 }, { "in", 12 }, { "m", 1 }, { NULL, 0 } },
    { { "ft", 3 }, { "ell", 2 }, { "mm", 7 }, { NULL, 0 } },
    { { "in", 1 }, { "cm", 100 }, { "ft", 6 }, { NULL, 0 } },
};

static atomic_int conversions;
static atomic_int refused;

static const struct unit *find(const char *name)
{
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strcmp(units[i].name, name) == 0)
            return &units[i];
    return NULL;
}

static void *convert(void *arg)
{
    const struct request *r = arg;
    long sum = 0;

    for (; r->unit; r++) {
        const struct unit *volatile u = find(r->unit);

#ifdef FIXED
        if (!u) {
            atomic_fetch_add(&refused, 1);
            continue;
        }
#endif
        sum += r->n * u->um;                        /* bug */
        atomic_fetch_add(&conversions, 1);
    }
    return sum > 0 ? NULL : arg;
}

int main(void)
{
    pthread_t t[3];

    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, convert, (void *)todo[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    printf("%d conversions, %d refused\n", atomic_load(&conversions),
           atomic_load(&refused));
    return 0;
}
