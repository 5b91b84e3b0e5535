/* The sieve of Eratosthenes: each thread strikes out multiples of the primes it finds in a shared list. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define LIMIT 400
#define THREADS 3

static atomic_uchar composite[LIMIT];
static pthread_spinlock_t candidates;
static int next = 2;

static int next_prime(void) {
    pthread_spin_lock(&candidates);
    while (next * next < LIMIT && composite[next]) next++;
    int found = next * next < LIMIT ? next++ : 0;
    pthread_spin_unlock(&candidates);
    return found;
}

/* A candidate may be composite though nobody has struck it out yet: that only costs time. */
static void *sieve(void *unused) {
    for (int prime; (prime = next_prime());)
        for (int multiple = prime * prime; multiple < LIMIT; multiple += prime) composite[multiple] = 1;
    return unused;
}

int main(void) {
    pthread_t threads[THREADS];
    char line[80] = "";
    int count = 0;
    pthread_spin_init(&candidates, PTHREAD_PROCESS_PRIVATE);
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, sieve, NULL);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    pthread_spin_destroy(&candidates);
    for (int i = 2; i < LIMIT; i++) {
        if (composite[i]) continue;
        count++;
        if (i > LIMIT - 50) sprintf(line + strlen(line), " %d", i);
    }
    printf("%d primes below %d; the last:%s\n", count, LIMIT, line);
    return 0;
}
