/*
 * A media player of two parts. The player plays a track and tells a listener
 * when one starts or ends; the playlist is that listener and keeps marks of
 * what was played. The user can remove a track from the playlist, which stops
 * it if it is being played.
 *
 * Bug: the player calls its listener with its own lock held, and the listener
 * takes the playlist's. Removing a track takes the playlist's lock and then,
 * in player_stop(), the player's.
 *
 * validate:
 *   kind: deadlock
 *   variable: player.lock, playlist.lock
 *   threads: 3
 *   fails-by: deadlock
 *   rare: no
 */
#include "player.h"

#include <pthread.h>

#define NOTHING (-1)

static struct {
    pthread_mutex_t lock;
    int track;
    int played;
    int stopped;
    listener call;
} player = { .lock = PTHREAD_MUTEX_INITIALIZER, .track = NOTHING };

void player_listen(listener call)
{
    pthread_mutex_lock(&player.lock);
    player.call = call;
    pthread_mutex_unlock(&player.lock);
}

void player_play(int track)
{
    pthread_mutex_lock(&player.lock);           /* bug */
    player.track = track;
#ifdef FIXED
    listener call = player.call;

    pthread_mutex_unlock(&player.lock);
    call(STARTED, track);
#else
    player.call(STARTED, track);                /* bug */
    pthread_mutex_unlock(&player.lock);
#endif
}

void player_finish(void)
{
    int track;

    pthread_mutex_lock(&player.lock);           /* bug: 1 */
    track = player.track;
    if (track == NOTHING) {
        pthread_mutex_unlock(&player.lock);
        return;
    }
    player.track = NOTHING;
    player.played++;
#ifdef FIXED
    listener call = player.call;

    pthread_mutex_unlock(&player.lock);
    call(FINISHED, track);
#else
    player.call(FINISHED, track);               /* bug */
    pthread_mutex_unlock(&player.lock);
#endif
}

int player_stop(int track)
{
    int was_on;

    pthread_mutex_lock(&player.lock);           /* bug: 4 */
    was_on = player.track == track;
    if (was_on) {
        player.track = NOTHING;
        player.stopped++;
    }
    pthread_mutex_unlock(&player.lock);
    return was_on;
}

int player_played(void)
{
    pthread_mutex_lock(&player.lock);
    int played = player.played + player.stopped;

    pthread_mutex_unlock(&player.lock);
    return played;
}
