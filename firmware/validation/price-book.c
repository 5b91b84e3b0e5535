/*
 * price-book.c -- order book of a toy exchange: volume per price level.
 *
 * book_trade() looks the level up under the read lock, works out the new
 * volume and then takes the write lock to store it.  Between the two locks
 * another trader may have changed the level; his trade is overwritten.
 *
 * validate:
 *   kind: readers-writers
 *   variable: lv->volume
 *   threads: 5
 *   fails-by: exit
 *   rare: no
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct level {
    int price;
    long volume;
    struct level *lo, *hi;      /* search tree */
};

struct book {
    struct level *root;
    pthread_rwlock_t guard;
    int nlevels;
};

static struct level *level_find(struct level *n, int price)
{
    while (n && n->price != price)
        n = price < n->price ? n->lo : n->hi;
    return n;
}

static void level_add(struct book *b, int price)
{
    struct level **pp = &b->root;
    while (*pp)
        pp = price < (*pp)->price ? &(*pp)->lo : &(*pp)->hi;
    *pp = calloc(1, sizeof **pp);
    if (!*pp)
        abort();
    (*pp)->price = price;
    b->nlevels++;
}

static long fee(long qty)
{
    return qty > 5 ? 1 : 0;
}

static int book_trade(struct book *b, int price, long qty)
{
    struct level *lv;
    long v;

#ifdef FIXED
    pthread_rwlock_wrlock(&b->guard);
#else
    pthread_rwlock_rdlock(&b->guard);
#endif
    lv = level_find(b->root, price);
    if (lv == NULL) {
        pthread_rwlock_unlock(&b->guard);
        return -1;
    }
    v = lv->volume; /* bug: 1, 2 */
#ifndef FIXED
    pthread_rwlock_unlock(&b->guard);
#endif
    v += qty - fee(qty);
#ifndef FIXED
    pthread_rwlock_wrlock(&b->guard);
#endif
    lv->volume = v; /* bug: 3, 4 */
    pthread_rwlock_unlock(&b->guard);
    return 0;
}

static long volume_below(struct level *n)
{
    return n ? n->volume + volume_below(n->lo) + volume_below(n->hi) : 0;
}

static struct book book = { NULL, PTHREAD_RWLOCK_INITIALIZER, 0 };

struct trader { int first, step; long qty; long done; };

static void *trader_main(void *arg)
{
    struct trader *t = arg;
    int price = t->first;
    for (int i = 0; i < 7; i++) {
        if (book_trade(&book, price, t->qty) == 0)
            t->done += t->qty - fee(t->qty);
        price += t->step;
        if (price > 106)
            price -= 7;
    }
    return NULL;
}

static void tree_free(struct level *n)
{
    if (n) {
        tree_free(n->lo);
        tree_free(n->hi);
        free(n);
    }
}

int main(void)
{
    static const int prices[] = { 103, 101, 105, 100, 102, 104, 106 };
    static struct trader tr[4] = { { 100, 1, 3, 0 }, { 102, 2, 8, 0 }, { 104, 3, 1, 0 }, { 100, 0, 5, 0 } };
    pthread_t t[4];
    long want = 0, have;

    for (int i = 0; i < 7; i++)
        level_add(&book, prices[i]);
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, trader_main, &tr[i]);
    for (int i = 0; i < 4; i++) {
        pthread_join(t[i], NULL);
        want += tr[i].done;
    }
    have = volume_below(book.root);
    tree_free(book.root);
    printf("volume %ld of %ld\n", have, want);
    return have != want;
}
