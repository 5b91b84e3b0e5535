#include <pthread.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <stdatomic.h>
struct node { int value; struct node *next; pthread_mutex_t lock; atomic_int refs; };
struct table { int n; struct node **slots; struct node inl[4]; struct { int a, b; } pair; };
static struct table *table;
static int counter, arr[8];
static volatile int flag;
static void bump(int *p) { *p += 1; }
static void *worker(void *arg) {
    struct table *t = arg;
    struct node *n = malloc(sizeof *n);
    n->value = 3;
    pthread_mutex_lock(&n->lock);
    n->value += t->n;
    pthread_mutex_unlock(&n->lock);
    pthread_mutex_lock(&t->inl[t->n].lock);
    atomic_fetch_add(&n->refs, 1);
    n->refs++;
    int r = atomic_load(&n->refs);
    atomic_store_explicit(&n->refs, r - 5, memory_order_release);
    t->slots[t->n] = n;
    t->n++;
    bump(&t->pair.b);
    if (t->slots[3]->next->value == r && t->inl[2].value != 5)
        t->pair.a = t->pair.b * 3;
    for (struct node *m = table->slots[0]; m; m = m->next) counter += m->value;
    arr[t->n] = flag;
    struct node copy = *n;
    memcpy(t->slots[1], &copy, sizeof copy);
    strcpy((char *)n->next, "abc");
    int expected = 0;
    __atomic_compare_exchange_n(&t->n, &expected, 7, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return NULL;
}
int main(void) {
    static int calls; calls++;
    table = calloc(1, sizeof *table);
    table->slots = calloc(8, sizeof(struct node *));
    pthread_t th[2];
    for (int i = 0; i < 2; i++) pthread_create(&th[i], NULL, worker, table);
    for (int i = 0; i < 2; i++) pthread_join(th[i], NULL);
    printf("%d %d\n", counter, calls);
    return counter;
}
