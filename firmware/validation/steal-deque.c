/*
 * steal-deque.c: one owner, two thieves.
 *
 * The owner pushes and pops at the bottom, thieves take from the top: they
 * read top and bottom and claim with a compare-exchange on top.  For the very
 * last task owner and thief meet; the owner's pop decides by comparing top and
 * bottom only and does not compete for top, so that the task can run twice.
 *
 * validate:
 *   kind: lock-free
 *   variable: dq.top, dq.bottom
 *   threads: 4
 *   fails-by: assert
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

#define MAXTASK 64
#define NONE (-1)

static struct {
    atomic_int top, bottom;
    atomic_int slot[MAXTASK];
} dq;

static atomic_int ran[MAXTASK];
static atomic_bool owner_finished;

static void dq_push(int task)
{
    int b = atomic_load(&dq.bottom);
    atomic_store(&dq.slot[b], task);
    atomic_store(&dq.bottom, b + 1);
}

static int dq_pop(void)
{
    int b = atomic_load(&dq.bottom) - 1;
    atomic_store(&dq.bottom, b); /* bug: 3 */
    int t = atomic_load(&dq.top); /* bug: 4 */

    if (b < t) {                        /* nothing left */
        atomic_store(&dq.bottom, t);
        return NONE;
    }
#ifdef FIXED
    if (b == t) {                       /* last one: race for it */
        bool won = atomic_compare_exchange_strong(&dq.top, &t, t + 1);
        atomic_store(&dq.bottom, b + 1);
        return won ? atomic_load(&dq.slot[b]) : NONE;
    }
#endif
    return atomic_load(&dq.slot[b]); /* bug: 6 */
}

static int dq_steal(void)
{
    int t = atomic_load(&dq.top); /* bug: 1 */
    int b = atomic_load(&dq.bottom); /* bug: 2 */

    if (t >= b)
        return NONE;
    int task = atomic_load(&dq.slot[t]);
    if (!atomic_compare_exchange_strong(&dq.top, &t, t + 1)) /* bug: 5 */
        return NONE;
    return task;
}

static void run(int task)
{
    int times = atomic_fetch_add(&ran[task], 1);
    assert(times == 0);
}

static void *thief(void *arg)
{
    long got = 0;
    (void)arg;
    for (int i = 0; i < 4 && !atomic_load(&owner_finished); i++) {
        int task = dq_steal();
        if (task != NONE) {
            run(task);
            got++;
        }
    }
    return (void *)got;
}

static void *owner(void *arg)
{
    int next = 0, task;
    (void)arg;
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 5; i++)
            dq_push(next++);
        while ((task = dq_pop()) != NONE)
            run(task);
    }
    atomic_store(&owner_finished, true);
    return (void *)(long)next;
}

int main(void)
{
    pthread_t o, th[2];
    void *n;
    int done = 0;

    pthread_create(&th[0], NULL, thief, NULL);
    pthread_create(&o, NULL, owner, NULL);
    pthread_create(&th[1], NULL, thief, NULL);
    pthread_join(o, &n);
    pthread_join(th[0], NULL);
    pthread_join(th[1], NULL);
    for (int i = 0; i < MAXTASK; i++)
        done += atomic_load(&ran[i]);
    printf("%d tasks\n", done);
    assert(done == (int)(long)n);
    return 0;
}
