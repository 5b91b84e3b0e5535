/*
 * day-index.c - file index by day of the year: threads turn dates into day
 * numbers and enter them in a table under a lock.
 *
 * Bug: 1900 is taken for a leap year (the rule for centuries is missing).
 *
 * validate:
 *   kind: plain
 *   variable: leap
 *   threads: 3
 *   fails-by: assert
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

struct file { int year, month, day; int index; };

static struct file files[] = {
    { 1999, 3, 1, 60 }, { 2000, 3, 1, 61 }, { 2023, 12, 31, 365 },
    { 1900, 3, 1, 60 }, { 2024, 12, 31, 366 }, { 1970, 1, 1, 1 },
};
enum { NFILES = sizeof files / sizeof files[0] };

static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static int per_day[367];

static int day_of_year(int y, int m, int d)
{
    static const int before[] = { 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334 };
#ifdef FIXED
    int leap = (y % 4 == 0 && y % 100 != 0) || y % 400 == 0;
#else
    int leap = y % 4 == 0;                              /* bug */
#endif
    return before[m - 1] + d + (leap && m > 2);
}

static void *indexer(void *arg)
{
    int odd = *(int *)arg;

    for (int i = odd; i < NFILES; i += 2) {
        int n = day_of_year(files[i].year, files[i].month, files[i].day);

        pthread_mutex_lock(&table_lock);
        per_day[n]++;
        pthread_mutex_unlock(&table_lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    int half[2] = { 0, 1 };
    int want[367] = { 0 };

    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, indexer, &half[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    for (int i = 0; i < NFILES; i++)
        want[files[i].index]++;
    for (int n = 0; n < 367; n++)
        assert(per_day[n] == want[n]);
    puts("index ok");
    return 0;
}
