/* Four philosophers, main among them; the last one is left-handed, so nobody starves. */
#include <pthread.h>
#include <stdio.h>

#define SEATS 4
#define MEALS 8

static pthread_mutex_t forks[SEATS];
static int eaten[SEATS];
static int using_fork[SEATS];
static int clashes;

static void eat(int seat, int left, int right) {
    if (using_fork[left]++ || using_fork[right]++) __atomic_add_fetch(&clashes, 1, __ATOMIC_SEQ_CST);
    eaten[seat]++;
    using_fork[left]--;
    using_fork[right]--;
}

static void *dine(void *argument) {
    int seat = (int)(long)argument;
    int left = seat, right = (seat + 1) % SEATS;
    int first = seat == SEATS - 1 ? right : left;
    int second = first == left ? right : left;
    for (int i = 0; i < MEALS; i++) {
        pthread_mutex_lock(&forks[first]);
        pthread_mutex_lock(&forks[second]);
        eat(seat, left, right);
        pthread_mutex_unlock(&forks[second]);
        pthread_mutex_unlock(&forks[first]);
    }
    return NULL;
}

int main(void) {
    pthread_t others[SEATS];
    for (int i = 0; i < SEATS; i++) pthread_mutex_init(&forks[i], NULL);
    for (long i = 1; i < SEATS; i++) pthread_create(&others[i], NULL, dine, (void *)i);
    dine((void *)0);
    for (int i = 1; i < SEATS; i++) pthread_join(others[i], NULL);
    for (int i = 0; i < SEATS; i++) printf("philosopher %d ate %d times\n", i, eaten[i]);
    printf("clashes: %d\n", clashes);
    for (int i = 0; i < SEATS; i++) pthread_mutex_destroy(&forks[i]);
    return clashes;
}
