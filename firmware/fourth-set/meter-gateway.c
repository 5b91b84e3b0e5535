/*
 * The gateway of an electricity company. Collectors receive readings of meters
 * and add what was used to the meter's district; at the end of each billing
 * period the districts are closed.
 *
 * Bug: ingest() holds the lock stripe of the meter, and changes the district's
 * sum with it. Meters of one district have different stripes, so two
 * collectors add at the same time and one addition is lost. The district has
 * a lock of its own, which district_close() does take.
 *
 * validate:
 *   kind: lost-update
 *   variable: district->kwh
 *   threads: 4
 *   fails-by: exit code
 *   rare: no
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define METERS 6
#define DISTRICTS 2
#define STRIPES 8
#define COLLECTORS 3
#define READINGS 14
#define PERIODS 3

struct meter {
    int district;
    unsigned last;              /* the meter's register */
    unsigned reports;
};

struct district {
    pthread_mutex_t lock;
    unsigned kwh;               /* used in this period */
    unsigned billed;            /* in those before */
};

static struct {
    pthread_mutex_t stripes[STRIPES];
    struct meter meters[METERS];
    struct district districts[DISTRICTS];
} net;

/* What a meter has used between two of its reports. */
static unsigned usage(int id, int report)
{
    unsigned x = (unsigned)id * 2654435761u + (unsigned)report * 40503u;

    return 1 + (x >> 7) % 9;
}

static void ingest(int id, unsigned reading)
{
    struct meter *m = &net.meters[id];
    struct district *d = &net.districts[m->district];
    unsigned used;

    pthread_mutex_lock(&net.stripes[id % STRIPES]);
    used = reading - m->last;
    m->last = reading;
    m->reports++;
#ifdef FIXED
    pthread_mutex_lock(&d->lock);
#endif
    d->kwh += used;                             /* bug: 1, 2, 3 */
#ifdef FIXED
    pthread_mutex_unlock(&d->lock);
#endif
    pthread_mutex_unlock(&net.stripes[id % STRIPES]);
}

static void district_close(struct district *d)
{
    pthread_mutex_lock(&d->lock);
    d->billed += d->kwh;                        /* bug */
    d->kwh = 0;                                 /* bug */
    pthread_mutex_unlock(&d->lock);
}

/* A collector has every third meter, in all districts. */
static void *collector(void *arg)
{
    int first = *(int *)arg;
    unsigned reading[METERS] = { 0 };

    for (int report = 0; report < READINGS; report++) {
        for (int id = first; id < METERS; id += COLLECTORS) {
            reading[id] += usage(id, report);
            ingest(id, reading[id]);
        }
    }
    return NULL;
}

static void net_init(void)
{
    for (int i = 0; i < STRIPES; i++)
        pthread_mutex_init(&net.stripes[i], NULL);
    for (int i = 0; i < DISTRICTS; i++)
        pthread_mutex_init(&net.districts[i].lock, NULL);
    for (int i = 0; i < METERS; i++)
        net.meters[i].district = i * DISTRICTS / METERS;
}

static int district_is_right(int number)
{
    struct district *d = &net.districts[number];
    unsigned expected = 0;

    for (int id = 0; id < METERS; id++) {
        if (net.meters[id].district == number)
            for (int report = 0; report < READINGS; report++)
                expected += usage(id, report);
    }
    printf("district %d: %u kWh\n", number, d->billed + d->kwh);
    return d->billed + d->kwh == expected;
}

int main(void)
{
    pthread_t threads[COLLECTORS];
    int firsts[COLLECTORS];
    int wrong = 0;

    net_init();
    for (int i = 0; i < COLLECTORS; i++) {
        firsts[i] = i;
        if (pthread_create(&threads[i], NULL, collector, &firsts[i]) != 0)
            abort();
    }
    for (int period = 0; period < PERIODS; period++)
        for (int i = 0; i < DISTRICTS; i++)
            district_close(&net.districts[i]);
    for (int i = 0; i < COLLECTORS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < DISTRICTS; i++)
        wrong += !district_is_right(i);
    return wrong ? 1 : 0;
}
