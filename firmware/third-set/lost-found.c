/*
 * The lost property office: a clerk carries things from the box to the desk,
 * an inspector now and then counts both. Box and desk have a lock each.
 *
 * Bug: both counts are changed under their own lock, but not together. Between
 * the two the thing in the clerk's hand is nowhere, and the inspector, who
 * does lock both, misses it.
 *
 * validate:
 *   kind: several-variables
 *   variable: in_box, on_desk
 *   threads: 3
 *   fails-by: exit code
 *   rare: no
 */
#include <pthread.h>
#include <stdio.h>

#define THINGS 20
#define CARRIED 8
#define INSPECTIONS 4

#define LOCK(m) pthread_mutex_lock(&(m))
#define UNLOCK(m) pthread_mutex_unlock(&(m))

static pthread_mutex_t box = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t desk = PTHREAD_MUTEX_INITIALIZER;
static int in_box = THINGS;
static int on_desk = 0;

static void carry(void)
{
    LOCK(box);
#ifdef FIXED
    LOCK(desk);
#endif
    in_box--;                   /* bug: 1 */
#ifndef FIXED
    UNLOCK(box);                /* bug */
    LOCK(desk);                 /* bug */
#endif
    on_desk++;                  /* bug: 4 */
    UNLOCK(desk);
#ifdef FIXED
    UNLOCK(box);
#endif
}

static void *clerk(void *arg)
{
    for (int i = 0; i < CARRIED; i++)
        carry();
    return arg;
}

static void *inspector(void *arg)
{
    int *complaints = arg;

    for (int i = 0; i < INSPECTIONS; i++) {
        int things;

        LOCK(box);
        LOCK(desk);
        things = in_box;        /* bug: 2 */
        things += on_desk;      /* bug: 3 */
        UNLOCK(desk);
        UNLOCK(box);
        if (things != THINGS)
            ++*complaints;
    }
    return NULL;
}

int main(void)
{
    pthread_t c, i;
    int complaints = 0;

    pthread_create(&c, NULL, clerk, NULL);
    pthread_create(&i, NULL, inspector, &complaints);
    pthread_join(c, NULL);
    pthread_join(i, NULL);
    printf("box %d, desk %d, complaints %d\n", in_box, on_desk, complaints);
    if (in_box + on_desk != THINGS)
        return 2;
    return complaints ? 1 : 0;
}
