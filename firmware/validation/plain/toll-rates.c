/* toll-rates.c
 *
 * Toll booths look up the rate for a distance in a table of steps which must
 * ascend.  Two booths work through a list of trips; the takings are locked.
 *
 * Bug: a typing error in the table (150 instead of 50), so a short trip costs
 * more than a longer one and the check of the booth fails.
 *
 * validate:
 *   kind: plain
 *   variable: steps[].cents
 *   threads: 3
 *   fails-by: assert
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static const struct { int km; int cents; } steps[] = {
    { 5, 20 },
#ifdef FIXED
    { 10, 50 },
#else
    { 10, 150 },                                /* bug */
#endif
    { 20, 90 },
    { 50, 210 },
    { 999, 400 },
};

static const int trips[2][6] = {
    { 3, 4, 15, 30, 80, 7 },
    { 1, 9, 18, 22, 45, 120 },
};

static struct {
    pthread_mutex_t m;
    long cents;
    int cars;
} takings = { PTHREAD_MUTEX_INITIALIZER, 0, 0 };

static int rate(int km)
{
    int i = 0;

    while (km > steps[i].km)
        i++;
    return steps[i].cents;
}

static void *booth(void *arg)
{
    const int *trip = arg;

    for (int i = 0; i < 6; i++) {
        int c = rate(trip[i]);

        assert(c <= rate(2 * trip[i]));     /* never cheaper for twice the way */
        pthread_mutex_lock(&takings.m);
        takings.cents += c;
        takings.cars++;
        pthread_mutex_unlock(&takings.m);
    }
    return NULL;
}

int main(void)
{
    pthread_t b[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&b[i], NULL, booth, (void *)trips[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(b[i], NULL);
    printf("%d cars, %ld cents\n", takings.cars, takings.cents);
    return 0;
}
