/*
 * Interview question: eleven ticket machines sell from one roll when the box
 * office opens. "No mutex needed, the counter is atomic."
 *
 * Bug: the check that a ticket is left and the taking of one are two atomic
 * operations; several machines pass the check for the last ticket.
 *
 * validate:
 *   kind: check-then-act
 *   variable: left
 *   threads: 12
 *   fails-by: assertion
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

enum { MACHINES = 11, TICKETS = 25 };

static atomic_int left = TICKETS;
static unsigned printed[TICKETS + 1];       /* by ticket number, from 1 */
static int sold[MACHINES];
static pthread_barrier_t opening;

/* Gives the number of a ticket, or 0 if there is none. */
static int tear_off(void)
{
#ifdef FIXED
    int n = atomic_load(&left);

    while (n > 0 && !atomic_compare_exchange_strong(&left, &n, n - 1))
        ;
    return n;
#else
    if (atomic_load(&left) <= 0)                /* bug: 1 */
        return 0;
    int n = atomic_fetch_sub(&left, 1);         /* bug: 2, 3 */
    assert(n > 0 && "sold a ticket that does not exist");
    return n;
#endif
}

static unsigned bar_code(unsigned number)
{
    unsigned code = number | 0x100;

    for (int bit = 0; bit < 16; bit++)
        code = (code >> 1) ^ (code & 1 ? 0xa001u : 0);
    return code;
}

static void *machine(void *arg)
{
    intptr_t self = (intptr_t)arg;
    int ticket;

    pthread_barrier_wait(&opening);
    while ((ticket = tear_off()) != 0) {
        printed[ticket] = bar_code((unsigned)ticket);
        sold[self]++;
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[MACHINES];
    int total = 0;

    pthread_barrier_init(&opening, NULL, MACHINES);
    for (intptr_t i = 0; i < MACHINES; i++)
        pthread_create(&threads[i], NULL, machine, (void *)i);
    for (int i = 0; i < MACHINES; i++) {
        pthread_join(threads[i], NULL);
        total += sold[i];
    }
    for (int t = 1; t <= TICKETS; t++)
        assert(printed[t] == bar_code((unsigned)t));
    assert(total == TICKETS);
    printf("sold out: %d\n", total);
    return 0;
}
