/* price-board.c
 *
 * A board with bid and ask prices.  One feed thread updates it, a second
 * feed widens the spread now and then, nine traders read it.
 *
 * Bug: widen() changes bid and ask while holding the lock for reading (copied
 * from the trader's code), so a trader may see the new bid with the old ask
 * in the middle of it.
 *
 * validate:
 *   kind: readers-writers
 *   variable: board.bid, board.ask
 *   threads: 12
 *   fails-by: assert
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#define TRADERS 9

static struct {
    pthread_rwlock_t rw;
    volatile int bid;
    volatile int ask;
    volatile int mid;       /* always (bid + ask) / 2 */
} board = { .rw = PTHREAD_RWLOCK_INITIALIZER, .bid = 990, .ask = 1010, .mid = 1000 };

static void *feed(void *arg)
{
    static const int move[] = { 3, -1, 4, -1, -5, 9, -2, 6 };

    for (int i = 0; i < 8; i++) {
        pthread_rwlock_wrlock(&board.rw);
        board.bid += move[i];
        board.ask += move[i];
        board.mid += move[i];
        pthread_rwlock_unlock(&board.rw);
    }
    return arg;
}

static void *widen(void *arg)
{
    for (int i = 0; i < 2; i++) {
#ifdef FIXED
        pthread_rwlock_wrlock(&board.rw);
#else
        pthread_rwlock_rdlock(&board.rw);               /* bug */
#endif
        board.bid -= 5;                                 /* bug: 1 */
        board.ask += 5;                                 /* bug: 4 */
        pthread_rwlock_unlock(&board.rw);
    }
    return arg;
}

static void *trader(void *arg)
{
    int *odd = arg;

    for (int i = 0; i < 3; i++) {
        int bid, ask, mid;

        pthread_rwlock_rdlock(&board.rw);
        bid = board.bid;                                /* bug: 2 */
        ask = board.ask;                                /* bug: 3 */
        mid = board.mid;
        pthread_rwlock_unlock(&board.rw);
        if (bid + ask != 2 * mid)
            ++*odd;
    }
    return NULL;
}

int main(void)
{
    pthread_t f, w, t[TRADERS];
    int odd[TRADERS] = { 0 };

    pthread_create(&f, NULL, feed, NULL);
    for (int i = 0; i < TRADERS; i++)
        pthread_create(&t[i], NULL, trader, &odd[i]);
    pthread_create(&w, NULL, widen, NULL);
    pthread_join(f, NULL);
    pthread_join(w, NULL);
    for (int i = 0; i < TRADERS; i++)
        pthread_join(t[i], NULL);

    printf("closing %d/%d\n", board.bid, board.ask);
    for (int i = 0; i < TRADERS; i++)
        assert(odd[i] == 0);
    return 0;
}
