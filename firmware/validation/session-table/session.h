#ifndef SESSION_H
#define SESSION_H

#define NSESSIONS 5

typedef struct session session_t;

void       sessions_init(void);
session_t *session_find(int cookie);
void       session_charge(session_t *s, int bytes);
void       session_done(session_t *s);
void       sessions_age(void);
int        sessions_alive(void);

#endif
