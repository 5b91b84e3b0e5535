/*
 * chunk-sum.c - adds up an array in parallel, one chunk for each thread.
 *
 * Bug: the length is not a multiple of the number of threads, and the rest at
 * the end of the array belongs to nobody.
 *
 * validate:
 *   kind: plain
 *   variable: c->end
 *   threads: 5
 *   fails-by: exit
 */
#include <pthread.h>
#include <stdio.h>

#define N       90
#define THREADS 4

struct chunk {
    int begin, end;
    long sum;
    pthread_t tid;
};

static int value[N];

static void *add_up(void *arg)
{
    struct chunk *c = arg;

    for (int i = c->begin; i < c->end; i++)
        c->sum += value[i];
    return NULL;
}

static void cut(struct chunk *c, int k)
{
    int size = N / THREADS;

    c->begin = k * size;
    c->end = c->begin + size;                           /* bug */
#ifdef FIXED
    if (k == THREADS - 1)
        c->end = N;
#endif
    c->sum = 0;
}

int main(void)
{
    struct chunk ch[THREADS];
    long total = 0;

    for (int i = 0; i < N; i++)
        value[i] = i + 1;
    for (int k = 0; k < THREADS; k++) {
        cut(&ch[k], k);
        pthread_create(&ch[k].tid, NULL, add_up, &ch[k]);
    }
    for (int k = 0; k < THREADS; k++) {
        pthread_join(ch[k].tid, NULL);
        total += ch[k].sum;
    }
    printf("total %ld\n", total);
    return total == (long)N * (N + 1) / 2 ? 0 : 1;
}
