/* Three threads take strict turns: a condition variable hands the turn on. */
#include <pthread.h>
#include <stdio.h>

#define THREADS 3
#define TURNS 5

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turn;

static void *take_turns(void *argument) {
    int self = (int)(long)argument;
    for (int i = 0; i < TURNS; i++) {
        pthread_mutex_lock(&lock);
        while (turn % THREADS != self) pthread_cond_wait(&changed, &lock);
        printf("turn %2d: thread %c\n", turn, 'A' + self);
        turn++;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, take_turns, (void *)i);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    return 0;
}
