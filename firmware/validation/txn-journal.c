/*
 * txn-journal: hands out transaction numbers and keeps a journal slot for
 * each.
 *
 * journal_begin() numbers small transactions with an atomic increment.  When
 * a group commit needs a run of numbers it reads the counter, works out the
 * end of the run and stores it back, which is not one step: a transaction
 * that begins in between is given a number from the run, and the store puts
 * the counter back.
 *
 * validate:
 *   kind: lost-update
 *   variable: next_txn
 *   threads: 4
 *   fails-by: assert
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

#define JOURNAL_SLOTS 128
#define GROUP 5
#define GROUPS 1
#define SINGLES 9

static atomic_uint next_txn;
static atomic_int  journal[JOURNAL_SLOTS];   /* 0 = empty, else owner id */

static unsigned txn_begin_one(void)
{
    return atomic_fetch_add(&next_txn, 1); /* bug: 2 */
}

static unsigned txn_begin_group(unsigned n)
{
#ifdef FIXED
    return atomic_fetch_add(&next_txn, n);
#else
    unsigned first = atomic_load(&next_txn); /* bug: 1 */
    atomic_store(&next_txn, first + n); /* bug: 3 */
    return first;
#endif
}

static void journal_write(unsigned txn, int owner)
{
    int before = atomic_exchange(&journal[txn % JOURNAL_SLOTS], owner);
    assert(before == 0);        /* every number is issued once */
}

static unsigned mix(unsigned h)
{
    h ^= h >> 7;
    h *= 2654435761u;
    return h ^ (h >> 11);
}

static void *client(void *arg)
{
    int id = *(int *)arg;
    unsigned h = (unsigned)id;

    for (int i = 0; i < SINGLES; i++) {
        for (int k = 0; k < 6; k++)
            h = mix(h);
        journal_write(txn_begin_one(), id);
    }
    return (void *)(uintptr_t)(h & 1);
}

static void *committer(void *arg)
{
    int id = *(int *)arg;
    unsigned h = 99, first;

    for (int round = 0; round < GROUPS; round++) {
        for (int k = 0; k < 40; k++)
            h = mix(h);
        first = txn_begin_group(GROUP);
        for (unsigned i = 0; i < GROUP; i++)
            journal_write(first + i, id);
    }
    return (void *)(uintptr_t)(h & 1);
}

int main(void)
{
    static int ids[3] = { 1, 2, 3 };
    pthread_t t[3];

    pthread_create(&t[0], NULL, client, &ids[0]);
    pthread_create(&t[1], NULL, client, &ids[1]);
    pthread_create(&t[2], NULL, committer, &ids[2]);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    printf("%u transactions\n", atomic_load(&next_txn));
    assert(atomic_load(&next_txn) == 2 * SINGLES + GROUPS * GROUP);
    return 0;
}
