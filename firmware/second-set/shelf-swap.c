/*
 * Shop assistants move goods between shelves; each shelf has its own lock.
 *
 * Bug: the two shelves are locked in the order of the arguments, so two
 * assistants moving in opposite directions block each other for ever.
 *
 * validate:
 *   kind: deadlock
 *   variable: from->lock, to->lock
 *   threads: 3
 *   fails-by: deadlock
 *   rare: no
 */
#include <pthread.h>
#include <stdio.h>

struct shelf {
    pthread_mutex_t lock;
    int goods;
};

static struct shelf shelves[4];
static int moves;
static pthread_mutex_t moves_lock = PTHREAD_MUTEX_INITIALIZER;

static void move(struct shelf *from, struct shelf *to, int n)
{
#ifdef FIXED
    pthread_mutex_lock(from < to ? &from->lock : &to->lock);
    pthread_mutex_lock(from < to ? &to->lock : &from->lock);
#else
    pthread_mutex_lock(&from->lock);    /* bug: 1, 2 */
    pthread_mutex_lock(&to->lock);      /* bug: 3, 4 */
#endif
    if (from->goods >= n) {
        from->goods -= n;
        to->goods += n;
    }
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);

    pthread_mutex_lock(&moves_lock);
    moves++;
    pthread_mutex_unlock(&moves_lock);
}

static void *upwards(void *arg)
{
    (void)arg;
    for (int i = 0; i < 3; i++)
        move(&shelves[i], &shelves[i + 1], 2);
    return NULL;
}

static void *downwards(void *arg)
{
    (void)arg;
    for (int i = 3; i > 0; i--)
        move(&shelves[i], &shelves[i - 1], 1);
    return NULL;
}

int main(void)
{
    pthread_t up, down;
    int sum = 0;

    for (int i = 0; i < 4; i++) {
        pthread_mutex_init(&shelves[i].lock, NULL);
        shelves[i].goods = 10;
    }
    pthread_create(&up, NULL, upwards, NULL);
    pthread_create(&down, NULL, downwards, NULL);
    pthread_join(up, NULL);
    pthread_join(down, NULL);
    for (int i = 0; i < 4; i++)
        sum += shelves[i].goods;
    printf("%d goods after %d moves\n", sum, moves);
    return sum == 40 && moves == 6 ? 0 : 1;
}
