/*
 * A chat server: users join the room, say things to everybody and leave. While a
 * message goes around, the room is unlocked for each write to the history.
 *
 * Bug: a user who leaves in that moment is freed, and the message goes on from the
 * freed client to its next one.
 *
 * validate:
 *   kind: lifetime
 *   variable: cur->next
 *   threads: 5
 *   fails-by: fault
 *   rare: no
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include "room.h"

#define USERS 4
#define MESSAGES 2

static room_t room;
static const char *nicks[USERS] = { "heron", "egret", "stork", "crane" };

static pthread_mutex_t online_lock = PTHREAD_MUTEX_INITIALIZER;
static int online, peak;

static void went_online(int d)
{
    pthread_mutex_lock(&online_lock);
    online += d;
    if (online > peak)
        peak = online;
    pthread_mutex_unlock(&online_lock);
}

static void *user(void *arg)
{
    int id = (int)(size_t)arg;
    client_t *me;

    went_online(1);
    me = room_join(&room, nicks[id]);
    for (int i = 0; i < MESSAGES; i++)
        room_say(&room, id * 100 + i);
    room_leave(&room, me);
    went_online(-1);
    return NULL;
}

int main(void)
{
    pthread_t tid[USERS];

    room_init(&room);
    for (size_t i = 0; i < USERS; i++)
        pthread_create(&tid[i], NULL, user, (void *)i);
    for (int i = 0; i < USERS; i++)
        pthread_join(tid[i], NULL);

    assert(room.members == 0 && room.first == NULL);
    assert(online == 0 && peak >= 1);
    assert(room.delivered == history_count());
    assert(room.delivered >= USERS * MESSAGES);
    history_clear();
    return 0;
}
