/*
 * The lobby of a game server. A room exists as long as somebody is in it:
 * players who enter make it if need be, and the last one out removes it.
 *
 * Bug: room_enter() finds the room with the lobby's lock, and counts itself in
 * after it has released the lock. The last player may leave in between, and
 * the room is freed.
 *
 * validate:
 *   kind: lifetime
 *   variable: room->players, room->magic
 *   threads: 4
 *   fails-by: abort
 *   rare: no
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define PLAYERS 3
#define ROOMS 2
#define VISITS 8

#define OPEN 0x09e40u
#define GONE 0xdead0u

struct room {
    volatile unsigned magic;
    int number;
    atomic_int players;
    atomic_uint said;
    struct room *next;
};

static struct {
    pthread_mutex_t lock;
    struct room *first;
    int made, removed;
} lobby = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* With the lobby's lock. */
static struct room *room_find(int number)
{
    struct room *r = lobby.first;

    while (r && r->number != number)            /* bug: 1 */
        r = r->next;
    return r;
}

/* With the lobby's lock. */
static struct room *room_make(int number)
{
    struct room *r = malloc(sizeof *r);

    if (!r)
        abort();
    r->magic = OPEN;
    r->number = number;
    atomic_init(&r->players, 0);
    atomic_init(&r->said, 0);
    r->next = lobby.first;
    lobby.first = r;
    lobby.made++;
    return r;
}

/* With the lobby's lock. */
static void room_unlink(struct room *r)
{
    struct room **link = &lobby.first;

    while (*link && *link != r)
        link = &(*link)->next;
    if (!*link)
        abort();
    *link = r->next;
    lobby.removed++;
}

static struct room *room_enter(int number)
{
    struct room *r;

    pthread_mutex_lock(&lobby.lock);
    r = room_find(number);
    if (!r)
        r = room_make(number);
#ifdef FIXED
    atomic_fetch_add(&r->players, 1);
#endif
    pthread_mutex_unlock(&lobby.lock);
#ifndef FIXED
    atomic_fetch_add(&r->players, 1);           /* bug: 3 */
#endif
    return r;
}

static void room_leave(struct room *r)
{
    int last;

    pthread_mutex_lock(&lobby.lock);
    last = atomic_fetch_sub(&r->players, 1) == 1;               /* bug */
    if (last) {
        room_unlink(r);
        r->magic = GONE;                        /* bug: 2 */
    }
    pthread_mutex_unlock(&lobby.lock);
    if (last)
        free(r);                                /* bug */
}

static void room_say(struct room *r, int number, unsigned word)
{
    if (r->magic != OPEN || r->number != number) {              /* bug: 4 */
        fprintf(stderr, "room %d is gone\n", number);
        abort();
    }
    atomic_fetch_add(&r->said, word);
}

static void *player(void *arg)
{
    unsigned word = *(unsigned *)arg;

    for (int i = 0; i < VISITS; i++) {
        int number = i % ROOMS;
        struct room *r = room_enter(number);

        room_say(r, number, word);
        word = word * 5 + 3;
        room_say(r, number, word);
        room_leave(r);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[PLAYERS];
    unsigned words[PLAYERS] = { 11, 22, 33 };

    for (int i = 0; i < PLAYERS; i++)
        if (pthread_create(&threads[i], NULL, player, &words[i]) != 0)
            abort();
    for (int i = 0; i < PLAYERS; i++)
        pthread_join(threads[i], NULL);
    printf("rooms: all gone\n");
    return lobby.first == NULL && lobby.made == lobby.removed ? 0 : 1;
}
