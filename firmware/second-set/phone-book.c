/*
 * A village phone book: one thread adds entries at the front of a list while
 * others look names up. The list has a lock.
 *
 * Bug: a new entry is linked into the list first and gets its name only after
 * the lock is released; a reader can meet an entry whose name is NULL.
 *
 * validate:
 *   kind: publication
 *   variable: book.head, e->name
 *   threads: 4
 *   fails-by: fault
 *   rare: no
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct entry {
    const char *name;
    int number;
    struct entry *next;
};

static struct {
    pthread_mutex_t lock;
    struct entry *head;
} book = { PTHREAD_MUTEX_INITIALIZER, NULL };

static pthread_mutex_t stat_lock = PTHREAD_MUTEX_INITIALIZER;
static int hits, misses;

static const char *names[] = { "anna", "boris", "clara", "dora", "emil" };

static int same(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return *a == *b;
}

static void add(const char *name, int number)
{
    struct entry *e = calloc(1, sizeof *e);
    if (!e)
        exit(3);
#ifdef FIXED
    e->name = name;
    e->number = number;
#endif
    pthread_mutex_lock(&book.lock);
    e->next = book.head;
    book.head = e;                      /* bug: 1 */
    pthread_mutex_unlock(&book.lock);
#ifndef FIXED
    e->name = name;                     /* bug: 3 */
    e->number = number;
#endif
}

static int lookup(const char *name)
{
    int number = -1;
    pthread_mutex_lock(&book.lock);
    for (struct entry *e = book.head; e; e = e->next)
        if (same(e->name, name)) {      /* bug: 2 */
            number = e->number;
            break;
        }
    pthread_mutex_unlock(&book.lock);
    return number;
}

static void *adder(void *arg)
{
    (void)arg;
    for (int i = 0; i < 5; i++)
        add(names[i], 100 + i);
    return NULL;
}

static void *caller(void *arg)
{
    int first = *(int *)arg;
    for (int i = 0; i < 5; i++) {
        int n = lookup(names[(first + i) % 5]);
        pthread_mutex_lock(&stat_lock);
        if (n < 0) misses++; else hits++;
        pthread_mutex_unlock(&stat_lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t a, c[2];
    int first[2] = { 0, 3 };

    pthread_create(&a, NULL, adder, NULL);
    for (int i = 0; i < 2; i++)
        pthread_create(&c[i], NULL, caller, &first[i]);
    pthread_join(a, NULL);
    pthread_join(c[0], NULL);
    pthread_join(c[1], NULL);
    printf("%d hits, %d misses\n", hits, misses);
    return hits + misses == 10 ? 0 : 1;
}
