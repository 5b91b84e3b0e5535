/* Services log what they do, and a sweeper moves the log to the archive when there is enough in it.
 *
 * Appending is one step for the services, who have a lock for it. The sweeper, of which there is but one,
 * does without: an entry that arrives while it sweeps is thrown away with those that it has archived. */
#include "log.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

#define OWN_LINE _Alignas(64)

enum { ENOUGH = 4 };

static OWN_LINE atomic_int stopping;

/* What services know of each other's load. */
static struct {
    OWN_LINE unsigned served, busiest;
    OWN_LINE pthread_mutex_t lock;
} load = {.lock = PTHREAD_MUTEX_INITIALIZER};

static unsigned serve(unsigned request) {
    for (int i = 0; i < 300; i++) request = (request << 1 | request >> 31) * 2654435761u;
    pthread_mutex_lock(&load.lock);
    load.served++;
    if (load.busiest < request) load.busiest = request;
    pthread_mutex_unlock(&load.lock);
    return request;
}

static void *service(void *argument) {
    int number = *(int *)argument;
    for (int i = 0; i < ENTRIES; i++) {
        struct entry entry = {number, i, serve((unsigned)(number * ENTRIES + i)), 0};
        entry.sum = log_sum(&entry);
        while (!log_append(&entry)) sched_yield();
    }
    return NULL;
}

static void *sweeper(void *argument) {
    (void)argument;
    while (!stopping) {
        for (volatile int pause = 0; pause < 150; pause++) {}
        log_sweep(ENOUGH);
    }
    log_sweep(0);
    return NULL;
}

int main(void) {
    pthread_t services[SERVICES], sweeping;
    int numbers[SERVICES];
    for (int i = 0; i < SERVICES; i++) {
        numbers[i] = i;
        pthread_create(&services[i], NULL, service, &numbers[i]);
    }
    pthread_create(&sweeping, NULL, sweeper, NULL);
    for (int i = 0; i < SERVICES; i++) pthread_join(services[i], NULL);
    stopping = 1;
    pthread_join(sweeping, NULL);
    assert(log_complete());
    printf("%u served\n", load.served);
    return 0;
}
