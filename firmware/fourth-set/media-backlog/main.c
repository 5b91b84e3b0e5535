/*
 * A media player. Two streams are received and put into a backlog, which knows
 * how many packets and how many bytes it has; the player takes them out.
 *
 * Bug: backlog_put() counts the packet and its bytes in two critical sections.
 * The player takes a packet whose bytes are not in the sum yet.
 *
 * validate:
 *   kind: several-variables
 *   variable: backlog->count, backlog->bytes
 *   threads: 4
 *   fails-by: assertion
 *   rare: no
 */
#include "backlog.h"
#include <stdio.h>
#include <stdlib.h>

#define STREAMS 2
#define PACKETS 10

static struct backlog backlog;

struct player {
    int packets[STREAMS];
    int damaged;
};

static unsigned checksum(int stream, int bytes)
{
    unsigned a = 1, b = (unsigned)stream;

    for (int i = 0; i < bytes; i++) {
        a = (a + (unsigned)(i * 3 + stream)) % 65521u;
        b = (b + a) % 65521u;
    }
    return b << 16 | a;
}

static void *receive(void *arg)
{
    int stream = *(int *)arg;

    for (int i = 0; i < PACKETS; i++) {
        int bytes = 10 + (i * 7 + stream * 5) % 16;

        backlog_put(&backlog, (struct packet){ stream, bytes, checksum(stream, bytes) });
    }
    return NULL;
}

static void *play(void *arg)
{
    struct player *player = arg;
    struct packet p;

    while (backlog_get(&backlog, &p)) {
        player->packets[p.stream]++;
        if (p.checksum != checksum(p.stream, p.bytes))
            player->damaged++;
    }
    return NULL;
}

int main(void)
{
    pthread_t receivers[STREAMS], player_thread;
    int streams[STREAMS];
    struct player player = { .damaged = 0 };

    backlog_init(&backlog);
    if (pthread_create(&player_thread, NULL, play, &player) != 0)
        abort();
    for (int i = 0; i < STREAMS; i++) {
        streams[i] = i;
        if (pthread_create(&receivers[i], NULL, receive, &streams[i]) != 0)
            abort();
    }
    for (int i = 0; i < STREAMS; i++)
        pthread_join(receivers[i], NULL);
    backlog_close(&backlog);
    pthread_join(player_thread, NULL);
    printf("%d and %d packets, %d damaged\n", player.packets[0], player.packets[1],
           player.damaged);
    if (player.packets[0] != PACKETS || player.packets[1] != PACKETS || player.damaged)
        return 1;
    return backlog.bytes == 0 && backlog.count == 0 ? 0 : 1;
}
