/*
 * A profiler's buffer of events. Threads reserve a cell with one atomic
 * addition, fill it, and count it as committed; main collects while they run.
 *
 * Bug: the number of committed cells does not say which ones. If a later cell
 * is committed before an earlier one is filled, main reads the earlier one.
 *
 * validate:
 *   kind: lock-free
 *   variable: profile.committed, cell->kind
 *   threads: 5
 *   fails-by: assertion
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define PROBES 4
#define EVENTS 12
#define CELLS (PROBES * EVENTS)
#define LOOKS 30

enum { NOTHING, ENTER, LEAVE, SAMPLE };

struct cell {
    atomic_int full;
    int kind;
    unsigned where;
    unsigned thread;
};

static struct {
    atomic_uint reserved;
    atomic_uint committed;
    struct cell cells[CELLS];
} profile;

static struct {
    unsigned next;              /* the first cell not collected */
    unsigned kinds[SAMPLE + 1];
    unsigned where;
} collected;

static unsigned address(unsigned thread, int event)
{
    unsigned a = 0x80000000u + thread * 0x1000u;

    for (int i = 0; i < event % 5; i++)
        a = (a ^ 0x55u) * 9 + 4;
    return a;
}

static void record(unsigned thread, int event)
{
    unsigned at = atomic_fetch_add(&profile.reserved, 1);       /* bug: 1 */
    struct cell *c = &profile.cells[at];

    c->where = address(thread, event);
    c->thread = thread;
    c->kind = 1 + event % SAMPLE;               /* bug: 5 */
    atomic_store(&c->full, 1);
    atomic_fetch_add(&profile.committed, 1);    /* bug: 2 */
}

static void collect(void)
{
#ifdef FIXED
    while (collected.next < CELLS && atomic_load(&profile.cells[collected.next].full)) {
#else
    unsigned end = atomic_load(&profile.committed);             /* bug: 3 */

    while (collected.next < end) {
#endif
        struct cell *c = &profile.cells[collected.next++];

        assert(c->kind != NOTHING);             /* bug: 4 */
        collected.kinds[c->kind]++;
        collected.where += c->where;
    }
}

static void *probe(void *arg)
{
    unsigned thread = *(unsigned *)arg;

    for (int event = 0; event < EVENTS; event++)
        record(thread, event);
    return NULL;
}

int main(void)
{
    pthread_t threads[PROBES];
    unsigned numbers[PROBES];
    unsigned where = 0;

    for (unsigned i = 0; i < PROBES; i++) {
        numbers[i] = i;
        if (pthread_create(&threads[i], NULL, probe, &numbers[i]) != 0)
            abort();
    }
    for (int i = 0; i < LOOKS; i++)
        collect();
    for (int i = 0; i < PROBES; i++)
        pthread_join(threads[i], NULL);
    collect();
    for (unsigned i = 0; i < PROBES; i++)
        for (int event = 0; event < EVENTS; event++)
            where += address(i, event);
    printf("%u events\n", collected.next);
    assert(collected.next == CELLS && collected.where == where);
    return collected.kinds[ENTER] == CELLS / 3 ? 0 : 1;
}
