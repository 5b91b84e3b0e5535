/*
 * tariff-table.c: rates phone calls with a tariff table, several raters.
 *
 * find_tier() walks the tiers, which have to be in ascending order.  Someone
 * has put the weekend tier's limit in as 60 instead of 600 (minutes), so long
 * calls fall through to the expensive last tier.
 *
 * validate:
 *   kind: plain
 *   variable: tiers[].upto
 *   threads: 4
 *   fails-by: assert
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

typedef struct { int upto; int cents; } Tier;

static const Tier tiers[] = {
    { 10, 9 }, { 120, 7 },
#ifdef FIXED
    { 600, 5 },
#else
    { 60, 5 }, /* bug */
#endif
    { 100000, 25 },
};

typedef struct Call { int minutes; int cents; struct Call *next; } Call;

static Call calls[] = {
    { 3, 0, 0 }, { 15, 0, 0 }, { 55, 0, 0 }, { 119, 0, 0 },
    { 7, 0, 0 }, { 200, 0, 0 }, { 10, 0, 0 }, { 90, 0, 0 },
};
enum { NCALLS = sizeof calls / sizeof calls[0] };

static struct {
    pthread_mutex_t mu;
    Call *todo;
    long revenue;
} exchange = { .mu = PTHREAD_MUTEX_INITIALIZER };

static const Tier *find_tier(int minutes)
{
    const Tier *t = tiers;
    while (minutes > t->upto)
        t++;
    return t;
}

static Call *next_call(void)
{
    pthread_mutex_lock(&exchange.mu);
    Call *c = exchange.todo;
    if (c)
        exchange.todo = c->next;
    pthread_mutex_unlock(&exchange.mu);
    return c;
}

static void *rater(void *arg)
{
    (void)arg;
    for (Call *c; (c = next_call()) != NULL;) {
        c->cents = c->minutes * find_tier(c->minutes)->cents;
        assert(c->minutes > 600 || c->cents <= c->minutes * 9);
        pthread_mutex_lock(&exchange.mu);
        exchange.revenue += c->cents;
        pthread_mutex_unlock(&exchange.mu);
    }
    return NULL;
}

int main(void)
{
    pthread_t t[3];

    for (int i = 0; i < NCALLS; i++) {
        calls[i].next = exchange.todo;
        exchange.todo = &calls[i];
    }
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, rater, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    printf("revenue %ld\n", exchange.revenue);
    return 0;
}
