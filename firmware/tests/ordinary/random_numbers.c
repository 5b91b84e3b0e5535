/* Random numbers from a seed: the same everywhere. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *roll(void *arg)
{
    unsigned seed = *(unsigned *)arg, sum = 0;
    for (int i = 0; i < 100; i++)
        sum += (unsigned)rand_r(&seed) % 6 + 1;
    *(unsigned *)arg = sum;
    return NULL;
}

int main(void)
{
    int first = rand();
    printf("%d %d\n", first, rand());
    srand(42);
    for (int i = 0; i < 5; i++)
        printf("%d ", rand() % 100);
    printf("\n");
    srandom(7);
    long one = random();
    printf("%ld %ld\n", one, random());
    srand48(99);
    printf("%ld ", lrand48());
    printf("%.6f ", drand48());
    printf("%ld\n", mrand48());
    unsigned short state[3] = {1, 2, 3};
    double fraction = erand48(state);
    printf("%.6f %ld\n", fraction, nrand48(state));
    unsigned seeds[3] = {1, 2, 3};
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, roll, &seeds[i]);
    for (int i = 0; i < 3; i++) {
        pthread_join(t[i], NULL);
        printf("%u ", seeds[i]);
    }
    printf("\n");
    return 0;
}
