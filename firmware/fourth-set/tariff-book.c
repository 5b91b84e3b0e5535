/*
 * The tariffs of a parcel service. A price is looked up by zone, in the table
 * that has the longest list of surcharges first; the book remembers the last
 * answer, since parcels for one zone come together.
 *
 * Bug: the last answer is two variables, which price_of() changes with the
 * lock for reading. Another reader finds the new zone with the old price.
 *
 * validate:
 *   kind: readers-writers
 *   variable: book.last_zone, book.last_price
 *   threads: 5
 *   fails-by: exit code
 *   rare: no
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_ZONES 10
#define ZONES 6                 /* at first */
#define COUNTERS 3
#define PARCELS 20
#define NONE (-1)

static struct {
    pthread_rwlock_t lock;
    int zones;
    int surcharges[MAX_ZONES][4];
    int last_zone;
    int last_price;
} book = { .lock = PTHREAD_RWLOCK_INITIALIZER, .last_zone = NONE };

struct counter {
    pthread_t thread;
    int first_zone;
    int takings;
    int wrong;
};

static int surcharge(int zone, int i)
{
    return (zone * zone * 7 + zone * 13 + i * 5) % 90 + 10;
}

static int base_price(int zone)
{
    int price = 250;

    for (int i = 0; i < 4; i++)
        price += surcharge(zone, i) * (i + 1);
    return price;
}

static void add_zone(int zone)
{
    for (int i = 0; i < 4; i++)
        book.surcharges[zone][i] = surcharge(zone, i);
    book.zones = zone + 1;
}

static int work_out(int zone)
{
    int price = 250;

    for (int i = 0; i < 4; i++)
        price += book.surcharges[zone][i] * (i + 1);
    return price;
}

static int price_of(int zone)
{
    int price;

#ifdef FIXED
    pthread_rwlock_wrlock(&book.lock);
#else
    pthread_rwlock_rdlock(&book.lock);          /* bug */
#endif
    if (book.last_zone == zone) {               /* bug: 2 */
        price = book.last_price;                /* bug: 3 */
    } else {
        book.last_zone = zone;                  /* bug: 1 */
        price = work_out(zone);
        book.last_price = price;                /* bug: 4 */
    }
    pthread_rwlock_unlock(&book.lock);
    return price;
}

/* The service grows. */
static void *add_zones(void *arg)
{
    for (int zone = ZONES; zone < MAX_ZONES; zone++) {
        pthread_rwlock_wrlock(&book.lock);
        add_zone(zone);
        book.last_zone = NONE;
        pthread_rwlock_unlock(&book.lock);
    }
    return arg;
}

/* Parcels come two at a time for a zone, and then some for the next one. */
static void *counter(void *arg)
{
    struct counter *self = arg;

    for (int i = 0; i < PARCELS; i++) {
        int zone = (self->first_zone + i / 2) % ZONES;
        int price = price_of(zone);

        self->takings += price;
        if (price != base_price(zone))
            self->wrong++;
    }
    return NULL;
}

int main(void)
{
    struct counter counters[COUNTERS];
    pthread_t office;
    int takings = 0, wrong = 0;

    for (int zone = 0; zone < ZONES; zone++)
        add_zone(zone);
    for (int i = 0; i < COUNTERS; i++) {
        counters[i] = (struct counter){ .first_zone = i };
        if (pthread_create(&counters[i].thread, NULL, counter, &counters[i]) != 0)
            abort();
    }
    if (pthread_create(&office, NULL, add_zones, NULL) != 0)
        abort();
    pthread_join(office, NULL);
    for (int i = 0; i < COUNTERS; i++) {
        pthread_join(counters[i].thread, NULL);
        takings += counters[i].takings;
        wrong += counters[i].wrong;
    }
    printf("takings %d, %d prices wrong\n", takings, wrong);
    return wrong || book.zones != MAX_ZONES ? 1 : 0;
}
