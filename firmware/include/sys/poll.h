#error "sys/poll.h: not available; there is nothing to poll; wait with pthread_cond_timedwait or sem_timedwait"
