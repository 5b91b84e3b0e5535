/*
 * calendar-batch: computes day numbers for a batch of dates in parallel.
 *
 * The batch is cut into equal slices, the threads do not share anything that
 * they write.  is_leap() forgets the 400 year rule, so dates after February
 * 2000 come out a day short.
 *
 * validate:
 *   kind: plain
 *   variable: leap
 *   threads: 4
 *   fails-by: exit
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

struct date { int y, m, d; int expect; int got; };

/* expect: days since 1 January 1999 */
static struct date batch[] = {
    { 1999, 1, 1, 0, 0 },    { 1999, 12, 31, 364, 0 }, { 2000, 1, 1, 365, 0 },
    { 2000, 2, 28, 423, 0 }, { 2000, 3, 1, 425, 0 },   { 2001, 1, 1, 731, 0 },
    { 2003, 7, 4, 1645, 0 }, { 2004, 2, 29, 1885, 0 }, { 2005, 1, 1, 2192, 0 },
};
enum { NDATES = sizeof batch / sizeof batch[0], NTHREADS = 3 };

static bool is_leap(int y)
{
#ifdef FIXED
    bool leap = y % 4 == 0 && (y % 100 != 0 || y % 400 == 0);
#else
    bool leap = y % 4 == 0 && y % 100 != 0; /* bug */
#endif
    return leap;
}

static int day_number(const struct date *dt)
{
    static const int mdays[12] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    int n = dt->d - 1;
    for (int y = 1999; y < dt->y; y++)
        n += is_leap(y) ? 366 : 365;
    for (int m = 1; m < dt->m; m++)
        n += mdays[m - 1] + (m == 2 && is_leap(dt->y));
    return n;
}

static void *slice(void *arg)
{
    struct date *d = arg;
    for (int i = 0; i < NDATES / NTHREADS; i++)
        d[i].got = day_number(&d[i]);
    return NULL;
}

int main(void)
{
    pthread_t t[NTHREADS];
    int wrong = 0;

    for (int i = 0; i < NTHREADS; i++)
        pthread_create(&t[i], NULL, slice, &batch[i * (NDATES / NTHREADS)]);
    for (int i = 0; i < NTHREADS; i++)
        pthread_join(t[i], NULL);
    for (int i = 0; i < NDATES; i++)
        wrong += batch[i].got != batch[i].expect;
    printf("%d of %d dates wrong\n", wrong, (int)NDATES);
    return wrong != 0;
}
