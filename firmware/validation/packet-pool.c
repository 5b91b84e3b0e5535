/*
 * packet-pool.c - lock-free free list of packet buffers (index links).
 *
 * pool_get() reads the head and the head's successor and swings the head with
 * a compare-exchange.  The head is a bare index: if the same buffer has been
 * taken and put back meanwhile with a different successor, the exchange still
 * succeeds and a buffer that is in use becomes the head of the free list.
 *
 * validate:
 *   kind: lock-free
 *   variable: head, link_[]
 *   threads: 4
 *   fails-by: assert
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

#define NBUF 8
#define NIL  0xFFFFu

static atomic_uint head;                /* index of first free buffer */
static atomic_uint link_[NBUF];
static atomic_int  owner[NBUF];         /* 0: free */

#define IDX(h) ((h) & 0xFFFFu)
#ifdef FIXED
/* upper half: version, changes with every put */
#define NEWHEAD(old, idx) (((old) & 0xFFFF0000u) | (idx))
#define BUMP(old, idx)    ((((old) & 0xFFFF0000u) + 0x10000u) | (idx))
#else
#define NEWHEAD(old, idx) (idx)
#define BUMP(old, idx)    (idx)
#endif

static int pool_get(int me)
{
    unsigned h, next;

    for (;;) {
        h = atomic_load(&head); /* bug: 1, 4 */
        if (IDX(h) == NIL)
            return -1;
        next = atomic_load(&link_[IDX(h)]); /* bug: 2 */
        if (atomic_compare_exchange_strong(&head, &h, NEWHEAD(h, next))) /* bug: 3, 5, 8 */
            break;
    }
    int was = atomic_exchange(&owner[IDX(h)], me);
    assert(was == 0);
    return (int)IDX(h);
}

static void pool_put(int b)
{
    unsigned h = atomic_load(&head);
    atomic_store(&owner[b], 0);
    do
        atomic_store(&link_[b], IDX(h)); /* bug: 6 */
    while (!atomic_compare_exchange_strong(&head, &h, BUMP(h, (unsigned)b))); /* bug: 7 */
}

static void *rx(void *arg)
{
    int me = (int)(intptr_t)arg;
    for (int i = 0; i < 2; i++) {
        /* header and payload buffer; the header is returned first */
        int hdr = pool_get(me);
        int pay = pool_get(me);
        if (hdr >= 0)
            pool_put(hdr);
        if (pay >= 0) {
            assert(atomic_load(&owner[pay]) == me);
            pool_put(pay);
        }
    }
    return NULL;
}

int main(void)
{
    pthread_t t[3];
    int n = 0;

    for (unsigned i = 0; i < NBUF; i++)
        atomic_init(&link_[i], i + 1 < NBUF ? i + 1 : NIL);
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, rx, (void *)(intptr_t)(i + 1));
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    for (unsigned i = IDX(atomic_load(&head)); i != NIL && n <= NBUF; i = atomic_load(&link_[i]))
        n++;
    printf("%d buffers free\n", n);
    assert(n == NBUF);
    return 0;
}
