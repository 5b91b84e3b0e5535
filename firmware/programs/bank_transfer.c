/* Transfers between accounts, each with a lock; locks are taken in order of the accounts. */
#include <pthread.h>
#include <stdio.h>

#define ACCOUNTS 6
#define TELLERS 3
#define TRANSFERS 40

static struct account {
    pthread_mutex_t lock;
    int balance;
} accounts[ACCOUNTS];

static void transfer(int from, int to, int amount) {
    if (from == to) return;
    struct account *first = &accounts[from < to ? from : to];
    struct account *second = &accounts[from < to ? to : from];
    pthread_mutex_lock(&first->lock);
    pthread_mutex_lock(&second->lock);
    accounts[from].balance -= amount;
    accounts[to].balance += amount;
    pthread_mutex_unlock(&second->lock);
    pthread_mutex_unlock(&first->lock);
}

static void *work(void *argument) {
    unsigned state = *(unsigned *)argument;
    for (int i = 0; i < TRANSFERS; i++) {
        state = state * 1103515245u + 12345u;
        transfer((int)(state >> 16) % ACCOUNTS, (int)(state >> 20) % ACCOUNTS, (int)(state >> 24) % 50);
    }
    return NULL;
}

int main(void) {
    pthread_t tellers[TELLERS];
    unsigned seeds[TELLERS] = {1, 22, 333};
    int total = 0;
    for (int i = 0; i < ACCOUNTS; i++) {
        pthread_mutex_init(&accounts[i].lock, NULL);
        accounts[i].balance = 1000;
    }
    for (int i = 0; i < TELLERS; i++) pthread_create(&tellers[i], NULL, work, &seeds[i]);
    for (int i = 0; i < TELLERS; i++) pthread_join(tellers[i], NULL);
    for (int i = 0; i < ACCOUNTS; i++) {
        printf("account %d: %5d\n", i, accounts[i].balance);
        total += accounts[i].balance;
    }
    printf("total: %d\n", total);
    return total != ACCOUNTS * 1000;
}
