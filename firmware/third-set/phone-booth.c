/*
 * Two callers and one phone booth, with Peterson's algorithm as I remember it
 * from the lecture.
 *
 * Bug: the caller is polite first and says that it wants to go in afterwards;
 * the two stores are in the wrong order. While one caller is between them, the
 * other one sees that nobody wants the booth and goes in, and then the first
 * one finds that it is its own turn.
 *
 * validate:
 *   kind: lock-free
 *   variable: turn, want[]
 *   threads: 3
 *   fails-by: assertion
 *   rare: yes
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

#define CALLS 6

struct { int coins, calls; } purse[2] = { { 100, 0 }, { 80, 0 } };  /* each has one */

atomic_int want[2];
atomic_int turn;
atomic_int inside;
int coins;
pthread_barrier_t noon;

void enter(int me)
{
    int other = 1 - me;

#ifdef FIXED
    atomic_store(&want[me], 1);
    purse[me].coins -= 10;
    purse[me].calls++;
    atomic_store(&turn, other);
#else
    atomic_store(&turn, other);                                         /* bug: 1, 2 */
    purse[me].coins -= 10;
    purse[me].calls++;
    atomic_store(&want[me], 1);                                         /* bug: 3, 5 */
#endif
    while (atomic_load(&want[other]) && atomic_load(&turn) == other)    /* bug: 4, 6 */
        sched_yield();
}

void leave(int me)
{
    atomic_store(&want[me], 0);
}

void *caller(void *arg)
{
    int me = *(int *)arg;
    int i;

    pthread_barrier_wait(&noon);
    for (i = 0; i < CALLS; i++) {
        enter(me);
        assert(atomic_fetch_add(&inside, 1) == 0);
        coins += 10;
        assert(atomic_fetch_sub(&inside, 1) == 1);
        leave(me);
    }
    return 0;
}

int main(void)
{
    pthread_t t0, t1;
    int zero = 0, one = 1;

    pthread_barrier_init(&noon, 0, 2);
    pthread_create(&t0, 0, caller, &zero);
    pthread_create(&t1, 0, caller, &one);
    pthread_join(t0, 0);
    pthread_join(t1, 0);
    printf("%d calls, %d in the box\n", purse[0].calls + purse[1].calls, coins);
    assert(coins == 2 * CALLS * 10);
    assert(purse[0].coins + purse[1].coins + coins == 180);
    return 0;
}
