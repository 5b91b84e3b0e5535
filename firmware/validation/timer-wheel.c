/*
 * timer-wheel.c
 *
 * A clock thread fires timers slot by slot; two client threads cancel timers
 * they no longer need.  Whoever wins - the clock or the client - recycles
 * the timer record, exactly once.
 *
 * Bug: timer_cancel() reads `armed` without the wheel lock and, seeing it
 * set, unlinks and recycles the timer without asking again under the lock.
 * If the clock fires just this timer in between, it is recycled twice.  The
 * clock must reach the slot exactly between the two steps.
 *
 * validate:
 *   kind: lifetime
 *   variable: t->armed
 *   threads: 4
 *   fails-by: assert
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#define NTIMER 12
#define NSLOT  6

struct timer {
    atomic_int armed;
    int slot;
    int owner;
    int recycled;
};

struct wheel {
    pthread_mutex_t lock;
    struct timer *at[NSLOT][NTIMER];
    int now;
    int fired, cancelled;
};

static struct wheel wheel = { .lock = PTHREAD_MUTEX_INITIALIZER };
static struct timer timers[NTIMER];

/* wheel lock held */
static void recycle(struct timer *t)
{
    assert(t->recycled == 0);                                   /* bug: 4 */
    t->recycled = 1;                                            /* bug: 3 */
}

static void timer_arm(int i, int slot, int owner)
{
    struct timer *t = &timers[i];

    t->slot = slot;
    t->owner = owner;
    atomic_store(&t->armed, 1);
    wheel.at[slot][i] = t;
}

static int timer_cancel(int i)
{
    struct timer *t = &timers[i];

    if (!atomic_load(&t->armed))                                /* bug: 1 */
        return 0;
    pthread_mutex_lock(&wheel.lock);
#ifdef FIXED
    if (!atomic_load(&t->armed)) {
        pthread_mutex_unlock(&wheel.lock);
        return 0;
    }
#endif
    atomic_store(&t->armed, 0);
    wheel.at[t->slot][i] = NULL;
    wheel.cancelled++;
    recycle(t);
    pthread_mutex_unlock(&wheel.lock);
    return 1;
}

static void *clockwork(void *arg)
{
    for (int s = 0; s < NSLOT; s++) {
        pthread_mutex_lock(&wheel.lock);
        wheel.now = s;
        for (int i = 0; i < NTIMER; i++) {
            struct timer *t = wheel.at[s][i];
            if (t == NULL)
                continue;
            atomic_store(&t->armed, 0);                         /* bug: 2 */
            wheel.at[s][i] = NULL;
            wheel.fired++;
            recycle(t);
        }
        pthread_mutex_unlock(&wheel.lock);
    }
    return arg;
}

static void *client(void *arg)
{
    int owner = *(int *)arg;

    /* only every third of the own timers is cancelled */
    for (int i = 0; i < NTIMER; i++)
        if (timers[i].owner == owner && i % 3 == 0)
            timer_cancel(i);
    return NULL;
}

int main(void)
{
    pthread_t ck, cl[2];
    int who[2] = { 0, 1 };

    for (int i = 0; i < NTIMER; i++)
        timer_arm(i, (NTIMER - 1 - i) / 2, i % 2);
    pthread_create(&cl[0], NULL, client, &who[0]);
    pthread_create(&cl[1], NULL, client, &who[1]);
    pthread_create(&ck, NULL, clockwork, NULL);
    pthread_join(ck, NULL);
    pthread_join(cl[0], NULL);
    pthread_join(cl[1], NULL);
    printf("%d fired, %d cancelled\n", wheel.fired, wheel.cancelled);
    assert(wheel.fired + wheel.cancelled == NTIMER);
    return 0;
}
