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
int sem_timedwait(sem_t *__restrict semaphore, const struct timespec *__restrict deadline);
int sem_post(sem_t *semaphore);
int sem_getvalue(sem_t *__restrict semaphore, int *__restrict value);

#define SEM_FAILED ((sem_t *)0)
#ifndef O_CREAT
#define O_CREAT 0100
#define O_EXCL 0200
#endif

/* Named semaphores, of this run alone. */
sem_t *sem_open(const char *name, int flags, ...);
int sem_close(sem_t *semaphore);
int sem_unlink(const char *name);
int sem_clockwait(sem_t *__restrict semaphore, clockid_t clock, const struct timespec *__restrict deadline);

#endif
