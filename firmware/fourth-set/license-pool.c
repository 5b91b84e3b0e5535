/*
 * A licence server with two seats of a program and five users who need one
 * now and then. Who finds no free seat waits until one is returned.
 *
 * Bug: seat_take() tests with `if`. Between the signal for a waiting user and
 * its waking up, a user who has not waited at all takes the seat; the one who
 * waited then takes a seat that is not there.
 *
 * validate:
 *   kind: check-then-act
 *   variable: pool.available
 *   threads: 6
 *   fails-by: assertion
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define SEATS 2
#define USERS 5
#define SESSIONS 4
#define NOBODY 0

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t returned;
    int available;
    int holder[SEATS];          /* the user, or NOBODY */
    int taken;                  /* ever */
    int most_waiting, waiting;
};

static struct pool pool = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .returned = PTHREAD_COND_INITIALIZER,
    .available = SEATS,
};

static int seat_take(int user)
{
    int seat = 0;

    pthread_mutex_lock(&pool.lock);
    if (++pool.waiting > pool.most_waiting)
        pool.most_waiting = pool.waiting;
#ifdef FIXED
    while (pool.available == 0)
        pthread_cond_wait(&pool.returned, &pool.lock);
#else
    if (pool.available == 0)                    /* bug */
        pthread_cond_wait(&pool.returned, &pool.lock);          /* bug */
#endif
    pool.waiting--;
    assert(pool.available > 0);                 /* bug: 3 */
    pool.available--;                           /* bug: 2 */
    while (pool.holder[seat] != NOBODY)
        seat++;
    pool.holder[seat] = user;
    pool.taken++;
    pthread_mutex_unlock(&pool.lock);
    return seat;
}

static void seat_return(int seat, int user)
{
    pthread_mutex_lock(&pool.lock);
    assert(pool.holder[seat] == user);
    pool.holder[seat] = NOBODY;
    pool.available++;                           /* bug: 1 */
    pthread_cond_signal(&pool.returned);
    pthread_mutex_unlock(&pool.lock);
}

/* What users do with the program. */
static unsigned simulate(unsigned state, int steps)
{
    for (int i = 0; i < steps; i++)
        state = state * 1664525u + 1013904223u;
    return state;
}

static void *user_main(void *arg)
{
    int user = *(int *)arg;
    unsigned state = (unsigned)user;

    for (int i = 0; i < SESSIONS; i++) {
        int seat = seat_take(user);

        state = simulate(state, 20 + 5 * user);
        seat_return(seat, user);
        state = simulate(state, 15);
    }
    return state ? NULL : arg;
}

int main(void)
{
    pthread_t users[USERS];
    int numbers[USERS];

    for (int i = 0; i < USERS; i++) {
        numbers[i] = i + 1;
        if (pthread_create(&users[i], NULL, user_main, &numbers[i]) != 0)
            abort();
    }
    for (int i = 0; i < USERS; i++)
        pthread_join(users[i], NULL);
    printf("%d sessions\n", pool.taken);
    assert(pool.available == SEATS && pool.waiting == 0);
    return pool.taken == USERS * SESSIONS ? 0 : 1;
}
