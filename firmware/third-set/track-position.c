/*
 * A music player. The output thread plays on and goes to the next track at the
 * end of one; the display shows track and position; the remote control jumps
 * to the start of a track.
 *
 * Bug: track and position are two atomic variables that are stored one after
 * the other. A display in between pairs the position in a long track with the
 * short one that comes next, and shows a time after the track's end.
 *
 * validate:
 *   kind: several-variables
 *   variable: player.track, player.position
 *   threads: 4
 *   fails-by: abort
 *   rare: no
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define TRACKS 3
#define STEPS 16
#define STEP 30

static const unsigned lengths[TRACKS] = { 60, 240, 90 };

static struct {
    pthread_mutex_t lock;       /* for those who change something */
    atomic_uint track;
    atomic_uint position;       /* in seconds */
    int jumps;
} player = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* The last key frame before a position. */
static unsigned key_frame(unsigned track, unsigned position)
{
    unsigned frame = 0;

    for (unsigned at = 0; at <= position; at += 5 + track)
        frame = at;
    return frame;
}

static void set_position(unsigned track, unsigned position)
{
    atomic_store(&player.track, track);                 /* bug: 1 */
    atomic_store(&player.position, key_frame(track, position));    /* bug: 4 */
}

static void *output(void *arg)
{
    (void)arg;
    for (int i = 0; i < STEPS; i++) {
        pthread_mutex_lock(&player.lock);
        unsigned track = atomic_load(&player.track);
        unsigned next = atomic_load(&player.position) + STEP;

        if (next < lengths[track])
            atomic_store(&player.position, next);
        else
            set_position((track + 1) % TRACKS, 0);      /* bug */
        pthread_mutex_unlock(&player.lock);
    }
    return NULL;
}

static void *remote(void *arg)
{
    static const unsigned jumps[] = { 1, 2, 1 };

    (void)arg;
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&player.lock);
        set_position(jumps[i], 15);
        player.jumps++;
        pthread_mutex_unlock(&player.lock);
    }
    return NULL;
}

static void show(unsigned track, unsigned position)
{
    if (position >= lengths[track]) {                   /* bug */
        fprintf(stderr, "display: %u seconds of track %u\n", position, track);
        abort();
    }
}

static void *display(void *arg)
{
    unsigned *shown = arg;

    for (int i = 0; i < STEPS; i++) {
        unsigned track, position;

#ifdef FIXED
        pthread_mutex_lock(&player.lock);
#endif
        track = atomic_load(&player.track);             /* bug: 2 */
        position = atomic_load(&player.position);       /* bug: 3 */
#ifdef FIXED
        pthread_mutex_unlock(&player.lock);
#endif
        show(track, position);                          /* bug */
        ++*shown;
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b, c;
    unsigned shown = 0;

    pthread_create(&a, NULL, output, NULL);
    pthread_create(&b, NULL, display, &shown);
    pthread_create(&c, NULL, remote, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    printf("%u times shown, %d jumps\n", shown, player.jumps);
    return shown == STEPS && player.jumps == 3 ? 0 : 1;
}
