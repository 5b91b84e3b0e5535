#ifndef PLAYER_H
#define PLAYER_H

enum event { STARTED, FINISHED };

typedef void (*listener)(enum event what, int track);

void player_listen(listener call);
void player_play(int track);
void player_finish(void);
int player_stop(int track);
int player_played(void);

#endif
