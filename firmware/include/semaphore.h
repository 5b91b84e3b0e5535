#ifndef CROSSTALK_SEMAPHORE_H
#define CROSSTALK_SEMAPHORE_H

#include <time.h>

typedef struct {
    unsigned waiters; /* upper half: a bit for each hart that waits; lower half: the value */
} sem_t;

#define SEM_VALUE_MAX 0x7fff

int sem_init(sem_t *semaphore, int shared, unsigned value);
int sem_destroy(sem_t *semaphore);
int sem_wait(sem_t *semaphore);
int sem_trywait(sem_t *semaphore);
int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict deadline);
int sem_post(sem_t *semaphore);
int sem_getvalue(sem_t *restrict semaphore, int *restrict value);

#endif
