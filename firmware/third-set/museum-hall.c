/*
 * Readers and writers, first solution of the textbook: visitors may look at
 * the paintings together, the curator rearranges them alone. The first visitor
 * takes the hall, the last one gives it back.
 *
 * Bug: the count of visitors is locked on the way in but not on the way out.
 * Two visitors who leave (or leave and enter) together make the count wrong,
 * and the last one does not know that it is the last.
 *
 * validate:
 *   kind: readers-writers
 *   variable: visitors
 *   threads: 5
 *   fails-by: exit code
 *   rare: no
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

#define VISITORS 3
#define VISITS 4
#define HANGINGS 3

static sem_t hall;
static sem_t turnstile;             /* protects the count */
static int visitors;
static int left_wall = 50, right_wall = 50;

static void enter(void)
{
    sem_wait(&turnstile);
    visitors++;                                     /* bug: 1, 2, 3 */
    if (visitors == 1)
        sem_wait(&hall);
    sem_post(&turnstile);
}

static void leave(void)
{
#ifdef FIXED
    sem_wait(&turnstile);
#endif
    visitors--;                                     /* bug: 1, 2, 3 */
    if (visitors == 0)                              /* bug */
        sem_post(&hall);
#ifdef FIXED
    sem_post(&turnstile);
#endif
}

static void *visitor(void *arg)
{
    int *missing = arg;

    for (int i = 0; i < VISITS; i++) {
        enter();
        if (left_wall + right_wall != 100)
            ++*missing;
        leave();
    }
    return NULL;
}

static void *curator(void *arg)
{
    for (int i = 0; i < HANGINGS; i++) {
        sem_wait(&hall);
        left_wall -= 10;
        right_wall += 10;
        sem_post(&hall);
    }
    return arg;
}

int main(void)
{
    pthread_t v[VISITORS], c;
    int missing[VISITORS] = { 0 }, sum = 0;

    sem_init(&hall, 0, 1);
    sem_init(&turnstile, 0, 1);
    for (int i = 0; i < VISITORS; i++)
        pthread_create(&v[i], NULL, visitor, &missing[i]);
    pthread_create(&c, NULL, curator, NULL);
    for (int i = 0; i < VISITORS; i++) {
        pthread_join(v[i], NULL);
        sum += missing[i];
    }
    pthread_join(c, NULL);
    printf("%d and %d paintings, %d visitors inside\n", left_wall, right_wall, visitors);
    return sum == 0 && visitors == 0 ? 0 : 1;
}
