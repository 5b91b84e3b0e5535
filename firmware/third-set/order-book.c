/*
 * An exchange for one share. A buy order looks for a seller who asks no more
 * than it bids, else it stays in the book; a sell order the other way round.
 * Each side of the book has its lock.
 *
 * Bug: an order looks at the other side with that side's lock, and enters its
 * own side with that side's lock. A buy and a sell that match can both look
 * before either is entered, and then both stay: the book is crossed.
 *
 * validate:
 *   kind: several-variables
 *   variable: bids.orders[], bids.count, asks.orders[], asks.count
 *   threads: 4
 *   fails-by: exit
 *   rare: yes
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define ROOM 12
#define ORDERS 4

struct side {
    pthread_mutex_t lock;
    unsigned orders[ROOM];      /* prices */
    int count;
    int is_bid;
};

static struct side bids = { .lock = PTHREAD_MUTEX_INITIALIZER, .is_bid = 1 };
static struct side asks = { .lock = PTHREAD_MUTEX_INITIALIZER };

#ifdef FIXED
static pthread_mutex_t book_lock = PTHREAD_MUTEX_INITIALIZER;
#endif

static struct {
    pthread_mutex_t lock;
    int trades;
    unsigned volume;
} tape = { .lock = PTHREAD_MUTEX_INITIALIZER };

struct trader {
    struct side *own, *other;
    unsigned prices[ORDERS];
};

static int match(const struct side *s, unsigned price)
{
    for (int i = 0; i < s->count; i++)          /* bug: 1, 2 */
        if (s->is_bid ? s->orders[i] >= price : s->orders[i] <= price)
            return i;
    return -1;
}

static int take(struct side *s, unsigned price)
{
    int at, taken = 0;

    pthread_mutex_lock(&s->lock);
    at = match(s, price);                       /* bug */
    if (at >= 0) {
        taken = 1;
        s->orders[at] = s->orders[--s->count];
    }
    pthread_mutex_unlock(&s->lock);
    return taken;
}

static void enter(struct side *s, unsigned price)
{
    pthread_mutex_lock(&s->lock);
    s->orders[s->count] = price;                /* bug */
    s->count++;                                 /* bug: 3, 4 */
    pthread_mutex_unlock(&s->lock);
}

static void report(unsigned price)
{
    pthread_mutex_lock(&tape.lock);
    tape.trades++;
    tape.volume += price;
    pthread_mutex_unlock(&tape.lock);
}

static void place(struct side *own, struct side *other, unsigned price)
{
    int traded;

#ifdef FIXED
    pthread_mutex_lock(&book_lock);
#endif
    traded = take(other, price);                /* bug */
    if (!traded)
        enter(own, price);                      /* bug */
#ifdef FIXED
    pthread_mutex_unlock(&book_lock);
#endif
    if (traded)
        report(price);
}

static void *trader(void *arg)
{
    struct trader *t = arg;

    for (int i = 0; i < ORDERS; i++)
        place(t->own, t->other, t->prices[i]);
    return NULL;
}

int main(void)
{
    struct trader traders[3] = {
        { &bids, &asks, { 97, 101, 98, 102 } },
        { &asks, &bids, { 104, 100, 99, 103 } },
        { &bids, &asks, { 95, 90, 96, 94 } },
    };
    pthread_t threads[3];
    int crossed = 0;

    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, trader, &traders[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < bids.count; i++)
        crossed += match(&asks, bids.orders[i]) >= 0;
    printf("%d trades, %d bids and %d asks left\n", tape.trades, bids.count, asks.count);
    if (crossed)
        printf("the book is crossed\n");
    return crossed || bids.count + asks.count + 2 * tape.trades != 3 * ORDERS ? 1 : 0;
}
