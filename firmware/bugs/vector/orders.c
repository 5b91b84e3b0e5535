/* Vectors that threads share, each with a lock, after those of Java's library. A desk collects orders in
 * one and clears it at the end of a shift; a clerk keeps the first of them on a board, and takes copies and
 * adds them up.
 *
 * To copy a vector is to ask for its size, to make room, and to have the elements copied there: asking
 * and copying have the lock, but each for itself. If the vector is cleared between, the copy has a size
 * that its elements do not fill, and the first user of it falls over what is missing. The board has
 * so many places whatever the size, and some of them may be free. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define OWN_LINE _Alignas(64)
/* Called by everybody, as a library's, and not copied into each caller. */
#define METHOD static __attribute__((noinline))

enum { CAPACITY = 16, SHIFTS = 5, ORDERS = 5, COPIES = 10, BOARD = 3 };

struct order {
    int number, price;
};

struct vector {
    OWN_LINE int count;
    OWN_LINE const struct order *items[CAPACITY];
    OWN_LINE pthread_mutex_t lock;
};

static struct vector open_orders;
static struct order catalog[ORDERS];

static void vector_init(struct vector *vector) {
    pthread_mutexattr_t again;
    pthread_mutexattr_init(&again);
    pthread_mutexattr_settype(&again, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&vector->lock, &again);
    pthread_mutexattr_destroy(&again);
    vector->count = 0;
}

METHOD void vector_add(struct vector *vector, const struct order *order) {
    pthread_mutex_lock(&vector->lock);
    if (vector->count < CAPACITY) {
        vector->items[vector->count] = order;
        vector->count++;
    }
    pthread_mutex_unlock(&vector->lock);
}

METHOD void vector_clear(struct vector *vector) {
    pthread_mutex_lock(&vector->lock);
    int count = vector->count; /* bug */
    for (int i = 0; i < count; i++) vector->items[i] = NULL; /* bug: 2 */
    vector->count = 0; /* bug: 3 */
    pthread_mutex_unlock(&vector->lock);
}

METHOD int vector_size(struct vector *vector) {
    pthread_mutex_lock(&vector->lock);
    int count = vector->count; /* bug: 1 */
    pthread_mutex_unlock(&vector->lock);
    return count;
}

/* What there is, up to `room`, and nothing in the rest. */
METHOD void vector_copy_into(struct vector *vector, const struct order **to, int room) {
    pthread_mutex_lock(&vector->lock);
    int count = vector->count; /* bug: 4 */
    if (count > room) count = room;
    for (int i = 0; i < count; i++) to[i] = vector->items[i]; /* bug: 5 */
    for (int i = count; i < room; i++) to[i] = NULL; /* bug */
    pthread_mutex_unlock(&vector->lock);
}

METHOD struct vector *vector_copy(struct vector *vector) {
    struct vector *copy = aligned_alloc(_Alignof(struct vector), sizeof *copy);
    if (!copy) abort();
    vector_init(copy);
#ifdef FIXED
    pthread_mutex_lock(&vector->lock);
#endif
    copy->count = vector_size(vector); /* bug */
    vector_copy_into(vector, copy->items, copy->count); /* bug */
#ifdef FIXED
    pthread_mutex_unlock(&vector->lock);
#endif
    return copy;
}

static void *desk(void *argument) {
    (void)argument;
    for (int shift = 0; shift < SHIFTS; shift++) {
        for (int i = 0; i < ORDERS; i++) {
            for (volatile int talk = 0; talk < 60; talk++) {}
            vector_add(&open_orders, &catalog[(shift + i) % ORDERS]);
        }
        vector_clear(&open_orders);
    }
    return NULL;
}

static void *clerk(void *argument) {
    int *total = argument;
    const struct order *board[BOARD];
    for (int i = 0; i < COPIES; i++) {
        for (volatile int coffee = 0; coffee < 100; coffee++) {}
        vector_copy_into(&open_orders, board, BOARD);
        for (int k = 0; k < BOARD && board[k]; k++) *total += board[k]->number;
        for (volatile int coffee = 0; coffee < 100; coffee++) {}
        struct vector *copy = vector_copy(&open_orders);
        for (int k = 0; k < copy->count; k++) *total += copy->items[k]->price; /* bug */
        free(copy);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int total = 0;
    vector_init(&open_orders);
    for (int i = 0; i < ORDERS; i++) catalog[i] = (struct order){i, 10 + 7 * i};
    pthread_create(&threads[0], NULL, desk, NULL);
    pthread_create(&threads[1], NULL, clerk, &total);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    printf("seen for %d\n", total);
    return 0;
}
