/*
 * One chef, one guest and a belt with room for four plates: the ring buffer
 * with two indices that needs no lock.
 *
 * Bug: the chef advances `tail` and then puts the plate down. A guest who
 * looks in between takes the plate of the previous round, or none.
 *
 * validate:
 *   kind: publication
 *   variable: tail, belt[]
 *   threads: 2
 *   fails-by: exit code
 *   rare: no
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

#define ROOM 4
#define PLATES 12

static atomic_int belt[ROOM];
static atomic_uint head, tail;      /* both only grow */

static int full(void)  { return atomic_load(&tail) - atomic_load(&head) == ROOM; }
static int empty(void) { return atomic_load(&tail) == atomic_load(&head); }     /* bug: 2 */

static int slice(int plate)
{
    int rice = plate;

    for (int i = 0; i < 10; i++)
        rice = (rice * 5 + 3) % 1009;
    return rice ? plate : -plate;
}

static void *chef(void *arg)
{
    (void)arg;
    for (int plate = 1; plate <= PLATES; plate++) {
        while (full())
            sched_yield();
        int fish = slice(plate);
        unsigned where = atomic_load(&tail);
#ifdef FIXED
        atomic_store(&belt[where % ROOM], fish);
        atomic_store(&tail, where + 1);
#else
        atomic_store(&tail, where + 1);                     /* bug: 1 */
        atomic_store(&belt[where % ROOM], fish);            /* bug: 4 */
#endif
    }
    return NULL;
}

int main(void)      /* the guest */
{
    pthread_t t;
    int wrong = 0;

    pthread_create(&t, NULL, chef, NULL);
    for (int want = 1; want <= PLATES; want++) {
        while (empty())
            sched_yield();
        unsigned where = atomic_load(&head);
        int plate = atomic_load(&belt[where % ROOM]);       /* bug: 3 */
        atomic_store(&head, where + 1);
        if (plate != want && plate != -want)
            wrong++;
    }
    pthread_join(t, NULL);
    printf("%d wrong plates\n", wrong);
    return wrong != 0;
}
