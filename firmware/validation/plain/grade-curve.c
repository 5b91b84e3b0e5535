/*
 * grade-curve: three threads sort exam scores into a histogram with ten
 * columns (locked).
 *
 * Bug: column 10 does not exist; a score of exactly 100 goes there and is
 * refused.  The data contain one such score, whatever the threads do.
 *
 * validate:
 *   kind: plain
 *   variable: column
 *   threads: 4
 *   fails-by: assert
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#define COLUMNS 10

static const int scores[3][8] = {
    { 55, 61, 78, 90, 12, 43, 99, 70 },
    { 88, 67, 100, 34, 51, 0, 76, 62 },
    { 49, 50, 81, 95, 23, 66, 71, 58 },
};
static int histogram[COLUMNS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void add(int score)
{
    int column = score / 10;                    /* bug */

#ifdef FIXED
    if (column == COLUMNS)
        column--;
#endif
    assert(column >= 0 && column < COLUMNS);
    pthread_mutex_lock(&lock);
    histogram[column]++;
    pthread_mutex_unlock(&lock);
}

static void *corrector(void *arg)
{
    const int *s = arg;

    for (int i = 0; i < 8; i++)
        add(s[i]);
    return NULL;
}

int main(void)
{
    pthread_t t[3];
    int sum = 0;

    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, corrector, (void *)scores[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    for (int i = 0; i < COLUMNS; i++)
        sum += histogram[i];
    printf("%d scores\n", sum);
    return sum == 24 ? 0 : 1;
}
