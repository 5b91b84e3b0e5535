/*
 * Children take pebbles from a pile and put them back; the pile is a lock
 * free stack of indices. No pebble may be in two hands at once.
 *
 * Bug: the top of the pile carries no version, so a child can take away the
 * top after it was removed and put back (ABA) and installs a stale next.
 *
 * validate:
 *   kind: lock-free
 *   variable: top, next[]
 *   threads: 3
 *   fails-by: assert
 *   rare: yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

#define PEBBLES 3
#define NONE 0xffu
#define INDEX(t) ((t) & 0xffu)
#ifdef FIXED                    /* version in the upper bits */
#define TOP(i, old) ((((old) >> 8) + 1) << 8 | (i))
#else
#define TOP(i, old) ((void)(old), (uint32_t)(i))
#endif

static _Atomic uint32_t top = NONE;
static _Atomic uint32_t next[PEBBLES];
static atomic_int hands[PEBBLES];       /* who holds this pebble */
static pthread_mutex_t games_lock = PTHREAD_MUTEX_INITIALIZER;
static int games;

static void put(uint32_t i)
{
    uint32_t t = atomic_load(&top);
    do
        atomic_store(&next[i], INDEX(t));
    while (!atomic_compare_exchange_strong(&top, &t, TOP(i, t)));     /* bug: 5 */
}

static uint32_t take(void)
{
    uint32_t n, t = atomic_load(&top);                                  /* bug: 1 */
    do {
        if (INDEX(t) == NONE)
            return NONE;
        n = atomic_load(&next[INDEX(t)]);                               /* bug: 2 */
    } while (!atomic_compare_exchange_strong(&top, &t, TOP(n, t)));     /* bug: 3, 4, 6 */
    return INDEX(t);
}

static void hold(uint32_t i)
{
    if (i != NONE)
        assert(atomic_fetch_add(&hands[i], 1) == 0);
}

static void drop(uint32_t i)
{
    if (i == NONE)
        return;
    atomic_fetch_sub(&hands[i], 1);
    put(i);
}

static void play(int times)
{
    while (times-- > 0) {
        pthread_mutex_lock(&games_lock);
        games++;
        pthread_mutex_unlock(&games_lock);
    }
}

static void *careful(void *arg)
{
    play(*(int *)arg);
    for (int i = 0; i < 2; i++) {
        uint32_t a = take();
        hold(a);
        drop(a);
        play(1);
    }
    return NULL;
}

static void *juggler(void *arg)
{
    play(*(int *)arg);
    for (int i = 0; i < 2; i++) {
        uint32_t a = take(), b;
        hold(a);
        hold(b = take());
        drop(a);
        drop(b);
        play(4);
    }
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    int first[2] = { 0, 30 }, left = 0;

    for (uint32_t i = 0; i < PEBBLES; i++)
        put(i);
    pthread_create(&t[0], NULL, careful, &first[0]);
    pthread_create(&t[1], NULL, juggler, &first[1]);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    while (take() != NONE)
        assert(++left <= PEBBLES);
    printf("%d pebbles, %d games\n", left, games);
    assert(left == PEBBLES);
    return 0;
}
