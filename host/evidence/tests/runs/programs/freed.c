/* A reader goes on with a node that another thread has freed. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    volatile int weight;
    struct node *next;
};

static struct node *first;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int removed;
static atomic_int steps;

static void *reader(void *unused) {
    pthread_mutex_lock(&lock);
    struct node *node = first;
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < 12; i++) atomic_fetch_add(&steps, i);
    if (node) assert(node->weight == 7); /* @use */
    return unused;
}

static void *remover(void *unused) {
    pthread_mutex_lock(&lock);
    struct node *node = first;
    first = NULL;
    removed++;
    atomic_fetch_add(&steps, 1);
    pthread_mutex_unlock(&lock);
    node->weight = -1;
    free(node); /* @free */
    return unused;
}

int main(void) {
    pthread_t threads[2];
    first = malloc(sizeof *first);
    first->weight = 7;
    first->next = NULL;
    pthread_create(&threads[0], NULL, reader, NULL);
    pthread_create(&threads[1], NULL, remover, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return removed == 1 ? 0 : 2;
}
