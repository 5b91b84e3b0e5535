/*
 * slot-freelist.c
 *
 * A lock-free free list of buffer slots: `top` holds the index of the first
 * free slot, next_free[] links the rest.  Threads take slots, mark them as
 * theirs, and give them back.
 *
 * Bug: slot_take() has the ABA problem.  Between reading next_free[] of the
 * top slot and the compare-exchange, others may take that slot and the one
 * after it and then give back the first only.  The compare-exchange succeeds
 * (same index), but installs a next slot which is in use.
 *
 * validate:
 *   kind: lock-free
 *   variable: top, next_free[]
 *   threads: 3
 *   fails-by: assert
 *   rare: yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

#define SLOTS 6
#define NONE  0xffffu

static _Atomic uint32_t top;                /* with FIXED: tag << 16 | index */
static _Atomic uint32_t next_free[SLOTS];
static atomic_int owner[SLOTS];             /* 0 = nobody */

#ifdef FIXED
#define INDEX(w)      ((w) & 0xffffu)
#define MAKE(old, ix) ((((old) & 0xffff0000u) + 0x10000u) | (ix))
#else
#define INDEX(w)      (w)
#define MAKE(old, ix) (ix)
#endif

static uint32_t slot_take(int me)
{
    uint32_t old, next;
    int was;

    do {
        old = atomic_load(&top);                                /* bug: 1 */
        if (INDEX(old) == NONE)
            return NONE;
        next = atomic_load(&next_free[INDEX(old)]);             /* bug: 2 */
    } while (!atomic_compare_exchange_strong(&top, &old, MAKE(old, next))); /* bug: 3, 4, 6 */
    was = atomic_exchange(&owner[INDEX(old)], me);
    assert(was == 0);                                           /* bug */
    return INDEX(old);
}

static void slot_give(uint32_t ix)
{
    uint32_t old;

    atomic_store(&owner[ix], 0);
    old = atomic_load(&top);
    do {
        atomic_store(&next_free[ix], INDEX(old));
    } while (!atomic_compare_exchange_strong(&top, &old, MAKE(old, ix))); /* bug: 5 */
}

static void *user(void *arg)
{
    int me = *(int *)arg;
    int rounds = me == 1 ? 4 : 3;

    for (int i = 0; i < rounds; i++) {
        uint32_t a = slot_take(me);
        uint32_t b = slot_take(me);

        assert(a != NONE && b != NONE);
        slot_give(a);
        if (i % 2) {
            uint32_t c = slot_take(me);
            assert(c != NONE && c != b);
            slot_give(c);
        }
        slot_give(b);
    }
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    int id[2] = { 1, 2 };
    int n = 0;

    for (uint32_t i = 0; i < SLOTS; i++)
        next_free[i] = i + 1 < SLOTS ? i + 1 : NONE;
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, user, &id[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    for (uint32_t ix = INDEX(top); ix != NONE && n <= SLOTS; ix = next_free[ix])
        n++;
    printf("%d slots free\n", n);
    assert(n == SLOTS);
    return 0;
}
