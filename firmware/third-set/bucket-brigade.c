/*
 * A line of helpers fights a fire. Each of them has some buckets and hands
 * them to the next in line; the last one pours them on the fire.
 *
 * Bug: the foreman starts a helper's thread first and then tells it who is
 * next. A quick helper finds nobody there, takes itself for the last in line
 * and pours its buckets out too early.
 *
 * validate:
 *   kind: order
 *   variable: line[].next
 *   threads: 9
 *   fails-by: exit code
 *   rare: no
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#define HELPERS 8
#define BUCKETS 3

typedef struct helper {
    struct helper *_Atomic next;
    pthread_mutex_t lock;
    int pile;                   /* buckets that others put down here */
    pthread_t thread;
} helper;

static helper line[HELPERS];
static pthread_mutex_t fire_lock = PTHREAD_MUTEX_INITIALIZER;
static int fire;

static void hand_over(helper *to, int buckets)
{
    pthread_mutex_lock(&to->lock);
    to->pile += buckets;
    pthread_mutex_unlock(&to->lock);
}

static void pour(int buckets)
{
    pthread_mutex_lock(&fire_lock);
    fire += buckets;
    pthread_mutex_unlock(&fire_lock);
}

static void *carry(void *arg)
{
    helper *me = arg;

    for (int i = 0; i < BUCKETS; i++) {
        helper *next = me->next;            /* bug: 1 */

        if (next != NULL)
            hand_over(next, 1);
        else
            pour(1);
    }
    return NULL;
}

int main(void)
{
    int ok = 1;

    for (int i = 0; i < HELPERS; i++)
        pthread_mutex_init(&line[i].lock, NULL);
    for (int i = 0; i < HELPERS; i++) {
#ifdef FIXED
        if (i + 1 < HELPERS)
            line[i].next = &line[i + 1];
        pthread_create(&line[i].thread, NULL, carry, &line[i]);
#else
        pthread_create(&line[i].thread, NULL, carry, &line[i]);     /* bug */
        if (i + 1 < HELPERS)
            line[i].next = &line[i + 1];    /* bug: 2 */
#endif
    }
    for (int i = 0; i < HELPERS; i++)
        pthread_join(line[i].thread, NULL);

    for (int i = 1; i < HELPERS; i++)
        ok = ok && line[i].pile == BUCKETS;
    printf("%d buckets on the fire\n", fire);
    return ok && fire == BUCKETS ? 0 : 1;
}
