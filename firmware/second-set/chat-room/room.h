#ifndef ROOM_H
#define ROOM_H

#include <pthread.h>
#include <stdbool.h>

#define INBOX 64

typedef struct client {
    char nick[16];
    int inbox[INBOX];
    int unread;
    struct client *prev, *next;
#ifdef FIXED
    int holds;
    bool gone;
#endif
} client_t;

typedef struct room {
    pthread_mutex_t lock;
    client_t *first;
    int members;
    int delivered;
} room_t;

void room_init(room_t *r);
client_t *room_join(room_t *r, const char *nick);
void room_leave(room_t *r, client_t *c);
void room_say(room_t *r, int msg);

/* history.c */
void history_add(int msg, const char *to);
int history_count(void);
void history_clear(void);

#endif
