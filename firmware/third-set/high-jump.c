/*
 * Two judges enter the heights of a high jump contest; the best one is kept
 * in an atomic variable.
 *
 * Bug: the maximum is a load, a comparison and a store. Between the load and
 * the store of one judge the other one can store a greater height, which is
 * then overwritten by the smaller one.
 *
 * validate:
 *   kind: lost-update
 *   variable: best
 *   threads: 3
 *   fails-by: assertion
 *   rare: yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

typedef struct {
    const int *heights;     /* in centimeters, 0 at the end */
    int seen;
} judge_t;

static const int north[] = { 140, 151, 149, 162, 171, 158, 0 };
static const int south[] = { 145, 139, 150, 166, 183, 160, 0 };

static pthread_barrier_t whistle;

static atomic_int best;
static atomic_int jumps;

static void enter_height(int cm)
{
#ifdef FIXED
    int now = atomic_load(&best);

    while (cm > now && !atomic_compare_exchange_weak(&best, &now, cm))
        ;
#else
    if (cm > atomic_load(&best))        /* bug: 1 */
        atomic_store(&best, cm);        /* bug: 2, 3 */
#endif
}

static void *judge(void *arg)
{
    judge_t *j = arg;

    pthread_barrier_wait(&whistle);
    for (const int *h = j->heights; *h != 0; h++) {
        atomic_fetch_add(&jumps, 1);
        enter_height(*h);
        j->seen++;
    }
    return NULL;
}

int main(void)
{
    judge_t judges[2] = { { north, 0 }, { south, 0 } };
    pthread_t t[2];

    pthread_barrier_init(&whistle, NULL, 2);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, judge, &judges[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);

    assert(judges[0].seen + judges[1].seen == atomic_load(&jumps));
    printf("best: %d cm\n", atomic_load(&best));
    assert(atomic_load(&best) == 183);
    return 0;
}
