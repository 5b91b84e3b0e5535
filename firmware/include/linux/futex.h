#error "linux/futex.h: not available; use pthread_cond_wait or sem_wait"
