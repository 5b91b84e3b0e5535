/* A queue of jobs on the heap, worked off by three threads until a poison job for each comes. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define WORKERS 3
#define JOBS 24

struct job {
    int number;
    struct job *next;
};

static struct job *head, **tail = &head;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static unsigned results[JOBS];

static void put(int number) {
    struct job *job = malloc(sizeof *job);
    job->number = number;
    job->next = NULL;
    pthread_mutex_lock(&lock);
    *tail = job;
    tail = &job->next;
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&lock);
}

static int get(void) {
    pthread_mutex_lock(&lock);
    while (!head) pthread_cond_wait(&ready, &lock);
    struct job *job = head;
    head = job->next;
    if (!head) tail = &head;
    pthread_mutex_unlock(&lock);
    int number = job->number;
    free(job);
    return number;
}

static unsigned collatz_steps(unsigned n) {
    unsigned steps = 0;
    for (; n != 1; steps++) n = n % 2 ? 3 * n + 1 : n / 2;
    return steps;
}

static void *work(void *argument) {
    int *done = argument;
    for (int number; (number = get()) >= 0; ++*done) results[number] = collatz_steps((unsigned)number + 1);
    return NULL;
}

int main(void) {
    pthread_t workers[WORKERS];
    int done[WORKERS] = {0}, all = 0;
    for (int i = 0; i < WORKERS; i++) pthread_create(&workers[i], NULL, work, &done[i]);
    for (int i = 0; i < JOBS; i++) put(i);
    for (int i = 0; i < WORKERS; i++) put(-1);
    for (int i = 0; i < WORKERS; i++) {
        pthread_join(workers[i], NULL);
        all += done[i];
    }
    printf("%d jobs:", all);
    for (int i = 0; i < JOBS; i++) printf(" %u", results[i]);
    printf("\n");
    return 0;
}
