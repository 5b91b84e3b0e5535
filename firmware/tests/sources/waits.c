/* Main keeps two threads waiting, by the means that the first argument names, for as long as the second
 * says. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WAITERS = 2 };

static const char *how;
static long turns;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_spinlock_t spin;
static pthread_barrier_t barrier, begun;
static sem_t semaphore;
static int ready;

static void linger(void) {
    for (volatile long i = 0; i < turns; i++) {}
}

static int is(const char *name) {
    return !strcmp(how, name);
}

static void *wait(void *unused) {
    pthread_barrier_wait(&begun);
    if (is("mutex")) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    } else if (is("condition")) {
        pthread_mutex_lock(&mutex);
        while (!ready) pthread_cond_wait(&condition, &mutex);
        pthread_mutex_unlock(&mutex);
    } else if (is("rwlock")) {
        pthread_rwlock_rdlock(&rwlock);
        pthread_rwlock_unlock(&rwlock);
    } else if (is("spin")) {
        pthread_spin_lock(&spin);
        pthread_spin_unlock(&spin);
    } else if (is("barrier")) {
        pthread_barrier_wait(&barrier);
    } else if (is("semaphore")) {
        sem_wait(&semaphore);
    } else if (is("once")) {
        pthread_once(&once, linger);
    }
    return unused;
}

static void keep_waiting(void) {
    if (is("mutex")) pthread_mutex_lock(&mutex);
    if (is("rwlock")) pthread_rwlock_wrlock(&rwlock);
    if (is("spin")) pthread_spin_lock(&spin);
    pthread_barrier_wait(&begun);
    linger();
    if (is("mutex")) pthread_mutex_unlock(&mutex);
    if (is("rwlock")) pthread_rwlock_unlock(&rwlock);
    if (is("spin")) pthread_spin_unlock(&spin);
    if (is("barrier")) pthread_barrier_wait(&barrier);
    if (is("condition")) {
        pthread_mutex_lock(&mutex);
        ready = 1;
        pthread_cond_broadcast(&condition);
        pthread_mutex_unlock(&mutex);
    }
    for (int i = 0; i < WAITERS && is("semaphore"); i++) sem_post(&semaphore);
}

int main(int count, char **arguments) {
    pthread_t threads[WAITERS];
    if (count != 3) return 2;
    how = arguments[1];
    turns = atol(arguments[2]);
    pthread_spin_init(&spin, 0);
    pthread_barrier_init(&barrier, NULL, WAITERS + 1);
    pthread_barrier_init(&begun, NULL, WAITERS + 1);
    sem_init(&semaphore, 0, 0);
    for (int i = 0; i < WAITERS; i++) pthread_create(&threads[i], NULL, wait, NULL);
    keep_waiting();
    for (int i = 0; i < WAITERS; i++) pthread_join(threads[i], NULL);
    puts("done");
    return 0;
}
