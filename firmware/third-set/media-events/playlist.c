#include "player.h"

#include <pthread.h>
#include <stdio.h>

#define TRACKS 4

struct entry {
    int removed;
    int started, finished;
};

static struct {
    pthread_mutex_t lock;
    struct entry entries[TRACKS];
    int left;
} playlist = { .lock = PTHREAD_MUTEX_INITIALIZER, .left = TRACKS };

static void on_event(enum event what, int track)
{
    pthread_mutex_lock(&playlist.lock);         /* bug: 3 */
    if (what == STARTED)
        playlist.entries[track].started++;
    else
        playlist.entries[track].finished++;
    pthread_mutex_unlock(&playlist.lock);
}

static void playlist_remove(int track)
{
    pthread_mutex_lock(&playlist.lock);         /* bug: 2 */
    if (!playlist.entries[track].removed) {
        playlist.entries[track].removed = 1;
        playlist.left--;
    }
#ifdef FIXED
    pthread_mutex_unlock(&playlist.lock);
    player_stop(track);
#else
    player_stop(track);                         /* bug */
    pthread_mutex_unlock(&playlist.lock);
#endif
}

static int playlist_has(int track)
{
    pthread_mutex_lock(&playlist.lock);
    int there = !playlist.entries[track].removed;

    pthread_mutex_unlock(&playlist.lock);
    return there;
}

static void *output(void *arg)
{
    int *on_air = arg;

    for (int track = 0; track < TRACKS; track++) {
        if (!playlist_has(track))
            continue;
        player_play(track);
        ++*on_air;
        player_finish();
    }
    return NULL;
}

static void *user(void *arg)
{
    (void)arg;
    playlist_remove(2);
    playlist_remove(0);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int on_air = 0;

    player_listen(on_event);
    pthread_create(&a, NULL, output, &on_air);
    pthread_create(&b, NULL, user, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d on air, %d tracks left\n", on_air, playlist.left);
    return on_air == player_played() && playlist.left == TRACKS - 2 ? 0 : 1;
}
