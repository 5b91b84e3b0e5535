/*
 * A rack of plates is a lock-free stack. The waiter takes the top plate and
 * puts it back; the dishwasher takes two, puts the first back at once and the
 * second a little later.
 *
 * Bug: ABA. While the waiter is between reading the top plate and swapping it,
 * the dishwasher takes that plate and the one below and puts the first one
 * back. The swap succeeds, and the plate in the dishwasher's hand is the top
 * of the rack. (With a tag that changes on every swap it would fail.)
 *
 * validate:
 *   kind: lock-free
 *   variable: top, below[]
 *   threads: 3
 *   fails-by: assertion
 *   rare: yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#define PLATES 4

#ifdef FIXED
#define TAG 0x100u
#else
#define TAG 0x0u
#endif
#define PLATE(word) ((word) & 0xffu)
#define NEXT_TAG(word) (((word) & ~0xffu) + TAG)

static atomic_uint top;                     /* number of the top plate, and tag */
static atomic_uint below[PLATES + 1];       /* number of the plate below, or 0 */
static atomic_int in_hand[PLATES + 1];

static unsigned take(void)
{
    for (;;) {
        unsigned t = atomic_load(&top);                         /* bug: 1 */
        unsigned plate = PLATE(t);

        if (plate == 0)
            return 0;
        unsigned next = atomic_load(&below[plate]);             /* bug: 2 */
        if (atomic_compare_exchange_strong(&top, &t, NEXT_TAG(t) | next)) {     /* bug: 3, 4, 6 */
            assert(atomic_exchange(&in_hand[plate], 1) == 0);
            return plate;
        }
    }
}

static void put(unsigned plate)
{
    unsigned t;

    atomic_store(&in_hand[plate], 0);
    do {
        t = atomic_load(&top);
        atomic_store(&below[plate], PLATE(t));
    } while (!atomic_compare_exchange_strong(&top, &t, NEXT_TAG(t) | plate));   /* bug: 5 */
}

static pthread_barrier_t shift;

static void *waiter(void *arg)
{
    pthread_barrier_wait(&shift);
    for (int i = 0; i < 6; i++) {
        unsigned plate = take();

        if (plate != 0)
            put(plate);
    }
    return arg;
}

static void *dishwasher(void *arg)
{
    pthread_barrier_wait(&shift);
    for (int i = 0; i < 4; i++) {
        unsigned first = take();
        unsigned second = take();

        if (first != 0)
            put(first);
        for (volatile int wipe = 0; wipe < 20; wipe++)
            ;
        if (second != 0)
            put(second);
    }
    return arg;
}

int main(void)
{
    pthread_t w, d;
    int count = 0;

    for (unsigned p = 1; p <= PLATES; p++)
        put(p);
    pthread_barrier_init(&shift, NULL, 2);
    pthread_create(&w, NULL, waiter, NULL);
    pthread_create(&d, NULL, dishwasher, NULL);
    pthread_join(w, NULL);
    pthread_join(d, NULL);
    while (take() != 0)
        count++;
    printf("%d plates\n", count);
    assert(count == PLATES);
    return 0;
}
