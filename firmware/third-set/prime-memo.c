/*
 * Memoization exercise: three students ask for the smallest prime factor of
 * numbers; answers are remembered in a hash table with chains.
 *
 * Bug: the table is searched under the lock, the lock is released for the
 * long computation and taken again to insert, and nobody searches again: two
 * students who miss the same number at the same time both insert it.
 *
 * validate:
 *   kind: check-then-act
 *   variable: table[]
 *   threads: 4
 *   fails-by: exit code
 *   rare: yes
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define BUCKETS 8

typedef struct Entry {
    unsigned number;
    unsigned factor;
    struct Entry *next;
} Entry;

static Entry *table[BUCKETS];
static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;

static unsigned smallest_factor(unsigned n)
{
    for (unsigned d = 2; d * d <= n; d++)
        if (n % d == 0)
            return d;
    return n;
}

static Entry *search(unsigned n)
{
    Entry *e = table[n % BUCKETS];              /* bug: 1 */

    while (e != NULL && e->number != n)
        e = e->next;
    return e;
}

static void insert(Entry *e)
{
    Entry **bucket = &table[e->number % BUCKETS];

    e->next = *bucket;
    *bucket = e;                                /* bug: 2, 3 */
}

static unsigned ask(unsigned n)
{
    Entry *e;
    unsigned factor;

    pthread_mutex_lock(&table_lock);
    e = search(n);
    factor = e ? e->factor : 0;
    pthread_mutex_unlock(&table_lock);
    if (factor != 0)
        return factor;

    e = malloc(sizeof *e);
    if (e == NULL)
        abort();
    e->number = n;
    factor = e->factor = smallest_factor(n);

    pthread_mutex_lock(&table_lock);
#ifdef FIXED
    if (search(n) != NULL)
        free(e);
    else
#endif
        insert(e);                              /* bug */
    pthread_mutex_unlock(&table_lock);
    return factor;
}

typedef struct {
    unsigned questions[7];
    unsigned sum;
} Student;

static Student students[3] = {
    { { 35, 49, 77, 26, 121, 57, 91 }, 0 },
    { { 15, 91, 22, 58, 33, 85, 69 }, 0 },
    { { 39, 65, 94, 51, 63, 46, 55 }, 0 },
};

static void *study(void *arg)
{
    Student *s = arg;

    for (int i = 0; i < 7; i++)
        s->sum += ask(s->questions[i]);
    return NULL;
}

int main(void)
{
    pthread_t t[3];
    int entries = 0;
    unsigned sum = 0;

    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, study, &students[i]);
    for (int i = 0; i < 3; i++) {
        pthread_join(t[i], NULL);
        sum += students[i].sum;
    }
    for (int b = 0; b < BUCKETS; b++)
        for (Entry *e = table[b]; e != NULL; e = e->next)
            entries++;
    printf("sum %u, %d entries\n", sum, entries);
    return entries == 20 ? 0 : 2;       /* 21 questions, one of them twice */
}
