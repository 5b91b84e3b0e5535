/* Treiber's stack with C11 atomics. Nodes are never reused while it runs, so there is no ABA. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 3
#define NODES 30

struct node {
    int value;
    struct node *next;
};

static _Atomic(struct node *) top;

static void push(struct node *node) {
    node->next = atomic_load(&top);
    while (!atomic_compare_exchange_weak(&top, &node->next, node)) {}
}

static struct node *pop(void) {
    struct node *node = atomic_load(&top);
    while (node && !atomic_compare_exchange_weak(&top, &node, node->next)) {}
    return node;
}

struct work {
    int first, popped;
    /* Freed when all threads are done: until then another one may still look at them. */
    struct node *nodes[NODES];
};

static void *push_and_pop(void *argument) {
    struct work *work = argument;
    for (int i = 0; i < NODES; i++) {
        struct node *node = malloc(sizeof *node);
        node->value = work->first + i;
        push(node);
        if (i % 2 == 0) continue;
        work->nodes[work->popped++] = pop();
    }
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    struct work work[THREADS] = {{.first = 0}, {.first = 1000}, {.first = 2000}};
    long sum = 0;
    int count = 0;
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, push_and_pop, &work[i]);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++)
        for (int j = 0; j < work[i].popped; j++, count++) {
            sum += work[i].nodes[j]->value;
            free(work[i].nodes[j]);
        }
    for (struct node *node; (node = pop()); count++) {
        sum += node->value;
        free(node);
    }
    printf("%d nodes, sum %ld\n", count, sum);
    return 0;
}
