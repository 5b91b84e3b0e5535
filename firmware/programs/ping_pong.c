/* Two threads hand a ball to and fro with semaphores. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

#define RALLIES 10

static sem_t ping, pong;
static int ball;

static void *answer(void *unused) {
    for (int i = 0; i < RALLIES; i++) {
        sem_wait(&pong);
        ball = ball * 3 + 1;
        printf("pong %d\n", ball % 1000);
        sem_post(&ping);
    }
    return unused;
}

int main(void) {
    pthread_t partner;
    int left;
    sem_init(&ping, 0, 1);
    sem_init(&pong, 0, 0);
    pthread_create(&partner, NULL, answer, NULL);
    for (int i = 0; i < RALLIES; i++) {
        sem_wait(&ping);
        ball = ball % 1000 + 7;
        printf("ping %d, ", ball);
        fflush(stdout);
        sem_post(&pong);
    }
    pthread_join(partner, NULL);
    sem_getvalue(&ping, &left);
    printf("left over: %d\n", left);
    sem_destroy(&ping);
    sem_destroy(&pong);
    return 0;
}
