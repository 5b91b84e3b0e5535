/*
 * leaderboard.c - best score of a tournament, posted by game rooms.
 *
 * post_score() peeks at the current best without the lock ("most scores are
 * no record, don't contend") and takes the lock only to store a new record.
 * It does not look again after it has got the lock: of two records at the
 * same time the smaller one can be stored last.
 *
 * validate:
 *   kind: lost-update
 *   variable: board.best_score
 *   threads: 8
 *   fails-by: assert
 *   rare: no
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#define ROOMS  7
#define ROUNDS 9

typedef struct leaderboard_s {
    pthread_mutex_t  mu;
    atomic_int       best_score;
    int              best_room;
    int              records;
} leaderboard_t;

static leaderboard_t board = { .mu = PTHREAD_MUTEX_INITIALIZER, .best_room = -1 };

static void post_score(leaderboard_t *lb, int room, int score)
{
    if (score <= atomic_load(&lb->best_score)) /* bug: 1 */
        return;

    pthread_mutex_lock(&lb->mu);
#ifdef FIXED
    if (score > atomic_load(&lb->best_score)) {
#else
    {
#endif
        atomic_store(&lb->best_score, score); /* bug: 2, 3 */
        lb->best_room = room;
        lb->records++;
    }
    pthread_mutex_unlock(&lb->mu);
}

/* a fixed "game": every room has its own score curve */
static int play(int room, int round)
{
    static const int curve[ROUNDS] = { 5, 9, 4, 17, 12, 30, 28, 41, 33 };
    return curve[round] * 10 + (room * 3) % 10;
}

static void *room_main(void *arg)
{
    int room = (int)(long)arg;
    int own = 0;

    for (int r = 0; r < ROUNDS; r++) {
        int s = play(room, r);
        if (s > own)
            own = s;
        post_score(&board, room, s);
    }
    return (void *)(long)own;
}

int main(void)
{
    pthread_t th[ROOMS];
    int expect = 0;

    for (long i = 0; i < ROOMS; i++)
        pthread_create(&th[i], NULL, room_main, (void *)i);
    for (int i = 0; i < ROOMS; i++) {
        void *own;
        pthread_join(th[i], &own);
        if ((int)(long)own > expect)
            expect = (int)(long)own;
    }
    printf("winner: room %d with %d (%d records)\n", board.best_room,
           atomic_load(&board.best_score), board.records);
    assert(atomic_load(&board.best_score) == expect);
    return 0;
}
