/*
 * stock-bins/main.c
 *
 * Pickers carry screws between the bins of a store, a clerk counts the whole
 * store in the meantime (stock.c).  Carrying does not change the total.
 *
 * Bug (stock.c): the clerk locks one bin after the other, but only one at a
 * time.  Screws carried from a bin he has still to count to one he already
 * has counted (or the other way round) make the total wrong.
 *
 * validate:
 *   kind: several-variables
 *   variable: bins[].screws
 *   threads: 4
 *   fails-by: exit
 *   rare: no
 */
#include "stock.h"

#include <stdio.h>

struct trip { int from, to, n; };

static const struct trip plan[2][6] = {
    { { 4, 0, 7 }, { 0, 2, 3 }, { 2, 1, 5 }, { 3, 1, 4 }, { 1, 3, 6 }, { 0, 4, 2 } },
    { { 3, 1, 9 }, { 1, 0, 2 }, { 0, 4, 8 }, { 2, 4, 1 }, { 4, 2, 7 }, { 2, 3, 3 } },
};

static void *picker(void *arg)
{
    const struct trip *t = arg;

    for (int i = 0; i < 6; i++)
        carry(t[i].from, t[i].to, t[i].n);
    return NULL;
}

static void *clerk(void *arg)
{
    int *wrong = arg;

    for (int i = 0; i < 3; i++)
        if (count_all() != BINS * START)
            ++*wrong;
    return NULL;
}

int main(void)
{
    pthread_t p[2], c;
    int wrong = 0;

    stock_init();
    for (int i = 0; i < 2; i++)
        pthread_create(&p[i], NULL, picker, (void *)plan[i]);
    pthread_create(&c, NULL, clerk, &wrong);
    for (int i = 0; i < 2; i++)
        pthread_join(p[i], NULL);
    pthread_join(c, NULL);

    printf("%d wrong counts, finally %d\n", wrong, count_all());
    return wrong != 0;
}
