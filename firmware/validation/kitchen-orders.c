/*
 * kitchen-orders.c - three cooks empty a list of orders.
 *
 * Orders are taken from the list under the kitchen lock.  When a dish has
 * been cooked, its price is added to the takings of the evening.
 *
 * Bug: the takings are added after the lock has been given back, so two
 * cooks can read the same old sum and one price gets lost.
 *
 * validate:
 *   kind: lost-update
 *   variable: kitchen.takings
 *   threads: 4
 *   fails-by: exit
 *   rare: no
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define COOKS  3
#define ORDERS 30

struct order {
    int table;
    int dish;
    struct order *next;
};

static struct {
    pthread_mutex_t lock;
    struct order *head;
    int waiting;
    long takings;               /* in cents */
} kitchen = { PTHREAD_MUTEX_INITIALIZER, NULL, 0, 0 };

static const int menu[] = { 450, 1290, 875, 620, 990 };

static int price_of(const struct order *o)
{
    int p = menu[o->dish];

    if (o->table % 7 == 0)      /* regulars pay a bit less */
        p -= p / 10;
    return p;
}

static struct order *take_order(void)
{
    struct order *o;

    pthread_mutex_lock(&kitchen.lock);
    o = kitchen.head;
    if (o != NULL) {
        kitchen.head = o->next;
        kitchen.waiting--;
    }
    pthread_mutex_unlock(&kitchen.lock);
    return o;
}

static void *cook(void *arg)
{
    struct order *o;
    long sum;

    (void)arg;
    while ((o = take_order()) != NULL) {
        int price = price_of(o);

#ifdef FIXED
        pthread_mutex_lock(&kitchen.lock);
#endif
        sum = kitchen.takings;                  /* bug: 1, 2 */
        free(o);
        kitchen.takings = sum + price;          /* bug: 3, 4 */
#ifdef FIXED
        pthread_mutex_unlock(&kitchen.lock);
#endif
    }
    return NULL;
}

int main(void)
{
    pthread_t t[COOKS];
    long expected = 0;
    int i;

    for (i = 0; i < ORDERS; i++) {
        struct order *o = malloc(sizeof *o);
        if (o == NULL)
            return 2;
        o->table = i;
        o->dish = (i * 3) % 5;
        o->next = kitchen.head;
        kitchen.head = o;
        kitchen.waiting++;
        expected += price_of(o);
    }
    for (i = 0; i < COOKS; i++)
        pthread_create(&t[i], NULL, cook, NULL);
    for (i = 0; i < COOKS; i++)
        pthread_join(t[i], NULL);

    printf("takings %ld, expected %ld\n", kitchen.takings, expected);
    return kitchen.takings == expected ? EXIT_SUCCESS : EXIT_FAILURE;
}
