/*
 * Customers read a seed catalogue under a reader lock and count what they
 * ordered; the gardener reprices whatever sells well.
 *
 * Bug: customers take the order book's mutex while reading the catalogue, the
 * gardener takes the catalogue for writing while holding the order book.
 *
 * validate:
 *   kind: deadlock
 *   variable: catalog_lock, orders.lock
 *   threads: 4
 *   fails-by: deadlock
 *   rare: no
 */
#include <pthread.h>
#include <stdio.h>

#define KINDS 5

static pthread_rwlock_t catalog_lock = PTHREAD_RWLOCK_INITIALIZER;
static int price[KINDS] = { 10, 20, 30, 40, 50 };

static struct {
    pthread_mutex_t lock;
    int sold[KINDS];
    int money;
} orders = { .lock = PTHREAD_MUTEX_INITIALIZER };

static pthread_mutex_t visits_lock = PTHREAD_MUTEX_INITIALIZER;
static int visits;

static void order(int kind)
{
    pthread_rwlock_rdlock(&catalog_lock);       /* bug: 1 */
    int p = price[kind];
    pthread_mutex_lock(&orders.lock);           /* bug: 3 */
    orders.sold[kind]++;
    orders.money += p;
    pthread_mutex_unlock(&orders.lock);
    pthread_rwlock_unlock(&catalog_lock);
}

static void reprice(int kind)
{
#ifdef FIXED
    pthread_rwlock_wrlock(&catalog_lock);
    pthread_mutex_lock(&orders.lock);
    if (orders.sold[kind] > 1)
        price[kind]++;
    pthread_mutex_unlock(&orders.lock);
    pthread_rwlock_unlock(&catalog_lock);
#else
    pthread_mutex_lock(&orders.lock);           /* bug: 2 */
    if (orders.sold[kind] > 1) {
        pthread_rwlock_wrlock(&catalog_lock);   /* bug: 4 */
        price[kind]++;
        pthread_rwlock_unlock(&catalog_lock);
    }
    pthread_mutex_unlock(&orders.lock);
#endif
}

static void *customer(void *arg)
{
    int kind = *(int *)arg;
    for (int i = 0; i < 6; i++) {
        order((kind + i) % KINDS);
        pthread_mutex_lock(&visits_lock);
        visits++;
        pthread_mutex_unlock(&visits_lock);
    }
    return NULL;
}

static void *gardener(void *arg)
{
    (void)arg;
    for (int i = 0; i < KINDS; i++)
        reprice(i);
    return NULL;
}

int main(void)
{
    pthread_t c1, c2, g;
    int k1 = 0, k2 = 2, sold = 0;

    pthread_create(&c1, NULL, customer, &k1);
    pthread_create(&c2, NULL, customer, &k2);
    pthread_create(&g, NULL, gardener, NULL);
    pthread_join(c1, NULL);
    pthread_join(c2, NULL);
    pthread_join(g, NULL);
    for (int i = 0; i < KINDS; i++)
        sold += orders.sold[i];
    printf("%d sold for %d\n", sold, orders.money);
    return sold == visits ? 0 : 1;
}
