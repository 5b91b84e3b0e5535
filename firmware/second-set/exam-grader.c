/*
 * Graders each mark a pile of exams and write down the points of their pile.
 * Main adds up the points of all piles.
 *
 * Bug: the joining loop starts at 1, so main may add up before the first
 * grader has written his points.
 *
 * validate:
 *   kind: order
 *   variable: points[]
 *   threads: 4
 *   fails-by: exit
 *   rare: no
 */
#include <pthread.h>
#include <stdio.h>

#define GRADERS 3

static int pile[GRADERS][5] = {
    { 3, 1, 4, 1, 5 }, { 9, 2, 6, 5, 3 }, { 5, 8, 9, 7, 9 },
};
static int points[GRADERS];

static pthread_mutex_t best_lock = PTHREAD_MUTEX_INITIALIZER;
static int best = -1;

static void offer_best(int p)
{
    pthread_mutex_lock(&best_lock);
    if (p > best)
        best = p;
    pthread_mutex_unlock(&best_lock);
}

static void *grader(void *arg)
{
    int id = *(int *)arg;
    int sum = 0;

    for (int i = 0; i < 5; i++) {
        sum += pile[id][i];
        offer_best(pile[id][i]);
    }
    points[id] = sum;                   /* bug: 2 */
    return NULL;
}

int main(void)
{
    pthread_t t[GRADERS];
    static int id[GRADERS];
    int total = 0;

    for (int i = 0; i < GRADERS; i++) {
        id[i] = i;
        pthread_create(&t[i], NULL, grader, &id[i]);
    }
#ifdef FIXED
    for (int i = 0; i < GRADERS; i++)
#else
    for (int i = 1; i < GRADERS; i++)   /* bug */
#endif
        pthread_join(t[i], NULL);

    for (int i = 0; i < GRADERS; i++)
        total += points[i];             /* bug: 1 */

    pthread_mutex_lock(&best_lock);
    printf("total %d, best %d\n", total, best);
    pthread_mutex_unlock(&best_lock);
    return total == 77 ? 0 : 1;
}
