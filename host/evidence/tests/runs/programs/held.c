/* Deadlocks without two mutexes: the argument says which. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

#ifndef CASE
#define CASE 0
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static sem_t left, right;
static pthread_t worker_thread;

#if CASE == 0
static void *worker(void *unused) {
    pthread_mutex_lock(&mutex); /* @once */
    pthread_mutex_lock(&mutex); /* @again */
    return unused;
}
static void begin(void) {}
#elif CASE == 1
static void *worker(void *unused) {
    pthread_rwlock_rdlock(&table); /* @read */
    pthread_mutex_lock(&mutex); /* @inner */
    pthread_mutex_unlock(&mutex);
    pthread_rwlock_unlock(&table);
    return unused;
}
static void begin(void) {
    pthread_mutex_lock(&mutex); /* @outer */
    pthread_rwlock_wrlock(&table); /* @write */
    pthread_rwlock_unlock(&table);
    pthread_mutex_unlock(&mutex);
}
#elif CASE == 2
static void *worker(void *unused) {
    sem_wait(&left); /* @left */
    sem_wait(&right); /* @then-right */
    sem_post(&right);
    sem_post(&left);
    return unused;
}
static void begin(void) {
    sem_wait(&right); /* @right */
    sem_wait(&left); /* @then-left */
    sem_post(&left);
    sem_post(&right);
}
#elif CASE == 3
static void *worker(void *unused) {
    pthread_mutex_lock(&mutex); /* @wanted */
    pthread_mutex_unlock(&mutex);
    return unused;
}
static void begin(void) {
    pthread_mutex_lock(&mutex); /* @kept */
    pthread_join(worker_thread, NULL); /* @joined */
    pthread_mutex_unlock(&mutex);
    exit(0);
}
#else
static void *worker(void *unused) {
    pthread_mutex_lock(&mutex); /* @left-locked */
    return unused;
}
static void begin(void) {
    pthread_join(worker_thread, NULL);
    pthread_mutex_lock(&mutex); /* @forever */
    exit(0);
}
#endif

int main(void) {
    sem_init(&left, 0, 1);
    sem_init(&right, 0, 1);
    pthread_create(&worker_thread, NULL, worker, NULL);
    begin();
    pthread_join(worker_thread, NULL);
    (void)table;
    return 0;
}
