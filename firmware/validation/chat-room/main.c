/*
 * chat-room/main.c
 *
 * Members join and leave a room, a town crier sends messages to all present.
 * Member records come from a pool (room.c) and carry a magic number; records
 * of members that have left are stamped GONE.
 *
 * Bug: room_broadcast() gives up the room lock while it delivers to a member
 * and then goes on with that member's `next`.  The member may have left (and
 * its record been returned to the pool) in the meantime.
 *
 * validate:
 *   kind: lifetime
 *   variable: m->magic, m->next
 *   threads: 5
 *   fails-by: assert
 *   rare: no
 */
#include "room.h"

#include <assert.h>
#include <stdio.h>

#define GUESTS 3
#define VISITS 3

static struct room room;

static void *guest(void *arg)
{
    int id = *(int *)arg, got = 0;

    for (int i = 0; i < VISITS; i++) {
        struct member *m = room_enter(&room, id);

        room_say(&room);
        got += room_leave(&room, m);
    }
    *(int *)arg = got;
    return NULL;
}

static void *crier(void *arg)
{
    int *sent = arg;

    for (int i = 0; i < 4; i++)
        *sent += room_broadcast(&room);
    return NULL;
}

int main(void)
{
    pthread_t g[GUESTS], c;
    int box[GUESTS], sent = 0, received = 0;

    room_init(&room);
    for (int i = 0; i < GUESTS; i++) {
        box[i] = i + 1;
        pthread_create(&g[i], NULL, guest, &box[i]);
    }
    pthread_create(&c, NULL, crier, &sent);
    for (int i = 0; i < GUESTS; i++) {
        pthread_join(g[i], NULL);
        received += box[i];
    }
    pthread_join(c, NULL);
    printf("%d sent, %d received, %d said\n", sent, received, room.said);
    assert(room.members == NULL);
    return 0;
}
