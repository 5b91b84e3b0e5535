/* Two threads change a balance; they count their deposits under a lock, but not the money. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

enum { ROUNDS = 12 };

static _Alignas(64) pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Alignas(64) int deposits;
static _Alignas(64) volatile int balance;

static void *deposit(void *unused) {
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&lock);
        deposits++;
        pthread_mutex_unlock(&lock);
        int seen = balance;
        balance = seen + 1;
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, deposit, NULL);
    deposit(NULL);
    pthread_join(thread, NULL);
    printf("balance %d after %d deposits\n", balance, deposits);
    assert(balance == deposits);
    return 0;
}
