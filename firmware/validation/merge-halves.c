/* merge-halves.c: two threads sort one half each, a third one merges.
 * Bug: the merger waits for the semaphore once only, so it goes ahead when
 * the first of the two halves is ready.
 *
 * validate:
 *   kind: order
 *   variable: data[], sorted
 *   threads: 4
 *   fails-by: exit
 *   rare: no
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#define N 16
static int data[N] = { 31, 4, 15, 9, 26, 5, 35, 8, 17, 93, 23, 84, 62, 64, 33, 83 };
static int result[N];
static sem_t sorted;

static void *sorter(void *p)
{
    int *a = p;                         /* N/2 numbers from here */
    for (int i = 1; i < N / 2; i++) {
        int v = a[i], j = i;
        for (; j > 0 && a[j - 1] > v; j--)
            a[j] = a[j - 1];
        a[j] = v;                                                   /* bug: 3 */
    }
    sem_post(&sorted);                                              /* bug: 1 */
    return NULL;
}

static void *merger(void *p)
{
    int a = 0, b = N / 2, k = 0;
#ifdef FIXED
    sem_wait(&sorted);
#endif
    sem_wait(&sorted);                                              /* bug */
    while (a < N / 2 && b < N)
        result[k++] = data[a] <= data[b] ? data[a++] : data[b++];   /* bug: 2 */
    while (a < N / 2) result[k++] = data[a++];
    while (b < N) result[k++] = data[b++];
    return p;
}

int main(void)
{
    pthread_t t[3];
    sem_init(&sorted, 0, 0);
    pthread_create(&t[0], NULL, sorter, data);
    pthread_create(&t[1], NULL, sorter, data + N / 2);
    pthread_create(&t[2], NULL, merger, NULL);
    for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
    for (int i = 1; i < N; i++)
        if (result[i - 1] > result[i])
            return printf("not sorted at %d\n", i), 1;
    puts("sorted");
    return 0;
}
