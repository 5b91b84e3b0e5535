/* Reads numbers from standard input until they end; threads add up parts of them. */
#include <pthread.h>
#include <stdio.h>

#define MAX 100
#define THREADS 3

static int values[MAX];
static int count;
static long sums[THREADS];

static void *add(void *arg)
{
    long me = (long)arg;
    for (int i = (int)me; i < count; i += THREADS)
        sums[me] += values[i];
    return NULL;
}

int main(void)
{
    pthread_t t[THREADS];
    int v;
    while (count < MAX && scanf("%d", &v) == 1)
        values[count++] = v;
    for (long i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, add, (void *)i);
    long sum = 0;
    for (int i = 0; i < THREADS; i++) {
        pthread_join(t[i], NULL);
        sum += sums[i];
    }
    if (!feof(stdin))
        printf("stopped at something that is no number: '%c'\n", getchar());
    printf("%d numbers, sum %ld, average %.3f\n", count, sum, count ? (double)sum / count : 0.0);
    return 0;
}
