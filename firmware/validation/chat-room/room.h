#ifndef ROOM_H
#define ROOM_H
#include <pthread.h>

enum { PRESENT = 0x5ea7ed, GONE = 0x60e };

struct member {
    int magic;
    int id;
    int mail;                   /* messages received, under room lock */
    struct member *next;
};

struct room {
    pthread_mutex_t lock;
    struct member *members;
    struct member *spare;       /* records for reuse */
    struct member pool[8];
    int said;
};

void room_init(struct room *r);
struct member *room_enter(struct room *r, int id);
int room_leave(struct room *r, struct member *m);
void room_say(struct room *r);
int room_broadcast(struct room *r);

#endif
