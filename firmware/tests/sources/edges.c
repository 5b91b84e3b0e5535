/* Two threads hand a word to and fro, in turns that semaphores enforce. Only `measured_put` and
 * `measured_get`, and in them one instruction each, are in the monitored range, so the edges can be counted
 * by hand. All of it happens twice, with a new receiver, which begins with an empty context. The arguments:
 * how many rounds, and how long the sender lingers in each; a spare hart needs some time to empty a table. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

#define PASSES 2

static int rounds, turns;

void measured_put(volatile int *to, int value);
int measured_get(volatile int *from);

__asm__(".section .text.measured, \"ax\"\n"
        ".globl measured_start, measured_end, measured_put, measured_get\n"
        "measured_start:\n"
        "measured_put: sw a1, 0(a0)\n"
        "     ret\n"
        "measured_get: lw a0, 0(a0)\n"
        "     ret\n"
        "measured_end:\n"
        ".text");

static _Alignas(64) volatile int word;
static _Alignas(64) sem_t begun, full, empty;

static void linger(void) {
    for (volatile int i = 0; i < turns; i++) {}
}

static void *receive(void *argument) {
    long *sum = argument;
    sem_post(&begun);
    for (int i = 0; i < rounds; i++) {
        sem_wait(&full);
        *sum += measured_get(&word);
        sem_post(&empty);
    }
    return NULL;
}

int main(int count, char **arguments) {
    static _Alignas(64) long sum;
    if (count != 3) return 2;
    rounds = atoi(arguments[1]);
    turns = atoi(arguments[2]);
    sem_init(&begun, 0, 0);
    sem_init(&full, 0, 0);
    sem_init(&empty, 0, 1);
    for (int pass = 0; pass < PASSES; pass++) {
        pthread_t receiver;
        pthread_create(&receiver, NULL, receive, &sum);
        sem_wait(&begun);
        for (int i = 0; i < rounds; i++) {
            sem_wait(&empty);
            measured_put(&word, i);
            sem_post(&full);
            linger();
        }
        pthread_join(receiver, NULL);
    }
    printf("%ld\n", sum);
    return 0;
}
