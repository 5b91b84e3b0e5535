/* Packets that are received and not yet played. */
#ifndef BACKLOG_H
#define BACKLOG_H

#include <pthread.h>

#define BACKLOG_ROOM 8

struct packet {
    int stream;
    int bytes;
    unsigned checksum;
};

struct backlog {
    pthread_mutex_t lock;
    pthread_cond_t arrived, taken;
    struct packet packets[BACKLOG_ROOM];
    int first, count;
    int bytes;                  /* of all packets in it */
    int most_bytes;
    int closed;
};

void backlog_init(struct backlog *b);
void backlog_put(struct backlog *b, struct packet p);
int backlog_get(struct backlog *b, struct packet *p);   /* 0 at the end */
void backlog_close(struct backlog *b);

#endif
