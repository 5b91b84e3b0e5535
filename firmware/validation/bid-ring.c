/*
 * bid-ring.c
 *
 * Bids are put into a small ring by one seller thread; two bidders consume
 * them.  Consumers claim an entry with a compare-exchange on `head`.
 *
 * Bug: `head` and `tail` are kept modulo the ring size.  A consumer that has
 * read head and the entry can be overtaken by a whole turn of the ring; its
 * compare-exchange then still succeeds, and it delivers an old bid a second
 * time while the new one in the same place is lost.
 *
 * validate:
 *   kind: lock-free
 *   variable: head, ring[]
 *   threads: 4
 *   fails-by: exit
 *   rare: yes
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

#define RING 4u                 /* one place always stays empty */
#define BIDS 14

#ifdef FIXED
#define NEXT(i) ((i) + 1)       /* counts on for ever, place = i % RING */
#define FULL(h, t) ((t) - (h) == RING - 1)
#else
#define NEXT(i) (((i) + 1) % RING)
#define FULL(h, t) (NEXT(t) == (h))
#endif

static atomic_uint head, tail;
static atomic_int ring[RING];
static atomic_int taken;

static void *seller(void *arg)
{
    for (int bid = 1; bid <= BIDS; bid++) {
        unsigned t = atomic_load(&tail);

        while (FULL(atomic_load(&head), t)) {
            if (atomic_load(&taken) >= BIDS)    /* the bidders went home */
                return arg;
            sched_yield();
        }
        atomic_store(&ring[t % RING], bid);                     /* bug: 4 */
        atomic_store(&tail, NEXT(t));
    }
    return arg;
}

static int take(int *bid)
{
    unsigned h = atomic_load(&head);                            /* bug: 1 */

    if (h == atomic_load(&tail))
        return 0;
    *bid = atomic_load(&ring[h % RING]);                        /* bug: 2 */
    return atomic_compare_exchange_strong(&head, &h, NEXT(h));  /* bug: 3, 5 */
}

static void *bidder(void *arg)
{
    int *sum = arg, bid;

    while (atomic_load(&taken) < BIDS) {
        if (take(&bid)) {
            *sum += bid;
            atomic_fetch_add(&taken, 1);
        } else {
            sched_yield();
        }
    }
    return NULL;
}

int main(void)
{
    pthread_t s, b[2];
    int sum[2] = { 0, 0 };

    pthread_create(&s, NULL, seller, NULL);
    pthread_create(&b[0], NULL, bidder, &sum[0]);
    pthread_create(&b[1], NULL, bidder, &sum[1]);
    pthread_join(s, NULL);
    pthread_join(b[0], NULL);
    pthread_join(b[1], NULL);
    printf("bids worth %d\n", sum[0] + sum[1]);
    return sum[0] + sum[1] == BIDS * (BIDS + 1) / 2 ? 0 : 1;
}
